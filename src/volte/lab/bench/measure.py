"""Speeds beside each other: rows run in turns, and medians count."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple

SLICE: Final = 0.1
"""Seconds that a row runs in a round, roughly."""

TRIES: Final = 3
"""Calls in a row that must be long before a loop is long enough: others may have the core."""

Loop = Callable[[int], int]
"""Function that does a thing at least so many times, and returns how many times."""


def repeated(once: Callable[[int], int]) -> Loop:
    """A loop that calls `once` until the thing has been done often enough.

    Args:
        once: does the thing some times, and returns how many; gets the number done before.
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
    loop: Loop  # called once before, so that nothing is compiled while it is measured
    parts: int = 1  # parts of the thing: the cards of a deal, or 1
    beside: str = ""  # the row to compare with
    # measures the time, in seconds; by default CPU time of this process
    clock: Callable[[], float] = process_time
    rounds: int | None = None  # limit for rows whose rounds are long
    # largest memory, in megabytes, asked for after all rounds
    megabytes: Callable[[], float] | None = None
    cores: int = 1  # cores that it keeps busy; 0 where this process cannot know


class BenchTable(NamedTuple):
    """Rows that are measured together, and compared."""

    title: str
    rows: Callable[[], list[Benchmark]]  # makes the rows; may take a while
    unit: str  # of the time in the table


class Figure(NamedTuple):
    """Measurements of one loop."""

    name: str
    per_second: float  # times that the thing is done
    micros: float  # microseconds per part
    ratio: float | None  # speed by that of the other row, part for part, round by round
    beside: str = ""  # name of the other row
    megabytes: float | None = None  # largest memory, if it was asked for
    waited: float | None = None  # share of the time in which others had its cores


class _Run(NamedTuple):
    speed: float
    wall: float  # seconds
    processor: float


def measured(rows: Sequence[Benchmark], rounds: int) -> list[Figure]:
    """Measure rows in turns, each for `SLICE` in every round; figures are medians of the rounds."""
    times = {row.name: times_in_a_slice(row) for row in rows}
    runs: dict[str, list[_Run]] = {row.name: [] for row in rows}
    for number in range(rounds):
        for row in rows:
            if row.rounds is None or number < row.rounds:
                runs[row.name].append(_run(row, times[row.name]))
    parts = {row.name: row.parts for row in rows}
    return [_figure(row, runs, parts) for row in rows]


def _figure(row: Benchmark, runs: dict[str, list[_Run]], parts: dict[str, int]) -> Figure:
    own, ratio, waited = runs[row.name], None, None
    if row.beside in runs:
        pairs = zip(own, runs[row.beside], strict=False)  # a long row has fewer rounds
        ratio = median(mine.speed / other.speed for mine, other in pairs)
        ratio *= row.parts / parts[row.beside]
    if row.cores:
        had = sum(run.processor for run in own) / sum(run.wall for run in own)
        waited = max(0.0, 1 - had / row.cores)
    per_second, megabytes = median(run.speed for run in own), row.megabytes and row.megabytes()
    micros = 1e6 / per_second / row.parts
    return Figure(row.name, per_second, micros, ratio, row.beside, megabytes, waited)


def _run(row: Benchmark, times: int) -> _Run:
    wall, processor, start = perf_counter(), _processor_time(), row.clock()
    speed = row.loop(times) / (row.clock() - start)
    return _Run(speed, perf_counter() - wall, _processor_time() - processor)


def _processor_time() -> float:
    """Seconds of this process, and of its children that have ended."""
    spent = os.times()
    return process_time() + spent.children_user + spent.children_system


def times_in_a_slice(row: Benchmark) -> int:
    if row.rounds is not None:
        return 1
    row.loop(1)
    times, taken = 1, list[float]()
    while len(taken) < TRIES:
        start = row.clock()
        row.loop(times)
        taken.append(row.clock() - start)
        if taken[-1] < SLICE / 2:
            times, taken = 2 * times, []
    return max(1, round(times * SLICE / min(taken)))
