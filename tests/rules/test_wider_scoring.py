"""The score in the wider family: W5 to W10, worked by hand, and against a second reading."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from rules.counting import counted_of
from rules.test_scoring import ALL_HEARTS, scored
from rulesets import seeds, wider_rulesets

from volte.cards import Card, cards_in
from volte.rules import Ruleset, Score, Value, make_ruleset, options_of, score
from volte.rules.scoring import minus_is_open

# W5


def test_W5_hearts_by_rank() -> None:
    rank = scored("microsoft", "H: AKQ", "H: JT", "H: 432", "", heart_points="rank")
    assert rank.points == (14 + 13 + 12, 11 + 10, 4 + 3 + 2, 9 + 8 + 7 + 6 + 5 + 13)


def test_W5_spot_hearts_add_up_to_the_ranks_and_the_queen() -> None:
    rules = make_ruleset("microsoft", {"heart_points": "rank", "queen_points": 25})
    assert rules.penalty_total == sum(range(2, 15)) + 25 == 129


@pytest.mark.parametrize("queen", [5, 13, 25])
def test_W5_the_queen_counts_5_or_13_or_25(queen: int) -> None:
    assert scored("microsoft", "QS", "AH", "", "", queen_points=queen).points == (queen, 1, 0, 12)


@pytest.mark.parametrize("jack", [-5, -10])
def test_W5_the_jack_counts_minus_5_or_minus_10(jack: int) -> None:
    points = scored("microsoft", "JD", "AH", "", "", jack_points=jack).points
    assert points == (jack, 1, 0, 25)


def test_W5_any_card_may_count_king_10_and_ace_7_in_black_maria() -> None:
    maria: dict[str, Value] = {"card_points": ["KS=10", "AS=7"]}
    assert scored("microsoft", "KS", "AS", "S: Q H: 2", "", options=maria).points == (10, 7, 14, 12)
    assert make_ruleset("microsoft", maria).penalty_total == 26 + 17


def test_W5_the_ten_of_diamonds_may_be_the_bonus() -> None:
    assert scored("microsoft", "TD", "AH", "", "", card_points="TD=-10").points == (-10, 1, 0, 25)


def test_W5_one_heart_may_count_otherwise() -> None:
    assert scored("microsoft", "AH", "KH", "", "", card_points="AH=5").points == (5, 1, 0, 24)
    assert scored("microsoft", "AH", "KH", "", "", card_points="AH=0").points == (0, 1, 0, 24)


def test_W5_the_moon_wants_every_card_that_counts_above_zero() -> None:
    maria: dict[str, Value] = {"card_points": ["KS=10", "AS=7"]}
    short = scored("microsoft", f"S: Q {ALL_HEARTS}", "S: AK", "", "", options=maria)
    assert short.points == (26, 17, 0, 0)
    moon = scored("microsoft", f"S: AKQ {ALL_HEARTS}", "", "", "", options=maria)
    assert moon == Score((0, 43, 43, 43), moon=0)


# W6

FIVE: dict[str, Value] = {"no_tricks": -5}


def test_W6_a_seat_that_took_no_trick_counts_minus_five() -> None:
    deal = scored("microsoft", "H: 2", "", "", "QS", tricks=(1, 0, 0, 12), options=FIVE)
    assert deal == Score((1, -5, -5, 25), trickless=(1, 2))


def test_W6_after_a_moon_too() -> None:
    moon = scored("microsoft", "", "", "", "", tricks=(1, 0, 0, 12), options=FIVE)
    assert moon == Score((26, 21, 21, 0), moon=3, trickless=(1, 2))


def test_W6_with_sides_each_partner_without_a_trick_counts() -> None:
    deal = scored("microsoft", "AH", "", "", "", tricks=(1, 0, 0, 12), partners=2, options=FIVE)
    assert deal == Score((-4, 20, -4, 20), trickless=(1, 2))


# W7


def test_W7_off() -> None:
    assert scored("microsoft", "", "", "", "", moon="off") == Score((0, 0, 0, 26))


def test_W7_others_plus() -> None:
    moon = scored("microsoft", "", "", "", "", moon="others_plus")
    assert moon == Score((26, 26, 26, 0), moon=3)


def test_W7_shooter_minus() -> None:
    moon = scored("microsoft", "", "", "", "", moon="shooter_minus")
    assert moon == Score((0, 0, 0, -26), moon=3, minus=True)


@pytest.mark.parametrize("rule", ["shooter_chooses", "plus_unless_lost"])
def test_W7_either_way(rule: str) -> None:
    rules = make_ruleset("microsoft", {"moon": rule})
    taken, tricks = [0, 0, 0, rules.deck_mask], (1, 1, 1, 10)
    plus, minus = (score(rules, taken, tricks, minus=way) for way in (False, True))
    assert plus == Score((26, 26, 26, 0), moon=3)
    assert minus == Score((0, 0, 0, -26), moon=3, minus=True)
    assert minus_is_open(rules, plus) == 3


def test_W7_the_jack_is_added_whichever_way_it_counts() -> None:
    moon = scored("microsoft", "JD", "", "", "", moon="shooter_minus", jack_points=-10)
    assert moon == Score((-10, 0, 0, -26), moon=3, minus=True)


def test_W7_the_moon_may_need_the_jack() -> None:
    needed: dict[str, Value] = {"moon_needs_jack": True, "jack_points": -10}
    without = scored("microsoft", "JD", "", "", "", options=needed)
    assert without == Score((-10, 0, 0, 26))
    assert scored("microsoft", "", "", "", "", options=needed) == Score((26, 26, 26, -10), moon=3)


def test_W7_it_needs_every_bonus_card() -> None:
    needed: dict[str, Value] = {"moon_needs_jack": True, "card_points": ["TD=-5"]}
    assert scored("microsoft", "TD", "", "", "", options=needed).moon is None
    assert scored("microsoft", "JD", "", "", "", options=needed).moon == 3


# W8

SLAM = (0, 0, 0, 13)


@pytest.mark.parametrize(
    ("moon", "points", "minus"),
    [
        ("off", (52, 52, 52, 0), False),
        ("others_plus", (52, 52, 52, 0), False),
        ("shooter_minus", (0, 0, 0, -52), True),
        ("shooter_chooses", (52, 52, 52, 0), False),
        ("plus_unless_lost", (52, 52, 52, 0), False),
    ],
)
def test_W8_a_double_slam_counts_twice_what_the_moon_does(
    moon: str, points: tuple[int, ...], minus: bool
) -> None:
    slam = scored("microsoft", "", "", "", "", tricks=SLAM, moon=moon, slam="double")
    assert slam == Score(points, slam=3, minus=minus)


def test_W8_the_choice_of_the_moon_is_that_of_a_double_slam() -> None:
    for moon in ("shooter_chooses", "plus_unless_lost"):
        rules = make_ruleset("microsoft", {"moon": moon, "slam": "double"})
        slam = score(rules, [0, 0, 0, rules.deck_mask], SLAM, minus=True)
        assert slam == Score((0, 0, 0, -52), slam=3, minus=True)
        assert minus_is_open(rules, slam) == 3


@pytest.mark.parametrize("moon", ["off", "others_plus", "shooter_minus", "shooter_chooses"])
def test_W8_a_reversal_is_the_same_whatever_the_moon_does(moon: str) -> None:
    slam = scored("microsoft", "", "", "", "", tricks=SLAM, moon=moon, slam="reversal")
    assert slam == Score((26, 26, 26, -26), slam=3)
    assert (
        minus_is_open(make_ruleset("microsoft", {"moon": moon, "slam": "reversal"}), slam) is None
    )


def test_W8_with_one_trick_given_away_it_is_a_moon() -> None:
    moon = scored("microsoft", "", "", "", "", tricks=(1, 0, 0, 12), slam="double")
    assert moon == Score((26, 26, 26, 0), moon=3)


# W10


@pytest.mark.parametrize(
    ("players", "partners", "packs", "sides"),
    [
        (4, 2, 1, [(0, 2), (1, 3)]),
        (6, 2, 1, [(0, 3), (1, 4), (2, 5)]),
        (6, 3, 1, [(0, 2, 4), (1, 3, 5)]),
        (9, 3, 2, [(0, 3, 6), (1, 4, 7), (2, 5, 8)]),
        (8, 2, 2, [(0, 4), (1, 5), (2, 6), (3, 7)]),
    ],
)
def test_W10_partners_sit_as_far_apart_as_can_be(
    players: int, partners: int, packs: int, sides: list[tuple[int, ...]]
) -> None:
    rules = make_ruleset(
        "coeurs", {"players": players, "partners": partners, "packs": packs, "pass_count": 0}
    )
    assert list(rules.all_sides) == sides
    assert all(seat in rules.side(seat) for seat in range(players))


def test_W10_a_seat_scores_what_its_side_scores() -> None:
    assert scored("microsoft", "AH", "KH", "QS", "", partners=2).points == (14, 12, 14, 12)
    three = scored("coeurs", "AH", "KH", "QS", "", "", "", players=6, partners=3)
    assert three.points == (13, 12, 13, 12, 13, 12)
    two = scored("coeurs", "AH", "KH", "QS", "", "", "", players=6, partners=2)
    assert two.points == (1, 1, 23, 1, 1, 23)


def test_W10_the_moon_by_a_player() -> None:
    sides: dict[str, Value] = {"partners": 2, "moon_by": "player"}
    assert scored("microsoft", "", "QS", "", "", options=sides) == Score((0, 26, 0, 26))
    assert scored("microsoft", "", "", "", "", options=sides) == Score((26, 0, 26, 0), moon=3)


def test_W10_the_moon_by_a_side_is_told_of_who_took_most() -> None:
    sides: dict[str, Value] = {"partners": 2, "moon_by": "side"}
    assert scored("microsoft", "", "QS", "", "", options=sides) == Score((26, 0, 26, 0), moon=1)
    assert scored("microsoft", "", "5H", "", "", options=sides) == Score((26, 0, 26, 0), moon=3)
    assert scored("microsoft", "5H", "QS", "", "", options=sides) == Score((1, 25, 1, 25))


def test_W10_a_side_that_shoots_it_may_count_minus() -> None:
    sides: dict[str, Value] = {"partners": 2, "moon_by": "side", "moon": "shooter_minus"}
    moon = scored("microsoft", "QS", "JD", "", "", options=sides, tricks=(6, 1, 6, 0))
    assert moon.points == (13, 13, 13, 13)
    moon = scored("microsoft", "", "QS", "", "", options=sides)
    assert moon == Score((0, -26, 0, -26), moon=1, minus=True)


def test_W10_the_slam_likewise() -> None:
    tricks = (0, 8, 0, 5)
    by_side = scored("salon", "", "", "", "", tricks=tricks, partners=2, moon_by="side")
    assert by_side == Score((26, -26, 26, -26), slam=1)
    by_player = scored("salon", "", "", "", "", tricks=tricks, partners=2, moon="off")
    assert by_player == Score((0, 26, 0, 26))
    double = scored(
        "salon", "", "", "", "", tricks=tricks, partners=2, moon_by="side", slam="double"
    )
    assert double == Score((52, 0, 52, 0), slam=1)


def test_W10_a_bonus_counts_for_the_side() -> None:
    moon = scored("salon-valet", "JD", "", "", "", partners=2)
    assert moon == Score((16, 0, 16, 0), moon=3)


def test_W10_three_sides_each_other_side_gets_a_moon() -> None:
    moon = scored("coeurs", "", "", "", "", "", "", players=6, partners=2)
    assert moon == Score((25, 25, 0, 25, 25, 0), moon=5)


# Against the second reading


@given(wider_rulesets(), seeds)
@settings(max_examples=settings().max_examples // 2)
def test_every_score_is_that_of_the_second_reading(rules: Ruleset, seed: int) -> None:
    """Cards fall anywhere; often one seat, or one side, gets nearly all."""
    rng, options = random.Random(seed), options_of(rules)
    seats = range(rules.players)
    for greedy in (seats, rules.side(seed % rules.players), (seed % rules.players,)):
        taken: list[set[Card]] = [set() for _ in seats]
        tricks = [0 for _ in seats]
        for card in cards_in(rules.deck_mask):
            astray = rng.random() < 0.3 / len(rules.cards)
            taken[rng.choice(seats if astray else greedy)].add(card)
        for _ in range(rules.hand_size):
            tricks[rng.choice(seats if rng.random() < 0.02 else greedy)] += 1
        masks = [sum(card.bit for card in cards) for cards in taken]
        for asked in (False, True):
            scores = score(rules, masks, tricks, minus=asked)
            points, doers, what, trickless = counted_of(options, taken, tricks, minus=scores.minus)
            assert list(scores.points) == points
            assert scores.trickless == trickless
            told = {"moon": scores.moon, "slam": scores.slam}
            assert {name: seat in doers for name, seat in told.items()} == {
                name: name == what for name in told
            }
