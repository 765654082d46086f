"""Who leads and what may be played: L1, L2, T1 to T8."""

from __future__ import annotations

import pytest
from rulesets import after, clause, deal_of, dealt, legal, play, refused, take

from volte.cards import Card, CardSet
from volte.game import MatchState, Pass, Play, PlayStarted, TrickTaken

# L1, L2


def test_L1_the_eldest_hand_leads_any_card() -> None:
    state = dealt("coeurs", "C: 2 S: Q H: A", "C: 345", "D: 345")
    assert deal_of(state).turn == 0
    assert legal(state) == CardSet("C: 2 S: Q H: A")


def test_L1_the_eldest_hand_sits_to_the_dealers_left() -> None:
    state = dealt("coeurs", "C: 2", "C: 3", "H: 4", "H: 5", "H: 6", "H: 7", "H: 8")
    assert (deal_of(state).dealer, deal_of(state).leader) == (6, 0)


def test_L1_it_may_lead_points_where_they_are_barred() -> None:
    state = dealt("coeurs", "C: 2 S: Q H: A", "C: 345", "D: 345", first_trick_points="barred")
    assert legal(state) == CardSet("C: 2 S: Q H: A")


def test_L2_whoever_holds_the_two_of_clubs_leads_it() -> None:
    state = dealt("microsoft", "C: A D: 2", "C: 3 H: 2", "C: 42")
    assert (deal_of(state).turn, legal(state)) == (2, CardSet("2C"))
    assert clause(state, "4C") == "L2"


def test_L2_it_is_whoever_holds_it_after_the_pass() -> None:
    state = dealt("microsoft", "C: A2", "C: 3 H: 2", "C: 54", pass_count=1, pass_cycle=["right"])
    passes = [Pass(0, (Card("2C"),)), Pass(1, (Card("3C"),)), Pass(2, (Card("4C"),))]
    started = take(after(state, *passes[1:]), passes[0]).events[-1]
    assert started == PlayStarted(2, Card("2C"))


@pytest.mark.parametrize("lowest", ["3", "9", "A"])
def test_L2_it_is_the_lowest_club_of_the_deck(lowest: str) -> None:
    state = dealt("salon", "D: 2", f"C: {lowest}", "H: 2")
    assert (deal_of(state).turn, legal(state)) == (1, CardSet(f"C: {lowest}"))


def test_L2_where_it_lies_in_a_kitty_the_lowest_club_that_a_hand_holds() -> None:
    state = dealt("microsoft", "C: 5 D: 2", "C: 46", "H: 23", kitty="C: 32")
    assert (deal_of(state).turn, legal(state)) == (1, CardSet("4C"))


def test_L2_binds_the_first_lead_only() -> None:
    state = play(dealt("microsoft", "C: 2 D: 2", "C: A D: 3", "C: 5 H: 2"), "2C AC 5C")
    assert legal(state) == CardSet("3D")


# T1, T2


def test_T1_a_player_who_has_the_suit_led_must_play_it() -> None:
    state = play(dealt("coeurs", "C: 24 D: 5", "C: A3 D: 2", "D: 34 H: 2"), "2C")
    assert legal(state) == CardSet("C: A3")
    assert clause(state, "2D") == "T1"


def test_T1_otherwise_any_card() -> None:
    state = play(dealt("coeurs", "C: 24 D: 5", "D: A3 S: 2", "D: 24 H: 2"), "2C")
    assert legal(state) == CardSet("D: A3 S: 2")


def test_T1_points_are_followed_too() -> None:
    state = play(dealt("coeurs", "S: A2", "S: Q C: 2", "H: 2 C: 3"), "AS")
    assert legal(state) == CardSet("QS")


def test_T1_a_card_that_is_not_in_the_hand_breaks_no_clause() -> None:
    state = play(dealt("coeurs", "C: 24 D: 5", "C: A3 D: 2", "D: 34 H: 2"), "2C")
    refusal = refused(state, Play(1, Card("KS")))
    assert (refusal.reason, refusal.clause) == ("not_in_hand", "")


