"""Hints from process to process: told once, heard by all, and looked for anew after a gap."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg
from kit.postgres import Cluster, new_schema, run_sql

from volte.store import Store
from volte.store.bus import MOST_WAITING, Bus

PATIENCE = 30
CAREFUL = {"synchronous_commit": "on"}
CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND query ILIKE '%pg_notify%' AND pid <> pg_backend_pid()"
)


class Ear:
    """What has been heard about a topic."""

    def __init__(self, store: Store, topic: str = "table") -> None:
        self.heard: list[str] = []
        store.bus.subscribe(topic, self.heard.append)

    async def hears(self, *keys: str) -> None:
        """Waits until all of these have come."""
        await until(lambda: set(keys) <= set(self.heard))


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not done():
            await asyncio.sleep(0.005)


async def answer(connection: Any, query: str) -> object:
    """What a connection of a bus answers once the bus itself asks nothing by it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(asyncpg.InterfaceError):
                return await connection.fetchval(query)
            await asyncio.sleep(0.005)


@asynccontextmanager
async def two_stores(url: str) -> AsyncIterator[tuple[Store, Store]]:
    async with await Store.open(url) as one, await Store.open(url) as other:
        yield one, other


async def test_whoever_tells_hears_it_at_once(database: str) -> None:
    async with await Store.open(database) as store:
        ear, deaf = Ear(store), Ear(store, "report")
        await store.bus.publish("table", "abc")
        assert ear.heard.count("abc") == 1
        await asyncio.sleep(0.2)
        assert ear.heard.count("abc") == 1  # not again, by the way of the database
        assert "abc" not in deaf.heard


async def test_others_hear_it(postgres_url: str) -> None:
    async with two_stores(postgres_url) as (one, other):
        here, there, deaf = Ear(one), Ear(other), Ear(other, "report")
        await there.hears("")  # it listens
        await here.hears("")
        await one.bus.publish("table", "a b")
        await other.bus.publish("table", "back")
        await there.hears("a b")
        await here.hears("back")
        assert set(deaf.heard) <= {""}


async def test_telling_waits_for_no_disk(postgres_url: str) -> None:
    """All who tell wait for each other, so a disk that is slow would be all of theirs."""

    made: list[Any] = []

    async def connect() -> Any:
        made.append(await asyncpg.connect(postgres_url, server_settings=CAREFUL))
        return made[-1]

    bus, heard = Bus(connect), list[str]()
    bus.subscribe("table", heard.append)
    await until(lambda: bool(heard))
    assert await answer(made[0], "SHOW synchronous_commit") == "off"
    await bus.close()


def test_other_places_of_the_same_server_hear_nothing(
    postgres_database: str, postgres_url: str
) -> None:
    async def story(elsewhere: str) -> None:
        async with await Store.open(postgres_url) as one, await Store.open(elsewhere) as other:
            near, far = Ear(one), Ear(other)
            await far.hears("")
            await near.hears("")
            await one.bus.publish("table", "x")
            await other.bus.publish("table", "y")
            async with await Store.open(elsewhere) as third:
                ear = Ear(third)
                await ear.hears("")
                await third.bus.publish("table", "z")
                await far.hears("z")
            assert "x" not in far.heard
            assert "y" not in near.heard

    with new_schema(postgres_database) as elsewhere:
        asyncio.run(story(elsewhere))


async def test_what_is_told_before_the_end_is_told(postgres_url: str) -> None:
    async with await Store.open(postgres_url) as store:
        ear = Ear(store, "session")
        await ear.hears("")
        async with await Store.open(postgres_url) as brief:
            await brief.bus.publish("session", "over")
        await ear.hears("over")


async def test_a_handler_that_fails_harms_no_other(postgres_url: str) -> None:
    def fails(_: str) -> None:
        raise RuntimeError("a handler of a test")

    async with two_stores(postgres_url) as (one, other):
        other.bus.subscribe("table", fails)
        ear = Ear(other)
        await ear.hears("")
        await one.bus.publish("table", "1")
        await one.bus.publish("table", "2")
        await ear.hears("1", "2")


async def test_a_connection_that_is_cut_is_made_again(postgres_url: str) -> None:
    """Whoever listened looks at everything anew, and hears what is told from then on."""

    async with two_stores(postgres_url) as (one, other):
        ear = Ear(other)
        await ear.hears("")
        ear.heard.clear()
        await asyncio.to_thread(run_sql, postgres_url, CUT)
        await ear.hears("")
        await one.bus.publish("table", "later")
        await ear.hears("later")


async def test_a_server_that_is_away_for_a_while(cluster: Cluster, cluster_url: str) -> None:
    """Telling waits for nothing and never fails; nobody misses it without knowing."""

    async with two_stores(cluster_url) as (one, other):
        here, there = Ear(one), Ear(other)
        await there.hears("")
        await here.hears("")
        there.heard.clear()
        cluster.stop()
        await one.bus.publish("table", "meanwhile")
        assert "meanwhile" in here.heard
        cluster.start()
        await until(lambda: not {"", "meanwhile"}.isdisjoint(there.heard))
        await there.hears("")
        await one.bus.publish("table", "later")
        await there.hears("later")


async def test_more_than_can_wait_is_told_as_look_again(postgres_url: str) -> None:
    there = asyncio.Event()

    async def late() -> Any:
        await there.wait()
        return await asyncpg.connect(postgres_url)

    async with await Store.open(postgres_url) as store:
        ear = Ear(store)
        await ear.hears("")
        ear.heard.clear()
        bus = Bus(late)
        for number in range(MOST_WAITING + 10):
            await bus.publish("table", str(number))
        there.set()
        await ear.hears(str(MOST_WAITING + 9))
        assert "" in ear.heard
        assert "0" not in ear.heard
        await bus.close()
