"""Hints from process to process: published once, heard by all, and caught up with after a gap."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import asyncpg
import pytest
from kit.postgres import Cluster, cut_connections, new_schema, on_cluster, on_postgresql
from kit.sites import until

from volte.store.bus import MOST_WAITING, Bus
from volte.store.store import Store

PATIENCE = 30
CAREFUL = {"synchronous_commit": "on"}


class Ear:
    """A subscriber that keeps the keys of a topic's hints."""

    def __init__(self, store: Store, topic: str = "table") -> None:
        self.heard: list[str] = []
        store.bus.subscribe(topic, self.heard.append)

    async def hears(self, *keys: str) -> None:
        """Waits until hints with all these keys have come."""
        await until(lambda: set(keys) <= set(self.heard))


async def answer(connection: Any, query: str) -> object:
    """The answer to a query through a bus's connection, as soon as the bus leaves it free."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(asyncpg.InterfaceError):
                return await connection.fetchval(query)
            await asyncio.sleep(0.005)


async def listening(store: Store, topic: str = "table") -> Ear:
    """A subscriber whose first hint, to look at everything, has come and is cleared."""
    ear = Ear(store, topic)
    await ear.hears("")
    ear.heard.clear()
    return ear


@pytest.fixture
def elsewhere(postgres_database: str) -> str:
    """The URL of another empty schema in the same database."""
    return new_schema(postgres_database)


async def test_whoever_tells_hears_it_at_once(store: Store) -> None:
    ear, deaf = Ear(store), Ear(store, "report")
    await store.bus.publish("table", "abc")
    assert ear.heard.count("abc") == 1
    await asyncio.sleep(0.2)
    assert ear.heard.count("abc") == 1  # not again, by the way of the database
    assert "abc" not in deaf.heard


@on_postgresql
async def test_others_hear_it(store: Store, other: Store) -> None:
    here, there, deaf = await listening(store), await listening(other), Ear(other, "report")
    await store.bus.publish("table", "a b")
    await other.bus.publish("table", "back")
    await there.hears("a b")
    await here.hears("back")
    assert set(deaf.heard) <= {""}


async def test_telling_waits_for_no_disk(postgres_url: str) -> None:
    """Publishers wait for each other, so one slow write to the disk would delay all."""
    made: list[Any] = []

    async def connect() -> Any:
        made.append(await asyncpg.connect(postgres_url, server_settings=CAREFUL))
        return made[-1]

    bus, heard = Bus(connect), list[str]()
    bus.subscribe("table", heard.append)
    await until(lambda: bool(heard))
    assert await answer(made[0], "SHOW synchronous_commit") == "off"
    await bus.close()


@on_postgresql
async def test_other_places_of_the_same_server_hear_nothing(store: Store, elsewhere: str) -> None:
    near = await listening(store)
    async with await Store.open(elsewhere) as there, await Store.open(elsewhere) as third:
        far = await listening(there)
        await store.bus.publish("table", "x")
        await there.bus.publish("table", "y")
        await listening(third)
        await third.bus.publish("table", "z")
        await far.hears("z")
    assert "x" not in far.heard
    assert "y" not in near.heard


@on_postgresql
async def test_what_is_published_before_the_end_is_heard(store: Store, database: str) -> None:
    ear = await listening(store, "session")
    async with await Store.open(database) as brief:
        await brief.bus.publish("session", "over")
    await ear.hears("over")


@on_postgresql
async def test_a_handler_that_fails_harms_no_other(store: Store, other: Store) -> None:
    def fails(_: str) -> None:
        raise RuntimeError("a handler of a test")

    other.bus.subscribe("table", fails)
    ear = await listening(other)
    await store.bus.publish("table", "1")
    await store.bus.publish("table", "2")
    await ear.hears("1", "2")


@on_postgresql
async def test_a_connection_that_is_cut_is_made_again(
    store: Store, other: Store, database: str
) -> None:
    """Subscribers look at everything anew, and hear hints that are published from then on."""
    ear = await listening(other)
    await asyncio.to_thread(cut_connections, database, "pg_notify")
    await ear.hears("")
    await store.bus.publish("table", "later")
    await ear.hears("later")


@on_cluster
async def test_a_server_that_is_away_for_a_while(
    store: Store, other: Store, cluster: Cluster
) -> None:
    """Publishing does not wait and never fails; subscribers that miss hints look at everything."""
    here, there = await listening(store), await listening(other)
    cluster.stop()
    await store.bus.publish("table", "meanwhile")
    assert "meanwhile" in here.heard
    cluster.start()
    await until(lambda: not {"", "meanwhile"}.isdisjoint(there.heard))
    await there.hears("")
    await store.bus.publish("table", "later")
    await there.hears("later")


@on_postgresql
async def test_more_than_can_wait_is_heard_as_look_again(store: Store, database: str) -> None:
    there = asyncio.Event()

    async def late() -> Any:
        await there.wait()
        return await asyncpg.connect(database)

    ear = await listening(store)
    bus = Bus(late)
    for number in range(MOST_WAITING + 10):
        await bus.publish("table", str(number))
    there.set()
    await ear.hears(str(MOST_WAITING + 9))
    assert "" in ear.heard
    assert "0" not in ear.heard
    await bus.close()
