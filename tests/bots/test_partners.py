"""Playing for one's side (W10), and what else the wider family asks, in positions small enough."""

from __future__ import annotations

from dataclasses import replace as with_option
from functools import cache, partial
from typing import Final

import pytest
from bots.test_casual_positions import advice, played
from msgspec.structs import replace
from rulesets import deal_of, dealt, first_deal, play

from volte.bots import Bot, BotOwner, Clock, Reason
from volte.bots.casual import Casual
from volte.bots.odds import NOBODY, feared
from volte.cards import QUEEN, Card, CardSet
from volte.game import MatchState, Pass, SeatAction
from volte.lab.arena import seatings
from volte.lab.arena.readable import outcomes_of, run_at, table_of
from volte.rules import Ruleset, Sides, Value, make_ruleset
from volte.view import View

FREE: Final[dict[str, Value]] = {"partners": 2, "queen_discard": "free"}


def card(state: MatchState) -> str:
    return played(state)[0]


# The queen, and who takes her


def test_W10_the_queen_does_not_go_on_a_partners_trick() -> None:
    hands = "C: A2 H: 9", "C: 35 D: 4", "S: Q7 D: 8", "C: 46 D: 5"
    alone = play(dealt("coeurs", *hands, queen_discard="free"), "AC 3C")
    together = play(first_deal("coeurs", hands, options=FREE), "AC 3C")
    assert played(alone) == ("QS", Reason.DUMP_QUEEN)
    assert card(together) in ("7S", "8D")


def test_W10_she_goes_on_an_opponents_trick() -> None:
    hands = "C: 92 H: 9", "C: A5 D: 4", "S: Q7 D: 8", "C: 46 D: 5"
    assert played(play(first_deal("coeurs", hands, options=FREE), "9C AC")) == (
        "QS",
        Reason.DUMP_QUEEN,
    )


def test_W10_she_does_not_go_under_a_partners_ace() -> None:
    hands = "S: A5", "S: 73", "S: Q2", "S: 64"
    assert card(play(dealt("coeurs", *hands), "AS 3S")) == "QS"
    assert card(play(first_deal("coeurs", hands, options=FREE), "AS 3S")) == "2S"


def test_W10_three_partners_are_partners_all() -> None:
    hands = "S: A5", "S: 73", "S: K6", "S: T8", "S: Q2", "S: 94"
    alone = dealt("coeurs", *hands, partners=3)
    assert card(play(alone, "AS 3S 6S 8S")) == "2S"


# The moon

SHOT = "H: AKQ C: 79", "H: 678 C: 6 D: 3", "H: 9TJ C: K5", "H: 3452 D: 2"
LAST = "AH 6H 9H 3H KH 7H TH 4H QH 8H JH 5H 7C 6C"
"""Seat 0 has taken every heart so far; seat 2 may take the club trick, before the last heart."""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ("KC", Reason.STOP_MOON)),
        ({"partners": 2}, ("5C", Reason.DUCK)),
        ({"partners": 2, "moon_by": "side"}, ("KC", Reason.SHOOT_MOON)),
    ],
)
def test_W10_a_partners_moon_is_not_stopped(
    options: dict[str, Value], expected: tuple[str, Reason]
) -> None:
    assert played(play(first_deal("coeurs", SHOT, options=options), LAST)) == expected


def test_W10_an_opponents_moon_is_stopped() -> None:
    """By whoever of the other side can."""
    around = SHOT[0], SHOT[3], SHOT[1], SHOT[2]
    tricks = "AH 3H 6H 9H KH 4H 7H TH QH 5H 8H JH 7C 2H 6C"
    state = play(dealt("coeurs", *around, partners=2), tricks)
    assert played(state) == ("KC", Reason.STOP_MOON)


def test_W10_what_a_side_has_taken_together_is_feared_where_it_may_shoot_together() -> None:
    hands = "H: A2 C: 3", "H: 43 C: 4", "H: K7 C: 5", "H: 65 C: 6"
    tricks = "AH 4H 7H 5H 2H 3H KH 6H"
    alone, together = (
        deal_of(play(dealt("coeurs", *hands, partners=2, moon_by=by), tricks))
        for by in ("player", "side")
    )
    assert feared(alone, 1) == NOBODY
    assert feared(together, 1)[::2] == ((0, 2), False)
    assert feared(together, 0)[::2] == ((0, 2), True)


def test_W7_a_moon_that_wants_the_jack_is_not_feared_without_it() -> None:
    hands = "H: A2 D: 2", "H: 43 D: J", "H: K7 D: A"
    for needs, who in ((True, ()), (False, (0,))):
        state = dealt("coeurs", *hands, jack_points=-10, moon_needs_jack=needs)
        deal = deal_of(play(state, "AH 3H 7H"))
        assert feared(deal, 1).seats == (0,)
        lost = replace(deal, taken=(deal.taken[0], 0, Card("JD").bit))
        assert feared(lost, 1).seats == who


# The pass


