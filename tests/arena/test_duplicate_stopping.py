"""When a duel may end: looks, and how often chance alone would end it."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from volte.lab.arena import DeckScore, DuelEnding, DuelStanding, SideTotals, Stop, looks
from volte.lab.arena.standing import FIRST_LOOK, levels
from volte.lab.arena.statistics import quantile

MANY = 20_000
"""Duels of numbers, not of cards."""


def standing(margins: list[int]) -> DuelStanding:
    scores = {number: DeckScore(1, 1, (0, margin)) for number, margin in enumerate(margins)}
    return DuelStanding(1, (SideTotals(), SideTotals()), scores)


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
    alike = standing([1, 3] * 20)
    _, (low, high) = alike.margin()  # type: ignore[misc]
    half = (high - low) / 2
    assert Stop(until=half * 1.001).ending(alike, 100) is DuelEnding.NARROW
    assert Stop(until=half * 0.999).ending(alike, 100) is None


def test_nothing_ends_a_duel_before_thirty_decks() -> None:
    few = standing([5] * 20)
    assert Stop(until=1, decide=True).ending(few, 100) is None
    assert Stop(until=1, decide=True).ending(few, 20) is DuelEnding.PLAYED


def test_without_a_reason_all_decks_are_played() -> None:
    assert Stop().ending(standing([5] * 40), 100) is None
    assert Stop().ending(standing([5] * 40), 40) is DuelEnding.PLAYED


# Until it is decided


def test_a_clear_margin_decides_a_duel_either_way() -> None:
    for sign in (1, -1):
        clear = standing([sign * margin for margin in [1, 3] * 15])
        assert Stop(decide=True).ending(clear, 1000) is DuelEnding.DECIDED
        interval = Stop(decide=True).margin(clear, 1000).interval
        usual = clear.margin().interval
        assert interval is not None
        assert usual is not None
        assert interval[0] < usual[0] < usual[1] < interval[1]
        assert sign * interval[0] > 0 or sign * interval[1] > 0


def test_an_even_duel_is_not_decided() -> None:
    assert Stop(decide=True).ending(standing([1, -1] * 15), 1000) is None


def test_one_look_alone_is_the_usual_test() -> None:
    assert levels((100,)) == pytest.approx((0.95,))


def test_the_bounds_of_two_looks_are_those_of_the_literature() -> None:
    """Error spent in proportion, looks at a half and at the whole: 2.24 and 2.13 standard errors.

    Jennison and Turnbull (2000), section 7.2.
    """
    bounds = [NormalDist().inv_cdf((1 + level) / 2) for level in levels((50, 100))]
    assert bounds == pytest.approx([2.24, 2.13], abs=0.01)


def decided(draws: NDArray[np.float64], planned: int) -> float:
    """The share of rows, each the margins of a duel, that end as decided at any look."""
    at = looks(planned)
    over = np.zeros(len(draws), bool)
    for look, level in zip(at, levels(at), strict=True):
        seen = draws[:, :look]
        errors = seen.std(axis=1, ddof=1) / np.sqrt(look)
        over |= np.abs(seen.mean(axis=1)) > quantile(level, look - 1) * errors
    return float(over.mean())


@pytest.mark.parametrize("planned", [30, 100, 480, 1000])
def test_chance_decides_one_duel_in_twenty_at_most(planned: int) -> None:
    draws = np.random.default_rng(planned).standard_normal((MANY, planned))
    assert 0.04 < decided(draws, planned) < 0.055


def test_chance_decides_no_more_where_moons_make_long_tails() -> None:
    """Most decks come to little, and one in ten to a moon's 26 for the one or the other."""
    random = np.random.default_rng(7)
    moons = random.choice([0.0, -26 / 14 * 4, 26 / 14 * 4], (MANY, 480), p=[0.9, 0.05, 0.05])
    draws = 2 * random.standard_normal((MANY, 480)) + moons
    assert decided(draws, 480) < 0.06


def test_looking_as_if_each_look_were_the_only_one_would_decide_far_more() -> None:
    """What the bounds are for."""
    draws = np.random.default_rng(1).standard_normal((MANY, 480))
    over = np.zeros(MANY, bool)
    for look in looks(480):
        seen = draws[:, :look]
        errors = seen.std(axis=1, ddof=1) / np.sqrt(look)
        over |= np.abs(seen.mean(axis=1)) > quantile(0.95, look - 1) * errors
    assert over.mean() > 0.2


def test_a_real_difference_is_found() -> None:
    draws = np.random.default_rng(2).standard_normal((MANY // 10, 480)) + 0.25
    assert decided(draws, 480) > 0.99


@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_the_interval_after_repeated_looks_holds_the_truth(margin: float) -> None:
    """Whenever one stops, 95 times in 100 (Jennison and Turnbull 1989)."""
    planned = 240
    at = looks(planned)
    draws = np.random.default_rng(3).standard_normal((MANY // 2, planned)) + margin
    held = np.ones(len(draws), bool)
    for look, level in zip(at, levels(at), strict=True):
        seen = draws[:, :look]
        errors = seen.std(axis=1, ddof=1) / np.sqrt(look)
        held &= np.abs(seen.mean(axis=1) - margin) <= quantile(level, look - 1) * errors
    assert held.mean() > 0.945
