"""The writer: waiting jobs are written together, and none fails because of another."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import Any

import pytest
from kit.postgres import on_both, on_postgresql
from msgspec.structs import replace
from sqlalchemy import event

from volte.store import Conflict, Listing, MatchRow, Unavailable
from volte.store.store import Store
from volte.store.transactions import APPEND
from volte.store.trouble import Observer
from volte.store.writer import FEW, PRESENT


class Groups(Observer):
    """An observer that keeps the numbers of jobs written together."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def written(self, jobs: int, seconds: float) -> None:
        self.sizes.append(jobs)


async def test_what_waits_is_written_in_few_transactions(store: Store) -> None:
    groups = Groups()
    store.observed_by(groups)
    await asyncio.gather(*(store.append(f"t{n}", 0, [b"one"]) for n in range(100)))
    assert sum(groups.sizes) == 100
    assert len(groups.sizes) <= 2
    for n in range(100):
        assert len(await store.read(f"t{n}")) == 1


async def test_nothing_is_looked_for_by_reading_all_there_is(sqlite_url: str) -> None:
    asked: set[tuple[str, int]] = set()

    def ask(*arguments: Any) -> None:
        statement, parameters = arguments[2:4]
        if statement.lstrip().startswith("SELECT") or "added" in statement:
            asked.add((statement, len(parameters)))

    async with await Store.open(sqlite_url) as store:
        engines = (store._database.writers.engine, store._database.readers.sync_engine)
        for engine in engines:
            event.listen(engine, "before_cursor_execute", ask)
        match = MatchRow("m", "t", 1, b"m" * 32, 0.0, ("ann",))
        await store.append("t", 0, [b"x"], matches=[match])
        await store.append("t", 1, [b"x"])
        await store.read("t")
        await store.match("m")
        await store.matches_at("t")
        await store.matches_of("ann")
        await store.listing("t")
        await store.listings(["waiting"])
        await store.listings(host="ann")
        await store.person("ann")
        await store.session(b"token")
        await store.admitted("t", "ann")
    assert len(asked) > 10
    connection = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))
    for statement, parameters in asked:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", [None] * parameters)
        for *_, step in plan:
            seen = step.startswith(("SCAN place", "SCAN added", "SCAN CONSTANT ROW"))
            assert "SCAN" not in step or seen, (statement, step)
    connection.close()


async def test_postgresql_reads_few_entries_before_it_knows_how_many_there_are(
    postgres_url: str,
) -> None:
    async with (
        await Store.open(postgres_url) as store,
        store._database.readers.connect() as ask,
    ):
        places = ('[{"stream": "t", "version": 1}]',)
        query = PRESENT["postgresql"]
        for _ in range(10):  # the plan is settled after some of them
            assert (await ask.exec_driver_sql(query, places)).all() == []
        plan = await ask.exec_driver_sql(f"EXPLAIN {query}", places)
        assert "Seq Scan on entries" not in "\n".join(plan.scalars())


@on_postgresql
async def test_postgresql_looks_for_the_end_of_a_stream_in_the_index(store: Store) -> None:
    entry = (["t"], [1], [b"x"], [""], [0.0], [0])

    assert store._database.connect is not None
    ask = await store._database.connect()
    plan = await ask.fetch(f"EXPLAIN {APPEND}", *entry)
    assert "Seq Scan on entries" not in "\n".join(step for (step,) in plan)
    await ask.close()


async def test_many_entries_and_few_are_kept_in_their_order(store: Store) -> None:
    sizes = [1, FEW, FEW + 1, 40_000, 2]
    await asyncio.gather(
        *(store.append(f"t{size}", 0, [b"x"] * size) for size in sizes),
        *(store.append(f"t{size}", size, [b"y"]) for size in sizes),
    )
    for size in sizes:
        read = await store.read(f"t{size}")
        assert [entry.version for entry in read] == list(range(1, size + 2))
        assert read[-1].data == b"y"


