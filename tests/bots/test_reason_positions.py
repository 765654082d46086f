"""Which reason is told in positions that anybody can go through."""

from __future__ import annotations

from typing import Final

import pytest
from bots.moments import seen_by
from kit.deals import deal_of, dealt, play
from kit.strategies import PACK

from volte.bots import Reason
from volte.bots.reasons import reason_of
from volte.cards import (
    Card,
    CardSet,
    read_cards,
)
from volte.game import MatchState, Pass, Play


def why(state: MatchState, card: str) -> Reason:
    """What is said for that card of the seat whose turn it is."""
    seat = deal_of(state).turn
    return reason_of(seen_by(seat, state), Play(seat, Card(card)))


def why_passed(hand: str, cards: str) -> Reason:
    """What is said for passing those cards of the eldest hand, with a whole pack."""
    others = [card for card in PACK if card not in CardSet(hand)]
    hands = [str(CardSet(others[place::3])) for place in range(3)]
    state = dealt("coeurs", hand, *hands, pass_count=3)
    return reason_of(seen_by(0, state), Pass(0, read_cards(cards)))


FOUR: Final = ("C: A2 H: 9 S: 8 D: 8", "S: Q7 D: K3 H: J", "C: 34 S: 96 H: 8", "C: 5 S: AK D: 9T")


def test_the_only_card_is_told_as_that() -> None:
    assert why(play(dealt("coeurs", *FOUR), "AC QS 3C"), "5C") is Reason.FORCED


def test_two_equal_cards_are_no_choice() -> None:
    hands = "AC 2C", "5C 5C'", "3C 4C", "6C 7C", "8C 9C", "TC 2H"
    assert why(play(dealt("coeurs", *hands, moon="off"), "AC"), "5C") is Reason.FORCED


def test_a_low_lead_is_taken_by_somebody_else() -> None:
    state = dealt("coeurs", "C: 43 H: 2", "C: 2K D: 3", "C: AT D: 4", "C: 9Q D: 5")
    assert why(state, "4C") is Reason.LOW_LEAD


def test_a_lead_that_no_card_goes_under_is_a_safe_way_out() -> None:
    state = dealt("coeurs", "C: 2K H: 2", "C: 5T D: 3", "C: A9 D: 4", "C: 8Q D: 5")
    assert why(state, "2C") is Reason.SAFE_EXIT


def test_it_is_not_safe_where_all_higher_cards_may_lie_in_the_kitty() -> None:
    hands = "C: 2 D: 2 H: 2", "S: 5 D: 63", "S: 9 D: 74", "S: 8 D: 85"
    state = dealt("coeurs", *hands, kitty="C: K")
    assert why(state, "2C") is not Reason.SAFE_EXIT


def test_an_ace_that_will_draw_no_points_is_safe_to_lead() -> None:
    hands = "C: A7 D: 9 S: 2", "C: 56 D: 3 H: 2", "C: 34 D: 4 S: 3", "C: 8Q D: 5 S: 4"
    assert why(dealt("coeurs", *hands), "AC") is Reason.SAFE_LEAD


def test_a_spade_below_the_queen_may_drive_her_out() -> None:
    state = dealt("coeurs", "S: J4 D: AK", "S: Q5 D: 43", "S: 96 D: 65", "S: 87 D: 72")
    assert why(state, "JS") is Reason.FLUSH_QUEEN


@pytest.mark.parametrize("high", "QKA")
def test_low_spades_are_guards_of_the_queen_or_against_her(high: str) -> None:
    rest = "QKA".replace(high, "")
    hands = f"S: {high}43 D: 75", f"S: {rest[0]}J5 D: 46", f"S: {rest[1]}62 D: 83", "S: 987 D: 92"
    state = dealt("coeurs", *hands)
    assert why(state, "5D") is Reason.GUARD
    assert why(state, "4S") is not Reason.GUARD


def test_the_highest_that_stays_under_keeps_the_lower_ones() -> None:
    hands = "C: 92 H: 2 D: 9", "C: T84 D: 3", "C: 6 H: 34 D: K", "C: 73 H: 5 D: A"
    state = play(dealt("coeurs", *hands), "9C")
    assert why(state, "8C") is Reason.HIGHEST_UNDER
    assert why(state, "4C") is Reason.DUCK