def passed(hand: str, **options: Value) -> tuple[Card, ...]:
    others = [each for each in make_ruleset("coeurs").cards if each not in CardSet(hand)]
    hands = [str(CardSet(others[place::3])) for place in range(3)]
    told = advice(first_deal("coeurs", (hand, *hands), options=options), 0)
    assert isinstance(told.action, Pass)
    return told.action.cards


def test_P1_the_queen_goes_to_an_opponent_and_not_to_a_partner() -> None:
    hand = "S: Q5 H: 642 D: 8753 C: A642"
    ways = {
        way: passed(hand, pass_count=3, pass_cycle=[way], partners=2) for way in ("left", "across")
    }
    assert QUEEN in ways["left"]
    assert CardSet(ways["across"]) != CardSet(ways["left"])


def test_W1_a_scatter_gives_the_partner_what_weighs_least() -> None:
    hand = "S: AKQ H: 642 D: 8753 C: 642"
    left, across, right = passed(hand, pass_count=1, pass_cycle=["scatter"], partners=2)
    alone = passed(hand, pass_count=1, pass_cycle=["scatter"])
    assert alone == tuple(sorted(alone))
    assert CardSet((left, across, right)) == CardSet(alone)
    assert QUEEN in (left, right)


# Kitties and bonuses


def test_W4_a_trick_that_does_not_bring_the_kitty_is_taken() -> None:
    hands = "C: 52 H: 2AJ S: Q", "C: 389 H: 35T", "C: K4 H: 6 D: AKQ"
    for kind, expected in (
        ("first_trick", ("4C", Reason.LEAVE_KITTY)),
        ("last_trick", ("KC", Reason.SAFE_TAKE)),
        ("first_heart", ("KC", Reason.SAFE_TAKE)),
    ):
        state = first_deal("coeurs", hands, "H: KQ", {"kitty": kind})
        assert played(play(state, "5C 3C")) == expected


def test_W6_whoever_has_no_trick_yet_minds_taking_one() -> None:
    hands = "S: A C: 52 H: 2AJ S: Q", "S: 3 C: 389 H: 35T", "S: 4 C: K4 H: 6 D: AKQ"
    for bonus, expected in ((0, ("KC", Reason.SAFE_TAKE)), (-50, ("4C", Reason.DUCK))):
        state = play(dealt("coeurs", *hands, no_tricks=bonus), "AS 3S 4S 5C 3C")
        assert played(state) == expected


# Two packs


def test_W11_a_card_that_cancels_the_winner_takes_nothing() -> None:
    hands = "C: 95", "C: T4", "C: 63", "C: 82", "C: 7 H: 2", "C': KT"
    state = play(dealt("cancellation", *hands, moon="off"), "9C TC 6C 8C 7C")
    assert played(state) == ("TC'", Reason.CANCEL)


def test_W11_higher_and_lower_are_by_rank_whatever_the_pack() -> None:
    """A low card of the second pack is no higher than a high one of the first."""
    hands = "C: 95", "C': T2", "C: 63", "C: 82", "C: 7 H: 2", "C: K C': 3"
    state = play(dealt("cancellation", *hands), "9C TC' 6C 8C 7C")
    assert played(state) == ("3C'", Reason.DUCK)


@pytest.mark.parametrize(("waiting", "why"), [("H", Reason.TAKE_ANY), ("D", Reason.SAFE_TAKE)])
def test_W11_a_trick_is_worth_what_waits_for_its_winner(waiting: str, why: Reason) -> None:
    """The first trick has cancelled, with two hearts in it or with none; the next one is clean."""
    hands = (
        "S: K C: 92 H: 3",
        "S: 5 C: 38 H: 4",
        "S': K C: 76 H: 5",
        "S': 5 C: 54 H: 6",
        f"{waiting}: 9 C': 78 H: 7",
        f"{waiting}: T C: KJ H: 8",
    )
    lost = f"9{waiting} T{waiting}"
    state = dealt("cancellation", *hands, moon="off")
    state = play(state, f"KS 5S KS' 5S' {lost} 9C 3C 6C 5C 8C'")
    assert played(state)[1] is why


# Against those who do not care


@cache
def alone(rules: Ruleset) -> Ruleset:
    return with_option(rules, sides=Sides())


class Unaware:
    """`casual` as if each played alone."""

    def choose(self, view: View, clock: Clock) -> SeatAction:
        rules = alone(view.state.rules)
        deal = replace(view.deal, rules=rules)
        return Casual().choose(View(view.seat, replace(view.state, rules=rules, deal=deal)), clock)


def test_W10_playing_for_the_side_takes_fewer_points() -> None:
    """The same decks with the sides exchanged; the seeds are fixed."""
    rules = make_ruleset("partnership", {"pass_cycle": ["across"]})
    points = [0, 0]
    for number in range(16):
        for seating in seatings(4, partners=2):
            table = table_of(rules, 1, number, whole_matches=False)
            bots: list[Bot] = [Unaware() if who else Casual() for who in seating]
            owners = [BotOwner(bot, seat) for seat, bot in enumerate(bots)]
            [row] = outcomes_of(partial(run_at, table, [""] * 4, owners))
            for seat, who in enumerate(seating):
                points[who] += int(row["points"][seat])
    assert points[0] < 0.85 * points[1]
