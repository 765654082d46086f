"""Processes that share a PostgreSQL: who lives, and who has which table."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from volte.store import Listing, Store
from volte.store.processes import Expelled, Process

LONG = 3600.0
"""Seconds that no test lasts."""


def new_process() -> Process:
    return Process(secrets.token_hex(8), "127.0.0.1:9", b"secret")


@asynccontextmanager
async def there(store: Store, *processes: Process) -> AsyncIterator[None]:
    """These processes have begun, and their connections are closed again."""
    for process in processes:
        async with store.processes.attendance(process) as here:
            await here.begin()
    yield


async def open_tables(store: Store, state: str, *tables: str) -> None:
    for table in tables:
        await store.append(table, 0, [b"x"], listing=Listing(table, "T", "ann", "public", state))


def test_a_file_has_one_process(sqlite_url: str) -> None:
    async def story() -> None:
        async with await Store.open(sqlite_url) as store:
            assert store.processes.alone

    asyncio.run(story())


def test_many_want_the_same_tables_and_each_has_one_owner(postgres_url: str) -> None:
    tables = [f"t{number}" for number in range(20)]

    async def story() -> None:
        async with await Store.open(postgres_url) as one, await Store.open(postgres_url) as other:
            first, second = new_process(), new_process()
            await open_tables(one, "playing", *tables)
            async with there(one, first, second):
                taken = await asyncio.gather(
                    *(
                        store.processes.take(table, process.id)
                        for table in tables
                        for store, process in ((one, first), (other, second))
                    )
                )
                assert sum(taken) == len(tables)
                owned = [await one.processes.owned(each.id) for each in (first, second)]
                assert owned[0] | owned[1] == set(tables) == await one.processes.living(tables)
                assert not owned[0] & owned[1]
                for table in owned[0]:
                    assert await other.processes.owner(table) == first
                    assert await one.processes.take(table, first.id)  # one's own, once more
                    await one.processes.give_up(table, second.id)  # it is not theirs to give up
                    assert await one.processes.owner(table) == first
                    await one.processes.give_up(table, first.id)
                    assert await other.processes.take(table, second.id)

    asyncio.run(story())


def test_nobody_has_what_is_not_there(postgres_url: str) -> None:
    async def story() -> None:
        async with await Store.open(postgres_url) as store:
            process = new_process()
            await open_tables(store, "closed", "over")
            await open_tables(store, "sheet", "sheet")
            await open_tables(store, "waiting", "here")
            assert not await store.processes.take("here", process.id)  # it has not begun
            async with there(store, process):
                for table in ("over", "sheet", "nowhere"):
                    assert not await store.processes.take(table, process.id)
                assert await store.processes.take("here", process.id)

    asyncio.run(story())


def test_the_dead_are_told_by_their_lock_and_by_their_silence(postgres_url: str) -> None:
    async def story() -> None:
        async with await Store.open(postgres_url) as store:
            watcher, quiet, gone = new_process(), new_process(), new_process()
            processes = store.processes
            async with (
                processes.attendance(watcher) as here,
                processes.attendance(quiet) as there_still,
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

    asyncio.run(story())


def test_a_connection_that_is_made_again_takes_the_lock_again(postgres_url: str) -> None:
    async def story() -> None:
        async with await Store.open(postgres_url) as store:
            process, watcher = new_process(), new_process()
            async with there(store, process), store.processes.attendance(watcher) as here:
                await here.begin()
                async with store.processes.attendance(process) as again:
                    await again.go_on()
                    assert await here.bury(LONG, 0) == []
                    await again.end()
                    with pytest.raises(Expelled):
                        await again.go_on()

    asyncio.run(story())


def test_what_the_dead_leave(postgres_url: str) -> None:
    """Where a match goes on, somebody has to; elsewhere it is enough when somebody comes."""

    async def story() -> None:
        async with await Store.open(postgres_url) as store:
            dead, heir = new_process(), new_process()
            processes = store.processes
            await open_tables(store, "playing", "match", "other")
            await open_tables(store, "waiting", "idle")
            async with there(store, dead, heir):
                for table in ("match", "idle"):
                    assert await processes.take(table, dead.id)
                assert await processes.take("other", heir.id)
                assert await processes.orphans(10) == []
                async with processes.attendance(dead) as last:
                    await last.end()
                assert await processes.orphans(10) == ["match"]
                assert await processes.owner("match") is None
                await processes.forget_idle()
                assert await processes.orphans(10) == ["match"]
                assert await processes.take("match", heir.id)
                assert await processes.take("idle", heir.id)
                assert await processes.owned(heir.id) == {"match", "idle", "other"}

    asyncio.run(story())
