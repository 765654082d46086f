"""What fails around the server, and who misuses it: a pause or a refusal, and others play on."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import asyncpg
import pytest
from kit.companies import Company, Found, Shape, companies, judge
from kit.misusing import MISUSES, SOCKETS
from kit.people import Guest
from kit.postgres import Cluster
from kit.requests import post_json, request
from kit.sites import Process, run
from server.test_kills import got_on
from store.test_trouble import small_filesystem

from volte.store import Store
from volte.table.commands import Stand
from volte.wire.messages import Closing

SMALL = 8_000_000
"""Bytes of a small filesystem."""

GROWTH = 64 * 2**20
"""Bytes that a server may grow by while somebody misuses it."""

FROZEN = 5
"""Seconds for which a database does nothing: longer than /readyz waits for it."""

CROWDING = Path(__file__).with_name("crowding.py")

STRICT = {
    "VOLTE_MESSAGES_PER_SECOND": "100",
    "VOLTE_PATIENCE": "2",
    "VOLTE_SOCKETS_PER_ADDRESS": str(SOCKETS),
}
"""A server that is soon out of patience."""


# Clients

LONG = ("halves", "too much")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.full if name in LONG else ()) for name in MISUSES],
)
def test_misuse_is_met_and_others_play_on(name: str, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'p.sqlite'}"

    async def story(process: Process) -> Company:
        company = await Company.come(process.address, Shape("microsoft", {}, 2), "others")
        before = memory(process)

        async def misused() -> None:
            await asyncio.gather(*(misuse(process.address) for misuse in MISUSES[name]))

        async with asyncio.TaskGroup() as group:
            misusing = group.create_task(misused())
            group.create_task(company.play(lambda: not misusing.done()))
        assert memory(process) < before + GROWTH
        assert [person.returns for person in company.people] == [1, 1]
        await company.leave()
        return company

    with Process(database, tmp_path, **STRICT) as process:
        company = run(story(process))
        assert process.stop() == 0
    assert not any("Traceback" in line for line in process.output), process.output
    assert run(judge(database, [company])).matches >= 1


def memory(process: Process) -> int:
    """Bytes that the server holds."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


# The database


def test_postgresql_stops_and_starts_under_live_tables(
    cluster: Cluster, cluster_url: str, tmp_path: Path
) -> None:
    assert interrupted(cluster_url, tmp_path, cluster.stop, cluster.start).matches >= 3


