"""When a duel may end before its last deck, and what may then be said of its margin."""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from math import erfc, sqrt
from statistics import NormalDist
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from volte.lab.arena.standing import CONFIDENCE, Standing
from volte.lab.arena.statistics import Estimate
from volte.lab.arena.student import quantile

FIRST_LOOK: Final = 30
"""Decks before anything may be decided."""

GRID: Final = 801
"""Points at which densities are kept."""


class Ending(StrEnum):
    """Why a duel is over, or is not."""

    PLAYED = "played"  # all its decks
    NARROW = "narrow"  # the interval is as narrow as was asked for
    DECIDED = "decided"  # one side is better
    STOPPED = "stopped"  # somebody stopped it


def looks(decks: int) -> tuple[int, ...]:
    """After how many decks a duel is looked at: 30, 40, 60, 80, 120, 160 and so on, and all."""
    pairs = (
        (FIRST_LOOK << turn, FIRST_LOOK * 4 // 3 << turn) for turn in range(decks.bit_length())
    )
    return (*(look for look in chain.from_iterable(pairs) if look < decks), decks)


class Stop(msgspec.Struct, frozen=True):
    """What ends a duel before its last deck; nothing where nothing is said.

    Attributes:
        until: half of the interval of the margin, in points, that is narrow enough. The interval
            is Student's, which holds asymptotically where one stops so (Chow and Robbins 1965).
        decide: whether to end once it is clear which side is better. The error of 5 % is then
            spent over the looks in proportion to the decks played (Lan and DeMets 1983, with the
            spending function of Kim and DeMets 1987 for ρ = 1).
    """

    until: float | None = None
    decide: bool = False

    def ending(self, standing: Standing, planned: int) -> Ending | None:
        """Why a duel ends at this look; None where it goes on. Many sides end when all pairs do.

        Args:
            standing: after one of the `looks(planned)`.
            planned: decks.
        """
        sides = range(len(standing.sides))
        pairs = [(first, second) for second in sides for first in range(second)]
        if standing.decks >= FIRST_LOOK:
            if self.decide and all(_clears_zero(self.margin(standing, planned, *p)) for p in pairs):
                return Ending.DECIDED
            if self.until is not None and all(self._is_narrow(standing, *pair) for pair in pairs):
                return Ending.NARROW
        return Ending.PLAYED if standing.decks == planned else None

    def margin(self, standing: Standing, planned: int, first: int = 0, second: int = 1) -> Estimate:
        """The margin, its interval being as wide as repeated looks ask for; see `ending`.

        That is the repeated interval of Jennison and Turnbull (1989) where `decide` is asked for,
        and Student's where it is not. Between two looks it is as wide as at the next one.
        """
        decks, planned = standing.decks, max(planned, standing.decks)
        if not self.decide or decks < 2:
            return standing.margin(first, second)
        at = looks(planned)
        level = levels(at)[bisect_left(at, decks)]
        return standing.margin(first, second, quantile(level, decks - 1))

    def _is_narrow(self, standing: Standing, first: int, second: int) -> bool:
        interval = standing.margin(first, second).interval
        assert self.until is not None
        return interval is not None and interval[1] - interval[0] <= 2 * self.until


def _clears_zero(margin: Estimate) -> bool:
    return margin.interval is not None and not margin.interval[0] <= 0 <= margin.interval[1]


@lru_cache(maxsize=256)
def levels(decks: tuple[int, ...], error: float = 1 - CONFIDENCE) -> tuple[float, ...]:
    """The level of the interval at each look that keeps the error of all looks together.

    The sum of the margins so far is followed as a random walk, look by look, by numerical
    integration (Armitage, McPherson and Rowe 1969); what has left the bounds does not come back.

    Args:
        decks: at each look, ascending.
        error: of all looks together.

    >>> [round(level, 3) for level in levels((50, 100))]
    [0.975, 0.966]
    """
    found: list[float] = []
    inside: NDArray[np.float64] = np.zeros(1)
    weights: NDArray[np.float64] = np.ones(1)
    before = 0
    for count in decks:
        step = sqrt(count - before)
        bound = _bound(inside, weights, step, error * (count - before) / decks[-1])
        found.append(1 - 2 * NormalDist().cdf(-bound / sqrt(count)))
        ahead = np.linspace(-bound, bound, GRID)
        density = np.exp(-(((ahead[:, None] - inside) / step) ** 2) / 2) @ weights
        weights = density / (step * sqrt(2 * np.pi)) * (ahead[1] - ahead[0])
        weights[[0, -1]] /= 2
        inside, before = ahead, count
    return tuple(found)


def _bound(
    inside: NDArray[np.float64], weights: NDArray[np.float64], step: float, spent: float
) -> float:
    """Where the walk must stand after the next step so that it leaves with that probability."""
    low, high = 0.0, float(inside[-1]) + 40 * step
    for _ in range(60):
        middle = (low + high) / 2
        leaves = float(_tails(inside, middle, step) @ weights)
        low, high = (middle, high) if leaves > spent else (low, middle)
    return high


def _tails(inside: NDArray[np.float64], bound: float, step: float) -> NDArray[np.float64]:
    """The probability to be outside after the next step, from each point."""
    scale = step * sqrt(2)
    above = [erfc((bound - place) / scale) for place in inside.tolist()]
    return np.array(above) / 2 + np.array(above[::-1]) / 2  # the points lie evenly about 0
