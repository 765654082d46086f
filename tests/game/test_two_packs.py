"""Two packs, in which equal cards cancel each other: W11."""

from __future__ import annotations

import pytest
from kit.deals import after, deal_of, first_deal, play, refused, take, view_of

from volte import game
from volte.cards import Card, CardSet
from volte.rules import Score, Value

SIX = (
    "C: A2 H: 2",
    "C: K3 H: 3",
    "C': A2 H: 4",
    "C': K3 H: 5",
    "C: Q D: 2 H: 6",
    "C: J D: 3 H: 7",
)
PAIRS = ("C: 2A", "C': 2 H: 2", "C: 3 H: 3", "C': 3 H: 4", "D: 2 S: 2", "D': 2 S: 3")
"""The seat that leads the two of clubs holds the only other club that is not cancelled."""


def table(*hands: str, kitty: str = "", **options: Value) -> game.MatchState:
    usual: dict[str, Value] = {"queen_discard": "free", "slam": "off", "moon": "off"}
    return first_deal("coeurs", hands, kitty, {**usual, **options})


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("AC KC AC' 3C' QC JC", 1),  # the king: both aces are gone
        ("AC KC AC' KC' QC JC", 4),  # two pairs cancel, and the third best wins
    ],
)
def test_W11_equal_cards_cancel_and_the_next_one_wins(cards: str, winner: int) -> None:
    assert deal_of(play(table(*SIX), cards)).tricks[0].winner == winner


def test_W11_a_trick_in_which_all_cancel_goes_to_nobody_yet() -> None:
    step = take(play(table(*PAIRS), "2C 2C' 3C 3C' 2D"), game.Play(5, Card("2D'")))
    assert step.events[-1] == game.TrickHeld()
    deal = deal_of(step.after)
    assert deal.tricks[-1].winner is None
    assert CardSet(deal.held) == CardSet("C: 23 C': 23 D: 2 D': 2")
    assert deal.won == (0,) * 6
    assert deal.turn == deal.leader == 0  # whoever led leads again


def test_W11_whoever_wins_the_next_takes_all_that_waits() -> None:
    state = play(table(*PAIRS, match_end="deals:2"), "2C 2C' 3C 3C' 2D 2D' AC 2H 3H 4H 2S 3S")
    deal = deal_of(state)
    assert deal.won == (2, 0, 0, 0, 0, 0)
    assert CardSet(deal.taken[0]) == CardSet(state.rules.deck_mask)
    assert state.deals == (Score((3, 0, 0, 0, 0, 0)),)


def test_W11_held_tricks_count_for_the_slam() -> None:
    state = play(table(*PAIRS, slam="reversal"), "2C 2C' 3C 3C' 2D 2D' AC 2H 3H 4H 2S 3S")
    assert state.deals == (Score((-3, 3, 3, 3, 3, 3), slam=0),)


def test_W11_and_for_the_moon() -> None:
    hands = ("C: 2A", "C': 2 H: 2", "C: 3 H: 3", "C': 3 D: 4", "D: 2 S: 2", "H: 4 S: 3")
    state = play(table(*hands, moon="others_plus"), "2C 2C' 3C 3C' 2D 4H AC 2H 3H 4D 2S 3S")
    assert state.deals == (Score((0, 3, 3, 3, 3, 3), moon=0),)


LAST = ("C: 2", "C': 2", "H: 2", "H': 2", "S: Q", "S': Q")


def test_W11_a_last_trick_that_cancels_goes_to_whoever_led_it() -> None:
    step = take(play(table(*LAST), "2C 2C' 2H 2H' QS"), game.Play(5, Card("QS'")))
    assert step.events[1] == game.TrickTaken(0)
    assert step.after.deals == (Score((26, 0, 0, 0, 0, 0)),)


def test_W11_with_what_waited() -> None:
    hands = ("C: 25", "C': 25", "H: 23", "H': 23", "S: Q D: 2", "S': Q D': 2")
    state = play(table(*hands), "2C 2C' 2H 2H' QS QS' 5C 5C' 3H 3H' 2D 2D'")
    assert deal_of(state).won == (2, 0, 0, 0, 0, 0)
    assert state.deals[0].points == (28, 0, 0, 0, 0, 0)


