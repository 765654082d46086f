"""Alive, ready, and what is counted: for whoever watches over a server."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from kit.companies import Company, companies, judge
from kit.people import Player
from kit.postgres import Cluster, run_sql
from kit.requests import request
from kit.sites import Process, run, serving
from server.test_kills import got_on

from volte.server.run.health import DATABASE_ANSWERS, Pulse
from volte.table.commands import Start
from volte.wire.messages import Closing


async def status(address: str, path: str = "/readyz") -> int:
    return (await request(address, "GET", path)).status


async def test_a_server_is_alive_and_ready(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        for path in ("/healthz", "/readyz"):
            reply = await request(site.address, "GET", path)
            assert (reply.status, reply.body) == (200, b"ok\n")
            assert not reply.cookie


async def test_a_server_that_is_about_to_stop_is_sent_nobody(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        site.room.stopping = True
        reply = await request(site.address, "GET", "/readyz")
        assert (reply.status, reply.body) == (503, b"the server stops\n")
        assert await status(site.address, "/healthz") == 200


@pytest.mark.full
async def test_a_database_that_does_not_answer(cluster: Cluster, cluster_url: str) -> None:
    """It is told soon, by as many as ask, and with one question to the database."""

    async with serving(Path(), cluster_url) as site:
        assert await status(site.address) == 200
        with cluster.frozen():
            async with asyncio.timeout(DATABASE_ANSWERS + 10):
                while await status(site.address) == 200:  # for as long as its answer is good
                    pass
                asked = await asyncio.gather(*(status(site.address) for _ in range(50)))
            assert set(asked) == {503}
            assert await status(site.address, "/healthz") == 200
        async with asyncio.timeout(60):
            while await status(site.address) == 503:
                await asyncio.sleep(0.05)


async def test_a_disk_that_takes_nothing_more(tmp_path: Path) -> None:
    """Pages are read as ever, but nobody new is to be sent here until there is room again."""

    async with serving(tmp_path) as site:
        await told(site.address, b"ok\n")
        with no_file_longer_than(tmp_path / "playroom.sqlite-wal"):
            await told(site.address, b"nothing can be written to the database\n")
            assert await status(site.address, "/healthz") == 200
            assert await status(site.address, "/") == 200
        await told(site.address, b"ok\n")


@contextmanager
def no_file_longer_than(path: Path) -> Iterator[None]:
    """The system refuses this program to write further in any file: `SIGXFSZ` is ignored."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.full
async def test_a_database_that_may_only_be_read(cluster: Cluster, cluster_url: str) -> None:
    setting = "ALTER SYSTEM SET default_transaction_read_only = {}"

    async def set_read_only(value: str) -> None:
        statements = ("SET default_transaction_read_only = off", setting.format(value))
        await asyncio.to_thread(run_sql, cluster_url, *statements, "SELECT pg_reload_conf()")

    async with serving(Path(), cluster_url) as site:
        assert await status(site.address) == 200
        await set_read_only("on")
        await told(site.address, b"nothing can be written to the database\n")
        assert await status(site.address, "/") == 200
        await set_read_only("off")
        await told(site.address, b"ok\n")


async def told(address: str, answer: bytes) -> None:
    """Waits until `/readyz` says that."""
    async with asyncio.timeout(60):
        while (await request(address, "GET", "/readyz")).body != answer:
            await asyncio.sleep(0.05)


async def test_a_loop_that_is_stuck_is_told(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        site.room[Pulse].late = 60.0
        reply = await request(site.address, "GET", "/readyz")
        assert (reply.status, reply.body) == (503, b"the server is too busy\n")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_nobody_is_asked_who_they_are(tmp_path: Path, path: str) -> None:
    async with serving(tmp_path, requests_per_minute=1) as site:
        assert [await status(site.address, path) for _ in range(5)] == [200] * 5


@pytest.mark.full
def test_whoever_watches_is_told_before_the_tables_are(tmp_path: Path) -> None:
    """So that nobody new is sent to a server that stops."""

    async def story(process: Process) -> None:
        player = await Player.come(process.address)
        await player.join(await player.open_table())
        os.kill(process.pid, signal.SIGTERM)
        async with asyncio.timeout(60):
            while await status(process.address) == 200:
                pass
        assert await status(process.address, "/healthz") == 200
        assert (await player.do(Start())).ok  # until then, all goes on
        assert await player.until_closed() == Closing.STOPPING

    with Process(f"sqlite:///{tmp_path / 'p.sqlite'}", tmp_path, VOLTE_DRAIN="2") as process:
        run(story(process))
        assert process.stop() == 0


@pytest.mark.full
def test_a_server_stops_under_load_and_nothing_is_lost(tmp_path: Path) -> None:
    """Each time it ends by itself, in good order; what it has acknowledged is there afterwards."""
    database = f"sqlite:///{tmp_path / 'p.sqlite'}"

    async def story(process: Process) -> list[Company]:
        tables = await companies(process.address, 3)

        async def stop() -> None:
            for _ in range(2):
                await got_on(tables, 100)
                assert await asyncio.to_thread(process.stop) == 0
                await asyncio.to_thread(process.restart)

        async with asyncio.TaskGroup() as group:
            stopping = group.create_task(stop())
            for table in tables:
                group.create_task(table.play(lambda: not stopping.done()))
        for table in tables:
            await table.leave()
        return tables

    with Process(database, tmp_path) as process:
        tables = run(story(process))
        assert process.stop() == 0
    assert not any("Traceback" in line for line in process.output), process.output
    assert run(judge(database, tables)).acknowledged > 0
