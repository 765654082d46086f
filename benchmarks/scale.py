"""Estimates for a large playroom, from measurements of a small one. For docs/scale.md.

    python benchmarks/scale.py [--only TEXT] [--seed N] [--write]

The costs of all steps are in `measured.json`, with their sources. The simulation (`simulated.py`)
is first given the very deployments that were measured on real servers: if it agrees with them, it
can be trusted about others. The rest is arithmetic, shown line by line. `--write` puts the tables
into docs/scale.md. It takes a minute or two on one core.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec
import numpy as np
from msgspec.structs import replace

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)

from benchmarks.assumed import (  # noqa: E402
    ALONE,
    FOURS,
    ON_A_MACHINE,
    Known,
    comfortable,
    gib,
    play_us,
)
from benchmarks.million import million  # noqa: E402
from benchmarks.simulated import Deployment, Measured, Playroom  # noqa: E402
from benchmarks.written import put  # noqa: E402

FIGURES: Final = ROOT / "benchmarks/measured.json"
SOURCES: Final = tuple(
    f"benchmarks/{name}"
    for name in ("assumed.py", "measured.json", "million.py", "scale.py", "simulated.py")
)

CLOCKED: Final = Deployment(people=4, pace=1.0, regular=True)
"""Deployment with a play a second at each table, as in the benchmark."""

LATE: Final = 100.0
"""Milliseconds in which 99 plays of 100 shall be heard."""


class Found(msgspec.Struct, frozen=True):
    """Result of a simulation: milliseconds, plays a second, and loads of cores from 0 to 1."""

    median: float
    late: float
    core: float
    database: float
    proxy: float
    plays: float


def simulated(plan: Deployment, measured: Measured, seed: int, seconds: float = 20.0) -> Found:
    """Simulate some seconds, after one to fill the playroom; fewer if there are many nodes."""
    seconds = max(seconds / plan.nodes**0.6, 1.0)
    room = Playroom(plan, measured, seed)
    room.run(1.0)
    busy = [process.core.busy for process in room.nodes]
    database, proxy = room.database.busy, room.proxy.busy
    room.heard.clear()
    room.run(1.0 + seconds)
    waits = np.array([wait for _, wait in room.heard] or [np.inf]) * 1000
    busy = [
        (process.core.busy - before) / seconds
        for process, before in zip(room.nodes, busy, strict=True)
    ]
    return Found(
        float(np.median(waits)),
        float(np.percentile(waits, 99)),
        max(busy),
        (room.database.busy - database) / seconds,
        (room.proxy.busy - proxy) / seconds,
        len(waits) / seconds,
    )


def most(plan: Deployment, measured: Measured, seed: int) -> int:
    """The most tables of one node at which plays are still heard in time."""
    least, many = 1, int(1.2 * plan.pace / play_us(plan, measured) * 1e6)
    while many - least > max(least // 50, 1):
        tables = (least + many) // 2
        found = simulated(replace(plan, tables=tables), measured, seed)
        if found.late <= LATE:
            least = tables
        else:
            many = tables
    return least


def trusted(known: Known, seed: int) -> Iterable[str]:
    yield (
        "| a play a second | median ms: measured | simulated | 99th in 100: measured | simulated |"
    )
    yield "|---|---|---|---|---|"
    for row in known.latencies:
        plan = replace(CLOCKED, tables=row.tables, pages=row.pages, clients=True)
        found = simulated(plan, known.measured, seed)
        yield (
            f"| {row.tables:,} tables, {'pages' if row.pages else 'terminals'} "
            f"| {row.median_ms:.1f} | {found.median:.1f} | {row.late_ms:.1f} | {found.late:.1f} |"
        )
    median, longest = (1000 * seconds for seconds in known.takeover_s)
    woken = np.array(lost(replace(CLOCKED, nodes=2, tables=10), known.measured, seed).woken) * 1000
    yield (
        f"| ten tables of a killed node live again | {median:,.0f} | {np.median(woken):,.0f} "
        f"| {longest:,.0f} | {max(woken):,.0f} |"
    )


KINDS: Final = {
    "four at terminals, a play a second": replace(CLOCKED, pages=False),
    "four at pages, a play a second": CLOCKED,
    "four at pages, as people play": FOURS,
    "one at a page, three bots": ALONE,
}


def one_node(known: Known, seed: int) -> Iterable[str]:
    yield (
        "| one node | µs a play | most tables | tables at 60 % | people | 99th in 100, ms | MiB |"
    )
    yield "|---|---|---|---|---|---|---|"
    for name, plan in KINDS.items():
        measured = known.measured
        tables = most(plan, measured, seed)
        plan = comfortable(plan, measured)
        found = simulated(plan, measured, seed)
        yield (
            f"| {name} | {play_us(plan, measured):,.0f} | {tables:,} "
            f"| {plan.tables:,} | {plan.tables * plan.people:,} "
            f"| {found.late:.0f} | {gib(plan, measured) * 1024:,.0f} |"
        )
    plan = comfortable(replace(FOURS, watchers=WATCHERS), known.measured)
    found = simulated(plan, known.measured, seed)
    people = f"{plan.tables * plan.people + WATCHERS:,}"
    yield (
        f"| as people play, {WATCHERS:,} watch one table | | | {plan.tables:,} | {people} "
        f"| {found.late:,.0f} | |"
    )


WATCHERS: Final = 1000
"""Watchers of a famous table."""

MACHINES: Final = (
    ("8 cores", 6, 1, 1),
    ("32 cores", ON_A_MACHINE, 4, 1),
    ("4 × 32 cores", 4 * ON_A_MACHINE, 16, 4),
    ("8 × 32 cores", 8 * ON_A_MACHINE, 16, 8),
)
"""Machines, with their nodes, cores for PostgreSQL, and cores for proxies."""


def machines(known: Known, seed: int) -> Iterable[str]:
    yield (
        "| | nodes | people | plays a second | median ms | 99th in 100 "
        "| cores busy: PostgreSQL | proxy |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for name, nodes, cores, proxies in MACHINES:
        plan = replace(FOURS, nodes=nodes, database_cores=cores, proxy_cores=proxies)
        plan = comfortable(plan, known.measured)
        found = simulated(plan, known.measured, seed)
        yield (
            f"| {name} | {nodes} | {nodes * plan.tables * plan.people:,} | {found.plays:,.0f} "
            f"| {found.median:.1f} | {found.late:.1f} | {found.database:.1f} | {found.proxy:.1f} |"
        )


def gone_through(room: Playroom) -> Playroom:
    """Go on until all is as before, or for a minute; times are from second 2 on."""
    tables = room.asleep
    while room.now < 62.0:
        room.run(room.now + 1.0)
        if len(room.back) == room.gone and len(room.woken) == tables and max(room.back) < room.now:
            break
    room.woken = [when - 2.0 for when in room.woken]
    room.back = [when - 2.0 for when in room.back]
    return room


def lost(plan: Deployment, measured: Measured, seed: int, in_order: bool = False) -> Playroom:
    """Simulate the loss of a node."""
    room = Playroom(plan, measured, seed)
    room.run(2.0)
    room.kill(0, in_order)
    return gone_through(room)


def crowded(
    plan: Deployment, measured: Measured, seed: int, people: int, within: float
) -> Playroom:
    """Simulate the arrival of so many people within some seconds."""
    room = Playroom(plan, measured, seed)
    room.run(2.0)
    room.crowd(people, within)
    return gone_through(room)


def incidents(known: Known, seed: int) -> Iterable[str]:
    yield ("| | people | half are back, s | 99 in 100 | last table, s | plays: 99th in 100, ms |")
    yield "|---|---|---|---|---|---|"
    measured = known.measured

    def row(name: str, room: Playroom) -> str:
        meanwhile = [wait for began, wait in room.heard if began >= 2.0]
        woken = f"{max(room.woken):.1f}" if room.woken else ""
        half, late = np.percentile(room.back, [50, 99])
        return (
            f"| {name} | {len(room.back):,} | {half:.1f} | {late:.1f} | {woken} "
            f"| {np.percentile(meanwhile, 99) * 1000:,.0f} |"
        )

    few = comfortable(replace(FOURS, nodes=4), measured)
    many = comfortable(replace(FOURS, nodes=ON_A_MACHINE, database_cores=4), measured)
    half = replace(few, tables=few.tables // 2)
    yield row("one of 4 nodes is killed", lost(few, measured, seed))
    yield row("the same, half as busy", lost(half, measured, seed))
    yield row(f"one of {ON_A_MACHINE} is killed", lost(many, measured, seed))
    yield row(f"one of {ON_A_MACHINE} is stopped in order", lost(many, measured, seed, True))
    everybody = half.nodes * half.tables * half.people
    all_at_once = crowded(half, measured, seed, everybody, 0.25)
    yield row("proxy before 4 restarts, half as busy", all_at_once)


TABLES: Final[dict[str, Callable[[Known, int], Iterable[str]]]] = {
    each.__name__: each for each in (trusted, one_node, machines, incidents, million)
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="tables whose name contains this")
    parser.add_argument("--write", action="store_true", help="into docs/scale.md")
    options = parser.parse_args()
    known = msgspec.json.decode(FIGURES.read_bytes(), type=Known)
    for name, make in TABLES.items():
        if options.only not in name:
            continue
        begun = perf_counter()
        table = "\n".join(make(known, options.seed))
        print(f"\n{name}, {perf_counter() - begun:.1f} s\n\n{table}", flush=True)
        if options.write:
            put("docs/scale.md", table, *SOURCES, part=name)


if __name__ == "__main__":
    main()
