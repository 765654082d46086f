"""Results of many deals, from the outcomes of both engines: whole numbers that add up.

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
import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray

from volte.kernel import Matches, Records
from volte.lab.arena.request import Request
from volte.rules import Direction, EndKind, MatchEnd, Ruleset, Settlement

WHOLE_WIN: Final = 2520
"""Parts of one win: two to ten winners share it without a fraction."""

FIRST: Final = 20
"""Most numbers of notable deals that are kept, the lowest."""

_Z: Final = 1.959964
"""Standard errors on either side of a mean that make a 95 % interval."""


class Mean(NamedTuple):
    """A mean or a share, with its interval."""

    value: float
    # 95 %, from low to high; None where there are fewer than two numbers
    interval: tuple[float, float] | None

    @property
    def margin(self) -> float | None:
        """Half of the interval; None without one."""
        return self.interval and (self.interval[1] - self.interval[0]) / 2

    def divided(self, by: int) -> Mean:
        """This mean and interval, divided among so many."""
        interval = self.interval and (self.interval[0] / by, self.interval[1] / by)
        return Mean(self.value / by, interval)


def share(part: int, whole: int) -> Mean:
    """Share of deals with an event counted `part` times in `whole` (interval: Wilson 1927)."""
    if whole < 2:
        return Mean(float(part), None)
    seen, z2 = part / whole, _Z**2
    centre = (seen + z2 / (2 * whole)) / (1 + z2 / whole)
    margin = _Z / (1 + z2 / whole) * sqrt(seen * (1 - seen) / whole + z2 / (4 * whole**2))
    return Mean(seen, (max(0.0, centre - margin), min(1.0, centre + margin)))


Key = TypeVar("Key", int, str)


def sums(some: dict[Key, int], others: dict[Key, int]) -> dict[Key, int]:
    """Sums of numbers by their keys, in ascending order."""
    keys = sorted(some.keys() | others.keys())
    return {key: some.get(key, 0) + others.get(key, 0) for key in keys}


class Frequencies(msgspec.Struct, frozen=True):
    """Numbers, and how many times each occurs."""

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
        """The mean of the numbers; 0 without numbers."""
        n = self.number
        if n < 2:
            return Mean(float(self.sum), None)
        value = self.sum / n
        margin = _Z * sqrt((n * self.squares - self.sum**2) / (n - 1)) / n
        return Mean(value, (value - margin, value + margin))


class Tally(msgspec.Struct, frozen=True):
    """Results of one seat, or of all seats of a level together."""

    seats: int  # number of seats
    points: Frequencies  # by points of those seats together in a deal
    queens: int  # deals in which one of them took the queen of spades
    # deals in which one of them shot the moon (S3), or made the slam (S4)
    moons: int
    slams: int
    minus: int  # moons and slams taken off the maker's own points (W7)
    totals: Frequencies  # by total of those seats together in a match
    # by their part of the win in a match, in `WHOLE_WIN`ths; all winners share alike
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

    def per_deal(self, times: int) -> Mean:
        """Share of the deals with an event that was counted `times` times."""
        return share(times, self.points.number)


class SimulationResult(msgspec.Struct, frozen=True):
    """Results of a simulation, or of a part of it. Parts of one simulation can be added."""

    deals: int  # number of deals
    matches: int  # number of matches played whole; 0 where every deal stands alone
    seats: tuple[Tally, ...]  # the results of each
    levels: dict[str, Tally]  # the seats of each level together, in the order of their first seats
    # the points of each seat, by direction of the pass
    directions: dict[Direction, tuple[Frequencies, ...]]
    queenless: int  # deals in which nobody took the queen of spades
    lengths: Frequencies  # by number of deals in a match
    # numbers of the first deals with a moon, or a slam, at most `FIRST`: see `record_of`. If
    # matches were played they are numbers of matches, here and below.
    moons: tuple[int, ...]
    slams: tuple[int, ...]
    # numbers of the first deals with the most points of one seat
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
        """The most points of one seat in one deal."""
        return max(seat.points.most for seat in self.seats)


def first_of(*numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The lowest `FIRST` numbers, each once, in order."""
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