def test_a_full_disk_under_live_tables(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    ballast = folder / "ballast"
    with small_filesystem(folder, SMALL):

        def fill() -> None:
            with ballast.open("wb", buffering=0) as file, suppress(OSError):
                while True:
                    file.write(bytes(4096))

        database = f"sqlite:///{folder / 'p.sqlite'}"
        assert interrupted(database, tmp_path, fill, ballast.unlink, gone=False).matches >= 3


@pytest.mark.full
def test_postgresql_has_no_connection_left_under_live_tables(
    cluster: Cluster, cluster_url: str, tmp_path: Path
) -> None:
    """Others have taken them all, those that the server had as well."""
    crowds: list[subprocess.Popen[str]] = []

    def crowd() -> None:
        program = [sys.executable, str(CROWDING), cluster.url()]
        crowds.append(
            subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )
        assert crowds[0].stdout is not None
        assert crowds[0].stdout.readline() == "full\n"

    def leave() -> None:
        crowds[0].communicate()

    assert interrupted(cluster_url, tmp_path, crowd, leave).matches >= 3


@pytest.mark.full
def test_a_database_that_is_slow_is_waited_for(
    cluster: Cluster, cluster_url: str, tmp_path: Path
) -> None:
    """For some seconds it does nothing: nobody is turned away, and what needs none goes on."""

    async def story(process: Process) -> list[Company]:
        tables = await companies(process.address, 3)

        async def slow_down() -> None:
            for _ in range(3):
                await got_on(tables, 100)
                with cluster.frozen():
                    begun = monotonic()
                    while monotonic() < begun + FROZEN:
                        for path in ("/healthz", "/rules", "/wire.json", "/static/table.js"):
                            assert (await request(process.address, "GET", path)).status == 200
                    assert (await request(process.address, "GET", "/readyz")).status == 503

        return await beside(tables, slow_down)

    with Process(cluster_url, tmp_path) as process:
        tables = run(story(process))
        assert process.stop() == 0
    notices = [notice for table in tables for person in table.people for notice in person.notices]
    assert notices == []
    assert run(judge(cluster_url, tables)).matches >= 1


@pytest.mark.full
def test_all_connections_of_the_server_wait_for_a_lock(
    cluster: Cluster, cluster_url: str, tmp_path: Path
) -> None:
    """Whoever comes then is told to try again; who plays is not, unless it lasts too long."""

    async def story(process: Process) -> list[Company]:
        tables = await companies(process.address, 3)
        late = await Guest.come(process.address)

        async def lock() -> None:
            await got_on(tables, 100)
            holding = await asyncpg.connect(cluster_url)
            async with holding.transaction():
                await holding.execute("LOCK TABLE entries, sessions IN ACCESS EXCLUSIVE MODE")
                headers = {"cookie": late.cookie}
                asked = [request(process.address, "GET", "/me", headers=headers) for _ in range(12)]
                waiting = [asyncio.ensure_future(each) for each in asked]
                assert (await request(process.address, "GET", "/rules")).status == 200
                first, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                assert {each.result().status for each in first} == {503}
            assert {(await each).status for each in waiting} == {200, 503}
            await holding.close()
            await got_on(tables, 100)

        return await beside(tables, lock)

    with Process(cluster_url, tmp_path) as process:
        tables = run(story(process))
        assert process.stop() == 0
    assert not any("Traceback" in line for line in process.output), process.output
    assert run(judge(cluster_url, tables)).matches >= 1


async def beside(
    tables: list[Company], act: Callable[[], Coroutine[Any, Any, None]]
) -> list[Company]:
    """The tables, which have played on while that was done, and lost no connection."""
    async with asyncio.TaskGroup() as group:
        acting = group.create_task(act())
        for table in tables:
            group.create_task(table.play(lambda: not acting.done()))
    for table in tables:
        assert {person.returns for person in table.people} == {1}
        await table.leave()
    return tables


# The clock

DAY = 86_400


@pytest.mark.full
def test_a_clock_that_jumps_changes_nothing_for_those_who_play(
    database: str, tmp_path: Path
) -> None:
    """Forwards and backwards: sessions, limits and the lobby are as they were."""
    shift = tmp_path / "shift"

    def jump(seconds: int) -> None:
        part = shift.with_suffix(".part")
        part.write_text(str(seconds))
        part.replace(shift)

    async def limited(process: Process) -> int:
        reply = await post_json(process.address, "/api/guest", {"name": "Max"})
        return reply.status

    async def story(process: Process) -> list[Company]:
        tables = await companies(process.address, 3)
        host = await Guest.come(process.address)
        table = await host.open_table()
        await host.join(table)
        while await limited(process) == 200:
            pass

        async def all_is_as_it_was() -> None:
            headers = {"cookie": host.cookie, "accept": "application/json"}
            me = await request(process.address, "GET", "/api/me", headers=headers)
            assert (me.status, me.json["person"]) == (200, host.person)
            listed = await request(process.address, "GET", "/api/tables", headers=headers)
            assert table in [each["table"] for each in listed.json["tables"]]
            assert await limited(process) == 429

        async def jump_about() -> None:
            for seconds in (DAY, -DAY, 30 * DAY, 0, -30 * DAY, 3600, -3600, 0):
                jump(seconds)
                await got_on(tables, 50)
                await all_is_as_it_was()

        played = await beside(tables, jump_about)
        await host.leave()
        return played

    jump(0)
    here = Path(__file__).parent
    path = os.pathsep.join([str(here / "clock"), str(here.parents[1] / "src")])
    environ = {"PYTHONPATH": path, "VOLTE_TEST_SHIFT": str(shift), "VOLTE_GUESTS_PER_HOUR": "50"}
    with Process(database, tmp_path, **environ) as process:
        tables = run(story(process))
        assert process.stop() == 0
    assert not any("Traceback" in line for line in process.output), process.output
    assert run(judge(database, tables)).matches >= 1
    assert run(jumps(database, tables[0].table)) >= 4


async def jumps(database: str, table: str) -> int:
    """How often the time at which a table was written went back, or half a day ahead."""
    async with await Store.open(database) as store:
        times = [entry.at for entry in await store.read(table)]
    return sum(not 0 <= after - before < DAY / 2 for before, after in pairwise(times))


def interrupted(
    database: str,
    folder: Path,
    stop: Callable[[], None],
    start: Callable[[], None],
    gone: bool = True,
) -> Found:
    """Tables play; nothing can be kept for a while; and they play on to the end.

    Args:
        gone: whether nothing can be read either.
    """

    async def story(process: Process) -> list[Company]:
        tables = await companies(process.address, 3)
        host, late = await Guest.come(process.address), await Guest.come(process.address)
        await host.join(await host.open_table(()))

        async def interrupt() -> None:
            await until(lambda: all(table.heard > 40 for table in tables))
            stop()
            await until(lambda: all(told(table, "not_saved") for table in tables))
            heard = [table.heard for table in tables]
            answer = await host.do(Stand(), asking="once")
            assert answer.refusal is not None
            assert answer.refusal.reason == "not_saved"
            await turned_away(process.address, tables[0], late, gone)
            assert [table.heard for table in tables] == heard
            start()
            await until(lambda: all(told(table, "saved") for table in tables))
            await until(
                lambda: all(table.heard > then for table, then in zip(tables, heard, strict=True))
            )
            while not (await host.do(Stand(), asking="once")).ok:
                await asyncio.sleep(0.05)
            await host.until(lambda: host.seat is None)

        async with asyncio.TaskGroup() as group:
            interrupting = group.create_task(interrupt())
            for table in tables:
                group.create_task(table.play(lambda: not interrupting.done()))
        for table in tables:
            assert {person.returns for person in table.people} == {1}
            await table.leave()
        await host.leave()
        await late.leave()
        return tables

    with Process(database, folder) as process:
        tables = run(story(process))
        assert process.stop() == 0
    assert not any("Traceback" in line for line in process.output), process.output
    return run(judge(database, tables))


async def turned_away(address: str, table: Company, late: Guest, gone: bool) -> None:
    """Whoever comes now hears in a sentence that it must wait."""
    reply = await post_json(address, "/api/guest", {"name": "Max"})
    assert (reply.status, reply.json["reason"]) == (503, "unavailable")
    if gone:
        assert (await request(address, "GET", "/readyz")).status == 503
        assert (await request(address, "GET", "/healthz")).status == 200
        await late.call(table.table)
        assert await late.until_closed() == Closing.MOVED_AWAY
        assert late.notices[-1].reason == "unavailable"


def told(table: Company, reason: str) -> bool:
    """Whether all at the table have heard that last."""
    return all(person.notices and person.notices[-1].reason == reason for person in table.people)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.002)
