"""Secrecy: nothing that anybody is sent depends on cards that they may not know.

A match is told over real WebSockets, and all that is sent to everybody is written down: what the
table tells, what is answered to every question and every unlawful act, every page. Then it is told
again, with the cards that somebody has not seen lying elsewhere: in any way that agrees with what
they had seen by then. The house commits to the same as before, below which it deals as it is told
to; the others do what looks the same. Up to then, that person is sent the same bytes.

Left out: accepting a claim (C1) tells one bit about the cards, by its very rule.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit import Player, Process, Site, few, rulesets, serving
from kit.elsewhere import NowhereElse, elsewhere
from kit.traffic import MASTER, Script, Sent, Story, Told, tell
from msgspec.structs import replace

from volte import game
from volte.fair import House, SplitMix64
from volte.game.codec import encode
from volte.referee import Event, visible
from volte.rules import Ruleset, make_ruleset
from volte.scene.faces import Face
from volte.scene.table import _TableSceneBuilder
from volte.store.store import Store
from volte.table import Happening, Seat, Setup, TableEvent, Watching, decode_happening
from volte.table.viewpoints import MatchLog
from volte.view import View
from volte.wire.messages import Question, SceneSeat


def setup(preset: str, watching: Watching = Watching.HIDDEN, **settings: Any) -> Setup:
    return Setup(
        "Table", make_ruleset(preset, {"match_end": "deals:1"} | settings), watching=watching
    )


KITTY = setup("coeurs", players=3, kitty="first_trick")
JOKERS = setup("coeurs", players=5, jokers=2, kitty="first_trick")
LATE = setup("coeurs", Watching.AFTERWARDS, players=7)
LATE_TWICE = setup("dame-de-pique", Watching.AFTERWARDS, match_end="deals:2")
STORIES = {
    "classic": Story(setup("dame-de-pique"), (0, 2, 5, 12, 30), again=(8,), undo=11, rethink=2),
    "five": Story(JOKERS, (3, 7, 11, 24), people=5),
    "three": Story(KITTY, (1, 4, 7, 20), people=3, again=(5,)),
    "bots": Story(setup("dame-de-pique"), (0, 4, 9), people=2, late=3, again=(6,)),
    "seven": Story(LATE, (0, 5, 9, 16, 30), people=7, again=(12,)),
    "two_deals": Story(LATE_TWICE, (20, 58, 70), again=(64,)),
}
CHOSEN = {
    "classic": [(0, 1), (2, 3), (5, 4), (12, 0), (30, 2)],
    "five": [(7, 0), (11, 5), (24, 2)],
    "three": [(4, 3), (20, 1)],
    "bots": [(9, 0), (9, 3)],
    "seven": [(5, 6), (16, 0)],
    "two_deals": [(70, 1)],
}
"""Moments and places of those who look, for every change; all of them in the long run."""


def known(told: Told, moment: int) -> list[Event]:
    """The match up to that moment."""
    return [event for number, event in told.log if number <= told.at[moment]]


async def told_elsewhere(
    folder: Path, story: Story, script: Script, told: Told, moment: int, place: int, patch: Any
) -> Told:
    """Tell the story again, alike up to that moment as far as somebody could see."""
    random = SplitMix64(moment * 10 + place)
    orders, other = elsewhere(known(told, moment), told.seats[moment][place], script, random)
    return await tell(folder, story, other, patch, orders, moment, [place])


def differing(one: Sent, other: Sent) -> list[tuple[str, str]]:
    """Addresses at which two were sent different bytes."""
    pairs: list[tuple[str, str]] = []
    for mine, theirs in zip(one, other, strict=True):
        assert isinstance(mine, tuple)
        assert isinstance(theirs, tuple)
        if len(mine) != len(theirs):
            pairs.append((f"{len(mine)} messages", f"{len(theirs)} messages"))
        pairs += [pair for pair in zip(mine, theirs, strict=False) if pair[0] != pair[1]]
    return pairs


def all_places(name: str) -> list[tuple[int, int]]:
    """Every moment of a story, with everybody who can be looked over the shoulder."""
    story = STORIES[name]
    afterwards = story.setup.watching is Watching.AFTERWARDS
    return [
        (moment, place)
        for moment in story.moments
        for place in range(story.people + (not afterwards) + (0 <= story.late <= moment))
    ]


async def compare(
    folder: Path, name: str, places: Sequence[tuple[int, int]], patch: pytest.MonkeyPatch
) -> None:
    story, script = STORIES[name], Script()
    who = {place for _, place in places}
    told = await tell(folder / "told", story, script, patch, asking=who)
    for moment, place in places:
        where = folder / f"{moment}-{place}"
        again = await told_elsewhere(where, story, script, told, moment, place, patch)
        assert again.at[moment] == told.at[moment]
        assert encode(again.log) != encode(told.log[: len(again.log)]), "nothing lay elsewhere"
        assert differing(told.sent[moment][place], again.sent[moment][place]) == []
        sent = again.sent[moment][place]
        assert all(sent), "something was sent in every way"


LONG = ("classic", "five", "bots", "seven", "two_deals")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.full if name in LONG else ()) for name in STORIES]
)
async def test_nobody_is_sent_what_depends_on_cards_they_may_not_know(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await compare(tmp_path, name, CHOSEN[name][: few(1, 9)], monkeypatch)


@pytest.mark.full
@pytest.mark.parametrize("name", STORIES)
async def test_nobody_is_ever_sent_such_a_thing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await compare(tmp_path, name, all_places(name), monkeypatch)


@pytest.mark.full
@settings(
    max_examples=few(10, 20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rules=rulesets(), seed=st.integers(1, 99), data=st.data())
async def test_nobody_is_sent_such_a_thing_by_whatever_rules(
    rules: Ruleset, seed: int, data: Any, tmp_path_factory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts = (rules.hand_size - 1) * rules.players
    moment = data.draw(st.integers(0, acts), "moment")
    place = data.draw(st.integers(0, rules.players), "place")
    setup = Setup("Table", rules, watching=Watching.HIDDEN)
    story = Story(setup, (moment,), rules.players)
    folder, script = tmp_path_factory.mktemp("story"), Script(seed)
    told = await tell(folder / "1", story, script, monkeypatch, None, moment, [place])
    if moment not in told.sent:  # the match was over before
        return
    with suppress(NowhereElse):
        where = folder / "2"
        again = await told_elsewhere(where, story, script, told, moment, place, monkeypatch)
        assert differing(told.sent[moment][place], again.sent[moment][place]) == []


@pytest.mark.parametrize(
    ("name", "deal"), [pytest.param("seven", 1, marks=pytest.mark.full), ("two_deals", 2)]
)
async def test_who_watches_afterwards_sees_nothing_of_a_deal_until_its_secret_is_told(
    name: str, deal: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its cards nor its plays: another deal, played differently, is the same to them."""
    tale = STORIES[name]._replace(moments=STORIES[name].moments[-few(2, 9) :])
    watcher, moment = tale.people, tale.moments[-1]
    first, second = Script(1), Script(2)
    one = await tell(tmp_path / "1", tale, first, monkeypatch, None, moment, [watcher])
    second.passes = {key: some for key, some in first.passes.items() if key[0] < deal}
    second.plays = {key: card for key, card in first.plays.items() if key[0] < deal}
    orders = {deal: SplitMix64(9).permutation(len(tale.setup.rules.cards))}
    two = await tell(tmp_path / "2", tale, second, monkeypatch, orders, moment, [watcher])
    assert encode(one.log) != encode(two.log)
    assert differing(one.sent[moment][watcher], two.sent[moment][watcher]) == []
    assert differing(one.sent[moment][0], two.sent[moment][0]) != []


