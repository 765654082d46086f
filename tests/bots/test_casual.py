"""What good sense plays in positions small enough to see it, alone and for one's side, and why."""

from __future__ import annotations

from dataclasses import replace as with_option
from functools import cache, partial
from typing import Final

import pytest
from msgspec.structs import replace
from rulesets import PACK, deal_of, dealt, first_deal, play

from volte.bots import Bot, BotOwner, Clock, Hint, Reason, hint
from volte.bots.casual import Casual
from volte.bots.odds import NOBODY, feared
from volte.cards import JACK, QUEEN, Card, CardSet
from volte.game import MatchState, Pass, Play, SeatAction, to_act
from volte.lab.arena import seatings
from volte.lab.arena.readable import outcomes_of, run_at, table_of
from volte.rules import Ruleset, Sides, Value, make_ruleset
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


def passed_with(hand: str, **options: Value) -> tuple[Card, ...]:
    others = [each for each in make_ruleset("coeurs").cards if each not in CardSet(hand)]
    hands = [str(CardSet(others[place::3])) for place in range(3)]
    told = advice(first_deal("coeurs", (hand, *hands), options=options), 0)
    assert isinstance(told.action, Pass)
    return told.action.cards


def test_P1_the_queen_goes_to_an_opponent_and_not_to_a_partner() -> None:
    hand = "S: Q5 H: 642 D: 8753 C: A642"
    ways = {
        way: passed_with(hand, pass_count=3, pass_cycle=[way], partners=2)
        for way in ("left", "across")
    }
    assert QUEEN in ways["left"]
    assert CardSet(ways["across"]) != CardSet(ways["left"])


def test_W1_a_scatter_gives_the_partner_what_weighs_least() -> None:
    hand = "S: AKQ H: 642 D: 8753 C: 642"
    left, across, right = passed_with(hand, pass_count=1, pass_cycle=["scatter"], partners=2)
    alone = passed_with(hand, pass_count=1, pass_cycle=["scatter"])
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