def test_T2_the_highest_card_of_the_suit_led_wins() -> None:
    state = dealt("coeurs", "C: 92", "C: T3", "C: 84", "H: A2", "S: A2")
    step = take(play(state, "9C TC 8C AH"), Play(4, Card("AS")))
    assert step.events[-1] == TrickTaken(1)


def test_T2_its_winner_leads_next() -> None:
    state = dealt("coeurs", "C: 92", "C: T3", "C: 84", "H: A2", "S: A2")
    state = play(state, "9C TC 8C AH AS")
    assert (deal_of(state).turn, legal(state)) == (1, CardSet("3C"))


def test_T2_nobody_plays_out_of_turn() -> None:
    state = dealt("coeurs", "C: 92", "C: T3", "H: 84")
    refusal = refused(state, Play(1, Card("TC")))
    assert (refusal.reason, refusal.clause, refusal.legal) == ("not_your_turn", "T2", ())
    assert refusal.params == {"turn": 0}


# T3


def barred(*hands: str, kitty: str = "", queen_discard: str = "free") -> MatchState:
    return dealt(
        "coeurs", *hands, kitty=kitty, first_trick_points="barred", queen_discard=queen_discard
    )


def test_T3_no_heart_and_no_queen_may_be_discarded_on_the_first_trick() -> None:
    state = play(barred("C: 243", "S: Q H: 2 D: 2", "D: 3 S: 3 H: 3"), "2C")
    assert legal(state) == CardSet("2D")
    assert clause(state, "2H") == clause(state, "QS") == "T3"


def test_T3_unless_the_hand_holds_nothing_else() -> None:
    state = play(barred("C: 243", "S: Q H: 42", "D: 3 S: 3 H: 3"), "2C")
    assert legal(state) == CardSet("S: Q H: 42")


def test_T3_the_jack_that_counts_minus_ten_may_be_discarded() -> None:
    hands = ("C: 24", "D: J H: 2", "C: 3 H: 3")
    state = play(dealt("coeurs", *hands, first_trick_points="barred", jack_points=-10), "2C")
    assert legal(state) == CardSet("JD")


def test_T3_points_may_follow_suit_where_they_are_led() -> None:
    state = play(barred("H: 24", "H: 3 D: 2", "S: Q D: 3"), "2H")
    assert legal(state) == CardSet("3H")
    assert legal(play(state, "3H")) == CardSet("3D")


def test_T3_binds_the_first_trick_only() -> None:
    state = play(barred("C: 24 D: 9", "S: Q H: 2 D: 2", "D: 3 S: 3 H: 3"), "2C 2D 3D 4C")
    assert legal(state) == CardSet("S: Q H: 2")


def test_T3_a_queen_that_counts_nothing_is_no_penalty_card() -> None:
    hands = ("C: 243", "S: Q H: 2 D: 2", "D: 3 S: 3 H: 3")
    state = play(
        dealt("coeurs", *hands, first_trick_points="barred", queen_points=0, queen_discard="free"),
        "2C",
    )
    assert legal(state) == CardSet("S: Q D: 2")


# T4


def unbroken(*hands: str, queen_breaks_hearts: bool = False) -> MatchState:
    return dealt(
        "coeurs",
        *hands,
        hearts_lead="once_broken",
        queen_discard="free",
        queen_breaks_hearts=queen_breaks_hearts,
    )


def test_T4_hearts_may_not_be_led_until_one_has_been_played() -> None:
    state = unbroken("C: 2 H: 2", "C: 3 H: 3", "D: 3 H: 4")
    assert legal(state) == CardSet("2C")
    assert clause(state, "2H") == "T4"
    assert legal(play(state, "2C 3C 3D")) == CardSet("3H")  # nothing else is left


def test_T4_a_discarded_heart_breaks_them() -> None:
    state = unbroken("C: 2 S: 25", "C: 3 S: 3 H: 3", "D: 34 H: 4")
    assert legal(play(state, "2C 3C 4H")) == CardSet("S: 3 H: 3")
    assert legal(play(state, "2C 3C 3D")) == CardSet("3S")


