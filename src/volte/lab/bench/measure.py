"""How fast things are, beside each other: rows run in turns, and medians count."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple

SLICE: Final = 0.1
"""Seconds that a row runs in a round, about."""

TRIES: Final = 3
"""Calls in a row that must take long before a loop is long enough: others may have the core."""

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
    cores: int = 1  # that it keeps busy; 0 where this process cannot know


class Figure(NamedTuple):
    """The measurements of one loop."""

    name: str
    per_second: float  # how many times the thing is done
    micros: float  # microseconds for a part of it
    ratio: float | None  # of the speed, part for part, to the other row's, round by round
    beside: str = ""  # the other row
    megabytes: float | None = None  # of memory at most, where that was asked for
    waited: float | None = None  # the share of the time in which others had its cores


class _Run(NamedTuple):
    speed: float
    wall: float  # seconds
    processor: float


def measured(rows: Sequence[Benchmark], rounds: int) -> list[Figure]:
    """One figure a row. Medians of the rounds; every round runs each row for `SLICE`, in turns."""
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
    """Seconds of this process, and of those of its children that have ended."""
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
