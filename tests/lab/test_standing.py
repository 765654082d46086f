"""Estimates from the numbers of a duel: means and intervals; when it may end, and by chance."""

from __future__ import annotations

from math import log, sqrt
from statistics import NormalDist, mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from volte.lab.arena import Choices, DeckScore, DuelEnding, DuelStanding, SideTotals, Stop, looks
from volte.lab.arena.standing import FIRST_LOOK, STEP, levels, total
from volte.lab.arena.statistics import quantile, within


def standing(scores: list[tuple[int, int, int]], whole: int = 12) -> DuelStanding:
    """A standing of two sides, from the deals and the points of each deck."""
    decks = (DeckScore(deals, deals, tuple(points)) for deals, *points in scores)
    return DuelStanding(whole, (SideTotals(), SideTotals()), dict(enumerate(decks)))


def test_quantiles_are_those_of_the_printed_tables() -> None:
    degrees = 1, 2, 3, 4, 5, 9, 10, 29, 30, 60, 120, 10**6
    printed = 12.706, 4.303, 3.182, 2.776, 2.571, 2.262, 2.228, 2.045, 2.042, 2.000, 1.980, 1.960
    assert tuple(round(quantile(0.95, freedom), 3) for freedom in degrees) == printed


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


MANY = 20_000
"""Number of duels of numbers, not of cards."""


def standing_of(margins: list[int]) -> DuelStanding:
    return standing([(1, 0, margin) for margin in margins], 1)


def test_looks_come_after_fixed_numbers_of_decks() -> None:
    assert looks(300) == (30, 40, 60, 80, 120, 160, 240, 300)
    assert looks(30) == (30,)
    assert looks(5) == (5,)


@given(st.integers(1, 10**6))
def test_looks_ascend_and_end_with_all_decks(decks: int) -> None:
    found = looks(decks)
    assert list(found) == sorted(set(found))
    assert found[-1] == decks
    assert all(look >= FIRST_LOOK for look in found[:-1])


# Until the interval is narrow


def test_a_narrow_interval_ends_a_duel() -> None:
    alike = standing_of([1, 3] * 20)
    _, (low, high) = alike.margin()  # type: ignore[misc]
    half = (high - low) / 2
    assert Stop(until=half * 1.001).ending(alike, 100) is DuelEnding.NARROW
    assert Stop(until=half * 0.999).ending(alike, 100) is None


def test_nothing_ends_a_duel_before_thirty_decks() -> None:
    few = standing_of([5] * 20)
    assert Stop(until=1, decide=True).ending(few, 100) is None
    assert Stop(until=1, decide=True).ending(few, 20) is DuelEnding.PLAYED


def test_without_a_reason_all_decks_are_played() -> None:
    assert Stop().ending(standing_of([5] * 40), 100) is None
    assert Stop().ending(standing_of([5] * 40), 40) is DuelEnding.PLAYED


# Until it is decided


def test_a_clear_margin_decides_a_duel_either_way() -> None:
    for sign in (1, -1):
        clear = standing_of([sign * margin for margin in [1, 3] * 15])
        assert Stop(decide=True).ending(clear, 1000) is DuelEnding.DECIDED
        interval = Stop(decide=True).margin(clear, 1000).interval
        usual = clear.margin().interval
        assert interval is not None
        assert usual is not None
        assert interval[0] < usual[0] < usual[1] < interval[1]
        assert sign * interval[0] > 0 or sign * interval[1] > 0


def test_an_even_duel_is_not_decided() -> None:
    assert Stop(decide=True).ending(standing_of([1, -1] * 15), 1000) is None


def test_one_look_alone_is_the_usual_test() -> None:
    assert levels((100,)) == pytest.approx((0.95,))


def test_the_bounds_of_two_looks_are_those_of_the_literature() -> None:
    """Error spent in proportion, looks at a half and at the whole: 2.24 and 2.13 standard errors.

    Jennison and Turnbull (2000), section 7.2.
    """
    bounds = [NormalDist().inv_cdf((1 + level) / 2) for level in levels((50, 100))]
    assert bounds == pytest.approx([2.24, 2.13], abs=0.01)


def decided(draws: NDArray[np.float64], truth: float = 0.0, level: float | None = None) -> float:
    """The share of rows, each the margins of a duel, that end as decided at any look.

    Args:
        truth: the margin that lies outside of the interval then.
        level: of each look, if not as the bounds say.
    """
    at = looks(draws.shape[1])
    over = np.zeros(len(draws), bool)
    for look, bound in zip(at, levels(at), strict=True):
        seen = draws[:, :look]
        errors = seen.std(axis=1, ddof=1) / np.sqrt(look)
        over |= np.abs(seen.mean(axis=1) - truth) > quantile(level or bound, look - 1) * errors
    return float(over.mean())


@pytest.mark.parametrize(
    "planned", [30, *(pytest.param(each, marks=pytest.mark.full) for each in (100, 480, 1000))]
)
def test_chance_decides_one_duel_in_twenty_at_most(planned: int) -> None:
    draws = np.random.default_rng(planned).standard_normal((MANY, planned))
    assert 0.04 < decided(draws) < 0.055


@pytest.mark.full
def test_chance_decides_no_more_where_moons_make_long_tails() -> None:
    """Most decks differ little, and one in ten by a moon's 26 for the one or the other."""
    random = np.random.default_rng(7)
    moons = random.choice([0.0, -26 / 14 * 4, 26 / 14 * 4], (MANY, 480), p=[0.9, 0.05, 0.05])
    draws = 2 * random.standard_normal((MANY, 480)) + moons
    assert decided(draws) < 0.06


def test_looking_as_if_each_look_were_the_only_one_would_decide_far_more() -> None:
    """The bounds are there to prevent that."""
    draws = np.random.default_rng(1).standard_normal((MANY, 480))
    assert decided(draws, level=0.95) > 0.2


def test_a_real_difference_is_found() -> None:
    draws = np.random.default_rng(2).standard_normal((MANY // 10, 480)) + 0.25
    assert decided(draws) > 0.99


@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_the_interval_after_repeated_looks_holds_the_truth(margin: float) -> None:
    """It does so whenever one stops, 95 times in 100 (Jennison and Turnbull 1989)."""
    draws = np.random.default_rng(3).standard_normal((MANY // 2, 240)) + margin
    assert decided(draws, margin) < 0.055