def test_T4_unless_the_hand_holds_only_hearts() -> None:
    assert legal(unbroken("H: 2A", "C: 3 H: 3", "D: 3 H: 4")) == CardSet("H: 2A")


def test_T4_the_queen_does_not_break_hearts() -> None:
    state = unbroken("C: 2 S: 25", "C: 3 S: 3 H: 3", "D: 4 S: Q H: 4")
    assert legal(play(state, "2C 3C QS")) == CardSet("3S")


def test_T4_an_option_can_change_that() -> None:
    hands = ("C: 2 S: 25", "C: 3 S: 3 H: 3", "D: 4 S: Q H: 4")
    state = unbroken(*hands, queen_breaks_hearts=True)
    assert legal(play(state, "2C 3C QS")) == CardSet("S: 3 H: 3")


def test_T4_a_queen_that_follows_suit_breaks_them_too_where_she_does() -> None:
    hands = ("S: 25 D: 2", "S: K3 H: 3", "S: Q4 H: 4")
    state = play(unbroken(*hands, queen_breaks_hearts=True), "2S KS QS")
    assert legal(state) == CardSet("S: 3 H: 3")
    assert legal(play(unbroken(*hands), "2S KS QS")) == CardSet("3S")


# T5


def test_T5_forced_queen_goes_at_the_first_void() -> None:
    state = play(dealt("coeurs", "C: 24", "S: Q H: 2", "C: 3 H: 3"), "2C")
    assert legal(state) == CardSet("QS")
    assert clause(state, "2H") == "T5"


@pytest.mark.parametrize("players", [3, 7])
def test_T5_whatever_the_number_of_players(players: int) -> None:
    others = ("C: 53", "C: 64", "C: 7 H: 4", "C: 8 H: 5", "C: 9 H: 6")
    state = dealt("coeurs", "C: 2A", *others[: players - 2], "S: Q H: 2")
    while deal_of(state).turn != players - 1:
        state = play(state, str(next(iter(legal(state)))))
    assert legal(state) == CardSet("QS")


def test_T5_following_spades_is_free() -> None:
    state = play(dealt("coeurs", "S: A2", "S: Q3", "C: 3 H: 3"), "AS")
    assert legal(state) == CardSet("S: Q3")


def test_T5_leading_is_free() -> None:
    assert legal(dealt("coeurs", "C: 2 S: Q", "S: 43", "C: 3 H: 3")) == CardSet("C: 2 S: Q")


def test_T5_and_T3_the_queen_stays_on_trick_one_and_goes_at_the_next_void() -> None:
    state = barred("C: 25 D: 4", "S: Q D: 2 H: 2", "C: 34 H: 3", queen_discard="forced")
    state = play(state, "2C")
    assert legal(state) == CardSet("2D")
    assert clause(state, "QS") == "T3"
    assert legal(play(state, "2D 3C 4C 5C")) == CardSet("QS")


# T6


def not_at_first(*hands: str, first_trick_points: str = "allowed") -> MatchState:
    return dealt("coeurs", *hands, queen_discard="barred", first_trick_points=first_trick_points)


def test_T6_the_queen_may_not_go_at_the_first_chance() -> None:
    state = play(not_at_first("C: 24", "S: Q H: 2", "C: 3 H: 3"), "2C")
    assert legal(state) == CardSet("2H")
    assert clause(state, "QS") == "T6"


def test_T6_from_the_next_chance_on_she_is_free() -> None:
    state = not_at_first("C: A42", "S: Q H: 2 D: 2", "C: 3 H: 3 D: 3")
    state = play(state, "AC 2D 3C 2C")
    assert legal(state) == CardSet("S: Q H: 2")


def test_T6_waived_when_the_hand_holds_nothing_else() -> None:
    state = play(not_at_first("D: 3 C: A", "D: 2 S: Q", "C: 3 H: 3"), "3D 2D 3H AC")
    assert legal(state) == CardSet("QS")


def test_T6_following_suit_is_no_chance() -> None:
    state = not_at_first("D: 3 C: A2", "D: 2 S: Q H: 2", "C: 3 H: 3 D: 4")
    state = play(state, "3D 2D 4D 3C 2C")
    assert legal(state) == CardSet("2H")


