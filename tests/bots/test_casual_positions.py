"""What good sense plays, in positions small enough to see it, and the reason given."""

from __future__ import annotations

from kit.deals import dealt, play
from kit.strategies import PACK

from volte.bots import Hint, Reason, hint
from volte.cards import JACK, QUEEN, Card, CardSet
from volte.game import MatchState, Pass, Play, to_act
from volte.view import View, project

CLUBS_AND_HEARTS = "C: 52 H: 29", "C: 38 H: 3T", "C: 4J H: 4J", "C: KT D: 2 H: 5"
QUEEN_AT_A_VOID = (
    "C: A2 H: 9 S: 8 D: 8",
    "S: Q7 D: K3 H: J",
    "C: 34 S: 96 H: 8",
    "C: 5 S: AK D: 9T",
)


def advice(state: MatchState, seat: int) -> Hint:
    return hint(View(seat, project(state, seat)))


def played(state: MatchState) -> tuple[str, Reason]:
    """What is advised to the seat on turn."""
    told = advice(state, to_act(state)[0])
    assert isinstance(told.action, Play)
    return told.action.card.text, told.reason


def passed(hand: str, jack_points: int = 0) -> CardSet:
    """What the eldest hand is advised to pass, at a table of four with a whole pack."""
    others = [card for card in PACK if card not in CardSet(hand)]
    hands = [str(CardSet(others[place::3])) for place in range(3)]
    told = advice(dealt("coeurs", hand, *hands, pass_count=3, jack_points=jack_points), 0)
    assert isinstance(told.action, Pass)
    assert (told.reason is Reason.PASS_QUEEN) == (QUEEN in told.action.cards)
    return CardSet(told.action.cards)


# Following


def test_the_queen_goes_under_the_ace() -> None:
    state = play(dealt("coeurs", "S: A5", "S: Q3", "S: 72", "S: 64"), "AS")
    assert played(state) == ("QS", Reason.DUMP_QUEEN)


def test_the_queen_does_not_go_on_the_jack() -> None:
    state = play(dealt("coeurs", "S: J5", "S: Q3", "S: 72", "S: A4"), "JS")
    assert played(state) == ("3S", Reason.DUCK)


def test_ducks_with_the_highest_card_that_stays_under() -> None:
    hands = "C: 92 H: 2 D: 9", "C: T84 D: 3", "C: 6 H: 34 D: K", "C: 73 H: 5 D: A"
    assert played(play(dealt("coeurs", *hands), "9C")) == ("8C", Reason.HIGHEST_UNDER)


def test_last_to_play_takes_a_clean_trick_with_the_highest_card() -> None:
    state = play(dealt("coeurs", *CLUBS_AND_HEARTS), "5C 3C 4C")
    assert played(state) == ("KC", Reason.SAFE_TAKE)


def test_last_to_play_ducks_where_there_is_a_heart() -> None:
    hands = "C: 52 H: 29", "D: 38 H: 37", "C: 49 H: 4T", "C: K3 D: 24"
    assert played(play(dealt("coeurs", *hands), "5C 3H 4C")) == ("3C", Reason.DUCK)


def test_a_trick_that_cannot_be_avoided_takes_the_highest_card() -> None:
    hands = "C: 52 H: 29", "D: 38 H: 37", "C: 4J H: 4T", "C: KT D: 24"
    assert played(play(dealt("coeurs", *hands), "5C 3H 4C")) == ("KC", Reason.TAKE_HIGH)


def test_S5_the_jack_is_taken_even_with_a_heart_beside_it() -> None:
    hands = "D: 52 H: 2A C: 8", "D: J8 H: 3K C: 9", "C: 3TJ H: 4Q", "D: K4 C: 2 H: 57"
    bonus = dealt("coeurs", *hands, jack_points=-10)
    assert played(play(bonus, "5D JD 4H")) == ("KD", Reason.TAKE_BONUS)
    assert played(play(dealt("coeurs", *hands), "5D JD 4H")) == ("4D", Reason.DUCK)


def test_S5_the_jack_is_not_thrown_away() -> None:
    hands = "C: A2 H: 2A S: 6", "D: J3 S: 8 H: 3K", "C: 34 D: 9 H: 4Q", "C: 56 D: 4 H: 57"
    assert played(play(dealt("coeurs", *hands), "AC"))[0] == "KH"
    hands = "C: A2 H: 2A S: 6", "D: AJ S: 84 H: 3", "C: 34 D: 9 H: 4Q", "C: 56 D: 4 H: 57"
    assert Card(played(play(dealt("coeurs", *hands, jack_points=-10), "AC"))[0]) is not JACK


# Discarding


def test_the_queen_goes_at_a_void() -> None:
    state = play(dealt("coeurs", *QUEEN_AT_A_VOID, queen_discard="free"), "AC")
    assert played(state) == ("QS", Reason.DUMP_QUEEN)


def test_S2_a_queen_worth_nothing_is_no_danger() -> None:
    state = dealt("coeurs", *QUEEN_AT_A_VOID, queen_discard="free", queen_points=0)
    assert played(play(state, "AC")) == ("JH", Reason.DUMP_POINTS)


def test_T3_a_high_card_goes_where_points_are_barred() -> None:
    state = play(dealt("coeurs", *QUEEN_AT_A_VOID, first_trick_points="barred"), "AC")
    assert played(state) == ("KD", Reason.SHED_HIGH)


def test_a_high_heart_goes_before_a_low_one() -> None:
    hands = "C: A2 H: 84", "H: K2 S: 42", "C: 34 H: 9 S: 5", "C: 56 H: J S: 6"
    assert played(play(dealt("coeurs", *hands), "AC")) == ("KH", Reason.DUMP_POINTS)


