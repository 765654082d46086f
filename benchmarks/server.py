"""Costs of the playroom: latency, happenings a second, memory. Fills docs/costs.md.

    python benchmarks/server.py [--seconds N] [--rounds N] [--only TEXT] [--write]

The server is a program of its own, or two nodes, on SQLite or on a temporary PostgreSQL; its
clients (`crowd.py`) run in this program, on the same processors, and each row gives the processor
shares of all. Of two nodes each has half of the tables, and people call the node that has theirs.
Each row is its best round: other programs make it slower, and never faster. `--only` measures the
rows whose name contains the text; `--write` puts the results into docs/costs.md.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time, time
from typing import Final, NamedTuple, TypeVar

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests")  # in place of this folder, whose server.py would hide theirs
sys.path.insert(1, str(ROOT))

import uvloop  # noqa: E402
from kit.postgres import Cluster  # noqa: E402
from kit.requests import request  # noqa: E402

from benchmarks.crowd import (  # noqa: E402
    PATIENCE,
    Company,
    Line,
    arrive,
    gathered,
    hello,
    open_table,
)
from benchmarks.machine import flushes  # noqa: E402
from benchmarks.playrooms import Playroom, Running, database_of, running  # noqa: E402
from benchmarks.written import put  # noqa: E402
from volte.lab.bench.live import SETUP, counted  # noqa: E402
from volte.server.run.serving import allow_many_files  # noqa: E402
from volte.store.store import Store  # noqa: E402

SOURCES: Final = (
    "benchmarks/crowd.py",
    "src/volte/server",
    "src/volte/store",
    "src/volte/table",
    "src/volte/wire",
)

SETTLING: Final = 2.0
"""Seconds after the first plays, before anything is measured."""

TABLES: Final = 50
"""Tables that play as fast as they can."""

WATCHING: Final = 20
"""People who watch each table, in the count of idle connections."""

AT_ONCE: Final = 16
"""People, or tables of them, who come at the same time."""

DEAL: Final = 52
"""Plays of a deal."""

Result = TypeVar("Result")


SQLITE: Final = Playroom("SQLite", False)
NO_DISK: Final = Playroom("SQLite, no disk", False, folder="/dev/shm")
POSTGRES: Final = Playroom("PostgreSQL", True)
TWO: Final = Playroom("PostgreSQL, two nodes", True, 2)


# Measurements: each returns the cells of a row


async def latency(running: Running, seconds: float, tables: int, told: bool) -> str:
    """Measure the way of a play from its message to another seat."""
    found = await playing(running, seconds, tables, told, every=1.0)
    cuts = quantiles(found.latencies, n=100, method="inclusive")
    middle, late = cuts[49] * 1000, cuts[98] * 1000
    return f"{middle:.1f} | {late:.1f} | {found.plays:,.0f} | {found.told_shares}"


async def throughput(running: Running, seconds: float, told: bool) -> str:
    """Measure happenings a second at many tables, over sockets."""
    found = await playing(running, seconds, TABLES, told, every=0.0)
    return f"{found.happened:,.0f} | {found.plays:,.0f} | {found.told_shares}"


class Found(NamedTuple):
    """Measurements of a playroom while people play."""

    latencies: Sequence[float]  # in seconds
    plays: float  # a second
    happened: float  # happenings a second
    shares: tuple[float, ...]  # of a processor, in percent: server, database, clients

    @property
    def told_shares(self) -> str:
        """The cells of the shares."""
        return " | ".join(f"{share:.0f}" for share in self.shares)


async def playing(running: Running, seconds: float, tables: int, told: bool, every: float) -> Found:
    """Let so many tables play for so long; their first deals are spread over the time of one."""
    companies = await at_tables(running, tables, told)
    for company in companies:
        company.go(every)
        await asyncio.sleep(every * min(DEAL / tables, 0.2))
    while not all(company.latencies for company in companies):
        await asyncio.sleep(0.1)
    await asyncio.sleep(SETTLING)
    for company in companies:
        company.forget()
    before = (running.server, running.database, process_time())
    begun = perf_counter()
    await asyncio.sleep(seconds)
    lasted = perf_counter() - begun
    after = (running.server, running.database, process_time())
    shares = (100 * (end - start) / lasted for start, end in zip(before, after, strict=True))
    found = Found(
        [each for company in companies for each in company.latencies],
        sum(company.plays for company in companies) / lasted,
        sum(company.happened for company in companies) / lasted,
        tuple(shares),
    )
    refused = [reason for company in companies for reason in company.refused]
    assert not refused, refused
    for company in companies:
        company.stop()
    return found


async def at_tables(running: Running, tables: int, told: bool) -> list[Company]:
    """Seat four people at each of so many tables."""
    return await gathered(
        (Company.come(running.address(table), SETUP, f"{table}", told) for table in range(tables)),
        AT_ONCE,
    )


async def idle(running: Running, seconds: float, many: int) -> str:
    """Measure KiB of a connection that only listens, and how many can come in a second."""
    places = range(max(many // WATCHING, 1))
    host = await arrive(running.address(0), "Host")
    tables = [await open_table(running.address(place), host, SETUP) for place in places]
    coming = (arrive(running.address(place % len(tables)), f"{place}") for place in range(many))
    cookies = await gathered(coming, AT_ONCE)
    warm = [
        await listening(running.address(place), tables[place], cookies[0])
        for place in (each % len(tables) for each in range(AT_ONCE))
    ]
    await asyncio.sleep(SETTLING)
    nothing, used, begun = running.resident, running.server, perf_counter()
    coming_in = (
        listening(running.address(place), tables[place], cookies[each])
        for each, place in enumerate(each % len(tables) for each in range(many))
    )
    lines = await gathered(coming_in, AT_ONCE)
    took, used = perf_counter() - begun, running.server - used
    await asyncio.sleep(seconds)
    resting, begun = running.server, perf_counter()
    await asyncio.sleep(seconds)
    resting = (running.server - resting) / (perf_counter() - begun)
    grown = running.resident - nothing
    lost = [line for line in lines if line.lost.is_set()]
    assert not lost, len(lost)
    for line in (*lines, *warm):
        line.close()
    cells = (f"{grown / many / 1024:.1f}", f"{many / took:.0f}", f"{1000 * used / many:.1f}")
    return f"{' | '.join(cells)} | {100 * resting:.1f}"


async def listening(address: str, table: str, cookie: str) -> Line:
    """Open a page; returns once its first scene is there."""
    seen = asyncio.Event()

    def hear(data: bytes) -> None:
        if data.startswith(b'{"say":"scene"'):
            seen.set()

    line = await Line.dial(address, table, cookie, hear)
    line.say(hello(told=True))
    await seen.wait()
    return line


async def memory(running: Running, seconds: float, many: int) -> str:
    """Measure KiB of a table in the middle of a deal, with its four people."""
    warm = await at_tables(running, len(running.addresses), told=True)
    nothing = running.resident
    companies = await at_tables(running, many, told=True)
    for company in companies:
        company.go(every=1.0)
        await asyncio.sleep(0.01)
    await asyncio.sleep(seconds)
    while not all(company.latencies for company in companies):
        await asyncio.sleep(0.1)
    grown = running.resident - nothing
    for company in (*warm, *companies):
        company.stop()
    return f"{nothing / 2**20:.0f} | {grown / many / 1024:.0f}"


async def led(running: Running, seconds: float, many: int) -> str:
    """Measure a node's milliseconds to lead somebody to the other one: for a page, for a call."""
    asked, owner = running.addresses
    cookie = await arrive(owner, "Host")
    table = await open_table(owner, cookie, SETUP)
    used, costs = running.server, list[float]()
    for asking in (
        (page_led(asked, table, cookie) for _ in range(many)),
        (call_led(asked, table, cookie) for _ in range(many)),
    ):
        await gathered(asking, AT_ONCE)
        before, used = used, running.server
        costs.append(1000 * (used - before) / many)
    return " | ".join(f"{cost:.2f}" for cost in costs)