# From outcomes to results

Numbers = NDArray[np.int64]
Table = NDArray[np.int64]
"""A row for each seat, a column for each deal or match."""


class _Played(NamedTuple):
    """Deals and matches to be counted."""

    outcomes: Records  # of all deals, match after match
    points: Table  # from the outcomes
    places: Numbers  # of each deal in its match, or among all deals, from 0
    numbers: Numbers  # numbers of the deals or matches for `record_of`, deal by deal
    # deals in each match; empty where every deal stands alone, as are the next two
    lengths: Numbers
    totals: Table  # of each match
    wins: Table  # of each match, in `WHOLE_WIN`ths


def deals_counted(request: Request, first: int, outcomes: Records) -> SimulationResult:
    """Results of deals that stand alone.

    Args:
        first: the number of the first deal, from 0.
    """
    numbers = np.arange(first, first + len(outcomes))
    points = _points(request, outcomes)
    none = points[:, :0]
    return _counted(request, _Played(outcomes, points, numbers, numbers, none[0], none, none))


def matches_counted(request: Request, first: int, matches: Matches) -> SimulationResult:
    """Results of whole matches.

    Args:
        first: the number of the first match, from 0.
    """
    outcomes, lengths, totals = matches.outcomes, matches.lengths, matches.totals.T
    begun = np.cumsum(lengths) - lengths
    places = np.arange(len(outcomes)) - np.repeat(begun, lengths)
    numbers = np.repeat(np.arange(first, first + len(lengths)), lengths)
    points, wins = _points(request, outcomes), wins_of(request.rules, matches)
    return _counted(request, _Played(outcomes, points, places, numbers, lengths, totals, wins))


def _points(request: Request, outcomes: Records) -> Table:
    return np.ascontiguousarray(outcomes["points"][:, : request.rules.players].T, np.int64)


def _counted(request: Request, played: _Played) -> SimulationResult:
    outcomes, points = played.outcomes, played.points
    seats = range(request.rules.players)
    levels = {
        level: [seat for seat in seats if request.seats[seat] == level] for level in request.seats
    }
    return SimulationResult(
        len(outcomes),
        len(played.lengths),
        tuple(_tally(played, [seat]) for seat in seats),
        {level: _tally(played, members) for level, members in levels.items()},
        _directions(request.rules, played),
        int((outcomes["queen"] < 0).sum()),
        counts_of(played.lengths),
        _first(played.numbers[outcomes["moon"] >= 0]),
        _first(played.numbers[outcomes["slam"] >= 0]),
        _first(played.numbers[points.max(axis=0) == points.max()]),
    )


def _tally(played: _Played, seats: list[int]) -> Tally:
    queens, moons, slams = (
        sum(int((played.outcomes[name] == seat).sum()) for seat in seats)
        for name in ("queen", "moon", "slam")
    )
    done = np.where(played.outcomes["slam"] < 0, played.outcomes["moon"], played.outcomes["slam"])
    minus = int((np.isin(done, seats) & (played.outcomes["minus"] > 0)).sum())
    points, totals, wins = (
        counts_of(table[seats].sum(axis=0)) for table in (played.points, played.totals, played.wins)
    )
    return Tally(len(seats), points, queens, moons, slams, minus, totals, wins)


def counts_of(numbers: Numbers) -> Frequencies:
    """Count how many times each number occurs."""
    if not len(numbers):
        return Frequencies()
    least = numbers.min()
    # Sorting would take as long as playing, but needs no room for the gaps between the numbers.
    if numbers.max() - least < len(numbers):
        times = np.bincount(numbers - least)
        different = np.flatnonzero(times)
        return Frequencies(
            dict(zip((different + least).tolist(), times[different].tolist(), strict=True))
        )
    different, times = np.unique(numbers, return_counts=True)
    return Frequencies(dict(zip(different.tolist(), times.tolist(), strict=True)))


