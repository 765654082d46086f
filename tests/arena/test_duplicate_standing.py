"""What follows from the whole numbers of a duel: means, intervals and times."""

from __future__ import annotations

from math import log, sqrt
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from volte.lab.arena import Choices, DeckScore, DuelStanding, SideTotals
from volte.lab.arena.standing import STEP, total
from volte.lab.arena.statistics import quantile, within


def standing(scores: list[tuple[int, int, int]], whole: int = 12) -> DuelStanding:
    """Of two sides, from the deals and the points of each deck."""
    return DuelStanding(
        whole,
        (SideTotals(), SideTotals()),
        {
            number: DeckScore(deals, deals, (one, other))
            for number, (deals, one, other) in enumerate(scores)
        },
    )


@pytest.mark.parametrize(
    ("freedom", "table"),
    [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (5, 2.571),
        (9, 2.262),
        (10, 2.228),
        (29, 2.045),
        (30, 2.042),
        (60, 2.000),
        (120, 1.980),
        (10**6, 1.960),
    ],
)
def test_quantiles_are_those_of_the_printed_tables(freedom: int, table: float) -> None:
    assert round(quantile(0.95, freedom), 3) == table


@given(st.floats(0.5, 0.9999), st.integers(1, 1200))
def test_what_a_quantile_holds_is_its_level(level: float, freedom: int) -> None:
    assert within(quantile(level, freedom), freedom) == pytest.approx(level, abs=1e-6)


@given(st.lists(st.tuples(st.integers(-500, 500), st.integers(-500, 500)), min_size=2))
def test_decks_alike_make_the_usual_interval(points: list[tuple[int, int]]) -> None:
    samples = [(other - one) / 14 / 12 for one, other in points]
    margin = standing([(14, *pair) for pair in points]).margin()
    assert margin.value == pytest.approx(mean(samples))
    half = quantile(0.95, len(samples) - 1) * stdev(samples) / sqrt(len(samples))
    assert margin.interval == pytest.approx((mean(samples) - half, mean(samples) + half))


def test_longer_matches_weigh_more() -> None:
    margin = standing([(10, 0, 1200), (30, 0, 0)]).margin()
    assert margin.value == pytest.approx(1200 / 12 / 40)


def test_one_deck_has_no_interval_and_none_no_margin() -> None:
    assert standing([(14, 0, 168)]).margin() == (1.0, None)
    assert standing([]).margin() == (0.0, None)


def test_one_deck_in_several_parts_is_one_sample() -> None:
    part = standing([(7, 10, 20)])
    assert total([part, part]).scores == {0: DeckScore(14, 14, (20, 40))}


@given(st.lists(st.integers(1, 10**7), min_size=1))
def test_times_are_told_to_two_in_a_hundred(microseconds: list[int]) -> None:
    choices = Choices()
    for time in microseconds:
        choices += taking(time)
    assert choices.number == len(microseconds)
    assert choices.longest == max(microseconds)
    assert choices.mean == pytest.approx(mean(microseconds) / 1000)
    ordered = sorted(microseconds)
    for share in (0.5, 0.99, 1.0):
        exact = ordered[-int(-share * len(ordered) // 1) - 1] / 1000
        assert choices.slowest_but(share) == pytest.approx(exact, rel=0.011)


def taking(microseconds: int) -> Choices:
    key = round(log(microseconds) / STEP)
    return Choices(1, microseconds=microseconds, longest=microseconds, times={key: 1})


def test_nothing_chosen_took_no_time() -> None:
    choices = Choices()
    assert (choices.mean, choices.slowest_but(0.99), choices.worlds_per_choice) == (0, 0, 0)


def test_forfeits_add_up_by_reason() -> None:
    both = Choices(forfeits={"late": 2}) + Choices(forfeits={"died": 1, "late": 1})
    assert both.forfeits == {"died": 1, "late": 3}