async def page_led(address: str, table: str, cookie: str) -> None:
    reply = await request(address, "GET", f"/tables/{table}", headers={"cookie": cookie})
    assert reply.status == 307, reply


async def call_led(address: str, table: str, cookie: str) -> None:
    """Call a node and wait until it says that the table is elsewhere; `Line` would go there."""
    host = address.partition("://")[2]
    reader, writer = await asyncio.open_connection(*host.split(":"))
    lines = (
        f"GET /live/{table} HTTP/1.1",
        f"Host: {host}\r\nCookie: {cookie}",
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    )
    writer.write("\r\n".join(lines).encode())
    async with asyncio.timeout(PATIENCE):
        await reader.readuntil(b'"elsewhere"')
    writer.close()


async def without_sockets(database: str, seconds: float) -> str:
    """Measure happenings a second of tables and store in one process, with all their watchers."""
    found = await counted(database, TABLES, seconds)
    return f"{found.happenings / found.seconds:,.0f} | | | |"


async def store_alone(database: str, seconds: float) -> str:
    """Measure entries a second: one at a time on as many streams."""
    entry = b'{"event":"Played","seat":1,"card":"QS"}'

    async def fill(stream: str) -> int:
        end, version = perf_counter() + seconds, 0
        while perf_counter() < end:
            await store.append(stream, version, [entry], cause="somebody:message")
            version += 1
        return version

    async with await Store.open(database) as store:
        kept = sum(await asyncio.gather(*(fill(f"{stream}") for stream in range(TABLES))))
    return f"{kept / seconds:,.0f} | | | |"