def test_T6_a_void_on_the_first_trick_where_T3_kept_the_queen_is_the_first_chance() -> None:
    hands = ("C: A42", "S: Q H: 2 D: 2", "C: 3 H: 3 D: 3")
    state = play(not_at_first(*hands, first_trick_points="barred"), "AC")
    assert clause(state, "QS") == "T3"
    assert legal(play(state, "2D 3C 4C")) == CardSet("S: Q H: 2")


# T7


def late_hearts(*hands: str) -> MatchState:
    return dealt("coeurs", *hands, hearts_from_trick=3, queen_discard="free")


LATE = ("C: A2 S: 9 H: A", "S: 83 H: 23", "S: 76 D: 3 H: 4")


def test_T7_no_heart_is_led_or_discarded_before_the_third_trick() -> None:
    state = late_hearts(*LATE)
    assert legal(state) == CardSet("C: A2 S: 9")
    assert clause(state, "AH") == "T7"
    state = play(state, "AC")
    assert legal(state) == CardSet("S: 83")
    state = play(state, "8S 6S 2C")
    assert legal(state) == CardSet("3S")
    assert clause(state, "2H") == "T7"
    assert legal(play(state, "3S 7S")) == CardSet("S: 9 H: A")


def test_T7_waived_when_the_hand_holds_nothing_else() -> None:
    assert legal(late_hearts("H: 234", "S: 234", "C: 234")) == CardSet("H: 234")
    state = play(late_hearts("C: 234", "H: 234", "S: 234"), "2C")
    assert legal(state) == CardSet("H: 234")


def test_T7_hearts_are_followed_where_somebody_had_nothing_else() -> None:
    state = play(late_hearts("H: 2A4", "S: 2 H: 3 C: 5", "C: 234"), "2H")
    assert legal(state) == CardSet("3H")


# T8


def test_T8_hand_of_hearts_and_the_queen_only_on_the_first_trick() -> None:
    hands = ("C: 243", "S: Q H: 42", "D: 3 S: 3 H: 3")
    assert legal(play(barred(*hands), "2C")) == CardSet("S: Q H: 42")
    forced = play(barred(*hands, queen_discard="forced"), "2C")
    assert legal(forced) == CardSet("QS")
    assert clause(forced, "2H") == "T5"
    kept = play(barred(*hands, queen_discard="barred"), "2C")
    assert legal(kept) == CardSet("H: 42")
    assert clause(kept, "QS") == "T6"


def test_T8_the_duties_after_a_waived_one_still_hold() -> None:
    """T3 leaves nothing and is waived; T6 holds the queen back; then T7 leaves nothing."""
    state = dealt(
        "coeurs",
        "C: 243",
        "S: Q H: 42",
        "D: 3 S: 3 H: 3",
        first_trick_points="barred",
        queen_discard="barred",
        hearts_from_trick=3,
    )
    state = play(state, "2C")
    assert legal(state) == CardSet("H: 42")
    assert clause(state, "QS") == "T6"


def test_T8_T5_comes_before_T7() -> None:
    hands = ("C: 243", "S: Q D: 4 H: 2", "D: 3 S: 3 H: 3")
    state = play(dealt("coeurs", *hands, hearts_from_trick=2), "2C")
    assert legal(state) == CardSet("QS")
    assert clause(state, "2H") == "T5"


def test_T8_T7_comes_before_T4() -> None:
    hands = ("C: 2 H: 2", "C: 3 H: 3", "D: 3 H: 4")
    state = dealt("coeurs", *hands, hearts_lead="once_broken", hearts_from_trick=2)
    assert clause(state, "2H") == "T7"


def test_T8_following_suit_comes_before_all() -> None:
    state = play(barred("C: 243", "C: 5 S: Q H: 2", "D: 3 S: 3 H: 3", queen_discard="forced"), "2C")
    assert legal(state) == CardSet("5C")
    assert clause(state, "QS") == clause(state, "2H") == "T1"
