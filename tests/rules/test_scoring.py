"""The score of a deal, the totals, and the winners: S1 to S7, W5 to W10, E1, E2."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import because, seeds, wider_rulesets
from kit.clauses import counted_of
from kit.laws import cells, numbers, preset_and_settings, read_laws, read_score

from volte.cards import HEARTS, QUEEN, Card, CardSet, cards_in, mask_of
from volte.rules import (
    BooksFault,
    Ruleset,
    Score,
    Value,
    check_books,
    make_ruleset,
    match_over,
    minus_is_open,
    options_of,
    score,
    totals,
    winners,
)

LAWS: Final = read_laws(Path(__file__).with_name("scores.txt"))


def table(preset: str = "dame-de-pique", **options: Value) -> Ruleset:
    return make_ruleset(preset, options)


def sheet(*deals: tuple[int, ...], moon: int | None = None) -> list[Score]:
    return [Score(points, moon=moon) for points in deals]


# A deal


@pytest.mark.parametrize("law", LAWS)
def test_law(law: str) -> None:
    for line in LAWS[law]:
        deal, _, result = line.partition(">")
        setting, *taken = cells(deal.replace("HEARTS", "H: AKQJT98765432"))
        preset, options = preset_and_settings(setting)
        tricks = numbers(options.pop("tricks", ""))
        rules = make_ruleset(preset, {**options, "players": len(taken)})
        masks = [CardSet(cards).mask for cards in taken]
        masks[-1] |= rules.deck_mask & ~sum(masks)
        usual = (1,) * (rules.players - 1) + (rules.hand_size - rules.players + 1,)
        assert score(rules, masks, tricks or usual) == read_score(result)


@pytest.mark.parametrize(
    ("options", "total"),
    [
        ({"heart_points": "rank", "queen_points": 25}, sum(range(2, 15)) + 25),
        ({"card_points": ["KS=10", "AS=7"]}, 26 + 17),
    ],
)
def test_W5_what_all_penalty_cards_add_up_to(options: dict[str, Value], total: int) -> None:
    assert make_ruleset("microsoft", options).penalty_total == total


@given(
    st.integers(3, 7),
    st.lists(st.integers(0, 6), min_size=52, max_size=52),
    st.sampled_from([0, -10]),
)
def test_S6_every_deal_adds_up(players: int, takers: list[int], jack: int) -> None:
    rules = table("coeurs", players=players, jack_points=jack)
    taken = [0] * players
    for card, taker in zip(rules.cards, takers, strict=True):
        taken[taker % players] |= card.bit
    points = score(rules, taken, (1,) * players).points
    moon = any(not (HEARTS & rules.deck_mask | QUEEN.bit) & ~mask for mask in taken)
    assert sum(points) == (players - 1 if moon else 1) * 25 + jack


@pytest.mark.parametrize("points", [(26, 0, 0, 1), (0, 0, 0, 0), (26, 26, 26, 0)])
def test_S6_points_that_do_not_add_up_are_a_fault(points: tuple[int, ...]) -> None:
    with pytest.raises(BooksFault, check=because("points_do_not_add_up")):
        check_books(make_ruleset("microsoft"), Score(points))


def test_S6_cards_that_are_missing_are_a_fault() -> None:
    with pytest.raises(BooksFault):
        score(make_ruleset("microsoft"), [mask_of([QUEEN]), 0, 0, 0], (1, 0, 0, 0))


@pytest.mark.parametrize("rule", ["shooter_chooses", "plus_unless_lost"])
def test_W7_W8_a_moon_or_a_double_slam_may_count_either_way(rule: str) -> None:
    rules = table("microsoft", moon=rule, slam="double")
    everything = [0, 0, 0, rules.deck_mask]
    for tricks, worth, moon, slam in (((1, 1, 1, 10), 26, 3, None), ((0, 0, 0, 13), 52, None, 3)):
        plus, minus = (score(rules, everything, tricks, minus=way) for way in (False, True))
        assert plus == Score((worth, worth, worth, 0), moon, slam)
        assert minus == Score((0, 0, 0, -worth), moon, slam, minus=True)
        assert minus_is_open(rules, plus) == minus_is_open(rules, minus) == 3


@pytest.mark.parametrize("moon", ["off", "others_plus", "shooter_minus", "shooter_chooses"])
def test_W8_a_reversal_counts_in_one_way(moon: str) -> None:
    rules = table("microsoft", moon=moon, slam="reversal")
    assert minus_is_open(rules, Score((26, 26, 26, -26), slam=3)) is None


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
    rules = table("coeurs", players=players, partners=partners, packs=packs, pass_count=0)
    assert list(rules.all_sides) == sides
    assert all(seat in rules.side(seat) for seat in range(players))


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
        for minus in (False, True):
            scores = score(rules, masks, tricks, minus=minus)
            points, doers, what, trickless = counted_of(options, taken, tricks, minus=scores.minus)
            assert list(scores.points) == points
            assert scores.trickless == trickless
            done = {"moon": scores.moon, "slam": scores.slam}
            assert {name: seat in doers for name, seat in done.items()} == {
                name: name == what for name in done
            }


# Totals


@given(
    st.integers(3, 7).flatmap(
        lambda players: st.lists(
            st.tuples(*[st.integers(-36, 26)] * players), min_size=1, max_size=9
        )
    )
)
def test_S7_totals_are_sums(deals: list[tuple[int, ...]]) -> None:
    rules = table("coeurs", players=len(deals[0]))
    assert totals(rules, sheet(*deals)) == tuple(map(sum, zip(*deals, strict=True)))


@pytest.mark.parametrize(
    ("options", "deals", "sums", "ended"),
    [
        ("at_limit=halves", "100 1 2 3", "50 1 2 3", False),
        ("at_limit=halves", "90 1 2 3, 10 5 5 6", "50 6 7 9", False),
        ("at_limit=ends", "100 1 2 3", "100 1 2 3", True),
        ("at_limit=halves", "99 101 2 3", "99 101 2 3", True),  # one point less or more stays
        ("at_limit=halves match_end=limit:75", "75 0 0 3", "37 0 0 3", False),  # rounded down
        ("at_limit=halves", "100 100 104 0", "50 50 104 0", True),
        ("at_limit=halves", "100 0 0 0, 50 0 0 0", "50 0 0 0", False),  # it may fall again
        ("at_limit=halves", "100 0 0 0, 50 0 0 0, 51 0 0 0", "101 0 0 0", True),
        ("at_limit=halves jack_points=-10", "95 0 0 0, 5 0 0 0", "50 0 0 0", False),
        ("at_limit=halves match_end=deals:2", "1 2 100 0, 2 0 24 0", "3 2 124 0", True),
    ],
)
def test_W9_a_total_of_exactly_the_limit_may_fall_back_to_half(
    options: str, deals: str, sums: str, ended: bool
) -> None:
    _, chosen = preset_and_settings(f"dame-de-pique {options}")
    rules, played = make_ruleset("dame-de-pique", chosen), sheet(*map(numbers, deals.split(", ")))
    assert totals(rules, played) == numbers(sums)
    assert match_over(rules, played) == ended


def test_W9_the_win_goes_by_what_is_left() -> None:
    halves = table(at_limit="halves", match_end="limit:50")
    deals = sheet((50, 30, 49, 40), (0, 5, 10, 11))
    assert totals(halves, deals) == (25, 35, 59, 51)
    assert winners(halves, deals) == (0,)
    assert winners(table(at_limit="halves"), sheet((100, 100, 104, 0))) == (3,)


# The end


FIVE: Final = "coeurs-cinq-coups"
ENDS: Final = (("dame-de-pique", ""), ("salon", "0 0 0 0, "))
"""Tables that end at 100, and the deals played there before."""


@pytest.mark.parametrize(
    ("rules", "deals", "best"),
    [
        ("coeurs", "25 0 0 0", "1 2 3"),  # E1
        ("coeurs", "12 3 4 6", "1"),
        (FIVE, "25 0 0 0, 25 0 0 0, 25 0 0 0, 25 0 0 0", None),
        (FIVE, "25 0 0 0, 25 0 0 0, 25 0 0 0, 25 0 0 0, 25 0 0 0", "1 2 3"),
        *((name, f"{zeros}99 1 4 0", None) for name, zeros in ENDS),  # E2
        *((name, f"{zeros}100 0 4 0", "1 3") for name, zeros in ENDS),
        *((name, f"{zeros}0 0 104 0", "0 1 3") for name, zeros in ENDS),
        ("salon match_end=limit:50", "49 2 0 1", None),
        ("salon match_end=limit:50", "49 2 0 1, 1 25 0 0", "2"),
        ("dame-de-pique", "100 40 40 80", "1 2"),
        ("dame-de-pique", "100 40 40 40", "1 2 3"),
        ("dame-de-pique ties=play_on", "100 40 40 80", None),  # W9
        ("dame-de-pique ties=play_on", "100 40 41 41", "1"),  # a tie that is not for the win
        ("dame-de-pique ties=play_on", "100 40 40 80, 26 0 0 0", None),
        ("dame-de-pique ties=play_on", "100 40 40 80, 26 0 0 0, 0 1 0 25", "2"),
        ("dame-de-pique ties=play_on match_end=deals:2", "0 0 13 13", None),
        ("dame-de-pique ties=play_on match_end=deals:2", "0 0 13 13, 13 13 0 0", None),
        ("dame-de-pique ties=play_on match_end=deals:2", "0 0 13 13, 13 13 0 0, 0 1 12 13", "0"),
        ("dame-de-pique ties=play_on partners=2", "100 40 100 40", "1 3"),  # partners are no tie
        ("dame-de-pique ties=play_on partners=2", "100 100 100 100", None),
        ("dame-de-pique partners=2", "100 40 100 40", "1 3"),  # W10
    ],
)
def test_E1_E2_W9_W10_when_a_match_ends_and_who_has_won(
    rules: str, deals: str, best: str | None
) -> None:
    made, played = make_ruleset(*preset_and_settings(rules)), sheet(*map(numbers, deals.split(",")))
    assert match_over(made, played) == (best is not None)
    if best is not None:
        assert winners(made, played) == numbers(best)


def test_W10_partners_have_their_totals_together() -> None:
    sides = table(partners=2)
    assert totals(sides, sheet((20, 6, 20, 6), (1, 25, 1, 25))) == (21, 31, 21, 31)


def test_E1_whoever_shoots_the_moon_in_a_match_of_one_deal_wins() -> None:
    few_hearts = [f"{rank}H" for rank in "AKQJT9876543"]
    rules = table("coeurs", jack_points=-10, queen_points=5, removed=few_hearts)
    assert rules.penalty_total == 6
    moon = sheet((0, -4, 6, 6), moon=0)
    assert winners(rules, moon) == (0,)
    assert winners(make_ruleset(FIVE), moon) == (1,)


def test_W9_whoever_shoots_the_moon_in_the_only_deal_is_not_tied() -> None:
    on = table("coeurs", ties="play_on", jack_points=-10, queen_points=5)
    moon = sheet((0, 8, 18, 0), moon=0)
    assert match_over(on, moon)
    assert winners(on, moon) == (0,)
