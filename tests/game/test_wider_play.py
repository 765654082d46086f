"""Passing and playing in the wider family: W1 to W4."""

from __future__ import annotations

import pytest
from rulesets import PACK, after, clause, deal_of, dealt, first_deal, legal, play, refused, take

from volte.cards import Card, CardSet, read_cards
from volte.game import (
    AskUndo,
    Exchanged,
    KittyTaken,
    MatchState,
    Pass,
    Passed,
    Play,
    Played,
    Transfer,
    TrickTaken,
    legal_actions,
    visible,
)
from volte.rules import Direction, Value, make_ruleset
from volte.view import KITTY, View, project

# W1

FOUR = ("C: 234 H: 2", "C: 567 H: 3", "C: 89T H: 4", "C: JQK H: 5")


def scattering(*hands: str, count: int = 3) -> MatchState:
    return dealt("coeurs", *hands, pass_count=count, pass_cycle=["scatter"])


def given(seat: int, cards: str) -> Pass:
    return Pass(seat, read_cards(cards))


OTHERS = (given(1, "5C 6C 7C"), given(2, "8C 9C TC"), given(3, "JC QC KC"))


def test_W1_each_seat_gives_one_card_to_each_other_the_first_to_the_left() -> None:
    state = after(scattering(*FOUR), *OTHERS, given(0, "4C 2C 3C"))
    hands = [CardSet(hand) for hand in deal_of(state).hands]
    assert hands == [
        CardSet("C: 79J H: 2"),  # the third of 1, the second of 2, the first of 3
        CardSet("C: 4TQ H: 3"),
        CardSet("C: 25K H: 4"),
        CardSet("C: 368 H: 5"),
    ]


def test_W1_three_seats_give_two_cards_each() -> None:
    state = scattering("C: 23 H: 2", "C: 45 H: 3", "C: 67 H: 4")
    assert deal_of(state).pass_size == 2
    state = after(state, given(0, "3C 2C"), given(1, "4C 5C"), given(2, "7C 6C"))
    hands = [CardSet(hand) for hand in deal_of(state).hands]
    assert hands == [CardSet("C: 57 H: 2"), CardSet("C: 36 H: 3"), CardSet("C: 24 H: 4")]


def test_W1_seven_seats_give_six_cards_each() -> None:
    pack = [card.text for card in PACK[3:]]
    hands = [pack[seat * 7 : seat * 7 + 7] for seat in range(7)]
    state = scattering(*(" ".join(hand) for hand in hands))
    passes = [given(seat, " ".join(hand[:6])) for seat, hand in enumerate(hands)]
    state = after(state, *passes)
    for giver, hand in enumerate(hands):
        for place in range(6):
            taker = (giver + 1 + place) % 7
            assert Card(hand[place]) in CardSet(deal_of(state).hands[taker])
        assert Card(hand[6]) in CardSet(deal_of(state).hands[giver])


def test_W1_the_count_says_only_whether_cards_are_passed() -> None:
    assert deal_of(scattering(*FOUR, count=1)).pass_size == 3
    rules = make_ruleset("coeurs", {"pass_count": 0, "pass_cycle": ["scatter"]})
    assert rules.direction(1) is Direction.HOLD


def test_W1_it_takes_turns_with_other_directions() -> None:
    rules = make_ruleset("coeurs", {"pass_count": 2, "pass_cycle": ["left", "scatter"]})
    ways = [rules.direction(deal) for deal in (1, 2, 3)]
    assert ways == [Direction.LEFT, Direction.SCATTER, Direction.LEFT]
    assert [rules.pass_size(way) for way in ways] == [2, 3, 2]


@pytest.mark.parametrize("cards", ["2C 3C", "2C 3C 4C 2H", "2C 3C 5C"])
def test_W1_fewer_cards_or_more_or_others_are_refused(cards: str) -> None:
    assert refused(scattering(*FOUR), given(0, cards)).reason in ("pass_count", "not_in_hand")


def test_W1_each_set_of_cards_is_listed_once_and_any_order_accepted() -> None:
    state = scattering(*FOUR)
    listed = legal_actions(state, 0)
    assert len(listed) == 4
    for cards in ("4C 3C 2C", "2H 4C 2C"):
        assert take(state, given(0, cards)).events == (Passed(0, read_cards(cards)),)


def test_W1_elsewhere_the_order_says_nothing() -> None:
    state = dealt("coeurs", *FOUR, pass_count=3)
    assert take(state, given(0, "4C 2C 3C")).events == (Passed(0, read_cards("2C 3C 4C")),)