# That the test can fail


def seen_whole(happening: Happening, seat: int | None) -> Happening:
    return happening


def seen_pass(happening: Happening, seat: int | None) -> Happening:
    """Hides all but what others pass."""
    if isinstance(happening, TableEvent | game.Passed):
        return happening
    return visible(happening, seat)


def seen_exchange(happening: Happening, seat: int | None) -> Happening:
    """Hides all but one transfer."""
    if isinstance(happening, game.Exchanged):
        hidden = visible(happening, seat)
        assert isinstance(hidden, game.Exchanged)
        return replace(hidden, transfers=(happening.transfers[0], *hidden.transfers[1:]))
    return happening if isinstance(happening, TableEvent) else visible(happening, seat)


def points_held(sight: Any, place: int, seat: Seat, face: Face) -> SceneSeat:
    """Counts what a seat holds as if it had taken it."""
    deal = sight.live.state.match.deal if sight.live.state.match is not None else None
    points = deal.rules.points_in(deal.hands[place]) if deal is not None else 0
    return replace(SHOWN(sight, place, seat, face), points=points)


SHOWN = _TableSceneBuilder.seat_shown


@pytest.mark.parametrize(
    ("leak", "moment", "place"),
    [
        pytest.param(seen_whole, 0, 1, marks=pytest.mark.full),
        pytest.param(seen_pass, 2, 4, marks=pytest.mark.full),
        pytest.param(seen_exchange, 5, 3, marks=pytest.mark.full),
        (points_held, 0, 4),
    ],
)
async def test_a_leak_is_found(
    leak: Callable[..., Any],
    moment: int,
    place: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if leak is points_held:
        monkeypatch.setattr(_TableSceneBuilder, "seat_shown", leak)
    else:
        monkeypatch.setattr("volte.table.viewpoints.seen_by", leak)
    story, script = STORIES["classic"], Script()
    told = await tell(tmp_path / "told", story, script, monkeypatch, None, moment, [place])
    where = tmp_path / "again"
    again = await told_elsewhere(where, story, script, told, moment, place, monkeypatch)
    assert differing(told.sent[moment][place], again.sent[moment][place]) != []


@pytest.mark.full
async def test_a_stream_that_does_not_lag_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MatchLog, "reach", lambda self, sight: self.version)
    with pytest.raises(AssertionError, match="=="):
        await test_who_watches_afterwards_sees_nothing_of_a_deal_until_its_secret_is_told(
            "seven", 1, tmp_path, monkeypatch
        )


