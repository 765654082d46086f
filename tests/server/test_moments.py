"""A match told again: every deal whole, with the right eyes, and only once it is over."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from kit.browsing import Visitor
from kit.matches import keep, played
from kit.sites import House, open_house

from volte.game import (
    Claimed,
    DealScored,
    Dealt,
    Event,
    MatchStarted,
    Played,
    Player,
    TrickTaken,
)
from volte.history.moments import Eyes, Moment, retold
from volte.people.sessions import Sessions
from volte.rules import make_ruleset
from volte.say import Verbosity, Words
from volte.store import MatchRow
from volte.table import Someone, Watching
from volte.table import happenings as hap

ENGLISH, FRENCH = Words("en"), Words("fr")
TWO_DEALS = make_ruleset("microsoft", {"match_end": "deals:2"})


@pytest.fixture(scope="module")
def log() -> list[Event]:
    return played(TWO_DEALS)


def told(
    log: list[Event],
    number: int = 1,
    eyes: Eyes = Eyes.OPEN,
    words: Words = ENGLISH,
    verbosity: Verbosity = Verbosity.NORMAL,
) -> list[Moment]:
    return retold(words, log, number, 0, eyes, verbosity).moments


def test_every_deal_goes_from_the_hands_to_the_points(log: list[Event]) -> None:
    for number, dealt in enumerate((each for each in log if isinstance(each, Dealt)), start=1):
        shown = told(log, number)
        assert [set(hand) for hand in shown[0].hands] == [
            {card.text for card in hand or ()} for hand in dealt.hands
        ]
        assert shown[-1].scored
        assert not any(shown[-1].hands)
        assert f"Points of deal {number}" in " ".join(shown[-1].lines)
    assert "wins the match" in " ".join(shown[-1].lines)
    assert told(log, 3) == []


def test_every_card_is_a_step_and_so_is_every_trick(log: list[Event]) -> None:
    shown = told(log)
    end = next(place for place, each in enumerate(log) if isinstance(each, DealScored))
    steps = [each for each in log[:end] if isinstance(each, (Played, TrickTaken, Claimed))]
    assert len(shown) == len(steps) + 3  # the deal, the exchange, the points
    assert [each.trick for each in shown] == sorted(each.trick for each in shown)
    full = [each for each in shown if each.table and len(each.table.cards) == 4]
    assert len(full) == 13
    assert all(each.turn is None for each in full)


def test_open_eyes_see_what_everybody_passes(log: list[Event]) -> None:
    """The exchange is told card by card, and the hands after it are what is played from."""
    shown = told(log)
    lines = " ".join(shown[1].lines)
    assert lines.count(" passes ") == 4
    assert "Zoé passes " in lines
    assert all(len(hand) == 13 for hand in shown[1].hands)
    assert told(log, words=FRENCH)[1].lines[1].startswith("Zoé passe ")


def test_own_eyes_see_what_they_saw(log: list[Event]) -> None:
    shown = told(log, eyes=Eyes.OWN)
    assert all(not any(each.hands[1:]) for each in shown)
    assert len(shown[0].hands[0]) == 13
    assert shown[0].held == (13, 13, 13, 13)
    said = " ".join(line for each in shown for line in each.lines)
    assert "You pass " in said
    assert "Anne passes " not in said


def test_a_replay_names_who_plays_each_card_however_little_is_told(log: list[Event]) -> None:
    assert told(log, verbosity=Verbosity.TERSE) == told(log, verbosity=Verbosity.BRIEF)


def test_brief_tells_less_than_full(log: list[Event]) -> None:
    sizes = [
        sum(len(line) for each in told(log, verbosity=level) for line in each.lines)
        for level in Verbosity
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]


def test_whoever_sits_down_in_the_middle_is_called_by_name(log: list[Event]) -> None:
    place = next(place for place, each in enumerate(log) if isinstance(each, DealScored))
    later = [*log[: place + 1], hap.Sat(1, "b", "Béatrice"), *log[place + 1 :]]
    shown = retold(ENGLISH, later, 2, 0, Eyes.OPEN, Verbosity.NORMAL)
    said = " ".join(line for each in shown.moments for line in each.lines)
    assert "Béatrice" in said
    assert "Anne" not in said
    assert shown.players[1] == Player("Béatrice", person=True)
    assert retold(ENGLISH, later, 1, 0, Eyes.OPEN, Verbosity.NORMAL).players[1].name == "Anne"


@pytest.mark.parametrize("preset", ["coeurs", "coeurs-cagnotte", "salon-six-jokers", "salon-valet"])
def test_every_kind_of_match_can_be_told(preset: str) -> None:
    rules = make_ruleset(preset, {"match_end": "deals:1"})
    shown = told(played(rules))
    assert sum(len(hand) for hand in shown[0].hands) == rules.players * rules.hand_size
    assert sum(shown[-1].taken) == sum(rules.values.values())


# The pages


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as open_one:
        yield open_one


def person(house: House, visitor: Visitor) -> Someone:
    """The guest that a visitor has become."""
    found = house.do(house.site.room[Sessions].person(visitor.client.cookies["volte"]))
    assert found is not None
    return Someone(found.id, found.name)


def kept(house: House, visitor: Visitor, log: list[Event], **more: object) -> MatchRow:
    return house.do(keep(house.site.room.store, person(house, visitor), log, **more))  # type: ignore[arg-type]


PAGES = ("replay", "replay/1", "proof", "proof.json", "record")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_pages_of_a_match_are_whole(house: House, log: list[Event], lang: str) -> None:
    with Visitor(house.address, lang) as visitor:
        visitor.come_in()
        row = kept(house, visitor, log)
        for name in ("replay", "proof"):
            page = visitor.get(f"/matches/{row.id}/{name}")
            assert (page.status, page.wrong) == (200, [])
            assert page.all("html", lang=lang)
            assert "no-store" in page.answer.headers.get("cache-control", "no-store")


def test_the_page_brings_the_score_but_no_card(house: House, log: list[Event]) -> None:
    with Visitor(house.address) as visitor:
        visitor.come_in()
        row = kept(house, visitor, log)
        found = visitor.get(f"/matches/{row.id}/replay").all("div", id="table")[0]
        outline = json.loads(found["data-outline"])
        assert found["data-seat"] == "0"
        points = [each.points for each in log if isinstance(each, DealScored)]
        rows = json.loads(found["data-sheet"])["rows"]
        assert [tuple(row["points"]) for row in rows] == points
        assert all(each["hands"] == [None] * 4 for each in outline if each["event"] == "Dealt")
        assert len(json.loads(found["data-cards"])) == 52


def test_a_deal_comes_by_itself(house: House, log: list[Event]) -> None:
    with Visitor(house.address) as visitor:
        visitor.come_in()
        row = kept(house, visitor, log)
        answer = visitor.client.get(f"/matches/{row.id}/replay/2").json()
        assert answer["number"] == 2
        assert len(answer["moments"]) == len(told(log, 2))
        own = visitor.client.get(f"/matches/{row.id}/replay/2?eyes=own").json()
        assert all(not any(each["hands"][1:]) for each in own["moments"])
        assert visitor.client.get(f"/matches/{row.id}/replay/3").status_code == 404
        assert visitor.client.get(f"/matches/{row.id}/replay/-1").status_code == 404


def test_what_proves_the_deals_is_the_log_itself(house: House, log: list[Event]) -> None:
    with Visitor(house.address) as visitor:
        visitor.come_in()
        row = kept(house, visitor, log)
        proving = visitor.client.get(f"/matches/{row.id}/proof.json").json()
        kinds = [each["event"] for each in proving]
        assert kinds[0] == MatchStarted.__name__
        assert kinds.count("Revealed") == kinds.count("Committed") == 2
        assert "Played" not in kinds


def test_a_match_that_goes_on_is_not_told(house: House, log: list[Event]) -> None:
    with Visitor(house.address) as visitor:
        visitor.come_in()
        row = kept(house, visitor, log, over=False)
        for name in PAGES:
            assert visitor.client.get(f"/matches/{row.id}/{name}").status_code == 403, name


def test_strangers_are_told_nothing(house: House, log: list[Event]) -> None:
    with Visitor(house.address) as player, Visitor(house.address) as stranger:
        player.come_in()
        stranger.come_in("Ana")
        row = kept(house, player, log)
        for name in PAGES:
            assert stranger.client.get(f"/matches/{row.id}/{name}").status_code == 404, name
        with Visitor(house.address) as nobody:
            for name in PAGES:
                assert nobody.client.get(f"/matches/{row.id}/{name}").status_code == 401, name


def test_who_could_watch_is_told_as_an_onlooker(house: House, log: list[Event]) -> None:
    with Visitor(house.address) as player, Visitor(house.address) as onlooker:
        player.come_in()
        onlooker.come_in("Ana")
        row = kept(house, player, log, watching=Watching.AFTERWARDS)
        page = onlooker.get(f"/matches/{row.id}/replay")
        assert page.all("div", id="table")[0]["data-seat"] == ""
        outside = onlooker.client.get(f"/matches/{row.id}/replay/1?eyes=own").json()
        assert all(not any(each["hands"]) for each in outside["moments"])
        assert "You " not in json.dumps(outside)


def test_a_long_match_is_told_quickly(house: House) -> None:
    import time

    rules = make_ruleset("microsoft", {"match_end": "deals:50"})
    long = played(rules, 2)
    begun = time.perf_counter()
    shown = told(long, 50)
    assert shown[-1].scored
    assert time.perf_counter() - begun < 5
