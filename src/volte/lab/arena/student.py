"""Student's distribution, for intervals from few decks."""

from __future__ import annotations

from functools import lru_cache
from math import atan, cos, pi, sin, sqrt
from statistics import NormalDist
from typing import Final

FREEDOM: Final = 1000
"""Degrees of freedom from which two terms of Cornish and Fisher are exact enough."""


@lru_cache(maxsize=4096)
def quantile(level: float, freedom: int) -> float:
    """How many standard errors on either side hold that part of Student's distribution.

    Args:
        level: 0 to 1, both left out.
        freedom: degrees of freedom, from 1.

    >>> round(quantile(0.95, 10), 3), round(quantile(0.95, 10_000), 3)
    (2.228, 1.96)
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    if freedom >= FREEDOM:
        return z + (z**3 + z) / (4 * freedom)
    low, high = 0.0, 1.0
    while within(high, freedom) < level:
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, freedom) < level else (low, middle)
    return high


def within(t: float, freedom: int) -> float:
    """The part of the distribution from -t to t (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4)."""
    angle = atan(t / sqrt(freedom))
    square = cos(angle) ** 2
    odd = freedom % 2
    term, total = (cos(angle), 0.0) if odd else (1.0, 0.0)
    for place in range(1 + odd, freedom, 2):
        total += term
        term *= square * place / (place + 1)
    if odd:
        return 2 / pi * (angle + sin(angle) * total)
    return sin(angle) * total
