"""Failures around the server, and misuse of it: a pause or a refusal, and others play on."""

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
from kit import Guest, crowding, post_json, request
from kit.companies import Company, Shape, companies, got_on, while_playing
from kit.filling import small_filesystem
from kit.judges import Found, judge
from kit.misusing import MISUSES, SOCKETS
from kit.postgres import Cluster
from kit.sites import Process, environment, until
from kit.talking import reason

from volte.store.store import Store
from volte.table.commands import Stand
from volte.wire.messages import Closing

SMALL = 8_000_000  # bytes of a small filesystem
STORING = ("not_saved", "saved")
"""Reasons of notices about storing."""
GROWTH = 64 * 2**20  # bytes that a server may grow by while somebody misuses it
FROZEN = 4  # seconds for which a database does nothing: longer than /readyz waits for it, and
# less than `GIVING_UP`

CLOCK = Path(crowding.__file__).with_name("clock")
"""A folder whose `sitecustomize` makes the time of day jump."""

STRICT = {
    "VOLTE_MESSAGES_PER_SECOND": "100",
    "VOLTE_PATIENCE": "2",
    "VOLTE_SOCKETS_PER_ADDRESS": str(SOCKETS),
}
"""A server that is soon out of patience."""

Act = Callable[[Process, list[Company]], Coroutine[Any, Any, None]]


async def played_beside(process: Process, act: Act, *, tables: int = 3) -> Found:
    """Do an act while people play at some tables; check that none loses a connection, and judge the
    stored logs in the end."""
    with process:
        played = await companies(process.address, tables)
        await while_playing(played, act(process, played))
        assert await asyncio.to_thread(process.stop) == 0
    assert process.faults == []
    assert {person.returns for table in played for person in table.people} == {1}
    return await judge(process.database, played)


# Clients

LONG = ("lies", "halves", "too much", "a thousand sockets")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.full if name in LONG else ()) for name in MISUSES]
)
async def test_misuse_is_met_and_others_play_on(name: str, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'p.sqlite'}"
    with Process(database, tmp_path, **STRICT) as process:
        company = await Company.come(process.address, Shape("microsoft", {}, 2), "others")
        before = memory(process)

        async def misused() -> None:
            await asyncio.gather(*(misuse(process.address) for misuse in MISUSES[name]))

        await while_playing([company], misused())
        assert memory(process) < before + GROWTH
        assert [person.returns for person in company.people] == [1, 1]
        assert await asyncio.to_thread(process.stop) == 0
    assert process.faults == []
    assert (await judge(database, [company])).matches >= 1


def memory(process: Process) -> int:
    """Bytes that the server holds."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


# The database


@pytest.mark.full
async def test_postgresql_stops_and_starts_under_live_tables(
    cluster: Cluster, cluster_url: str, tmp_path: Path
) -> None:
    await interrupted(cluster_url, tmp_path, cluster.stop, cluster.start)


async def test_a_full_disk_under_live_tables(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    ballast = folder / "ballast"

    def fill() -> None:
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))

    with small_filesystem(folder, SMALL):
        database = f"sqlite:///{folder / 'p.sqlite'}"
        await interrupted(database, tmp_path, fill, ballast.unlink, gone=False)


@pytest.mark.full
async def test_postgresql_has_no_connection_left_under_live_tables(
    cluster: Cluster, cluster_url: str, tmp_path: Path
) -> None:
    """Other programs have taken them all, even the server's own."""
    crowds: list[subprocess.Popen[str]] = []

    def crowd() -> None:
        program = [sys.executable, crowding.__file__, cluster.url()]
        crowds.append(
            subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )
        assert crowds[0].stdout is not None
        assert crowds[0].stdout.readline() == "full\n"

    def leave() -> None:
        crowds[0].communicate()

    await interrupted(cluster_url, tmp_path, crowd, leave)


@pytest.mark.full
async def test_a_database_that_is_slow_is_waited_for(
    cluster: Cluster, cluster_url: str, tmp_path: Path
) -> None:
    """For some seconds it does nothing: nobody is turned away, and what needs none goes on."""
    seen: list[Company] = []

    async def slow_down(process: Process, tables: list[Company]) -> None:
        for _ in range(3):
            await got_on(tables, 100)
            with cluster.frozen():
                begun = monotonic()
                while monotonic() < begun + FROZEN:
                    for path in (
                        "/healthz",
                        "/rules",
                        "/wire.json",
                        "/static/server/live/static/table.js",
                    ):
                        assert (await request(process.address, "GET", path)).status == 200
                assert (await request(process.address, "GET", "/readyz")).status == 503
        seen.extend(tables)

    found = await played_beside(Process(cluster_url, tmp_path), slow_down)
    assert [each for table in seen for person in table.people for each in person.notices] == []
    assert found.matches >= 1


