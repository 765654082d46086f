"""Cards that a search cannot tell apart: the lowest is led, and what takes the queen is kept."""

from __future__ import annotations

import dataclasses
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from kit import deal_of, dealt, play, rulesets, seeds, view_of, wider_rulesets
from kit.bots import choices, one_deal

from volte.bots import Clock
from volte.bots.candidates import preferred, queen_eaters, unlike
from volte.bots.odds import ABOVE
from volte.bots.protocol import Budget
from volte.bots.rough import plays
from volte.bots.search import BY_LEVEL, STRONG, Hunt, Options, Style
from volte.bots.worlds import Likely
from volte.cards import QUEEN, QUEENS, cards_in, read_cards
from volte.game import Phase, Play
from volte.kernel import KernelFault, encode
from volte.rules import Ruleset
from volte.view import View

NO_MORE: Final = Clock(simulations=0)

LEADING: Final = (
    "C: 359 S: A2 D: 7",
    "C: 4TA S: Q3 D: 8",
    "C: 268 S: K7 D: 9",
    "C: 7JQ S: J6 D: 2",
)
FOLLOWING: Final = ("S: J2 D: 78", "S: 56 D: 9T", "S: K4 D: JQ", "S: Q3 D: KA")
SPADED: Final = ("S: J2 D: 78", "S: K6 D: 9T", "S: A4 D: JQ", "S: Q3 D: KA")


def leading() -> View:
    return view_of(dealt("coeurs", *LEADING, opening="eldest"), 0)


def following() -> View:
    """Third hand, with the king and the 4 of spades, on the jack and the 5."""
    return view_of(play(dealt("microsoft", *FOLLOWING, opening="eldest"), "JS 5S"), 2)


def names(mask: int) -> str:
    return " ".join(map(str, cards_in(mask)))


def hunt_of(view: View, style: Style = STRONG, clock: Clock = NO_MORE) -> Hunt:
    style = dataclasses.replace(style, matches=False)
    options: Options = {bit: plays(view.seat, cards) for bit, cards in unlike(view).items()}
    return Hunt(view, options, style, clock, Budget(clock), seed=1, threads=1)


def choice(view: View, costs: dict[str, float], spread: float, style: Style = STRONG) -> str:
    """The choice after 100 worlds, in which each card costs that much on the average.

    Args:
        spread: points by which the first card costs more, and less, by turns.
    """
    hunt = hunt_of(view, style)
    assert [names(bit) for bit in hunt.candidates] == list(costs)
    points = np.zeros((100, len(costs), view.deal.rules.players))
    points[:, :, view.seat] = list(costs.values())
    points[::2, 0, view.seat] += spread
    points[1::2, 0, view.seat] -= spread
    hunt.race.add(points)
    action = hunt.thought().action
    assert isinstance(action, Play)
    return str(action.card)


# Which cards


def test_lower_cards_of_the_suit_are_preferred_to_a_lead() -> None:
    view = leading()
    lower = {"3C": "", "5C": "3C", "9C": "3C 5C", "7D": "", "2S": "", "AS": "2S"}
    assert {names(bit): names(preferred(view, bit)) for bit in unlike(view)} == lower


def test_none_is_preferred_that_counts_otherwise() -> None:
    """The queen is not preferred to the ace, nor a jack that counts below zero to the queen."""
    hands = ("S: AQ D: QJ C: 2", "S: 234 D: 23", "S: 567 D: 45", "S: 89T D: 67")
    view = view_of(dealt("omnibus", *hands, opening="eldest"), 0)
    assert [names(preferred(view, card.bit)) for card in read_cards("AS QD")] == ["", ""]


@pytest.mark.parametrize(
    ("plays", "eaters"),
    [
        ("", ""),  # a lead may be ducked
        ("JS", "KS"),
        ("JS KS", "AS"),  # over the king only the ace
        ("JS KS 4S", ""),  # whoever plays last sees her, or holds her
        ("7D", ""),
    ],
)
def test_which_cards_may_take_the_unseen_queen(plays: str, eaters: str) -> None:
    state = play(dealt("microsoft", *SPADED, opening="eldest"), plays)
    assert names(queen_eaters(view_of(state, deal_of(state).turn))) == eaters


@given(rulesets() | wider_rulesets(), seeds)
def test_cards_that_take_the_queen_are_legal_higher_and_played_before_the_last(
    rules: Ruleset, seed: int
) -> None:
    for moment in choices(one_deal(rules), seed, 5):
        view = moment.view
        eaters = queen_eaters(view)
        assert not eaters & ~(view.legal.mask & ABOVE[QUEEN.bit])
        if eaters:
            assert QUEENS & view.unseen
            assert 0 < len(view.deal.trick) < rules.players - 1


# Which is played

LEADS: Final = {"3C": 1.0, "5C": 1.5, "9C": 0.65, "7D": 3.0, "2S": 3.0, "AS": 3.0}


def test_the_lowest_is_led_where_it_may_be_as_good() -> None:
    """It costs a quarter of a point more at most, and one standard error, which is 0.11 or 0.09."""
    assert choice(leading(), LEADS, spread=1.1) == "3C"
    assert choice(leading(), LEADS, spread=0.9) == "9C"


def test_no_other_suit_is_led_for_the_sake_of_a_low_card() -> None:
    assert (
        choice(leading(), LEADS | {"3C": 9.0, "9C": 0.9, "2S": 0.9, "7D": 0.8}, spread=0.0) == "7D"
    )


def test_the_king_stays_where_the_4_may_be_as_good() -> None:
    assert choice(following(), {"4S": 1.35, "KS": 1.0}, spread=1.1) == "4S"
    assert choice(following(), {"4S": 1.35, "KS": 1.0}, spread=0.9) == "KS"


def test_other_levels_play_what_costs_least() -> None:
    for name in ("flat", "expert", "expert-even"):
        assert choice(leading(), LEADS, 1.1, BY_LEVEL[name]) == "9C"


# Where the queen is


def test_who_may_take_her_with_the_king_weighs_the_worlds() -> None:
    assert isinstance(hunt_of(following()).worlds, Likely)
    assert not isinstance(hunt_of(leading()).worlds, Likely)


@given(rulesets() | wider_rulesets(), seeds)
def test_worlds_are_weighed_where_a_card_may_take_the_unseen_queen(
    rules: Ruleset, seed: int
) -> None:
    try:
        encode(rules)
    except KernelFault:
        return
    for moment in choices(one_deal(rules), seed, 5):
        if moment.state.phase is Phase.PLAYING:
            hunt = hunt_of(moment.view, clock=Clock(simulations=60))
            assert isinstance(hunt.worlds, Likely) == bool(queen_eaters(moment.view))