async def test_what_only_appends_does_not_overtake_what_changes_more(store: Store) -> None:
    listed = Listing("t", "Table", "ann", "public", "waiting")
    await asyncio.gather(
        store.append("t", 0, [b"1"], listing=listed),
        store.append("t", 1, [b"2"]),
        store.append("u", 0, [b"1"]),
        store.append("t", 2, [b"3"], listing=replace(listed, name="New")),
        store.append("u", 1, [b"2"]),
    )
    assert [entry.data for entry in await store.read("t")] == [b"1", b"2", b"3"]
    assert [entry.data for entry in await store.read("u")] == [b"1", b"2"]
    kept = await store.listing("t")
    assert kept is not None
    assert kept.name == "New"


async def test_appends_to_one_stream_keep_their_order_without_waiting_for_each_other(
    store: Store,
) -> None:
    await asyncio.gather(*(store.append("t", n, [str(n).encode()]) for n in range(100)))
    read = await store.read("t")
    assert [entry.data for entry in read] == [str(n).encode() for n in range(100)]


@on_both
async def test_a_conflict_harms_nobody_else_of_the_group(store: Store) -> None:
    await store.append("late", 0, [b"first"])
    streams = ["a", "late", "b", "late", "c"]
    answers = await asyncio.gather(
        *(store.append(stream, 0, [b"x"]) for stream in streams), return_exceptions=True
    )
    assert [isinstance(answer, Conflict) for answer in answers] == [
        stream == "late" for stream in streams
    ]
    for stream in "abc":
        assert len(await store.read(stream)) == 1


@on_both
async def test_an_impossible_value_harms_nobody_else_of_the_group(store: Store) -> None:
    streams = ["a", "b", "c"]
    wrong: list[bytes] = [None]  # type: ignore[list-item]
    answers = await asyncio.gather(
        *(store.append(stream, 0, wrong if stream == "b" else [b"x"]) for stream in streams),
        return_exceptions=True,
    )
    assert [answer is None for answer in answers] == [True, False, True]
    assert [len(await store.read(stream)) for stream in streams] == [1, 0, 1]


@on_both
@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
async def test_text_that_no_database_takes_is_refused_at_the_door(store: Store, text: str) -> None:
    with pytest.raises(ValueError, match="text"):
        await store.append("t", 0, [b"x"], cause=text)
    listing = Listing("t", text, "ann", "public", "waiting")
    with pytest.raises(ValueError, match="text"):
        await store.append("t", 0, [b"x"], listing=listing)
    assert await store.read("t") == []
    assert await store.read(text) == []
    assert await store.person(text) is None


async def test_whoever_stops_reading_harms_nobody(store: Store) -> None:
    await store.append("t", 0, [b"x" * 1000] * 100)
    for patience in range(50):
        reading = [asyncio.create_task(store.read("t")) for _ in range(10)]
        for _ in range(patience):
            await asyncio.sleep(0)
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
    for read in await asyncio.gather(*(store.read("t") for _ in range(10))):
        assert len(read) == 100


async def test_whoever_stops_waiting_harms_nobody(store: Store) -> None:
    waiting = [asyncio.create_task(store.append(f"t{n}", 0, [b"x"])) for n in range(10)]
    await asyncio.sleep(0)
    for task in waiting[::2]:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    for n in range(1, 10, 2):
        assert len(await store.read(f"t{n}")) == 1
    await store.append("after", 0, [b"x"])


async def test_whoever_waits_when_the_store_is_closed_is_answered(database: str) -> None:
    async with await Store.open(database) as store:
        await store.append("t", 0, [b"x" * 1000] * 100)
    for patience in range(10):
        store = await Store.open(database)
        writing = [
            asyncio.create_task(store.append(f"t{patience}{n}", 0, [b"x"])) for n in range(10)
        ]
        reading = [asyncio.create_task(store.read("t")) for _ in range(10)]
        for _ in range(patience + 1):
            await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*writing) == [None] * 10
        assert [len(read) for read in await asyncio.gather(*reading)] == [100] * 10
        with pytest.raises(Unavailable):
            await store.append("after", 0, [b"x"])
        with pytest.raises(Unavailable):
            await store.read("t")
        await store.close()  # harmless
