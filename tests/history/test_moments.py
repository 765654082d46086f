"""The replay of a match: every deal whole, with the cards that the eyes may see."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from kit.matches import played

from volte.game import Claimed, DealScored, Dealt, Event, Played, TrickTaken
from volte.history.moments import Eyes, Moment, retold
from volte.rules import make_ruleset
from volte.say import Verbosity, Words
from volte.table import Happening
from volte.table import happenings as hap

ENGLISH, FRENCH = Words("en"), Words("fr")
TWO_DEALS = make_ruleset("microsoft", {"match_end": "deals:2"})


@pytest.fixture(scope="module")
def log() -> list[Event]:
    return played(TWO_DEALS)


def moments(
    log: Sequence[Happening],
    number: int = 1,
    eyes: Eyes = Eyes.OPEN,
    words: Words = ENGLISH,
    verbosity: Verbosity = Verbosity.NORMAL,
) -> list[Moment]:
    return retold(words, log, number, 0, eyes, verbosity).moments


def hands(moment: Moment) -> list[set[str]]:
    """By seat, the cards of the hands that are shown."""
    shown = moment.scene.hands
    seats = range(len(moment.scene.seats))
    return [{each.card.text for each in shown if each.seat == seat} for seat in seats]


def test_every_deal_goes_from_the_hands_to_the_points(log: list[Event]) -> None:
    for number, dealt in enumerate((each for each in log if isinstance(each, Dealt)), start=1):
        shown = moments(log, number)
        assert hands(shown[0]) == [{card.text for card in hand or ()} for hand in dealt.hands]
        assert shown[-1].scored
        assert not shown[-1].scene.hands
        assert f"Points for deal {number}" in " ".join(shown[-1].lines)
    assert "wins the match" in " ".join(shown[-1].lines)
    assert moments(log, 3) == []


def test_every_card_is_a_step_and_so_is_every_trick(log: list[Event]) -> None:
    shown = moments(log)
    end = next(place for place, each in enumerate(log) if isinstance(each, DealScored))
    steps = [each for each in log[:end] if isinstance(each, (Played, TrickTaken, Claimed))]
    assert len(shown) == len(steps) + 3  # the deal, the exchange, the points
    assert [each.trick for each in shown] == sorted(each.trick for each in shown)
    full = [each.scene for each in shown if len(each.scene.trick) == 4]
    assert len(full) == 13
    assert all(scene.turn is None for scene in full)


def test_open_eyes_see_what_everybody_passes(log: list[Event]) -> None:
    """The pass is told card by card, and the hands after it are complete."""
    shown = moments(log)
    lines = " ".join(shown[1].lines)
    assert lines.count(" passes ") == 4
    assert "Zoé passes " in lines
    assert all(len(hand) == 13 for hand in hands(shown[1]))
    assert moments(log, words=FRENCH)[1].lines[1].startswith("Zoé passe ")


def test_own_eyes_see_what_they_saw(log: list[Event]) -> None:
    shown = moments(log, eyes=Eyes.OWN)
    assert all(not any(hands(each)[1:]) for each in shown)
    assert len(hands(shown[0])[0]) == 13
    assert [seat.cards for seat in shown[0].scene.seats] == [13] * 4
    text = " ".join(line for each in shown for line in each.lines)
    assert "You pass " in text
    assert "Anne passes " not in text


def test_a_replay_names_who_plays_each_card_however_little_is_told(log: list[Event]) -> None:
    assert moments(log, verbosity=Verbosity.TERSE) == moments(log, verbosity=Verbosity.BRIEF)


def test_brief_tells_less_than_full(log: list[Event]) -> None:
    sizes = [
        sum(len(line) for each in moments(log, verbosity=level) for line in each.lines)
        for level in Verbosity
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]


def test_whoever_sits_down_in_the_middle_is_called_by_name(log: list[Event]) -> None:
    place = next(place for place, each in enumerate(log) if isinstance(each, DealScored))
    later = [*log[: place + 1], hap.Sat(1, "b", "Béatrice"), *log[place + 1 :]]
    shown = moments(later, 2)
    text = " ".join(line for each in shown for line in each.lines)
    assert "Béatrice" in text
    assert "Anne" not in text
    sitting = [each.scene.seats[1] for each in shown]
    assert {(seat.name, seat.state) for seat in sitting} == {("Béatrice", "here")}
    assert moments(later, 1)[-1].scene.seats[1].name == "Anne"


@pytest.mark.parametrize("preset", ["coeurs", "coeurs-cagnotte", "salon-six-jokers", "salon-valet"])
def test_every_kind_of_match_can_be_told(preset: str) -> None:
    rules = make_ruleset(preset, {"match_end": "deals:1"})
    shown = moments(played(rules))
    assert len(shown[0].scene.hands) == rules.players * rules.hand_size
    taken = [sum(seat.points for seat in each.scene.seats) for each in shown]
    assert max(taken) == sum(rules.values.values())


@pytest.mark.full
def test_a_long_match_is_told_quickly() -> None:
    rules = make_ruleset("microsoft", {"match_end": "deals:50"})
    long = played(rules, 2)
    begun = time.perf_counter()
    shown = moments(long, 50)
    assert shown[-1].scored
    assert time.perf_counter() - begun < 5