# Secrets


def spelled(secret: bytes) -> tuple[str, ...]:
    """A secret as it could stand somewhere."""
    return secret.hex(), base64.b64encode(secret).decode().rstrip("="), repr(secret)[2:-1]


async def test_no_secret_is_told_before_the_next_cut_and_the_master_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = STORIES["two_deals"]
    who = range(0, 9, few(story.people, 1))  # one who plays, and one who watches
    told = await tell(tmp_path / "told", story, Script(), monkeypatch, asking=who)
    house = House(MASTER)
    assert told.row.master == MASTER
    last = max(told.sent)
    never = [MASTER, *(house.contribution(0, seat) for seat in range(4))]
    for sent in told.sent[last]:
        for text in (text for part in sent for text in part):
            assert not any(form in text for each in never for form in spelled(each))
            if '"event":"Revealed"' not in text:
                for number in (1, 2, 3):
                    assert not any(form in text for form in spelled(house.secret(number)))
    events = [event for _, event in told.log]
    revealed = [place for place, each in enumerate(events) if isinstance(each, game.Revealed)]
    assert [events[place] for place in revealed] == [
        game.Revealed(number, house.secret(number)) for number in (1, 2)
    ]
    before = events[: revealed[0]]
    cut = max(place for place, each in enumerate(before) if isinstance(each, game.Committed))
    assert before[cut] == events[cut]
    assert sum(isinstance(each, game.Contributed) for each in before[cut:]) == 4
    assert sum(isinstance(each, game.DealScored) for each in before[:cut]) == 1
    assert isinstance(events[revealed[1] - 1], game.MatchEnded)


async def play_a_match(address: str) -> Player:
    player = await Player.begun(address, told=True)
    await player.play()
    for what in Question:
        await player.ask(what)
    await player.leave()
    return player


async def kept_secrets(database: str, table: str) -> list[str]:
    """Texts that a log must not contain: the secrets of a match, and its hands."""
    async with await Store.open(database) as store:
        row = (await store.matches_at(table))[0]
        entries = [decode_happening(entry.data) for entry in await store.read(table)]
    house = House(row.master)
    secrets = [row.master, *(house.secret(number) for number in (1, 2))]
    hands = [hand for each in entries if isinstance(each, game.Dealt) for hand in each.hands]
    cards = [" ".join(card.text for card in (hand or ())[:3]) for hand in hands]
    quoted = [encode((hand or ())[:2]).decode().strip("[]") for hand in hands]
    return [form for secret in secrets for form in spelled(secret)] + cards + quoted


async def test_the_log_of_a_server_tells_neither_cards_nor_secrets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with serving(tmp_path) as site:
        player = await play_a_match(site.address)
    hidden = await kept_secrets(f"sqlite:///{tmp_path / 'playroom.sqlite'}", player.table)
    assert not any(form in caplog.text for form in hidden)


@pytest.mark.full
async def test_nor_does_a_server_say_them(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'own.sqlite'}"
    with Process(database, tmp_path) as process:
        player = await play_a_match(process.address)
        await asyncio.to_thread(process.stop)
    hidden = await kept_secrets(database, player.table)
    output = "\n".join(process.output)
    assert "playroom" in output
    assert not any(form in output for form in hidden)


async def test_what_fails_is_logged_without_what_it_was_about(
    site: Site, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(view: View) -> object:
        raise RuntimeError(f"could not judge {view.hand}")

    monkeypatch.setattr("volte.table.thinking.hint", failing)
    player = await Player.begun(site.address)
    await player.play(lambda: player.match is not None and player.match.deal is not None)
    asked = asyncio.create_task(player.ask(Question.HINT))
    assert await player.until_closed() == 1011
    await asyncio.gather(asked, return_exceptions=True)
    await player.join()
    assert "failed" in caplog.text
    assert "could not judge" not in caplog.text