def test_W1_a_seat_sees_what_it_gave_and_got_card_by_card() -> None:
    step = take(after(scattering(*FOUR), *OTHERS), given(0, "4C 2C 3C"))
    told = visible(step.events[1], 0)
    assert isinstance(told, Exchanged)
    shown = [transfer for transfer in told.transfers if transfer.cards is not None]
    assert shown == [
        Transfer(0, 1, read_cards("4C")),
        Transfer(0, 2, read_cards("2C")),
        Transfer(0, 3, read_cards("3C")),
        Transfer(1, 0, read_cards("7C")),
        Transfer(2, 0, read_cards("9C")),
        Transfer(3, 0, read_cards("JC")),
    ]
    nobody = visible(step.events[1], None)
    assert isinstance(nobody, Exchanged)
    assert {transfer.cards for transfer in nobody.transfers} == {None}


def test_W1_a_seat_knows_where_each_card_is_that_it_gave() -> None:
    state = after(scattering(*FOUR), *OTHERS, given(0, "4C 2C 3C"))
    view = View(0, project(state, 0))
    assert [view.gave(seat) for seat in (1, 2, 3)] == [CardSet("4C"), CardSet("2C"), CardSet("3C")]
    assert [view.must_hold(seat) for seat in (1, 2, 3)] == [
        CardSet("4C"),
        CardSet("2C"),
        CardSet("3C"),
    ]
    assert view.got() == CardSet("C: 79J")
    assert Card("4C") not in view.could_hold(2)


# W2


def any_club(*hands: str, kitty: str = "") -> MatchState:
    return dealt("microsoft", *hands, kitty=kitty, opening="any_club")


def test_W2_whoever_holds_the_lowest_club_leads_any_club() -> None:
    state = any_club("C: A D: 2 H: 2", "C: 42 D: 3", "C: 53 H: 3")
    assert (deal_of(state).turn, legal(state)) == (1, CardSet("C: 42"))
    assert clause(state, "3D") == "W2"


def test_W2_it_binds_the_first_lead_only() -> None:
    state = play(any_club("C: A D: 2 H: 2", "C: 42 D: 3", "C: 53 H: 3"), "4C 5C AC")
    assert legal(state) == CardSet("D: 2")  # hearts are not broken (T4)


def test_W2_everybody_knows_who_holds_the_lowest_club() -> None:
    state = any_club("C: A D: 2 H: 2", "C: 42 D: 3", "C: 53 H: 3")
    for now in (state, play(state, "4C 5C AC")):
        view = View(0, project(now, 0))
        assert Card("2C") in view.must_hold(1)


def test_W2_of_the_clubs_that_a_hand_holds() -> None:
    state = any_club("C: 5 D: 2", "C: 46", "H: 23", kitty="C: 32")
    assert (deal_of(state).turn, legal(state)) == (1, CardSet("C: 46"))
    assert View(0, project(state, 0)).must_hold(1) == CardSet("4C")


# W3


def waiting(*hands: str, queen_discard: str = "free", **options: str) -> MatchState:
    usual: dict[str, Value] = {"queen_discard": queen_discard, "queen_play": "once_broken"}
    return first_deal("coeurs", hands, options={**usual, **options})


def test_W3_the_queen_is_not_led_before_hearts_are_broken() -> None:
    state = waiting("S: Q2 C: 2", "S: 34 H: 2", "S: 56 H: 3")
    assert legal(state) == CardSet("S: 2 C: 2")
    assert clause(state, "QS") == "W3"


def test_W3_nor_discarded() -> None:
    state = play(waiting("C: 23 D: 2", "S: Q2 H: 2", "C: 45 H: 3"), "2C")
    assert legal(state) == CardSet("S: 2 H: 2")
    assert clause(state, "QS") == "W3"


def test_W3_once_hearts_are_broken_she_is_free() -> None:
    state = waiting("C: 23 D: 2", "S: Q2 H: 2", "C: 4 H: 34")
    state = play(state, "2C 2H 4C")
    assert legal(play(state, "3H 3C")) == CardSet("S: Q2")


def test_W3_a_heart_on_the_same_trick_breaks_them() -> None:
    state = waiting("C: 23 D: 2", "H: 2 D: 34", "S: Q D: 5 H: 3")
    assert clause(play(state, "2C 3D"), "QS") == "W3"
    assert legal(play(state, "2C 2H")) == CardSet("S: Q D: 5 H: 3")


def test_W3_following_spades_is_free() -> None:
    state = play(waiting("S: A2 D: 2", "S: Q3 H: 2", "S: 56 H: 3"), "AS")
    assert legal(state) == CardSet("S: Q3")


def test_W3_waived_for_a_hand_of_hearts_and_the_queen_on_lead() -> None:
    """W3 keeps the hearts, and T4, which would leave nothing of them, is waived."""
    state = waiting("S: Q H: 24", "S: 34 H: 3", "S: 56 H: 5", hearts_lead="once_broken")
    assert legal(state) == CardSet("H: 24")
    assert clause(state, "QS") == "W3"