def test_the_spade_ace_goes_while_the_queen_is_out() -> None:
    hands = "C: A2 S: 98 D: 6", "D: 732 S: A3", "C: 34 S: Q5 D: 8", "C: 56 S: J6 D: 9"
    assert played(play(dealt("coeurs", *hands), "AC")) == ("AS", Reason.DROP_COVER)


# Leading


def test_low_spades_drive_the_queen_out() -> None:
    card, reason = played(
        dealt("coeurs", "S: J4 D: AK", "S: Q5 D: 43", "S: 96 D: 65", "S: 87 D: 72")
    )
    assert Card(card) in CardSet("S: J4")
    assert reason is Reason.FLUSH_QUEEN


def test_high_spades_are_not_led_into_the_queen() -> None:
    state = dealt("coeurs", "S: AK4 D: 5", "S: QJ5 D: 4", "S: 962 D: 6", "S: 873 D: 7")
    assert played(state)[0] in ("4S", "5D")


def test_the_holder_of_the_queen_keeps_her_guards() -> None:
    state = dealt("coeurs", "S: Q43 D: 75", "S: AJ5 D: 46", "S: K62 D: 83", "S: 987 D: 92")
    assert Card(played(state)[0]) in CardSet("D: 75")


def test_D7_a_joker_gives_the_lead_away() -> None:
    state = dealt("coeurs", "H: AK RJ", "H: 92 S: Q", "H: 83 C: 4", "H: 54 BJ", moon="off")
    assert played(state) == ("RJ", Reason.JOKER_LEAD)


def test_D7_a_joker_is_not_wasted_on_a_discard() -> None:
    state = dealt("coeurs", "C: A2 H: 2", "D: 8 RJ H: 3", "C: 34 D: 9", "C: 56 BJ")
    assert Card(played(play(state, "AC"))[0]) not in CardSet("RJ BJ")


def test_D6_the_trick_that_brings_the_kitty_is_ducked() -> None:
    hands = "C: 52 H: 2AJ S: Q", "C: 389 H: 35T", "C: K4 H: 6 D: AKQ"
    bare = dealt("coeurs", *hands)
    assert played(play(bare, "5C 3C")) == ("KC", Reason.SAFE_TAKE)
    with_kitty = dealt("coeurs", *hands, kitty="H: KQ")
    assert played(play(with_kitty, "5C 3C")) == ("4C", Reason.LEAVE_KITTY)


def test_T6_a_seat_that_may_not_discard_the_queen_yet_is_no_danger() -> None:
    hands = "C: 54 D: 34 S: 5", "C: 67 D: 78 S: 6", "C: K3 D: 2T S: 7", "S: QA2 D: KJ"
    free = play(dealt("coeurs", *hands, queen_discard="free"), "5C 6C")
    barred = play(dealt("coeurs", *hands, queen_discard="barred"), "5C 6C")
    assert played(free) == ("3C", Reason.DUCK)
    assert played(barred) == ("KC", Reason.SHED_HIGH)


def test_T5_a_seat_that_has_discarded_another_card_has_no_queen() -> None:
    hands = "C: A54 D: 3 S: 5", "C: 672 S: Q6", "C: K83 D: 2 S: 7", "S: A2 D: KJT"
    free = play(dealt("coeurs", *hands, queen_discard="free"), "AC 2C 8C TD 5C 6C")
    forced = play(dealt("coeurs", *hands, queen_discard="forced"), "AC 2C 8C TD 5C 6C")
    assert played(free) == ("3C", Reason.DUCK)
    assert played(forced) == ("KC", Reason.SHED_HIGH)


# The moon


def test_S3_a_trick_with_points_is_taken_from_a_shooter() -> None:
    hands = "H: AKQ C: 79", "H: 3452 D: 2", "H: 678 C: 6 D: 3", "H: 9TJ C: K5"
    tricks = "AH 3H 6H 9H KH 4H 7H TH QH 5H 8H JH 7C 2H 6C"
    assert played(play(dealt("coeurs", *hands), tricks)) == ("KC", Reason.STOP_MOON)
    assert played(play(dealt("coeurs", *hands, moon="off"), tricks)) == ("5C", Reason.DUCK)


def test_S3_a_hand_that_takes_everything_shoots() -> None:
    state = dealt("coeurs", "H: AKQ S: AK", "H: 234 S: Q5", "H: 567 S: 64", "H: 89T S: 73")
    assert played(state)[1] is Reason.SHOOT_MOON


# The pass


def test_P1_the_spade_ace_and_king_go_without_guards() -> None:
    given = passed("S: AK5 H: 642 D: 8753 C: 642")
    assert CardSet("S: AK") <= given


def test_P1_the_queen_goes_without_guards() -> None:
    assert QUEEN in passed("S: Q5 H: 642 D: 8753 C: A642")


def test_P1_the_queen_stays_behind_low_spades() -> None:
    assert QUEEN not in passed("S: Q65432 H: AKQ D: KQ C: KQ")


def test_P1_low_hearts_stay_as_guards() -> None:
    assert not passed("S: 65 H: AT432 D: KQ4 C: KJ9") & CardSet("H: 432")


def test_P1_S5_the_jack_stays_where_it_counts_below_zero() -> None:
    hand = "S: 6543 H: 5432 D: J C: 9532"
    assert JACK in passed(hand)
    assert JACK not in passed(hand, jack_points=-10)


def test_P1_a_void_that_may_be_filled_again_is_not_worth_a_low_card() -> None:
    hand = "S: 8765 H: 5432 D: 2 C: AQJ9"
    assert passed(hand) <= CardSet("C: AQJ9")
