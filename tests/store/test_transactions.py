"""Transactions: each runs from beginning to end, even if its waiter is gone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from kit.postgres import on_both, on_sqlite
from kit.sites import until
from sqlalchemy import Connection, delete, event, text, update
from sqlalchemy.engine.interfaces import CacheStats

from volte.people.store import ACCOUNTS, Account
from volte.store import Listing, Person
from volte.store.backing import Backing, backing, opened
from volte.store.schema import ENTRIES, LISTINGS, PEOPLE, SESSIONS
from volte.store.store import Store
from volte.store.writer import _insertion, _key, insert, one, put

PATIENCE = 30
LISTING = Listing("t", "Table", "ann", "public", "waiting")


@asynccontextmanager
async def open_backing(url: str) -> AsyncIterator[Backing]:
    there = backing(url)
    await opened(there)
    try:
        yield there
    finally:
        await there.close()


def keep(key: str) -> Callable[[Connection], str]:
    """Writes one row."""

    def work(connection: Connection) -> str:
        connection.execute(text("INSERT INTO entries VALUES (:key, 1, '', '', 0)"), {"key": key})
        return key

    return work


def kept(connection: Connection) -> set[str]:
    return set(connection.execute(text("SELECT stream FROM entries")).scalars())


def writing_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("writer")]


async def test_what_is_done_is_kept_and_answered(database: str) -> None:
    async with open_backing(database) as there:
        assert await there.writers.run(keep("ann")) == "ann"
    async with open_backing(database) as there:
        assert await there.writers.run(kept) == {"ann"}


@on_both
async def test_nothing_is_kept_of_what_fails(database: str) -> None:
    def fails(connection: Connection) -> None:
        keep("ann")(connection)
        raise LookupError("in the middle")

    async with open_backing(database) as there:
        for _ in range(10):  # more often than there are connections
            with pytest.raises(LookupError, match="in the middle"):
                await there.writers.run(fails)
        await there.writers.run(keep("bob"))
        assert await there.writers.run(kept) == {"bob"}


@on_both
async def test_what_nobody_waits_for_any_more_leaves_nothing_half_done(database: str) -> None:
    complaints: list[Any] = []

    def two(number: int) -> Callable[[Connection], None]:
        def work(connection: Connection) -> None:
            keep(f"{number}a")(connection)
            keep(f"{number}b")(connection)

        return work

    asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told))
    async with open_backing(database) as there:
        for number in range(40):
            task = asyncio.create_task(there.writers.run(two(number)))
            for _ in range(number):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait({task})
            found = await there.writers.run(kept)
            assert (f"{number}a" in found) == (f"{number}b" in found)
        await there.writers.run(keep("after"))
    assert not complaints


async def test_the_thread_ends_what_it_has_begun(sqlite_url: str) -> None:
    begun, go_on = threading.Event(), threading.Event()
    complaints: list[Any] = []

    def slow(connection: Connection) -> None:
        keep("ann")(connection)
        begun.set()
        go_on.wait(PATIENCE)

    asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told))
    async with open_backing(sqlite_url) as there:
        task = asyncio.create_task(there.writers.run(slow))
        await until(begun.is_set)
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        go_on.set()
        assert await there.writers.run(kept) == {"ann"}
    assert not complaints


def test_a_thread_that_is_done_after_the_loop_harms_nobody(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", complaints.append)
    begun, go_on = threading.Event(), threading.Event()
    left: list[Backing] = []

    def slow(_: Connection) -> None:
        begun.set()
        go_on.wait(PATIENCE)

    async def leave() -> None:
        left.append(backing(sqlite_url))
        await opened(left[0])
        task = asyncio.create_task(left[0].writers.run(slow))
        await until(begun.is_set)
        task.cancel()

    asyncio.run(leave())
    go_on.set()

    async def end() -> None:
        async with asyncio.timeout(PATIENCE):
            await left[0].close()

    asyncio.run(end())
    assert not complaints


async def test_closing_twice_is_harmless_and_leaves_no_thread(sqlite_url: str) -> None:
    await backing(sqlite_url).close()  # never used
    there = backing(sqlite_url)
    await opened(there)
    assert writing_threads()
    await there.close()
    await there.close()
    await until(lambda: not writing_threads())


@on_sqlite
async def test_one_answer_of_the_thread_is_all_that_a_group_waits_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, answers = asyncio.get_running_loop(), list[object]()
    call = loop.call_soon_threadsafe

    def counted(*call_of: Any, **more: Any) -> asyncio.Handle:
        answers.append(call_of)
        return call(*call_of, **more)

    monkeypatch.setattr(loop, "call_soon_threadsafe", counted)
    await asyncio.gather(*(store.append(f"t{n}", 0, [b"x", b"y"]) for n in range(20)))
    assert 1 <= len(answers) <= 2  # the first of them may have gone ahead


async def test_a_statement_is_not_compiled_anew_for_every_call(store: Store) -> None:
    compiled: list[str] = []

    def note(*arguments: Any) -> None:
        statement, context = arguments[2], arguments[4]
        if context.cache_hit is CacheStats.CACHE_MISS:
            compiled.append(statement)

    event.listen(store._database.writers.engine, "before_cursor_execute", note)
    before = _insertion.cache_info().misses
    for version in range(5):
        await store.append("t", version, [b"x"], listing=LISTING)
        await store.append(f"t{version}", 0, [b"x", b"y"], listing=LISTING)
        await store.renew_session(b"token", float(version))
    assert len(set(compiled)) == len(compiled) == 1  # of the session
    assert _insertion.cache_info().misses - before == 2  # of entries and of listings


async def test_rows_that_name_other_things_are_written_apart(store: Store) -> None:
    values = {"stream": "t", "version": 1, "data": b"1", "cause": "", "at": 0.0}
    turned = dict(reversed((values | {"version": 2, "data": b"2"}).items()))
    short = {name: value for name, value in values.items() if name != "cause"}

    await store._write(*(insert(ENTRIES, **row) for row in (values, turned)))
    assert [entry.data for entry in await store.read("t")] == [b"1", b"2"]
    with pytest.raises(Exception, match="cause"):  # it may not be empty
        await store._write(insert(ENTRIES, **short | {"stream": "u"}))
    assert await store.read("u") == []


@on_sqlite
async def test_writes_come_in_an_order_that_all_processes_keep(store: Store) -> None:
    """The order is by tables, referring ones later, and by keys; writes that change many rows come
    last, or first, where their job goes on with rows of that table."""
    account = Account("ann", "anne", "", 0.0, 0.0)
    people = PEOPLE.c.id
    sent: list[tuple[str, Any]] = []
    engine = store._database.writers.engine
    event.listen(engine, "before_cursor_execute", lambda *a: sent.append((a[2], a[3])))
    await store._write(
        delete(PEOPLE).where(PEOPLE.c.created < 0),
        update(PEOPLE).where(people == "bob", PEOPLE.c.created >= 0).values(lang="fr"),
        insert(ACCOUNTS, account),
        put(LISTINGS, LISTING),
        update(PEOPLE).where(people == "ann").values(lang="en"),
        put(PEOPLE, Person("ann", "Ann", "fr", {}, 0.0)),
        one(update(PEOPLE).where(people == "ann").values(lang="de")),
        delete(LISTINGS).where(LISTINGS.c.table != "t"),
    )
    assert [
        (statement.split(" (")[0].split(" SET")[0], values[-1:]) for statement, values in sent
    ] == [
        ("DELETE FROM people WHERE people.created < ?", (0.0,)),
        ("INSERT INTO listings", (None,)),
        ("UPDATE people", ("ann",)),
        ("INSERT INTO people", (0.0,)),
        ("UPDATE people", ("ann",)),
        ("UPDATE people", (0.0,)),
        ("INSERT INTO accounts", (0.0,)),
        ('DELETE FROM listings WHERE listings."table" != ?', ("t",)),
    ]


def test_every_writer_of_one_row_knows_its_key() -> None:
    session = (SESSIONS.c.token_hash == b"x", SESSIONS.c.expires > 0.0)
    assert _key(update(SESSIONS).where(*session)) == (b"x",)
    assert _key(one(delete(SESSIONS).where(session[0]))) == (b"x",)
    assert _key(delete(SESSIONS).where(session[1])) == ()
    assert _key(delete(ENTRIES).where(ENTRIES.c.stream == "t")) == ()
    assert _key(put(LISTINGS, LISTING)) == ("t",)