def test_W3_waived_where_she_is_the_last_card() -> None:
    state = play(waiting("C: 2 D: A", "D: 4 S: Q", "C: 3 D: 5"), "AD 4D 5D 2C")
    assert legal(state) == CardSet("QS")


KEPT = ("C: 23 D: 2", "S: Q2 D: 3", "C: 4 H: 34")


def test_W3_stands_after_T3_and_before_T5() -> None:
    hands = ("C: 23 D: 2", "S: Q H: 23", "C: 45 H: 4")
    state = play(waiting(*hands, first_trick_points="barred", queen_discard="forced"), "2C")
    assert legal(state) == CardSet("H: 23")  # T3 is waived, and W3 keeps the queen from T5
    assert clause(state, "QS") == "W3"
    state = play(waiting(*KEPT, queen_discard="forced"), "2C")
    assert legal(state) == CardSet("S: 2 D: 3")
    assert legal(play(state, "2S 4C 3H 3C")) == CardSet("QS")  # hearts are broken: T5


def test_W3_a_void_at_which_it_kept_the_queen_is_the_first_chance_of_T6() -> None:
    state = play(waiting(*KEPT, queen_discard="barred"), "2C 2S 4C 3H 3C")
    assert legal(state) == CardSet("S: Q D: 3")


def test_W3_a_discard_proves_nothing_of_her() -> None:
    state = play(waiting("C: 23 D: 2", "S: Q2 H: 2", "C: 45 H: 3", queen_discard="forced"), "2C 2S")
    assert Card("QS") in View(0, project(state, 0)).could_hold(1)


# W4


def with_kitty(to: str, kitty: str, *hands: str, **options: str) -> MatchState:
    return first_deal("coeurs", hands, kitty, {"kitty": to, **options})


LATE = ("C: A2 H: A", "C: K3 H: 2", "C: Q4 H: 3")


def kitty_of(state: MatchState) -> tuple[int | None, int]:
    """Who has the kitty, and after how many tricks."""
    return deal_of(state).kitty_taker, len(deal_of(state).tricks)


def test_W4_to_the_winner_of_the_last_trick() -> None:
    state = play(with_kitty("last_trick", "S: Q D: 2", *LATE), "AC KC QC AH 2H 3H")
    assert kitty_of(state) == (None, 2)
    step = take(play(state, "2C 3C"), Play(2, Card("4C")))
    assert step.events[:3] == (
        Played(2, Card("4C")),
        TrickTaken(2),
        KittyTaken(2, (Card("2D"), Card("QS"))),
    )
    assert step.after.deals[-1].points == (3, 0, 12)


def test_W4_to_the_winner_of_the_first_trick_with_a_heart() -> None:
    state = with_kitty("first_heart", "S: Q D: 2", *LATE)
    state = play(state, "AC KC QC")
    assert kitty_of(state) == (None, 1)
    state = play(state, "2C 3C 4C 3H AH")
    step = take(state, Play(1, Card("2H")))
    assert step.events[2] == KittyTaken(0, (Card("2D"), Card("QS")))
    assert step.after.deals[-1].moon == 0


def test_W4_a_discarded_heart_is_one() -> None:
    hands = ("C: A2 D: A", "C: K3 D: 3", "H: 23 D: 4")
    state = play(with_kitty("first_heart", "S: Q D: 2", *hands), "AC KC 2H")
    assert kitty_of(state) == (0, 1)


def test_W4_to_the_last_trick_if_none_has_a_heart() -> None:
    hands = ("C: A2", "C: K3", "C: Q4")
    state = play(with_kitty("first_heart", "S: Q H: 2", *hands), "AC KC QC 2C 3C")
    assert kitty_of(state) == (None, 1)
    assert kitty_of(play(state, "4C")) == (2, 2)


@pytest.mark.parametrize("to", ["first_heart", "last_trick"])
def test_W4_only_that_player_sees_it_and_it_cannot_be_taken_back(to: str) -> None:
    options = {"match_end": "deals:2"}
    state = play(with_kitty(to, "S: Q D: 2", *LATE, **options), "AC KC QC 2C 3C 4C 3H AH")
    taken = next(
        each for each in take(state, Play(1, Card("2H"))).events if isinstance(each, KittyTaken)
    )
    assert visible(taken, 0) == taken
    assert visible(taken, 1) == visible(taken, None) == KittyTaken(0, None)
    assert refused(play(state, "2H"), AskUndo(1)).clause == "C2"


def test_W4_until_then_its_cards_may_lie_anywhere() -> None:
    state = play(with_kitty("last_trick", "S: Q D: 2", *LATE), "AC KC QC AH 2H 3H")
    assert CardSet(View(0, project(state, 0)).possible[KITTY]) == CardSet("S: Q C: 34 D: 2")