def _directions(rules: Ruleset, played: _Played) -> dict[Direction, tuple[Frequencies, ...]]:
    cycle = rules.passing.cycle if rules.passing.count else (Direction.HOLD,)
    steps = played.places % len(cycle)
    found = {}
    for direction in Direction:
        turns = [turn for turn, there in enumerate(cycle) if there is direction]
        deals = np.flatnonzero(np.isin(steps, turns))
        if len(deals):
            found[direction] = tuple(counts_of(seat[deals]) for seat in played.points)
    return found


def wins_of(rules: Ruleset, matches: Matches) -> Table:
    """Each seat's part of each win, in `WHOLE_WIN`ths (E1, E2); partners win together (W10)."""
    outcomes, lengths, totals = matches.outcomes, matches.lengths, matches.totals.T
    won = totals == totals.min(axis=0)
    if rules.ending.match_end == MatchEnd(EndKind.DEALS, 1):
        # the shooter of the moon in the only deal wins, whatever a jack does (E1)
        moon = outcomes["moon"][np.cumsum(lengths) - lengths]
        shot = (lengths == 1) & (moon >= 0)
        sides = len(rules.all_sides)
        seats = np.arange(rules.players)[:, np.newaxis]
        won[:, shot] = moon[shot] % sides == seats % sides
    shares: Table = won * (WHOLE_WIN // won.sum(axis=0))
    return shares


def stakes_of(rules: Ruleset, matches: Matches) -> Table:
    """Stakes won by each seat, in `WHOLE_WIN`ths; negative if lost.

    As in M1, M3, M5 and M6, but for lots and rounding: seats that would draw for a stake share it.
    The rest of a pot is nobody's. All 0 where there are no stakes.
    """
    totals, settlement = matches.totals.T, rules.stakes.settlement
    if settlement is Settlement.AVERAGE:
        means: Numbers = WHOLE_WIN * totals.sum(axis=0) // rules.players
        return means - WHOLE_WIN * totals
    if settlement is Settlement.POT:
        return _from_pots(rules, matches)
    if settlement is Settlement.NONE:
        return np.zeros_like(totals)
    won = wins_of(rules, matches)
    paid = np.where(won > 0, 0, totals - totals.min(axis=0))
    if rules.ending.match_end == MatchEnd(EndKind.DEALS, 1):
        moon = matches.outcomes["moon"][np.cumsum(matches.lengths) - matches.lengths]
        shot = (matches.lengths == 1) & (moon >= 0)
        paid = np.where(shot & (won == 0), rules.penalty_total, paid)
    stakes: Table = paid.sum(axis=0) * won - WHOLE_WIN * paid
    return stakes


def _from_pots(rules: Ruleset, matches: Matches) -> Table:
    """Stakes of each seat by payments of every deal into the pot, and its takers (M6)."""
    points = matches.outcomes["points"][:, : rules.players].astype(np.int64)
    stakes = np.zeros((len(matches.lengths), rules.players), np.int64)
    ends = np.cumsum(matches.lengths)
    for row, (length, end) in enumerate(zip(matches.lengths, ends, strict=True)):
        pot = 0
        for scored in points[end - length : end]:
            paid, free = np.maximum(scored, 0), scored <= 0
            pot += int(paid.sum()) * WHOLE_WIN
            stakes[row] -= paid * WHOLE_WIN
            if free.any():
                stakes[row] += free * (pot // int(free.sum()))
                pot = 0
    by_seat: Table = stakes.T
    return by_seat


def _first(numbers: Numbers) -> tuple[int, ...]:
    """The lowest `FIRST` of ascending numbers, each once."""
    return tuple(np.unique(numbers)[:FIRST].tolist())


# The uncertainty of a mean

FREEDOM: Final = 1000
"""Degrees of freedom from which two terms of Cornish and Fisher are exact enough."""


@lru_cache(maxsize=4096)
def quantile(level: float, freedom: int) -> float:
    """Standard errors on either side of the mean that hold that part of Student's distribution.

    Args:
        level: 0 to 1, both excluded.
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