@pytest.mark.full
async def test_all_connections_of_the_server_wait_for_a_lock(
    cluster: Cluster, cluster_url: str, tmp_path: Path
) -> None:
    """New visitors are told to try again; players are not, unless it lasts too long."""

    async def lock(process: Process, tables: list[Company]) -> None:
        late = await Guest.come(process.address)
        await got_on(tables, 100)
        holding = await asyncpg.connect(cluster_url)
        async with holding.transaction():
            await holding.execute("LOCK TABLE entries, sessions IN ACCESS EXCLUSIVE MODE")
            waiting = [asyncio.ensure_future(late.get("/me")) for _ in range(12)]
            assert (await request(process.address, "GET", "/rules")).status == 200
            first, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            assert {each.result().status for each in first} == {503}
        assert {(await each).status for each in waiting} == {200, 503}
        await holding.close()
        await got_on(tables, 100)

    assert (await played_beside(Process(cluster_url, tmp_path), lock)).matches >= 1


# The clock

DAY = 86_400


@pytest.mark.full
async def test_a_clock_that_jumps_changes_nothing_for_those_who_play(
    database: str, tmp_path: Path
) -> None:
    """Forwards and backwards: sessions, limits and the lobby are as they were."""
    shift = tmp_path / "shift"
    went: list[str] = []

    def jump(seconds: int) -> None:
        part = shift.with_suffix(".part")
        part.write_text(str(seconds))
        part.replace(shift)

    async def limited(process: Process) -> int:
        return (await post_json(process.address, "/api/guest", {"name": "Max"})).status

    async def jump_about(process: Process, tables: list[Company]) -> None:
        went.append(tables[0].table)
        host = await Guest.at_table(process.address)
        while await limited(process) == 200:
            pass
        for seconds in (DAY, -DAY, 30 * DAY, 0, -30 * DAY, 3600, -3600, 0):
            jump(seconds)
            await got_on(tables, 50)
            me = await host.get("/api/me")
            assert (me.status, me.json["person"]) == (200, host.person)
            listed = await host.get("/api/tables")
            assert host.table in [each["table"] for each in listed.json["tables"]]
            assert await limited(process) == 429
        await host.leave()

    jump(0)
    path = os.pathsep.join([str(CLOCK), environment(tmp_path)["PYTHONPATH"]])
    environ = {"PYTHONPATH": path, "VOLTE_TEST_SHIFT": str(shift), "VOLTE_GUESTS_PER_HOUR": "50"}
    found = await played_beside(Process(database, tmp_path, **environ), jump_about)
    assert found.matches >= 1
    async with await Store.open(database) as store:
        times = [entry.at for entry in await store.read(went[0])]
    jumps = sum(not 0 <= after - before < DAY / 2 for before, after in pairwise(times))
    assert jumps >= 4  # the time of an entry went back, or half a day ahead


async def interrupted(
    database: str,
    folder: Path,
    stop: Callable[[], None],
    start: Callable[[], None],
    gone: bool = True,
) -> None:
    """Tables play; nothing can be kept for a while; and they play on to the end.

    Args:
        gone: whether nothing can be read either.
    """

    async def interrupt(process: Process, tables: list[Company]) -> None:
        host, late = (
            await Guest.at_table(process.address, levels=()),
            await Guest.come(process.address),
        )
        await until(lambda: all(table.heard > 40 for table in tables))
        stop()
        await until(lambda: all(heard_last(table, "not_saved") for table in tables))
        heard = [table.heard for table in tables]
        assert reason(await host.do(Stand(), asking="once")) == "not_saved"
        await turned_away(process.address, tables[0], late, gone)
        assert [table.heard for table in tables] == heard
        start()
        await until(lambda: all(heard_last(table, "saved") for table in tables))
        await until(
            lambda: all(table.heard > then for table, then in zip(tables, heard, strict=True))
        )
        while not (await host.do(Stand(), asking="once")).ok:
            await asyncio.sleep(0.05)
        await host.until(lambda: host.seat is None)
        for guest in (host, late):
            await guest.leave()

    assert (await played_beside(Process(database, folder), interrupt)).matches >= 3


async def turned_away(address: str, table: Company, late: Guest, gone: bool) -> None:
    """Check that new visitors get a sentence that asks them to wait."""
    reply = await post_json(address, "/api/guest", {"name": "Max"})
    assert (reply.status, reply.json["reason"]) == (503, "unavailable")
    if gone:
        assert (await request(address, "GET", "/readyz")).status == 503
        assert (await request(address, "GET", "/healthz")).status == 200
        await late.call(table.table)
        assert await late.until_closed() == Closing.MOVED_AWAY
        assert late.notices[-1].reason == "unavailable"


def heard_last(table: Company, reason: str) -> bool:
    """Whether that is what everybody at the table was told last of storing; others may come and go
    meanwhile, which is told as well.
    """
    told = [[each.reason for each in person.notices] for person in table.people]
    return all([each for each in reasons if each in STORING][-1:] == [reason] for reasons in told)
