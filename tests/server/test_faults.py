"""What fails around the server, and who misuses it: a pause or a refusal, and others play on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from postgres import Cluster
from server.guests import Guest
from server.harness import Process, run
from server.judging import Found, judge
from server.load import Company, Shape, companies
from server.misusing import MISUSES, SOCKETS
from server.web import post_json, request
from store.test_trouble import small_filesystem

from volte.table.commands import Stand
from volte.wire.messages import Closing

SMALL = 8_000_000
"""Bytes of a small filesystem."""

GROWTH = 64 * 2**20
"""Bytes that a server may grow by while somebody misuses it."""

STRICT = {
    "VOLTE_MESSAGES_PER_SECOND": "100",
    "VOLTE_PATIENCE": "2",
    "VOLTE_SOCKETS_PER_ADDRESS": str(SOCKETS),
}
"""A server that is soon out of patience."""


# Clients


@pytest.mark.parametrize("name", MISUSES)
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
        assert (await request(address, "GET", "/healthz")).status == 503
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
