"""Results of a duel, or of a part of it: whole numbers that add up, and estimates from them.

Parts are the same however a duel was cut, and add up in any order; only times are measured.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache, reduce
from itertools import chain
from math import erfc, exp, lcm, log, sqrt
from operator import add
from statistics import NormalDist
from typing import Final

import msgspec
import numpy as np
from msgspec.structs import astuple, replace
from numpy.typing import NDArray

from volte.lab.arena.statistics import WHOLE_WIN, Mean, quantile, sums

CONFIDENCE: Final = 0.95

STEP: Final = log(1.02)
"""Logarithmic step of recorded times, which are exact to two in a hundred."""


class Choices(msgspec.Struct, frozen=True):
    """Cost of the choices of a side. Choices with one legal action count apart."""

    number: int = 0  # of choices between several actions
    forced: int = 0  # choices with one legal action, of which nothing else is recorded
    # of searches, in all
    worlds: int = 0
    simulations: int = 0
    # choices that an outside engine failed to make, by the reason; forced ones included
    forfeits: dict[str, int] = {}
    microseconds: int = 0  # in all
    longest: int = 0  # in microseconds
    times: dict[int, int] = {}  # number of choices that took `exp(key * STEP)` microseconds

    def __add__(self, other: Choices) -> Choices:
        return Choices(
            self.number + other.number,
            self.forced + other.forced,
            self.worlds + other.worlds,
            self.simulations + other.simulations,
            sums(self.forfeits, other.forfeits),
            self.microseconds + other.microseconds,
            max(self.longest, other.longest),
            sums(self.times, other.times),
        )

    @property
    def mean(self) -> float:
        """Milliseconds per choice; 0 without choices, as in the properties below."""
        return self.microseconds / 1000 / max(1, self.number)

    def slowest_but(self, share: float) -> float:
        """Milliseconds that this share of the choices kept within: 0.5 for the median."""
        left = share * self.number
        for key, times in sorted(self.times.items()):
            left -= times
            if left <= 0:
                return min(exp(key * STEP), self.longest) / 1000
        return 0.0

    @property
    def worlds_per_choice(self) -> float:
        return self.worlds / max(1, self.number)

    @property
    def simulations_per_choice(self) -> float:
        return self.simulations / max(1, self.number)


class SideTotals(msgspec.Struct, frozen=True):
    """The totals of one side of a duel, or of a part of it."""

    seats: int = 0  # deals times the seats of the side in them
    points: int = 0  # in all these deals and seats
    # deals in which the side took the queen of spades, shot the moon (S3), made the slam (S4)
    queens: int = 0
    moons: int = 0
    slams: int = 0
    matches: int = 0  # whole matches times the seats of the side in them
    wins: int = 0  # share of these matches, in `WHOLE_WIN`ths; joint winners share alike
    choices: Choices = Choices()  # cost of its bots' choices; empty where the kernel has played
    # stakes won in these matches, in `WHOLE_WIN`ths; negative if lost
    stakes: int = 0

    def __add__(self, other: SideTotals) -> SideTotals:
        return SideTotals(*map(add, astuple(self), astuple(other)))


class DeckScore(msgspec.Struct, frozen=True, array_like=True):
    """The points of one deck or match, over all seatings it was played in."""

    games: int  # deals, or matches, in all these seatings
    deals: int  # deals in all these seatings
    # for a mean seat of each side, all deals together, in parts of `fractions(players)`
    points: tuple[int, ...]
    # for a mean seat of each side, all matches together, in such parts of `WHOLE_WIN`ths
    wins: tuple[int, ...] = ()
    stakes: tuple[int, ...] = ()  # for such a seat, stakes won less stakes lost

    def __add__(self, other: DeckScore) -> DeckScore:
        return DeckScore(
            self.games + other.games,
            self.deals + other.deals,
            tuple(map(add, self.points, other.points)),
            tuple(map(add, self.wins, other.wins)),
            tuple(map(add, self.stakes, other.stakes)),
        )


def fractions(players: int) -> int:
    """Parts of a whole, so that the mean of the seats of a side is a whole number of them."""
    return lcm(*range(1, players + 1))


class DuelStanding(msgspec.Struct, frozen=True):
    """Results of a duel, or of a part of it. Parts of one duel can be added."""

    whole: int  # parts in which scores are counted, see `fractions`
    sides: tuple[SideTotals, ...]
    scores: dict[int, DeckScore]  # by number of the deck or match, from 0

    def __add__(self, other: DuelStanding) -> DuelStanding:
        return total((self, other))

    @property
    def decks(self) -> int:
        """Number of decks, or of whole matches, each in several seatings."""
        return len(self.scores)

    @property
    def deals(self) -> int:
        return sum(score.deals for score in self.scores.values())

    @property
    def games(self) -> int:
        """Number of deals, or matches, played."""
        return sum(score.games for score in self.scores.values())

    def untimed(self) -> DuelStanding:
        """The standing without measured times."""
        sides = tuple(
            replace(side, choices=replace(side.choices, microseconds=0, longest=0, times={}))
            for side in self.sides
        )
        return replace(self, sides=sides)

    def margin(self, first: int = 0, second: int = 1, errors: float | None = None) -> Mean:
        """Points per deal and seat that the second side takes more than the first.

        Above zero, the first plays better. Every deck is one sample, with all its seatings; the
        interval is Student's. Matches differ in their number of deals: theirs is the ratio of all
        points to all deals, its error that of the usual linear approximation (Cochran 1977, 2.11).

        Args:
            errors: standard errors on either side of the mean, instead of Student's 95 %.
        """
        return self._mean("points", second, first, errors)

    def points(self, side: int) -> Mean:
        """The points of one deal and seat of that side."""
        return self._mean("points", side)

    def wins(self, side: int) -> Mean:
        """The part of a match that one seat of that side wins; 0 where deals stand alone."""
        return self._mean("wins", side)

    def lead(self, first: int = 0, second: int = 1) -> Mean:
        """The part of a match that one seat of the first side wins more than one of the second."""
        return self._mean("wins", first, second)

    def gain(self, first: int = 0, second: int = 1) -> Mean:
        """Stakes of a match that one seat of the first side wins more than one of the second."""
        return self._mean("stakes", first, second)

    def _mean(
        self, what: str, side: int, less: int | None = None, errors: float | None = None
    ) -> Mean:
        """Mean of one seat of a side per deal or match, or its lead over a seat of another side."""
        samples = []
        for score in self.scores.values():
            size = score.deals if what == "points" else score.games * WHOLE_WIN
            if means := getattr(score, what):
                more = means[side] - (0 if less is None else means[less])
                samples.append((more, size * self.whole))
        return _ratio(samples, errors)


def total(parts: Iterable[DuelStanding]) -> DuelStanding:
    """The sum of parts of one duel; there must be one part at least."""
    parts = list(parts)
    scores: dict[int, DeckScore] = {}
    for part in parts:
        for number, score in part.scores.items():
            scores[number] = scores[number] + score if number in scores else score
    sides = (reduce(add, each) for each in zip(*(part.sides for part in parts), strict=True))
    return DuelStanding(parts[0].whole, tuple(sides), dict(sorted(scores.items())))


def _ratio(samples: Sequence[tuple[int, int]], errors: float | None = None) -> Mean:
    """The sum of the first numbers by that of the second; 0 without samples."""
    n, whole = len(samples), sum(size for _, size in samples)
    if not whole:
        return Mean(0.0, None)
    value = sum(part for part, _ in samples) / whole
    if n < 2:
        return Mean(value, None)
    squares = sum((part - value * size) ** 2 for part, size in samples)
    error = sqrt(n / (n - 1) * squares) / whole
    half = error * (quantile(CONFIDENCE, n - 1) if errors is None else errors)
    return Mean(value, (value - half, value + half))


FIRST_LOOK: Final = 30
"""Decks before anything may be decided."""

GRID: Final = 801
"""Points at which densities are calculated."""


class DuelEnding(StrEnum):
    """The reason why a duel is over."""

    PLAYED = "played"  # all its decks are played
    NARROW = "narrow"  # the interval is as narrow as was asked for
    DECIDED = "decided"  # one side is better
    STOPPED = "stopped"  # somebody stopped it


def looks(decks: int) -> tuple[int, ...]:
    """Numbers of decks after which a duel is looked at: 30, 40, 60, 80, 120, 160 … and all."""
    pairs = (
        (FIRST_LOOK << turn, FIRST_LOOK * 4 // 3 << turn) for turn in range(decks.bit_length())
    )
    return (*(look for look in chain.from_iterable(pairs) if look < decks), decks)


class Stop(msgspec.Struct, frozen=True):
    """Conditions that may end a duel before its last deck; by default, none."""

    # half of the interval of the margin, in points, that is narrow enough. The interval is
    # Student's, which holds asymptotically under such stopping (Chow and Robbins 1965).
    until: float | None = None
    # whether to end once it is clear which side is better. The error of 5 % is then spent over the
    # looks in proportion to the decks played (Lan and DeMets 1983, with the spending function of
    # Kim and DeMets 1987 for ρ = 1).
    decide: bool = False

    def ending(self, standing: DuelStanding, planned: int) -> DuelEnding | None:
        """The reason to end a duel at this look; None to go on. Many sides end when all pairs do.

        Args:
            standing: after one of the `looks(planned)`.
            planned: decks.
        """
        sides = range(len(standing.sides))
        pairs = [(first, second) for second in sides for first in range(second)]
        if standing.decks >= FIRST_LOOK:
            if self.decide and all(_clears_zero(self.margin(standing, planned, *p)) for p in pairs):
                return DuelEnding.DECIDED
            if self.until is not None:
                halves = [standing.margin(*pair).margin for pair in pairs]
                if all(half is not None and half <= self.until for half in halves):
                    return DuelEnding.NARROW
        return DuelEnding.PLAYED if standing.decks == planned else None

    def margin(self, standing: DuelStanding, planned: int, first: int = 0, second: int = 1) -> Mean:
        """The margin with an interval as wide as repeated looks demand; see `ending`.

        It is the repeated interval of Jennison and Turnbull (1989) if `decide` is set, else
        Student's. Between two looks it is as wide as at the next one.
        """
        decks, planned = standing.decks, max(planned, standing.decks)
        if not self.decide or decks < 2:
            return standing.margin(first, second)
        at = looks(planned)
        level = levels(at)[bisect_left(at, decks)]
        return standing.margin(first, second, quantile(level, decks - 1))


def _clears_zero(margin: Mean) -> bool:
    return margin.interval is not None and not margin.interval[0] <= 0 <= margin.interval[1]


@lru_cache(maxsize=256)
def levels(decks: tuple[int, ...], error: float = 1 - CONFIDENCE) -> tuple[float, ...]:
    """The level of the interval at each look that keeps the error of all looks together.

    The sum of the margins so far is followed as a random walk, look by look, by numerical
    integration (Armitage, McPherson and Rowe 1969); walks that have left the bounds do not come
    back.

    Args:
        decks: number at each look, ascending.
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
    """Bound that the walk crosses at the next step with that probability."""
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
