"""Delays that thinking bots cause for people. Makes the tables of docs/performance.md.

    python benchmarks/thinking.py [--seconds N] [--rounds N] [--write]

A program of its own sends a byte over a socket every ten milliseconds, and the loop that has bots
think sends it back, as it would send a card: this time is measured. Each bot asks for its next
choice as soon as it has one, which none at a table does, or after the usual pace. Rows take turns
in every round, and figures are medians over the rounds. `--write` puts the results into
docs/performance.md.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple, TypeVar

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)

import numpy as np  # noqa: E402
import uvloop  # noqa: E402

from benchmarks.written import SEARCH, put  # noqa: E402
from volte.bots import make_bot, warm_up  # noqa: E402
from volte.bots.apart import BotQuestion, pack, unpack  # noqa: E402
from volte.bots.protocol import Clock  # noqa: E402
from volte.bots.worker import answer  # noqa: E402
from volte.lab.bench.rows import views_of  # noqa: E402
from volte.table.pacing import Timing  # noqa: E402
from volte.table.thinking import Thinking  # noqa: E402
from volte.table.workers import ThreadRunner, Worker, usual_number  # noqa: E402
from volte.view import View  # noqa: E402

SOURCES: Final = (
    "benchmarks/thinking.py",
    *SEARCH,
    "src/volte/table/thinking.py",
    "src/volte/table/workers.py",
)

SETTLING: Final = 1.0
"""Seconds before anything is measured."""

PINGING: Final = """
import socket, sys, time
line = socket.socket(fileno=int(sys.argv[1]))
line.setblocking(True)
taken, ends = [], time.perf_counter() + float(sys.argv[2])
while (begun := time.perf_counter()) < ends:
    line.sendall(b".")
    line.recv(1)
    taken.append(time.perf_counter() - begun)
    time.sleep(max(0.01 - taken[-1], 0))
print(*taken)
"""


Item = TypeVar("Item")


class Row(NamedTuple):
    """A row of the table: bots that think."""

    level: str
    bots: int
    processes: int  # number of processes in which bots think; with 0, in two threads of this one
    pause: float  # seconds between a bot's choices


class Found(NamedTuple):
    """Milliseconds of the way to and fro, choices a second, milliseconds per choice."""

    middle: float
    late: float
    latest: float
    choices: float
    took: float
    how: Counter[str]


async def measured(row: Row, views: list[View], seconds: float) -> Found:
    """Measure one row for so long."""
    async with thinking(row) as bots:
        made: list[float] = []
        playing = [
            asyncio.create_task(play(bots, row, views[place % 50 :], place, made))
            for place in range(row.bots)
        ]
        await asyncio.sleep(SETTLING)
        made.clear()
        bots.counts.clear()
        taken = await pinged(seconds)
        found, how = list(made), Counter(bots.counts)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    middle, late, latest = np.percentile(taken, [50, 99, 100]) * 1000
    took = median(found) * 1000 if found else 0.0
    return Found(middle, late, latest, len(found) / seconds, took, how)


@asynccontextmanager
async def thinking(row: Row) -> AsyncIterator[Thinking]:
    """Bots as a server has them, with all their processes ready."""
    timing = Timing()
    bots = Thinking(make_bot, row.processes, timing.hurried, timing.longest_thought)
    if not row.processes:
        bots._here._idle.append(ThreadRunner(make_bot))
    while len(bots.workers) < row.processes:
        bots._apart._idle.append(await begun())
    try:
        yield bots
    finally:
        await bots.close()


async def begun() -> Worker:
    worker = await Worker.begin()
    await worker.ready()
    return worker


async def play(bots: Thinking, row: Row, views: list[View], place: int, made: list[float]) -> None:
    """Let one bot choose again and again."""
    await asyncio.sleep(row.pause * place / row.bots)
    while True:
        for view in views:
            asked = perf_counter()
            await bots.choose(row.level, place, view, (place,))
            made.append(perf_counter() - asked)
            await asyncio.sleep(row.pause)


async def pinged(seconds: float) -> list[float]:
    """Seconds that each byte took to the loop and back."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    command = [sys.executable, "-c", PINGING, str(theirs.fileno()), str(seconds)]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, pass_fds=[theirs.fileno()]
    )
    theirs.close()
    telling = asyncio.create_task(process.communicate())
    while byte := await reader.read(1):
        writer.write(byte)
    writer.close()
    told, _ = await telling
    return [float(each) for each in told.split()]


