"""Two nodes beside the two workers of the last version that had any, on the same two cores.

    git worktree add --detach /tmp/old 51b7893
    python benchmarks/compared.py /tmp/old [--rounds N] [--seconds N] [--tables N]

The two take turns, round after round, each with an empty database on one PostgreSQL; the other
checkout's server runs from its own source, the clients are always those of this one. Each figure is
the median of the rounds, with the median of the ratios within them: above 1 is worse than before. A
round takes some six minutes on two quiet cores.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from time import time
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests")  # in place of this folder, as for server.py
sys.path.insert(1, str(ROOT))

from kit.postgres import Cluster  # noqa: E402

from benchmarks.playrooms import Playroom, Running, database_of, running  # noqa: E402
from benchmarks.server import TWO, first_number, idle, playing, run  # noqa: E402
from volte.server.run.serving import allow_many_files  # noqa: E402

LISTENING: Final = 1000
"""Connections whose memory is measured."""


class Figure(NamedTuple):
    """A figure that is measured."""

    name: str
    rises: bool = False  # whether more is better


FIGURES: Final = (
    Figure("terminals: median ms"),
    Figure("terminals: 99th in 100, ms"),
    Figure("terminals: plays a second", rises=True),
    Figure("terminals: µs of a core a play, servers and database"),
    Figure("pages: plays a second", rises=True),
    Figure("pages: µs of a core a play, servers and database"),
    Figure("KiB of memory a connection"),
)

Measure = Callable[[Running], Coroutine[None, None, list[float]]]


async def terminals(running: Running, seconds: float, tables: int) -> list[float]:
    found = await playing(running, seconds, tables, told=False, every=1.0)
    cuts = quantiles(found.latencies, n=100, method="inclusive")
    return [cuts[49] * 1000, cuts[98] * 1000, found.plays, found.micros]


async def pages(running: Running, seconds: float, tables: int) -> list[float]:
    """Plays and cost with more load than two cores can bear, so deals need no time to spread."""
    found = await playing(running, seconds, tables, told=True, every=1.0, deals=0.2)
    return [found.plays, found.micros]


async def memory(running: Running) -> list[float]:
    return [first_number(await idle(running, 2.0, LISTENING))]


def measured(measure: Measure, playroom: Playroom, cluster: Cluster) -> list[float]:
    """The figures of one run, with an empty database."""
    with database_of(playroom, cluster) as url, running(playroom, cluster, url) as servers:
        return run(measure(servers))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("other", type=Path, help="a checkout that has --workers, such as 51b7893")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--tables", type=int, default=1000)
    options = parser.parse_args()
    if not (options.other / "src/volte/server/supervisor.py").is_file():
        parser.error(f"{options.other} is no checkout of a version with --workers")
    former = TWO._replace(name="two workers", former=options.other.resolve())
    kinds: tuple[Measure, ...] = (
        partial(terminals, seconds=options.seconds, tables=options.tables),
        partial(pages, seconds=options.seconds, tables=options.tables),
        memory,
    )
    allow_many_files()
    gc.disable()  # the clients' states are trees; pauses of theirs would count as the server's
    for ending in (signal.SIGTERM, signal.SIGHUP):  # so that no server is left behind
        signal.signal(ending, lambda *_: sys.exit(1))
    begun = time()
    rounds: dict[Playroom, list[list[float]]] = {TWO: [], former: []}
    cluster = Cluster()
    try:
        for number in range(options.rounds):
            for playroom in (TWO, former) if number % 2 else (former, TWO):
                found = [each for measure in kinds for each in measured(measure, playroom, cluster)]
                rounds[playroom].append(found)
                cells = ", ".join(f"{value:,.1f}" for value in found)
                print(f"{time() - begun:5.0f} s, {playroom.name}: {cells}", flush=True)
    finally:
        cluster.remove()
    print(f"\n| {options.tables:,} tables, a play a second | {TWO.name} | {former.name} | worse |")
    print("|---|---|---|---|")
    print("\n".join(table(rounds[TWO], rounds[former])))
    print(f"\n{options.rounds} rounds, {time() - begun:.0f} s, load {os.getloadavg()[2]:.1f}")


def table(now: Sequence[Sequence[float]], before: Sequence[Sequence[float]]) -> list[str]:
    """A row for each figure."""
    rows = []
    for figure, new, old in zip(
        FIGURES, zip(*now, strict=True), zip(*before, strict=True), strict=True
    ):
        pairs = zip(old, new, strict=True) if figure.rises else zip(new, old, strict=True)
        ratio = median(first / second for first, second in pairs)
        rows.append(f"| {figure.name} | {median(new):,.1f} | {median(old):,.1f} | {ratio:.2f} |")
    return rows


if __name__ == "__main__":
    main()
