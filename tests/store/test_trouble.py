"""Faults of the world, not of the program, are `Unavailable`, and pass by themselves."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from kit import filling
from kit.filling import fill, small_filesystem
from kit.postgres import Cluster, cut_connections, on_cluster, on_postgresql, run_sql
from kit.sites import until

from volte.store import Person, Unavailable, backing
from volte.store.store import Store

SMALL = 1_000_000
"""Bytes of a small filesystem."""


async def unavailable(store: Store) -> None:
    """Check that the store can neither read nor write."""
    with pytest.raises(Unavailable):
        await store.append("t", 1, [b"lost"])
    with pytest.raises(Unavailable):
        await store.read("t")
    with pytest.raises(Unavailable):
        await store.put_person(Person("ann", "Ann", "fr", {}, 0.0))
    with pytest.raises(Unavailable):
        await store.session(b"token")


@pytest.mark.parametrize("how", [signal.SIGQUIT, signal.SIGINT], ids=["crash", "orderly"])
@on_cluster
async def test_a_server_that_is_stopped_and_started(
    store: Store, cluster: Cluster, how: signal.Signals
) -> None:
    await asyncio.gather(*(store.append(f"many{n}", 0, [b"x"]) for n in range(20)))
    await asyncio.gather(*(store.read(f"many{n}") for n in range(20)))
    await store.append("t", 0, [b"one"])
    cluster.stop(how)
    await unavailable(store)
    await unavailable(store)
    cluster.start()
    await store.append("t", 1, [b"two"])
    assert [entry.data for entry in await store.read("t")] == [b"one", b"two"]
    await asyncio.gather(*(store.append(f"many{n}", 1, [b"x"]) for n in range(20)))


@on_cluster
async def test_a_server_that_was_away_while_nobody_asked(store: Store, cluster: Cluster) -> None:
    await store.append("t", 0, [b"one"])
    await asyncio.gather(*(store.read("t") for _ in range(8)))
    cluster.stop()
    cluster.start()
    assert len(await store.read("t")) == 1
    await store.append("t", 1, [b"two"])


@on_cluster
async def test_a_server_that_stops_in_the_middle(store: Store, cluster: Cluster) -> None:
    """Every waiter gets an answer, and everything reported as written is there."""
    filling = [asyncio.create_task(fill(store, f"t{n}")) for n in range(30)]
    while not await store.read("t7", after=5):
        pass
    await asyncio.to_thread(cluster.stop)
    reached = await asyncio.gather(*filling)
    cluster.start()
    for number, version in enumerate(reached):
        kept = len(await store.read(f"t{number}"))
        assert kept in (version, version + 1)  # the last may have been kept unsaid
        await store.append(f"t{number}", kept, [b"y"])


@on_postgresql
async def test_connections_that_are_cut(store: Store, database: str) -> None:
    await store.append("t", 0, [b"one"])
    await asyncio.gather(*(store.read("t") for _ in range(8)))
    before = [*store._database.open]
    await asyncio.to_thread(cut_connections, database)
    # Between the server's last word and the end of a connection, its users get that error
    await until(lambda: all(each.is_closed() for each in before))
    assert len(await store.read("t")) == 1
    await store.append("t", 1, [b"two"])


async def test_a_pool_that_is_used_up(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(backing._COMMON, "pool_timeout", 0.1)

    async with await Store.open(database) as store:
        await store.append("t", 0, [b"one"])
        readers = store._database.readers
        held = [await readers.connect() for _ in range(4)]
        with pytest.raises(Unavailable):
            await store.read("t")
        await store.append("t", 1, [b"two"])
        for connection in held:
            await connection.close()
        assert len(await store.read("t")) == 2


async def test_a_file_that_another_program_holds(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backing, "BUSY", 0.1)

    async with await Store.open(sqlite_url) as store:
        await store.append("t", 0, [b"one"])
        other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable):
            await store.append("t", 1, [b"two"])
        assert len(await store.read("t")) == 1
        other.execute("ROLLBACK")
        other.close()
        await store.append("t", 1, [b"two"])
        assert len(await store.read("t")) == 2


def test_a_full_disk(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    with small_filesystem(folder, SMALL):
        asyncio.run(fills_and_goes_on(f"sqlite:///{folder / 'volte.db'}", folder))


def test_a_full_disk_of_postgresql(cluster: Cluster) -> None:
    """The folder of one database is full; what else the server writes is elsewhere."""
    folder = cluster.folder / "small"
    with small_filesystem(folder, 16 * SMALL):
        shutil.chown(folder, cluster.folder.owner(), cluster.folder.group())
        tablespace = f"CREATE TABLESPACE small LOCATION '{folder}'"
        run_sql(cluster.url(), tablespace, "CREATE DATABASE small TABLESPACE small")
        asyncio.run(fills_and_goes_on(cluster.url("small"), folder))
        run_sql(cluster.url(), "DROP DATABASE small", "DROP TABLESPACE small")


async def fills_and_goes_on(url: str, folder: Path) -> None:
    async with await Store.open(url) as store:
        ballast = folder / "ballast"
        ballast.write_bytes(bytes(shutil.disk_usage(folder).free - SMALL // 4))
        version = await fill(store, "t")
        assert version > 0
        assert len(await store.read("t")) == version
        with pytest.raises(Unavailable):
            await store.append("t", version, [b"x" * 1000] * 1000)
        assert len(await store.read("t")) == version
        ballast.unlink()
        await store.append("t", version, [b"x" * 1000])
        assert len(await store.read("t")) == version + 1


def test_files_that_may_not_grow(sqlite_url: str) -> None:
    command = [sys.executable, "-P", filling.__file__, sqlite_url, str(2 * SMALL)]
    filled = subprocess.run(command, capture_output=True, text=True)
    assert filled.returncode == 0, filled.stderr


async def test_a_server_that_does_not_answer(
    cluster: Cluster, cluster_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is frozen at any moment, and goes on later."""
    monkeypatch.setattr(backing, "ANSWERING", 0.5)
    monkeypatch.setattr(backing, "CONNECTING", 0.5)

    async with await Store.open(cluster_url) as store:
        await store.append("t", 0, [b"one"])
        await store.read("t")
        filling = [asyncio.create_task(fill(store, f"t{n}")) for n in range(30)]
        while not await store.read("t7", after=5):
            pass
        with cluster.frozen():
            reached = await asyncio.gather(*filling)
            await unavailable(store)
        for number, version in enumerate(reached):
            kept = len(await store.read(f"t{number}"))
            assert kept in (version, version + 1)
            await store.append(f"t{number}", kept, [b"y"])
