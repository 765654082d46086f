"""The results of many deals: whole numbers that add up, and what follows from them.

Sums of parts are the same however the whole was cut and in whatever order they are added: so
processes and machines can share the work, and nothing is rounded on the way.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan, cos, pi, sin, sqrt
from operator import add
from statistics import NormalDist
from typing import Final, NamedTuple, TypeVar

import msgspec
from msgspec.structs import astuple

from volte.rules import Direction

WHOLE_WIN: Final = 2520
"""Parts of one win: two to ten winners share it without a fraction."""

FIRST: Final = 20
"""How many numbers of notable deals are kept, the lowest."""

_Z: Final = 1.959964
"""Standard errors on either side of a mean that make a 95 % interval."""


class Mean(NamedTuple):
    """A mean or a share, and how sure it is."""

    value: float
    # 95 %, from low to high; None where there are fewer than two numbers
    interval: tuple[float, float] | None

    def divided(self, by: int) -> Mean:
        """This mean and interval, divided among so many."""
        interval = self.interval and (self.interval[0] / by, self.interval[1] / by)
        return Mean(self.value / by, interval)


def share(part: int, whole: int) -> Mean:
    """How often something comes up that has come up `part` times in `whole` (Wilson 1927)."""
    if whole < 2:
        return Mean(float(part), None)
    seen, z2 = part / whole, _Z**2
    centre = (seen + z2 / (2 * whole)) / (1 + z2 / whole)
    margin = _Z / (1 + z2 / whole) * sqrt(seen * (1 - seen) / whole + z2 / (4 * whole**2))
    return Mean(seen, (max(0.0, centre - margin), min(1.0, centre + margin)))


Key = TypeVar("Key", int, str)


def sums(some: dict[Key, int], others: dict[Key, int]) -> dict[Key, int]:
    """Numbers added up by their keys, which ascend."""
    keys = sorted(some.keys() | others.keys())
    return {key: some.get(key, 0) + others.get(key, 0) for key in keys}


class Frequencies(msgspec.Struct, frozen=True):
    """How often each number came up."""

    times: dict[int, int] = {}  # by number, in ascending order

    def __add__(self, other: Frequencies) -> Frequencies:
        return Frequencies(sums(self.times, other.times))

    @property
    def number(self) -> int:
        return sum(self.times.values())

    @property
    def sum(self) -> int:
        return sum(number * times for number, times in self.times.items())

    @property
    def squares(self) -> int:
        return sum(number**2 * times for number, times in self.times.items())

    @property
    def least(self) -> int:
        """The lowest number; there must be one."""
        return min(self.times)

    @property
    def most(self) -> int:
        """The highest number; there must be one."""
        return max(self.times)

    @property
    def mean(self) -> Mean:
        """The mean of the numbers; 0 where there are none."""
        n = self.number
        if n < 2:
            return Mean(float(self.sum), None)
        value = self.sum / n
        margin = _Z * sqrt((n * self.squares - self.sum**2) / (n - 1)) / n
        return Mean(value, (value - margin, value + margin))


class Tally(msgspec.Struct, frozen=True):
    """What one seat got, or all seats of a level together."""

    seats: int  # how many
    points: Frequencies  # of each deal, what those seats got together
    queens: int  # deals in which one of them took the queen of spades
    # deals in which one of them shot the moon (S3), or made the slam (S4)
    moons: int
    slams: int
    minus: int  # those of them that were taken off their own points (W7)
    totals: Frequencies  # of each match, together
    # of each match, their part of the win in `WHOLE_WIN`ths; all winners share alike
    wins: Frequencies

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.seats, *map(add, astuple(self)[1:], astuple(other)[1:]))

    @property
    def points_per_deal(self) -> Mean:
        return self.points.mean.divided(self.seats)

    @property
    def total_per_match(self) -> Mean:
        return self.totals.mean.divided(self.seats)

    @property
    def wins_per_match(self) -> Mean:
        """The part of a match that one seat wins."""
        return self.wins.mean.divided(WHOLE_WIN * self.seats)

    @property
    def queens_per_deal(self) -> Mean:
        """In what part of the deals one of these seats takes the queen of spades."""
        return share(self.queens, self.points.number)

    @property
    def moons_per_deal(self) -> Mean:
        return share(self.moons, self.points.number)

    @property
    def slams_per_deal(self) -> Mean:
        return share(self.slams, self.points.number)


class SimulationResult(msgspec.Struct, frozen=True):
    """The results of a simulation, or of a part of it. Parts of the same one can be added."""

    deals: int  # how many
    matches: int  # how many were played whole; 0 where every deal stands alone
    seats: tuple[Tally, ...]  # what came to each
    levels: dict[str, Tally]  # the seats of each level together, in the order of their first seats
    # the points of each seat, by where cards were passed
    directions: dict[Direction, tuple[Frequencies, ...]]
    queenless: int  # deals in which nobody took the queen of spades
    lengths: Frequencies  # of each match, its deals
    # numbers of the first deals with one, at most `FIRST`: see `record_of`. Where matches were
    # played they are numbers of matches, here and below.
    moons: tuple[int, ...]
    slams: tuple[int, ...]
    # numbers of the first deals in which one seat got as many points as ever
    highest: tuple[int, ...]

    def __add__(self, other: SimulationResult) -> SimulationResult:
        most = max(self.most_points, other.most_points)
        highest = [part.highest for part in (self, other) if part.most_points == most]
        return SimulationResult(
            self.deals + other.deals,
            self.matches + other.matches,
            tuple(mine + theirs for mine, theirs in zip(self.seats, other.seats, strict=True)),
            {level: tally + other.levels[level] for level, tally in self.levels.items()},
            _by_direction(self.directions, other.directions),
            self.queenless + other.queenless,
            self.lengths + other.lengths,
            first_of(self.moons, other.moons),
            first_of(self.slams, other.slams),
            first_of(*highest),
        )

    @property
    def most_points(self) -> int:
        """The most that one seat got in one deal."""
        return max(seat.points.most for seat in self.seats)


def first_of(*numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The lowest `FIRST` of them, each once, in order."""
    return tuple(sorted(set().union(*numbers))[:FIRST])


_Seats = dict[Direction, tuple[Frequencies, ...]]


def _by_direction(some: _Seats, others: _Seats) -> _Seats:
    nothing = (Frequencies(),) * max(map(len, (*some.values(), *others.values())))
    return {
        direction: tuple(
            mine + theirs
            for mine, theirs in zip(
                some.get(direction, nothing), others.get(direction, nothing), strict=True
            )
        )
        for direction in Direction
        if direction in some or direction in others
    }


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