# Tables

AtServer = Callable[[Running, float], Coroutine[None, None, str]]
AtDatabase = Callable[[str, float], Coroutine[None, None, str]]


class Row(NamedTuple):
    """A row of a table; one of the two functions measures it."""

    name: str
    playrooms: tuple[Playroom, ...]
    measure: AtServer | None = None
    inside: AtDatabase | None = None


class Part(NamedTuple):
    """A table of the page."""

    head: str
    rows: tuple[Row, ...]
    best: Callable[..., str]  # picks the best of several rounds


ALL: Final = (SQLITE, POSTGRES, TWO)
ONE: Final = (SQLITE, POSTGRES)
APART: Final = (SQLITE, NO_DISK, TWO)
CLIENTS: Final = {"terminals": False, "pages": True}
SHARES: Final = "server | database | clients |"

PARTS: Final = (
    Part(
        f"| a play a second at each table | kept in | median ms | 99th in 100 | plays a second "
        f"| {SHARES}\n|---|---|---|---|---|---|---|---|",
        tuple(
            Row(f"{tables:,} tables, {client}", where, partial(latency, tables=tables, told=told))
            for tables, where in ((10, ONE), (100, (NO_DISK, *ALL)), (300, APART), (1000, APART))
            for client, told in CLIENTS.items()
        ),
        min,
    ),
    Part(
        f"| as fast as it goes | kept in | happenings a second | plays a second | {SHARES}\n"
        "|---|---|---|---|---|---|---|",
        (
            Row("store alone", ONE, inside=store_alone),
            Row("table and store", ONE, inside=without_sockets),
            *(
                Row(f"{TABLES} tables, {client}", ALL, partial(throughput, told=told))
                for client, told in CLIENTS.items()
            ),
        ),
        max,
    ),
    Part(
        "| pages that only listen | kept in | KiB each | came in a second | ms of the server for "
        "one to come | server, all of them there, % |\n|---|---|---|---|---|---|",
        tuple(
            Row(f"{many:,} connections", where, partial(idle, many=many))
            for many, where in ((100, ONE), (1000, ONE), (10_000, (SQLITE, TWO)))
        ),
        min,
    ),
    Part(
        "| somebody asks for a table of the other node | kept in | ms of a node for the page "
        "| for a call |\n|---|---|---|---|",
        (Row("1,000 times", (TWO,), partial(led, many=1000)),),
        min,
    ),
    Part(
        "| four pages at each table, in a deal | kept in | server alone MiB | each table KiB |\n"
        "|---|---|---|---|",
        tuple(
            Row(f"{many:,} tables", (SQLITE, TWO), partial(memory, many=many))
            for many in (100, 1000)
        ),
        min,
    ),
)


def measured(row: Row, playroom: Playroom, cluster: Cluster, seconds: float) -> str:
    """The cells of a row, with an empty database."""
    with database_of(playroom, cluster) as url:
        if row.inside is not None:
            return run(row.inside(url, seconds))
        assert row.measure is not None
        with running(playroom, cluster, url) as server:
            return run(row.measure(server, seconds))


def run(measuring: Coroutine[None, None, Result]) -> Result:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(measuring)


def first_number(cells: str) -> float:
    """First number of a row, by which rounds are compared."""
    return float(cells.partition(" |")[0].replace(",", ""))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=15.0, help="of each row")
    parser.add_argument("--rounds", type=int, default=1, help="of which the best is told")
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument(
        "--in", dest="kept_in", default="", help="where they are kept contains this"
    )
    parser.add_argument("--write", action="store_true", help="puts it into docs/costs.md")
    options = parser.parse_args()
    begun, lines = time(), []
    allow_many_files()
    gc.disable()  # the clients' states are trees; pauses of theirs would count as the server's
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no server is left behind
    cluster = Cluster()
    try:
        for part in PARTS:
            lines += ["", *part.head.split("\n")]
            for row in part.rows:
                if options.only not in row.name:
                    continue
                for playroom in row.playrooms:
                    if options.kept_in not in playroom.name:
                        continue
                    rounds = range(options.rounds)
                    found = [measured(row, playroom, cluster, options.seconds) for _ in rounds]
                    cells = part.best(found, key=first_number)
                    lines.append(f"| {row.name} | {playroom.name} | {cells} |")
                    print(lines[-1], flush=True)
    finally:
        cluster.remove()
    lines += ["", f"The disk alone, right after: {flushes(20.0)}."]
    print(lines[-1])
    load = os.getloadavg()[2]
    print(f"{time() - begun:.0f} s, load {load:.1f}")
    if options.write:
        put("docs/costs.md", "\n".join(lines[1:]), *SOURCES)


if __name__ == "__main__":
    main()