def test_W11_an_equal_card_cancels_the_one_that_wins() -> None:
    hands = "AC 2C", "AC' 3C", "4C 5C", "6C 7C", "8C 9C", "TC 2H"
    state = play(dealt("coeurs", *hands, moon="off"), "AC")
    assert why(state, "AC'") is Reason.CANCEL
    assert why(state, "3C") is Reason.DUCK


def test_W11_the_queen_may_come_back_where_the_ace_may_be_cancelled() -> None:
    hands = "AS 2S", "QS 3S", "AS' 7S", "5S 6S", "8S 9S", "TS 2H"
    state = play(dealt("coeurs", *hands, moon="off"), "AS")
    assert why(state, "QS") is Reason.HIGHEST_UNDER


def test_D6_the_kitty_is_left_to_whoever_takes_the_trick() -> None:
    hands = "C: 52 H: 2AJ S: Q", "C: 389 H: 35T", "C: K4 H: 6 D: AKQ"
    state = play(dealt("coeurs", *hands, kitty="H: KQ"), "5C 8C")
    assert why(state, "4C") is Reason.LEAVE_KITTY


def test_the_last_to_play_takes_for_nothing() -> None:
    hands = "C: 53 H: 29", "C: 68 H: 3T", "C: 4J H: 4K", "C: KT2 D: 2"
    state = play(dealt("coeurs", *hands), "5C 6C 4C")
    assert why(state, "TC") is Reason.SAFE_TAKE
    assert why(state, "2C") is Reason.DUCK


def test_W6_taking_costs_a_hand_without_tricks_what_it_would_be_worth() -> None:
    hands = "C: 53 H: 29", "C: 68 H: 3T", "C: 4J H: 4K", "C: KT2 D: 2"
    state = play(dealt("coeurs", *hands, no_tricks=-5), "5C 6C 4C")
    assert why(state, "KC") is not Reason.SAFE_TAKE


def test_where_every_card_takes_a_high_one_may_go() -> None:
    hands = "C: 52 H: 29", "D: 38 H: 37", "C: 4J H: 4T", "C: KT D: 24"
    state = play(dealt("coeurs", *hands), "5C 3H 4C")
    assert why(state, "KC") is Reason.TAKE_HIGH
    assert why(state, "TC") is Reason.TAKE_ANY


def test_the_lowest_may_still_be_beaten() -> None:
    hands = "C: 52 H: 29", "C: 9J H: 37", "C: T6 H: 4T", "C: 83 D: 24"
    state = play(dealt("coeurs", *hands), "5C")
    assert why(state, "9C") is Reason.LOWEST
    assert why(state, "JC") is not Reason.LOWEST


def test_S5_the_jack_is_there_to_be_taken() -> None:
    hands = "D: 52 H: 2A C: 8", "D: J8 H: 3K C: 9", "C: 3TJ H: 4Q", "D: K4 C: 2 H: 57"
    state = play(dealt("coeurs", *hands, jack_points=-10), "5D JD 4H")
    assert why(state, "KD") is Reason.TAKE_BONUS
    assert why(state, "4D") is Reason.DUCK


def test_what_is_discarded_goes_to_somebody_else() -> None:
    state = play(dealt("coeurs", *FOUR, queen_discard="free"), "AC")
    assert why(state, "QS") is Reason.DUMP_QUEEN
    assert why(state, "JH") is Reason.DUMP_POINTS
    assert why(state, "KD") is Reason.SHED_HIGH


def test_W10_points_for_a_partner_go_to_nobody_else() -> None:
    hands = "C: A2 H: 9", "C: 34 H: 8", "S: Q7 D: K", "C: 5 S: AK"
    state = play(dealt("partnership", *hands, queen_discard="free", opening="eldest"), "AC 3C")
    assert why(state, "QS") not in (Reason.DUMP_QUEEN, Reason.DUMP_POINTS)


