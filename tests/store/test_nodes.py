"""Nodes that share a PostgreSQL: their lives, and the tables that they own."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from kit.postgres import on_postgresql, on_sqlite

from volte.store import Listing
from volte.store.nodes import Expelled, NameTaken, Node
from volte.store.store import Store

LONG = 3600.0
"""Seconds: longer than any test."""


def new_node(name: str = "") -> Node:
    return Node(secrets.token_hex(8), name or secrets.token_hex(4))


@asynccontextmanager
async def there(store: Store, *nodes: Node) -> AsyncIterator[None]:
    """Begin some nodes; their connections are closed after the context."""
    for node in nodes:
        async with store.nodes.attendance(node) as here:
            await here.begin()
    yield


async def open_tables(store: Store, state: str, *tables: str) -> None:
    for table in tables:
        await store.append(table, 0, [b"x"], listing=Listing(table, "T", "ann", "public", state))


async def owner(store: Store, table: str) -> Node | None:
    found = await store.nodes.owner(table)
    return None if found is None else found[0]


@on_sqlite
async def test_a_file_has_one_node(store: Store) -> None:
    assert store.nodes.alone


@on_postgresql
async def test_many_want_the_same_tables_and_each_has_one_owner(store: Store, other: Store) -> None:
    tables = [f"t{number}" for number in range(20)]
    first, second = new_node(), new_node()
    await open_tables(store, "playing", *tables)
    async with there(store, first, second):
        taken = await asyncio.gather(
            *(
                each.nodes.take(table, node.id)
                for table in tables
                for each, node in ((store, first), (other, second))
            )
        )
        assert sum(taken) == len(tables)
        owned = [await store.nodes.owned(each.id) for each in (first, second)]
        assert owned[0] | owned[1] == set(tables) == await store.nodes.living(tables)
        assert not owned[0] & owned[1]
        for table in owned[0]:
            assert await owner(other, table) == first
            assert await store.nodes.take(table, first.id)  # one's own, once more
            await store.nodes.give_up(table, second.id)  # it is not theirs to give up
            assert await owner(store, table) == first
            await store.nodes.give_up(table, first.id)
            assert await other.nodes.take(table, second.id)


@on_postgresql
async def test_nobody_has_what_is_not_there(store: Store) -> None:
    node = new_node()
    await open_tables(store, "closed", "over")
    await open_tables(store, "sheet", "sheet")
    await open_tables(store, "waiting", "here")
    assert not await store.nodes.take("here", node.id)  # it has not begun
    async with there(store, node):
        for table in ("over", "sheet", "nowhere"):
            assert not await store.nodes.take(table, node.id)
        assert await store.nodes.take("here", node.id)


@on_postgresql
async def test_the_dead_are_told_by_their_lock_and_by_their_silence(store: Store) -> None:
    watcher, quiet, gone = new_node(), new_node(), new_node()
    nodes = store.nodes
    async with (
        nodes.attendance(watcher) as here,
        nodes.attendance(quiet) as there_still,
        there(store, gone),
    ):
        await here.begin()
        await there_still.begin()
        assert await here.bury(LONG, LONG) == []  # not long enough
        while not (dead := await here.bury(LONG, 0)):
            await asyncio.sleep(0.01)  # PostgreSQL frees the lock in a moment
        assert dead == [gone.id]
        await there_still.go_on()
        assert await here.bury(0, LONG) == [quiet.id]
        with pytest.raises(Expelled):
            await there_still.go_on()
        await here.go_on()  # nobody buries themselves


@on_postgresql
async def test_a_connection_that_is_made_again_takes_the_lock_again(store: Store) -> None:
    node, watcher = new_node(), new_node()
    async with there(store, node), store.nodes.attendance(watcher) as here:
        await here.begin()
        async with store.nodes.attendance(node) as again:
            await again.go_on()
            while not again._locked:
                await asyncio.sleep(0.01)  # PostgreSQL frees the lock of the first in a moment
                await again.go_on()
            assert await here.bury(LONG, 0) == []
            await again.end()
            with pytest.raises(Expelled):
                await again.go_on()


@on_postgresql
async def test_what_the_dead_leave(store: Store) -> None:
    """A table with a match is an orphan to take over; others wait until somebody comes."""
    dead, heir = new_node(), new_node()
    nodes = store.nodes
    await open_tables(store, "playing", "match", "other")
    await open_tables(store, "waiting", "idle")
    async with there(store, dead, heir):
        for table in ("match", "idle"):
            assert await nodes.take(table, dead.id)
        assert await nodes.take("other", heir.id)
        assert await nodes.orphans(10) == []
        async with nodes.attendance(dead) as last:
            await last.end()
        assert await nodes.orphans(10) == ["match"]
        assert await owner(store, "match") is None
        await nodes.forget_idle()
        assert await nodes.orphans(10) == ["match"]
        assert await nodes.take("match", heir.id)
        assert await nodes.take("idle", heir.id)
        assert await nodes.owned(heir.id) == {"match", "idle", "other"}


@on_postgresql
async def test_a_name_is_had_by_one_node_that_lives(store: Store) -> None:
    first, second = new_node("a"), new_node("a")
    async with store.nodes.attendance(first) as here:
        await here.begin()
        async with store.nodes.attendance(second) as other:
            with pytest.raises(NameTaken):
                await other.begin()
            await here.end()
            await other.begin()
