"""Luck of matches: in numbers, in the store, and worked out in the background."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import Playroom, Visitor, keep, played
from kit.postgres import on_both, on_sqlite
from kit.spoken import EVERY
from kit.tables import ANNE
from kit.visits import Visit
from msgspec.structs import replace

from volte.bots.apart import LuckQuestion
from volte.bots.judged import DealLuck, Parts
from volte.bots.reviewing import luck_of
from volte.game import CardsOrigin, DealScored, Event, MatchStarted
from volte.history.luck import FEW, MOST_SPANS, LuckMean, LuckSum, SeatLuck, lucks_of, spans
from volte.history.luck_reckoner import LuckReckoner, value_here, work_out
from volte.history.luck_told import match_told
from volte.history.match_page import key_of
from volte.history.reckoner import Reckoner, reckon, reckon_anew
from volte.history.store import Results, StoredLuck
from volte.rules import make_ruleset
from volte.say import Words
from volte.store import MatchRow, Person
from volte.store.store import Store
from volte.table import Someone

ROW = MatchRow("m", "t", 1, b"m" * 32, 5.0, ("anne", "", "", ""), 9, 86400.0 * 20000 + 9.0)


@cache
def log(preset: str = "coeurs", seed: int = 1) -> tuple[Event, ...]:
    return tuple(played(make_ruleset(preset, {"match_end": "deals:2"}), seed))


async def kept(store: Store, *logs: Sequence[Event], at: float | None = None) -> list[MatchRow]:
    """Store matches that Anne has played, without their results."""
    await store.put_person(Person(ANNE.id, ANNE.name, "en", {}, 1.0))
    return [await keep(store, ANNE, each, at=at) for each in logs]


# In numbers


def test_share_luck_and_play_of_a_seat_come_to_its_points() -> None:
    deals = luck_of(log())
    rows = lucks_of(ROW, 4, deals)
    assert sum(row.luck for row in rows) == pytest.approx(0)
    assert sum(row.play for row in rows) == pytest.approx(0)
    points = [each.score.points for each in log() if isinstance(each, DealScored)]
    for row in rows:
        assert (row.match, row.day, row.deals, row.lost) == ("m", 20000, 2, 0)
        assert row.points == sum(deal[row.seat] for deal in points)
        assert row.parts is not None
        assert rows[0].parts is not None
        assert row.parts.share == pytest.approx(rows[0].parts.share)
        assert [number for number, *_ in row.course["deals"]] == [1, 2]
        assert sum(luck for _, _, luck, _ in row.course["deals"]) == pytest.approx(row.luck)


def test_where_nobody_knows_the_worth_of_the_cards_nothing_is_counted() -> None:
    rows = lucks_of(ROW, 3, luck_of(log("cancellation")))
    assert [(row.deals, row.lost, row.points, row.luck) for row in rows] == [(0, 2, 0, 0.0)] * 3


def test_thirteen_points_by_luck_are_told_and_no_fewer() -> None:
    cards = ((0.0, 13.0), (26.0, 0.0), (39.0, 13.1))
    deals = [DealLuck(n, (0, 0), (0, 0), each) for n, each in enumerate(cards, start=1)]
    one, other = lucks_of(ROW, 2, deals)
    rules = make_ruleset("microsoft")
    assert list(one.lucky(rules)) == [(2, 13.0)]
    assert list(other.lucky(rules)) == [(2, -13.0)]
    assert not list(one.lucky(make_ruleset("spot-hearts")))  # a deal has far more points


@given(st.lists(st.floats(-50, 50), max_size=30))
def test_a_mean_and_its_error_follow_from_the_sums(values: list[float]) -> None:
    mean = LuckMean.of(len(values), sum(values), sum(each * each for each in values))
    assert mean.value == pytest.approx(fmean(values) if values else 0.0)
    if len(values) < 2:
        assert mean.error is None
        assert not mean.sure
    else:
        assert mean.sure <= (len(values) >= FEW)
        assert mean.error == pytest.approx(stdev(values) / sqrt(len(values)), abs=1e-5)


def test_long_times_are_told_by_month_or_year() -> None:
    def of(days: Sequence[int]) -> list[tuple[int, ...]]:
        sums = [LuckSum("coeurs", day, 1, 0, 2, 9, 1.0, 2.0, 1.0, 4.0) for day in days]
        found = spans(reversed(sums))
        assert sum(each.sums.deals for each in found) == 2 * len(sums)
        assert [each.parts for each in found] == sorted(each.parts for each in found)
        return [each.parts for each in found]

    assert of([]) == []
    assert of([0, 1]) == [(1970, 1, 1), (1970, 1, 2)]
    assert of(range(MOST_SPANS + 10)) == [(1970, 1), (1970, 2)]
    assert of(range(0, 3000, 30))[::8] == [(1970,), (1978,)]


# In the store


def seat_luck(match: str, seat: int, **more: object) -> SeatLuck:
    usual = {
        "day": 9,
        "given": False,
        "deals": 2,
        "lost": 0,
        "points": 10,
        "luck": 1.5,
        "play": 2.0,
    }
    squares = {"luck_squares": 4.0, "play_squares": 9.0, "course": {"deals": [[1, 10, 1.5, 2.0]]}}
    return SeatLuck(**{"match": match, "seat": seat, **usual, **squares, **more})  # type: ignore[arg-type]


@on_both
async def test_luck_counts_for_whoever_played_the_whole_match(store: Store) -> None:
    rows = await kept(store, log(), log(), log())
    for row in rows:
        await reckon(store, row)
    luck = store[StoredLuck]
    assert await luck.waiting(ANNE.id) == 3
    await luck.keep([seat_luck(rows[0].id, seat, points=10 * seat + 1) for seat in range(4)])
    await luck.keep([seat_luck(rows[1].id, seat, deals=0, luck=0.0) for seat in range(4)])
    assert await luck.waiting(ANNE.id) == 1
    (found,) = await luck.sums(ANNE.id)
    assert found == LuckSum("other", 9, 1, 1, 2, 11, 1.5, 4.0, 8.0, 18.0)
    own = await luck.own(rows[0].id, ANNE.id)
    assert own is not None
    assert (own.seat, own.points) == (0, 1)
    assert await luck.own(rows[2].id, ANNE.id) is None
    assert len((await luck.export(ANNE.id))["luck"]) == 2
    assert await luck.sums("") == []


async def test_who_is_forgotten_has_no_luck_and_the_match_keeps_its_own(store: Store) -> None:
    (row,) = await kept(store, log())
    await reckon(store, row)
    await work_out(store, row, value_here)
    assert await store[StoredLuck].own(row.id, ANNE.id) is not None
    await store[Results]._write(*store[Results].forgetting(ANNE.id))
    assert await store[StoredLuck].own(row.id, ANNE.id) is None
    assert await store[StoredLuck].sums(ANNE.id) == []
    assert await store[StoredLuck].known(row.id)


# Worked out


async def all_luck(store: Store) -> list[dict[str, object]]:
    found: list[dict[str, object]] = (await store[StoredLuck].export(ANNE.id))["luck"]
    return sorted(found, key=lambda each: str(each["match"]))


async def test_cards_that_were_set_are_told_of_their_match_and_count_over_none(
    store: Store,
) -> None:
    """Nobody drew them; a deal by a link may have been chosen for its luck."""
    started, *rest = log()
    assert isinstance(started, MatchStarted)
    again = replace(started, cards=CardsOrigin())
    drawn, chosen = await kept(store, [started, *rest], [again, *rest])
    for row in (drawn, chosen):
        await reckon(store, row)
        await work_out(store, row, value_here)
    luck = store[StoredLuck]
    one, other = [await luck.own(row.id, ANNE.id) for row in (drawn, chosen)]
    assert one is not None
    assert other is not None
    assert (one.luck, one.given, other.luck, other.given) == (one.luck, False, one.luck, True)
    (found,) = await luck.sums(ANNE.id)
    assert (found.matches, found.deals) == (1, one.deals)


@on_both
async def test_two_nodes_that_work_out_a_match_at_once_store_it_once(
    store: Store, other: Store
) -> None:
    (row,) = await kept(store, log())
    assert not await work_out(store, row, value_here)  # results come first
    await reckon(store, row)
    done = await asyncio.gather(*(work_out(each, row, value_here) for each in (store, other) * 2))
    assert done == [True] * 4
    assert len(await all_luck(store)) == 1

    async def never(question: LuckQuestion) -> tuple[DealLuck, ...]:
        raise AssertionError("it is known already")

    assert await work_out(other, row, never)


async def test_who_is_killed_between_results_and_luck_leaves_it_to_the_next_start(
    store: Store,
) -> None:
    """Also what was broken off in the middle of a match; matches of long ago too."""
    rows = await kept(store, log(), log("microsoft"), at=time.time() - 10**7)
    for row in rows:
        await reckon(store, row)

    async def killed(question: LuckQuestion) -> tuple[DealLuck, ...]:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await work_out(store, rows[0], killed)
    assert await store[StoredLuck].waiting(ANNE.id) == 2
    luck = LuckReckoner(store)
    luck.begin()
    await luck.idle()
    assert await store[StoredLuck].waiting(ANNE.id) == 0
    (new,) = await kept(store, log(seed=2))
    change = luck.change(new.table)
    results = Reckoner(store, then=luck.take)
    results.begin()
    await change.wait()
    await results.close()
    await luck.close()
    found = {each["match"]: each for each in await all_luck(store)}
    assert found.keys() == {new.id, *(row.id for row in rows)}
    assert found[new.id]["luck"] == lucks_of(new, 4, luck_of(log(seed=2)))[0].luck


async def test_a_match_that_fails_holds_up_no_other(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = await kept(store, log(), log())
    for row in rows:
        await reckon(store, row)
    luck, questions = LuckReckoner(store), list[LuckQuestion]()

    async def value(question: LuckQuestion) -> tuple[DealLuck, ...]:
        questions.append(question)
        if len(questions) == 1:
            raise ValueError
        return await value_here(question)

    monkeypatch.setattr(luck, "_value", value)
    luck.begin()
    await luck.idle()
    await luck.close()
    assert len(questions) == 2
    assert await store[StoredLuck].waiting(ANNE.id) == 1


@on_sqlite
async def test_made_anew_it_is_the_same(store: Store) -> None:
    rows = await kept(store, log(), log("microsoft"), log("cancellation"))
    for row in rows:
        await reckon(store, row)
        await work_out(store, row, value_here)
    before = await all_luck(store)
    assert [each["deals"] == 0 for each in before].count(True) == 1
    assert await reckon_anew(store, lambda done, whole: None) == (3, 0)
    assert await all_luck(store) == before
    await store[StoredLuck].forget_all()  # as if it had been interrupted there
    luck = LuckReckoner(store)
    luck.begin()
    await luck.idle()
    await luck.close()
    assert await all_luck(store) == before


# Told


@pytest.fixture
def zoe(visit: Visit) -> Visitor:
    return visit("Zoé")


def person_of(visitor: Visitor) -> Someone:
    me = visitor.client.get("/api/me").json()
    return Someone(me["person"], me["name"])


Known = Callable[..., MatchRow]


@pytest.fixture
def known(playroom: Playroom) -> Known:
    """Store a match of a visitor with its results, and its luck unless `luck` is False."""

    def known(
        visitor: Visitor, events: Sequence[Event], *, luck: bool = True, **more: Any
    ) -> MatchRow:
        store = playroom.site.room.store
        row = playroom.do(keep(store, person_of(visitor), events, **more))
        playroom.do(reckon(store, row))
        if luck:
            playroom.do(work_out(store, row, value_here))
        return row

    return known


@cache
def lucky() -> tuple[Event, ...]:
    """A match of two deals with a dear queen, of which the first brings seat 0 much bad luck."""
    return tuple(
        played(make_ruleset("microsoft", {"match_end": "deals:2", "queen_points": 100}), 21)
    )


@pytest.mark.parametrize("lang", EVERY)
def test_luck_is_told_after_a_match_and_over_all(visit: Visit, lang: str, known: Known) -> None:
    """By a sentence, by a drawing, and by a table that says the same."""
    zoe, luck = visit("Zoé", lang), {"en": "Luck and play"}.get(lang, "La chance et les choix")
    assert luck not in zoe.get("/matches/statistics").text
    row = known(zoe, lucky())
    page = zoe.get(f"/matches/{row.id}")
    assert page.wrong == []
    assert (
        "In this match, luck " if lang == "en" else "Dans cette partie, les cartes "
    ) in page.text
    assert page.all("a", href=f"/matches/{row.id}/proof#proof-1")
    known(zoe, log(), at=time.time() - 40 * 86400)
    known(zoe, log("cancellation"))
    waits = known(zoe, log(), luck=False)
    page = zoe.get("/matches/statistics")
    assert page.wrong == []
    assert luck in page.text
    assert "±" in page.text
    assert len(page.all("table")) == 3
    if lang == "en":
        assert "In 1 match, nobody can tell what was luck" in page.text
        assert "1 match does not count" in page.text  # this server leaves it out
        assert "does not work out" in zoe.get(f"/matches/{waits.id}").text


@pytest.mark.parametrize(
    ("luck", "play", "told"),
    [
        (2.0, 0.04, "luck cost you 2 points, and the play made no difference."),
        (-0.04, -1.5, "luck made no difference, and the play saved you 1.5 points."),
        (0.02, -0.02, "neither luck nor the play made a difference."),
    ],
)
def test_less_than_a_tenth_of_a_point_makes_no_difference(
    luck: float, play: float, told: str
) -> None:
    parts = Parts(6.5 + luck + play, 6.5, luck, play)
    assert match_told(Words("en"), parts, 0, make_ruleset("coeurs")) == (f"In this match, {told}",)


def test_much_luck_in_a_deal_is_told_to_its_player_once_all_may_be_shown(
    zoe: Visitor, visit: Visit, known: Known, playroom: Playroom
) -> None:
    row = known(zoe, lucky())
    line = "Deal 1: your cards alone cost you"
    assert line in zoe.get(f"/matches/{row.id}").text
    stranger = visit("Anne")
    assert stranger.get(f"/matches/{row.id}").status == 404
    seen = stranger.get(f"/matches/{row.id}?key={key_of(row)}")
    assert seen.status == 200
    assert line not in seen.text
    for page in (stranger, zoe):
        goes_on = playroom.do(keep(playroom.site.room.store, person_of(zoe), lucky(), over=False))
        assert line not in page.get(f"/matches/{goes_on.id}").text
