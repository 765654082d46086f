"""From outcomes, as both engines give them, to statistics."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.kernel import Matches, Records
from volte.lab.arena.request import Request
from volte.lab.arena.statistics import FIRST, WHOLE_WIN, Frequencies, SimulationResult, Tally
from volte.rules import Direction, EndKind, MatchEnd, Ruleset, Settlement

Numbers = NDArray[np.int64]
Table = NDArray[np.int64]
"""A row for each seat, a column for each deal or match."""


class _Played(NamedTuple):
    """The deals and matches that are counted."""

    outcomes: Records  # of all deals, match after match
    points: Table  # the same, as a table
    places: Numbers  # of each deal in its match, or among all deals, from 0
    numbers: Numbers  # by which each deal is asked for again (`record_of`)
    # of each match, in deals; empty where every deal stands alone, as are the next two
    lengths: Numbers
    totals: Table  # of each match
    wins: Table  # of each match, in `WHOLE_WIN`ths


def deals_counted(request: Request, first: int, outcomes: Records) -> SimulationResult:
    """Of deals that stand alone.

    Args:
        first: the number of the first, from 0.
    """
    numbers = np.arange(first, first + len(outcomes))
    points = _points(request, outcomes)
    none = points[:, :0]
    return _counted(request, _Played(outcomes, points, numbers, numbers, none[0], none, none))


def matches_counted(request: Request, first: int, matches: Matches) -> SimulationResult:
    """Of whole matches.

    Args:
        first: the number of the first, from 0.
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
        _by_direction(request.rules, played),
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
    """How often each of them comes up."""
    if not len(numbers):
        return Frequencies()
    least = numbers.min()
    # Sorting takes as long as playing did, but needs no room for what lies between the numbers.
    if numbers.max() - least < len(numbers):
        times = np.bincount(numbers - least)
        different = np.flatnonzero(times)
        return Frequencies(
            dict(zip((different + least).tolist(), times[different].tolist(), strict=True))
        )
    different, times = np.unique(numbers, return_counts=True)
    return Frequencies(dict(zip(different.tolist(), times.tolist(), strict=True)))


def _by_direction(rules: Ruleset, played: _Played) -> dict[Direction, tuple[Frequencies, ...]]:
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
    """What each seat has of each win, in `WHOLE_WIN`ths (E1, E2); partners win together (W10)."""
    outcomes, lengths, totals = matches.outcomes, matches.lengths, matches.totals.T
    won = totals == totals.min(axis=0)
    if rules.ending.match_end == MatchEnd(EndKind.DEALS, 1):
        # whoever shoots the moon in the only deal wins, whatever a jack does (E1)
        moon = outcomes["moon"][np.cumsum(lengths) - lengths]
        shot = (lengths == 1) & (moon >= 0)
        sides = len(rules.all_sides)
        seats = np.arange(rules.players)[:, np.newaxis]
        won[:, shot] = moon[shot] % sides == seats % sides
    shares: Table = won * (WHOLE_WIN // won.sum(axis=0))
    return shares


def stakes_of(rules: Ruleset, matches: Matches) -> Table:
    """What each seat has won of the stakes, in `WHOLE_WIN`ths; below zero what it has lost.

    As M1, M3, M5 and M6 share them but for lots and what is rounded down: whoever would draw for a
    stake has a part of it. What is left in a pot is nobody's. Nothing where there are no stakes.
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
    """What every deal pays into the pot, and who takes it (M6)."""
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
    """The lowest `FIRST` of them, each once; they ascend."""
    return tuple(np.unique(numbers)[:FIRST].tolist())
