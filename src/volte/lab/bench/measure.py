"""How fast things are, beside each other: rows run in turns, and medians count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import Final, NamedTuple

SLICE: Final = 0.1
"""Seconds that a row runs in a round, about."""

Loop = Callable[[int], int]
"""Does a thing at least that many times, and says how many."""


def repeated(once: Callable[[int], int]) -> Loop:
    """A loop that asks again and again how many times a thing has been done.

    Args:
        once: does it some times, and says how many; told how many there were before.
    """

    def loop(times: int) -> int:
        done = 0
        while done < times:
            done += once(done)
        return done

    return loop


class Benchmark(NamedTuple):
    """A loop to be measured: a row of a table."""

    name: str
    loop: Loop  # is called once before, so that nothing is compiled while it is measured
    parts: int = 1  # of the thing: the cards of a deal, or 1
    beside: str = ""  # the row of the table that this one is compared with
    # what the time is told by, in seconds; CPU time of this process if nothing is said
    clock: Callable[[], float] = process_time
    rounds: int | None = None  # it runs in no more rounds than so many, where they are long
    # how much memory it took at most, asked for when all the rounds are over
    megabytes: Callable[[], float] | None = None


class Figure(NamedTuple):
    """The measurements of one loop."""

    name: str
    per_second: float  # how many times the thing is done
    micros: float  # microseconds for a part of it
    ratio: float | None  # of the speed, part for part, to the other row's, round by round
    beside: str = ""  # the other row
    megabytes: float | None = None  # of memory at most, where that was asked for


def measured(rows: Sequence[Benchmark], rounds: int) -> list[Figure]:
    """One figure a row. Medians of the rounds; every round runs each row for `SLICE`, in turns."""
    times = {row.name: times_in_a_slice(row) for row in rows}
    speeds: dict[str, list[float]] = {row.name: [] for row in rows}
    for number in range(rounds):
        for row in rows:
            if row.rounds is None or number < row.rounds:
                speeds[row.name].append(speed(row, times[row.name]))
    parts = {row.name: row.parts for row in rows}
    return [figure(row, speeds, parts) for row in rows]


def figure(row: Benchmark, speeds: dict[str, list[float]], parts: dict[str, int]) -> Figure:
    own, ratio = speeds[row.name], None
    if row.beside in speeds:
        pairs = zip(own, speeds[row.beside], strict=False)  # a long row has fewer rounds
        ratio = median(mine / other for mine, other in pairs) * row.parts / parts[row.beside]
    per_second, megabytes = median(own), row.megabytes and row.megabytes()
    micros = 1e6 / per_second / row.parts
    return Figure(row.name, per_second, micros, ratio, row.beside, megabytes)


def speed(row: Benchmark, times: int) -> float:
    start = row.clock()
    done = row.loop(times)
    return done / (row.clock() - start)


def times_in_a_slice(row: Benchmark) -> int:
    if row.rounds is not None:
        return 1
    row.loop(1)
    times = 1
    while (per_second := speed(row, times)) * SLICE > 2 * times:
        times *= 2
    return max(1, round(per_second * SLICE))
