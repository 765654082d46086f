"""A look at the table in one answer, and at one seat."""

from __future__ import annotations

import pytest
from kit.deals import dealt, play

from volte.cards import SUIT_MASKS
from volte.game import MatchState
from volte.say import Words
from volte.view import View, project

FR, EN = Words("fr"), Words("en")


def seen(state: MatchState, seat: int | None = 0) -> View:
    return View(seat, project(state, seat))


@pytest.fixture
def middle() -> MatchState:
    """N, E, S; one trick has gone, in which S had no spades, and N has led anew."""
    state = dealt("coeurs", "S: A43 H: 2", "S: K2 H: 43", "D: Q C: 2 H: 56")
    return play(state, "AS KS 5H 4S 2S")


def test_the_trick_who_would_take_it_its_points_and_the_hand(middle: MatchState) -> None:
    assert EN.situation(seen(middle)) == (
        "You: the 4 of spades",
        "E: the 2 of spades",
        "You would take it: 0 points.",
        "Spades: 3",
        "Hearts: 2",
    )
    after = play(middle, "6H")
    assert "N: the 4 of spades" in EN.situation(seen(middle, 2))
    assert FR.situation(seen(middle, 2))[2] == "N la prendrait\u00a0: 0 point."
    assert EN.situation(seen(after))[0] == "No card is on the table."


def test_somebody_without_a_seat_has_no_hand(middle: MatchState) -> None:
    assert EN.situation(seen(middle, None))[-1] == "N would take it: 0 points."


def test_a_seat_has_cards_points_a_total_and_suits_that_it_has_shown_to_lack(
    middle: MatchState,
) -> None:
    assert EN.seat(seen(middle), 2) == (
        "S: 3 cards, 0 points in this deal, 0 in all.",
        "Known: no spades.",
    )
    assert EN.seat(seen(middle), 0) == ("You: 2 cards, 1 point in this deal, 0 in all.",)
    assert FR.seat(seen(middle, 2), 2)[1] == "On le sait\u00a0: pas de pique."
    assert EN.seat(seen(middle), 3) == ("This table has 3 seats.",)


def test_everybody_is_told_the_same_of_a_seat(middle: MatchState) -> None:
    """And nothing that only a hand could tell: S has no clubs left to show, and E no diamonds."""
    for number in range(3):
        told = {EN.seat(seen(middle, viewer), number)[1:] for viewer in (0, 1, 2, None)}
        assert len(told) == 1
    hidden = middle.deal
    assert hidden is not None
    assert not hidden.hands[1] & SUIT_MASKS[1]
    assert EN.seat(seen(middle), 1) == ("E: 2 cards, 0 points in this deal, 0 in all.",)