def test_the_ace_of_spades_goes_as_long_as_the_queen_is_out() -> None:
    hands = "C: A2 S: 98 D: 6", "D: 732 S: A3", "C: 34 S: Q5 D: 8", "C: 56 S: J6 D: 9"
    state = play(dealt("coeurs", *hands), "AC")
    assert why(state, "AS") is Reason.DROP_COVER


def test_the_last_of_a_suit_leaves_one_free() -> None:
    hands = "C: A2 S: 98 D: 6", "D: 3 S: 764 H: 2", "C: 34 S: Q5 D: 8", "C: 56 S: J3 D: 9"
    assert why(play(dealt("coeurs", *hands), "AC"), "3D") is Reason.VOID_SUIT


# The moon


SHOT: Final = ("H: AKQ C: 79", "H: 3452 D: 2", "H: 678 C: 6 D: 3", "H: 9TJ C: K5")
NEARLY: Final = "AH 3H 6H 9H KH 4H 7H TH QH 5H 8H JH"


def test_S3_taking_a_trick_with_a_point_may_stop_a_moon() -> None:
    state = play(dealt("coeurs", *SHOT), f"{NEARLY} 7C 2H 6C")
    assert why(state, "KC") is Reason.STOP_MOON
    assert why(state, "5C") is Reason.DUCK
    without = play(dealt("coeurs", *SHOT, moon="off"), f"{NEARLY} 7C 2H 6C")
    assert why(without, "KC") is not Reason.STOP_MOON


def test_S3_no_point_for_whoever_has_the_others() -> None:
    state = play(dealt("coeurs", *SHOT), f"{NEARLY} 9C")
    assert why(state, "2D") is Reason.NO_POINT
    assert why(state, "2H") is Reason.DUMP_POINTS


def test_S3_a_high_card_is_kept_against_a_moon() -> None:
    hands = "H: AKQ C: 79", "D: A23 H: 32", "H: 678 C: 6 D: 4", "H: 9TJ C: K5"
    state = play(dealt("coeurs", *hands), "AH 3H 6H 9H KH 2H 7H TH QH")
    assert why(state, "2D") is Reason.KEEP_STOPPER
    assert why(state, "AD") is not Reason.KEEP_STOPPER


def test_S3_a_hand_that_can_take_everything_leads_on() -> None:
    hands = "H: AKQ S: AK", "H: 234 S: Q5", "H: 567 S: 64", "H: 89T S: 73"
    assert why(dealt("coeurs", *hands), "AH") is Reason.SHOOT_MOON


def test_S3_a_strong_hand_may_try() -> None:
    hands = "H: AKQ3 S: AK", "H: 2457 S: Q5", "H: 689 D: 2 S: 64", "H: TJ D: 34 S: 73"
    assert why(dealt("coeurs", *hands), "AH") is Reason.TRY_MOON


def test_S3_whoever_has_all_the_points_goes_on() -> None:
    hands = "H: AKQ2 C: A94", "H: 3456 C: 785", "H: 789 D: 26 C: 62", "H: TJ C: KQT D: 35"
    state = play(dealt("coeurs", *hands), "AH 3H 7H TH KH 4H 8H JH QH 5H 9H 3D")
    assert why(state, "AC") is Reason.GO_ON_MOON
    assert why(state, "4C") is not Reason.GO_ON_MOON


# The pass


def test_P1_what_is_likely_to_take_points_is_passed() -> None:
    hand = "S: AK5 H: 642 D: 8753 C: 642"
    assert why_passed(hand, "AS KS 6H") is Reason.PASS_DANGER
    assert why_passed("S: Q5 H: 642 D: 8753 C: A642", "QS AC 6H") is Reason.PASS_QUEEN


def test_P1_a_suit_is_emptied() -> None:
    assert why_passed("S: AKQ H: AK D: 87532 C: 642", "6C 4C 2C") is Reason.PASS_VOID


def test_P1_the_high_cards_stay() -> None:
    assert why_passed("S: AKQ H: AKQ D: AK32 C: AK2", "2D 3D 2C") is Reason.PASS_LOW


def test_where_nothing_general_holds_it_was_played_out() -> None:
    assert why_passed("S: AKQ H: AKQ D: AK32 C: AK2", "AS 3D 2C") is Reason.PLAYED_OUT