# Messages to workers


def sent(views: list[View]) -> str:
    """Bytes and microseconds of a question, and of an answer."""
    questions = [BotQuestion("expert", 2**63, view, Clock(milliseconds=40)) for view in views]
    packed = [pack(question) for question in questions]
    sizes = f"{sum(map(len, packed)) / len(packed):,.0f} bytes, {max(map(len, packed)):,} at most"
    return f"{sizes}; {each(pack, questions):.0f} µs to pack, {each(unpack, packed):.0f} to unpack"


def thought(level: str, views: list[View]) -> float:
    """Microseconds that a choice of that level takes."""
    packed = [pack(BotQuestion(level, 1, view)) for view in views]
    return each(lambda question: answer(question, lambda _: None), packed) - each(unpack, packed)


def each(do: Callable[[Item], object], items: list[Item]) -> float:
    """Microseconds per item, by the quickest of seven rounds."""
    rounds = []
    for _ in range(7):
        begun = perf_counter()
        for item in items:
            do(item)
        rounds.append(perf_counter() - begun)
    return min(rounds) / len(items) * 1e6


def memory() -> str:
    """MiB of a worker, and the part that it shares with no other process."""

    async def weighed(views: list[View]) -> tuple[float, float]:
        worker = await begun()
        try:
            for view in views:
                await worker.choose(BotQuestion("expert", 1, view))
            figures = Path(f"/proc/{worker.pid}/smaps_rollup").read_text().split()
            own = sum(int(figures[figures.index(f"Private_{kind}:") + 1]) for kind in OWN)
            return int(figures[figures.index("Rss:") + 1]) / 1024, own / 1024
        finally:
            await worker.end()

    whole, own = asyncio.run(weighed(views_of(20)))
    return f"{whole:.0f} MiB a worker, {own:.0f} of them its own"


OWN: Final = ("Clean", "Dirty")


# The table


def rows() -> list[Row]:
    processes = usual_number()
    return [
        Row("expert", 0, 0, 0),
        *(Row("expert", bots, where, 0) for bots in (10, 100) for where in (0, processes)),
        *(Row("expert", 100, where, 0.8) for where in (0, processes)),
        Row("casual", 100, processes, 0.8),
        Row("casual", 100, processes, 0),
    ]


def told(row: Row, found: list[Found]) -> str:
    """A line of the table: medians over the rounds."""
    where = "processes" if row.processes else "threads"
    pace = f"a pause of {row.pause} s" if row.pause else "no pause"
    who = f"{row.bots} × {row.level}, {pace}, {where}" if row.bots else "nobody thinks"
    middle, late, latest, choices, took = (
        median(column) for column in list(zip(*found, strict=True))[:5]
    )
    how = sum((each.how for each in found), Counter[str]())
    share = 100 * (how["casual"] + how["any"]) / max(how.total(), 1)
    last = f"{choices:,.0f} | {took:.0f} | {share:.0f}" if row.bots else " | | "
    return f"| {who} | {middle:.2f} | {late:.1f} | {latest:.1f} | {last} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="into docs/performance.md")
    options = parser.parse_args()
    views = views_of(120)
    warm = warm_up(["expert"])
    assert warm is not None
    warm.join()
    found: dict[Row, list[Found]] = {row: [] for row in rows()}
    for _ in range(options.rounds):
        for row, results in found.items():
            results.append(uvloop.run(measured(row, views, options.seconds)))
            print(told(row, results[-1:]), flush=True)
    lines = [
        "| who thinks | way there and back, ms: median | 99th percentile | longest "
        "| choices a second | ms until one is made | % not by search |",
        "|---|---|---|---|---|---|---|",
        *(told(row, results) for row, results in found.items()),
        "",
        f"A question: {sent(views)}; an answer is some 50 bytes. A choice takes "
        f"{thought('beginner', views):.0f} µs for `beginner`, {thought('casual', views):.0f} for "
        f"`casual`, {thought('strong', views) / 1000:.1f} ms for `strong`, "
        f"{thought('expert', views[:40]) / 1000:.0f} ms for `expert`. {memory()}.",
    ]
    table = "\n".join(lines)
    print(table)
    if options.write:
        put("docs/performance.md", table, *SOURCES)


if __name__ == "__main__":
    main()
