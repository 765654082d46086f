"""Transactions: each is run from beginning to end, whoever waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.dialects.sqlite import pysqlite

from volte.store import Listing, Store, writer
from volte.store.backing import Backing, backing
from volte.store.opening import opened
from volte.store.ready import made_ready
from volte.store.statements import statements
from volte.store.writer import Change, Job

PATIENCE = 30
LISTING = Listing("t", "Table", "ann", "public", "waiting")
DIALECT = pysqlite.dialect()


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
    return [thread for thread in threading.enumerate() if thread.name == "writer"]


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not done():
            await asyncio.sleep(0.005)


def test_what_is_done_is_kept_and_answered(database: str) -> None:
    async def run() -> None:
        async with open_backing(database) as there:
            assert await there.writers.run(keep("ann")) == "ann"
        async with open_backing(database) as there:
            assert await there.writers.run(kept) == {"ann"}

    asyncio.run(run())


def test_nothing_is_kept_of_what_fails(database: str) -> None:
    def fails(connection: Connection) -> None:
        keep("ann")(connection)
        raise LookupError("in the middle")

    async def run() -> None:
        async with open_backing(database) as there:
            for _ in range(10):  # more often than there are connections
                with pytest.raises(LookupError, match="in the middle"):
                    await there.writers.run(fails)
            await there.writers.run(keep("bob"))
            assert await there.writers.run(kept) == {"bob"}

    asyncio.run(run())


def test_what_nobody_waits_for_any_more_leaves_nothing_half_done(database: str) -> None:
    complaints: list[Any] = []

    def two(number: int) -> Callable[[Connection], None]:
        def work(connection: Connection) -> None:
            keep(f"{number}a")(connection)
            keep(f"{number}b")(connection)

        return work

    async def run() -> None:
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

    asyncio.run(run())
    assert not complaints


def test_the_thread_ends_what_it_has_begun(sqlite_url: str) -> None:
    begun, go_on = threading.Event(), threading.Event()
    complaints: list[Any] = []

    def slow(connection: Connection) -> None:
        keep("ann")(connection)
        begun.set()
        go_on.wait(PATIENCE)

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told))
        async with open_backing(sqlite_url) as there:
            task = asyncio.create_task(there.writers.run(slow))
            await until(begun.is_set)
            task.cancel()
            await asyncio.wait({task})
            assert task.cancelled()
            go_on.set()
            assert await there.writers.run(kept) == {"ann"}

    asyncio.run(run())
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


def test_closing_twice_is_harmless_and_leaves_no_thread(sqlite_url: str) -> None:
    async def run() -> None:
        there = backing(sqlite_url)
        await there.close()  # never used
        await opened(there)
        assert writing_threads()
        await there.close()
        await there.close()
        await until(lambda: not writing_threads())

    asyncio.run(run())


def test_one_answer_of_the_thread_is_all_that_a_group_waits_for(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with await Store.open(sqlite_url) as store:
            loop, answers = asyncio.get_running_loop(), list[object]()
            call = loop.call_soon_threadsafe

            def counted(*call_of: Any, **more: Any) -> asyncio.Handle:
                answers.append(call_of)
                return call(*call_of, **more)

            monkeypatch.setattr(loop, "call_soon_threadsafe", counted)
            await asyncio.gather(*(store.append(f"t{n}", 0, [b"x", b"y"]) for n in range(20)))
            assert 1 <= len(answers) <= 2  # the first of them may have gone ahead

    asyncio.run(run())


def test_a_statement_is_put_into_words_once(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, ...]] = []

    def noted(statement: Any, dialect: Any, names: list[str]) -> Any:
        made.append(tuple(names))
        return made_ready(statement, dialect, names)

    monkeypatch.setattr(writer, "made_ready", noted)

    async def run() -> None:
        async with await Store.open(database) as store:
            for version in range(5):
                await store.append("t", version, [b"x"], listing=LISTING)
                await store.append(f"t{version}", 0, [b"x", b"y"], listing=LISTING)

    asyncio.run(run())
    listed = tuple(field.name for field in msgspec.structs.fields(Listing))
    assert sorted(made) == [("places",), ("stream", "version", "data", "cause", "at"), listed]


def test_rows_that_name_other_things_are_written_apart(database: str) -> None:
    values = {"stream": "t", "version": 1, "data": b"1", "cause": "", "at": 0.0}
    turned = dict(reversed((values | {"version": 2, "data": b"2"}).items()))
    short = {name: value for name, value in values.items() if name != "cause"}

    async def run() -> None:
        async with await Store.open(database) as store:
            changes = [Change("entry", ("t", row["version"]), row) for row in (values, turned)]
            await store._writer.write(Job(changes))
            assert [entry.data for entry in await store.read("t")] == [b"1", b"2"]
            with pytest.raises(Exception, match="cause"):  # it may not be empty
                await store._writer.write(Job([Change("entry", ("u", 1), short | {"stream": "u"})]))
            assert await store.read("u") == []

    asyncio.run(run())


def test_a_value_that_is_missing_is_a_mistake_and_not_nothing() -> None:
    known = statements("sqlite")["session_lasts"]
    ready = made_ready(known, DIALECT, ["lasting", "now", "until"])
    with pytest.raises(KeyError):
        ready.values({"lasting": b"", "now": 0.0})


def test_values_that_stand_in_a_statement_stay_what_they_are() -> None:
    names = ["now", "who", "why_so", "which"]
    ready = made_ready(statements("sqlite")["measure_lifted"], DIALECT, names)
    row = {"now": 1.0, "who": "ann", "why_so": "enough", "which": "m"}
    values = dict(zip(ready.names, ready.values(row), strict=True))
    assert values == row | {"seen": None}