def test_W11_both_queens_count_and_both_of_every_heart() -> None:
    hands = ("C: A", "C: 2", "H: 2", "H': 2", "S: Q", "S': Q")
    state = table(*hands)
    assert state.rules.penalty_total == 26
    assert play(state, "AC 2C 2H 2H' QS QS'").deals[0].points == (26, 0, 0, 0, 0, 0)


def test_W11_the_moon_wants_both_queens() -> None:
    hands = ("C: A3", "C: 24", "H: 2 D: 2", "H': 2 D: 3", "S: Q D: 4", "D: 5 S': Q")
    state = play(table(*hands, moon="others_plus"), "AC 2C 2H 2H' QS 5D 3C 4C 2D 3D 4D QS'")
    assert state.deals == (Score((14, 12, 0, 0, 0, 0)),)


def test_W11_where_its_twin_lies_in_the_kitty_the_other_opens() -> None:
    hands = ("C: 3", "C': 2", "C: 4", "C: 5", "C: 6", "H: 7")
    state = table(*hands, kitty="C: 2", opening="lowest_club")
    assert deal_of(state).opening == Card("2C'")
    view = view_of(state, 0)
    assert view.must_hold(1) == CardSet("2C'")
    assert Card("2C") not in view.could_hold(2)


def test_W11_the_kitty_waits_until_somebody_wins_a_trick() -> None:
    state = table(*PAIRS, kitty="S: Q", match_end="deals:2")
    state = play(state, "2C 2C' 3C 3C' 2D 2D'")
    assert (deal_of(state).kitty_taker, deal_of(state).won) == (None, (0,) * 6)
    step = take(play(state, "AC 2H 3H 4H 2S"), game.Play(5, Card("3S")))
    assert step.events[1:3] == (game.TrickTaken(0), game.KittyTaken(0, (Card("QS"),)))


def test_W11_a_held_heart_is_the_first_heart_of_whoever_takes_it() -> None:
    hands = ("C: 2AK", "C': 2 H: 2 D: 4", "C: 3Q D: 5", "C': 3 D: 67", "H: 9 S: 23", "S: 456")
    state = first_deal("coeurs", hands, "S: Q", {"kitty": "first_heart", "moon": "off"})
    state = play(state, "2C 2C' 3C 3C' 9H 4S")
    assert deal_of(state).kitty_taker is None
    state = play(state, "AC 4D QC 6D 2S 5S")
    assert deal_of(state).kitty_taker == 0


def test_C1_a_claim_is_exact_with_two_packs() -> None:
    """The ace is high, but it may be cancelled: then the five of clubs takes it."""
    hands = ("C: AK", "C': A H: 2", "C: 2 D: 3", "C: 3 D: 4", "C: 4 D: 5", "C: 5 D: 6")
    assert refused(table(*hands), game.Claim(0)).reason == "claim_not_proved"
    hands = ("C: AK", "C': Q H: 2", "C: 2 D: 3", "C: 3 D: 4", "C: 4 D: 5", "C: 5 D: 6")
    assert after(table(*hands), game.Claim(0)).deals[0].points == (1, 0, 0, 0, 0, 0)


def test_C2_undo_reaches_back_over_a_held_trick() -> None:
    before = play(table(*PAIRS), "2C 2C' 3C 3C' 2D")
    full = play(before, "2D'")
    assert game.last_play(full) is not None
    assert after(full, game.AskUndo(5)).deal == before.deal
    assert refused(full, game.AskUndo(0)).clause == "C2"


def test_W11_equal_cards_are_two_plays() -> None:
    hands = ("C: 2 C': 2", "C: 34", "C: 56", "C: 78", "C: 9T", "C: J H: 2")
    plays = game.legal_actions(table(*hands), 0)
    assert plays == (game.Play(0, Card("2C")), game.Play(0, Card("2C'")))


def test_W11_a_joker_cancels_nothing() -> None:
    hands = ("RJ C: 3", "BJ C: 4", "C: 2 H: 2", "C': 2 H: 3", "D: 2 H: 4", "D: 3 H: 5")
    state = play(table(*hands), "RJ BJ 2C 2C' 2D 3D")
    assert deal_of(state).tricks[-1].winner is None
    assert deal_of(state).turn == 0
