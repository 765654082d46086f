"""Group commit: the writer joins all waiting jobs into one transaction.

Features build their own writes: `insert`, `put` and `renew` make a row of a table, `update` and
`delete` of SQLAlchemy change rows, and `one` says that a row must change. The writer gathers them,
sorts them so that several processes never wait for each other in a circle, and executes them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import groupby
from operator import eq, itemgetter
from time import perf_counter, time
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import (
    BinaryExpression,
    BindParameter,
    Column,
    Connection,
    Delete,
    Dialect,
    Insert,
    Table,
    Update,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.visitors import iterate

from volte.store.behalf import ACTING
from volte.store.errors import Conflict, Gone, Unavailable
from volte.store.schema import ENTRIES, PEOPLE, parameters, storable
from volte.store.transactions import NewEntry, Transactions
from volte.store.trouble import Observer, store_error

MOST_TOGETHER: Final = 256  # jobs of one transaction

FEW: Final = 16
"""Most entries of a job for one statement with other jobs, as SQLite takes 32,766 values."""

PRESENT: Final = {
    "sqlite": """
        SELECT stream, version FROM json_each(?) AS place CROSS JOIN entries
        ON stream = json_extract(place.value, '$.stream')
        AND version = json_extract(place.value, '$.version')
    """,
    "postgresql": """
        SELECT place.stream, place.version FROM json_to_recordset(CAST(CAST($1 AS text) AS json))
        AS place(stream text, version integer) CROSS JOIN LATERAL (
            SELECT FROM entries WHERE stream = place.stream AND version = place.version OFFSET 0
        ) AS entry
    """,
}
"""Queries by dialect for places in streams, given as a JSON list of objects, that have an entry.

Both are written so that the database does not read all entries, as SQLite does for a list of pairs
after IN, and PostgreSQL for a plain join while it does not know the number of places.
"""


# Writes


class NewRow(NamedTuple):
    """A row to be inserted, or to replace a row with the same key."""

    table: Table
    values: Mapping[str, Any]
    # The columns that change in a row with the same key; None where there must be no such row
    renewed: tuple[str, ...] | None = None


class One(NamedTuple):
    """A statement that must change one row; if it does not, somebody else was first."""

    statement: Insert | Update | Delete
    # The primary key of the row, where the condition of the statement does not contain it
    key: tuple[Any, ...] = ()


Write = NewRow | One | Update | Delete
Writing = Callable[..., Awaitable[None]]
"""A function that does a write of its own with the writes it is given, all or none. Raises
`Conflict` where the condition of its own write no longer holds."""


def insert(table: Table, row: msgspec.Struct | None = None, /, **values: Any) -> NewRow:
    """A new row, from the fields of a struct and further values. If there is a row with its key,
    the whole job is refused with `Conflict`."""
    fields = {} if row is None else msgspec.structs.asdict(row)
    return NewRow(table, fields | values)


def put(table: Table, row: msgspec.Struct | None = None, /, **values: Any) -> NewRow:
    """A new row, which replaces any row with the same key."""
    return insert(table, row, **values)._replace(renewed=_shape(table).others)


def renew(table: Table, *columns: str, **values: Any) -> NewRow:
    """A new row; if there is one with the same key, only the named columns of it change."""
    return NewRow(table, values, columns)


def one(statement: Insert | Update | Delete, *key: Any) -> One:
    """A statement that must change one row; else the whole job is refused with `Conflict`."""
    return One(statement, key)


class _Shape(NamedTuple):
    """The facts about a table that the writer needs for every write."""

    child: bool  # whether it points at other tables
    name: str
    people: tuple[str, ...]  # the columns that point at people
    key: tuple[str, ...]  # the columns of its primary key
    others: tuple[str, ...]  # the other columns


@cache
def _shape(table: Table) -> _Shape:
    key = tuple(column.name for column in table.primary_key)
    others = (column.name for column in table.columns if not column.primary_key)
    people = (each.parent.name for each in table.foreign_keys if each.column.table is PEOPLE)
    return _Shape(bool(table.foreign_keys), table.name, tuple(people), key, tuple(others))


def _table(write: Write) -> Table:
    table = write.statement.table if isinstance(write, One) else write.table
    assert isinstance(table, Table)
    return table


def _key(write: Write) -> tuple[Any, ...]:
    """The primary key of the row that a write changes; empty where it may change many rows."""
    if isinstance(write, NewRow):
        return tuple([write.values[column] for column in _shape(write.table).key])
    if isinstance(write, One):
        return write.key or (() if isinstance(write.statement, Insert) else _key(write.statement))
    table, equal = _table(write), dict[str, Any]()
    for each in () if write.whereclause is None else iterate(write.whereclause):
        if isinstance(each, BinaryExpression) and each.operator is eq:
            column, value = each.left, each.right
            ours = isinstance(column, Column) and column.table is table
            if ours and isinstance(value, BindParameter):
                equal[column.name] = value.value
    key = _shape(table).key
    return tuple(equal[column] for column in key) if equal.keys() >= set(key) else ()


def _in_order(jobs: Iterable[Sequence[Write]]) -> list[Write]:
    """The writes of some jobs in the order in which they are executed.

    Every group of every process keeps this order, so no two wait for each other: tables that point
    at others come after them, and the rows of a table go by their keys. Writes that may change many
    rows come last; but first, where their job goes on with rows of the same table.
    """
    placed = list[tuple[tuple[Any, ...], Write]]()
    for writes in jobs:
        tables = [_table(write) for write in writes]
        for place, (table, write) in enumerate(zip(tables, writes, strict=True), 1):
            key = _key(write)
            phase = 1 if key else 0 if table in tables[place:] else 2
            placed.append(((phase, *_shape(table)[:2], key), write))
    return [write for _, write in sorted(placed, key=itemgetter(0))]


@lru_cache
def _insertion(
    dialect: Dialect, table: Table, columns: tuple[str, ...], renewed: tuple[str, ...] | None
) -> tuple[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]]:
    """The text of a statement for new rows with these columns, and a function from a row to its
    values. Compiled once: through SQLAlchemy, every row would be looked up and bound anew."""
    statement = sqlite.insert(table) if dialect.name == "sqlite" else postgresql.insert(table)
    if renewed:
        statement = statement.on_conflict_do_update(
            index_elements=list(table.primary_key),
            set_={name: statement.excluded[name] for name in renewed},
        )
    elif renewed is not None:
        statement = statement.on_conflict_do_nothing()
    compiled = statement.compile(dialect=dialect, column_keys=list(columns))
    assert isinstance(compiled, SQLCompiler)
    types = {name: table.c[name].type.dialect_impl(dialect) for name in columns}
    bind = [(name, types[name].bind_processor(dialect)) for name in compiled.positiontup or ()]

    def bound(values: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple([values[name] if to is None else to(values[name]) for name, to in bind])

    return compiled.string, bound


def _execute(connection: Connection, jobs: Iterable[Sequence[Write]]) -> None:
    """Execute the writes of some jobs. Raises `Conflict` where `one` did not change a row."""
    for _, same in groupby(_in_order(jobs), key=_alike):
        first = next(same)
        if isinstance(first, NewRow):
            columns = tuple(first.values)
            text, bound = _insertion(connection.dialect, first.table, columns, first.renewed)
            rows = [bound(each.values) for each in (first, *same) if isinstance(each, NewRow)]
            connection.exec_driver_sql(text, rows)
        elif not isinstance(first, One):
            connection.execute(first)
        elif connection.execute(first.statement).rowcount != 1:
            raise Conflict(_table(first).name)


def _alike(write: Write) -> object:
    """A key that is equal for rows which one statement can insert."""
    if isinstance(write, NewRow):
        return write.table.name, write.renewed, tuple(write.values)
    return id(write)


# The writer


@dataclass(eq=False)
class Job:
    """A unit of writing, done as a whole or not at all."""

    writes: Sequence[Write]
    stream: str = ""  # the stream to append to; empty for none
    expected: int = 0  # the version that must be the stream's last
    entries: Sequence[NewEntry] = ()  # the entries to append
    person: str = ""  # id of the person for whom it is written; empty for nobody
    # Done once the whole job is written, or with an error
    done: asyncio.Future[None] = field(default_factory=asyncio.Future)

    @property
    def people(self) -> set[str]:
        """Ids of the people who must exist: the one it is written for, and those in its rows."""
        rows = [write for write in self.writes if isinstance(write, NewRow)]
        named = {row.values[column] for row in rows for column in _shape(row.table).people}
        new = {row.values["id"] for row in rows if row.table is PEOPLE}
        return {self.person, *named} - {"", *new}

    @property
    def values(self) -> Iterator[object]:
        """Every value that the job would store, with all its texts; checked by `storable`."""
        for write in self.writes:
            if isinstance(write, NewRow):
                yield from write.values.values()
            else:
                yield from parameters(write.statement if isinstance(write, One) else write)
        yield self.stream
        yield from {entry.cause for entry in self.entries}


class Writer:
    """Joins the jobs that wait into one transaction.

    While a group is written, the next one gathers, so the more jobs there are, the less each one
    costs. A failing job never harms the others of its group: they are then tried one by one.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._queue: asyncio.Queue[Job | None] = asyncio.Queue()
        self._running = asyncio.create_task(self._run())
        self._closed = False
        self.observer = Observer()  # notified of groups written and of failures

    async def append(
        self,
        stream: str,
        expected: int,
        data: Sequence[bytes],
        writes: Sequence[Write] = (),
        cause: str = "",
    ) -> None:
        """Appends entries after version `expected` of a stream, if any, and does further writes.

        Returns once everything is written for good. Raises `Conflict` where the stream ends
        elsewhere, `Gone` where a person is gone whom it names or for whom it is written,
        `Unavailable`, or an error about the values: `ValueError` for a text that no database takes.
        """
        now, versions = time(), enumerate(data, expected + 1)
        entries = [
            NewEntry(stream, number, each, cause, now, expected) for number, each in versions
        ]
        job = Job(writes, stream, expected, entries, ACTING.get())
        if not storable(job.values):
            raise ValueError("the database cannot hold a text with a zero byte or half a character")
        if self._closed:
            raise Unavailable("the store is closed")
        self._queue.put_nowait(job)
        await job.done

    async def close(self) -> None:
        """Writes the waiting jobs, and accepts no more."""
        if not self._closed:
            self._closed = True
            self._queue.put_nowait(None)
        await self._running

    async def _run(self) -> None:
        """Takes groups of jobs from the queue. Jobs that only append, as nearly all do, are written
        by one statement, and the others after them."""
        last = False
        while not last:
            group = [await self._queue.get()]
            while not self._queue.empty() and len(group) < MOST_TOGETHER:
                group.append(self._queue.get_nowait())
            last = None in group
            appends, others, streams = list[Job](), list[Job](), set[str]()
            for job in group:
                if job is None or job.done.cancelled():
                    continue
                few = 0 < len(job.entries) <= FEW and not job.writes and not job.person
                (appends if few and job.stream not in streams else others).append(job)
                streams.add(job.stream)
            if appends and not await self._appended(appends):
                others = [*appends, *others]
            if others:
                await self._write(others)

    async def _appended(self, jobs: Sequence[Job]) -> bool:
        """Appends the entries of some jobs. True if the jobs are settled; False if none was
        written, and they have to be tried another way."""
        begun = perf_counter()
        try:
            done = await self._transactions.append([each for job in jobs for each in job.entries])
        except Exception as error:
            if not isinstance(store_error(error), Unavailable):
                return False  # the jobs are then tried one by one to find the wrong one
            self._fail(jobs, store_error(error))
            return True
        if done:
            self._succeed(jobs, begun)
        return done

    async def _write(self, jobs: Sequence[Job]) -> None:
        """Writes jobs in one transaction; one by one, if that does not succeed."""
        begun = perf_counter()
        try:
            refused = await self._transactions.run(partial(_written, jobs))
        except Exception as error:
            if len(jobs) == 1 or isinstance(store_error(error), Unavailable):
                self._fail(jobs, store_error(error))
            else:
                for job in jobs:
                    await self._write([job])
        else:
            self._succeed(jobs, begun, refused)

    def _succeed(
        self, jobs: Sequence[Job], begun: float, refused: Mapping[Job, Exception] = {}
    ) -> None:
        self.observer.written(len(jobs), perf_counter() - begun)
        for job in jobs:
            if not job.done.done():  # if it is done, the waiting task was cancelled
                if job in refused:
                    job.done.set_exception(refused[job])
                else:
                    job.done.set_result(None)

    def _fail(self, jobs: Sequence[Job], error: Exception) -> None:
        if isinstance(error, Unavailable):
            self.observer.failed("write")
        for job in jobs:
            if not job.done.done():
                job.done.set_exception(error)


def _written(jobs: Sequence[Job], connection: Connection) -> dict[Job, Exception]:
    """Write jobs in the transaction under way, and return the errors of refused ones: their stream
    does not end where they expect it to, or a person is gone.

    Entries are never deleted: where one exists, all before it do.
    """
    here = _here(connection, set().union(*(job.people for job in jobs)))
    present = _present(connection, [job for job in jobs if job.stream])
    refused, writes = dict[Job, Exception](), list[Sequence[Write]]()
    for job in jobs:
        before, after = (job.stream, job.expected), (job.stream, job.expected + 1)
        if not job.people <= here:
            refused[job] = Gone(*(job.people - here))
            continue
        if job.stream and ((job.expected and before not in present) or after in present):
            refused[job] = Conflict(job.stream)
            continue
        rows = list[Write]()
        for entry in job.entries:
            present.add((job.stream, entry.version))
            values = entry._asdict()
            del values["expected"]
            rows.append(insert(ENTRIES, **values))
        writes.append([*rows, *job.writes])
    _execute(connection, writes)
    return refused


def _here(connection: Connection, people: Collection[str]) -> frozenset[str]:
    """The given people who exist; they are locked until the transaction is over."""
    if not people:
        return frozenset()
    query = select(PEOPLE.c.id).where(PEOPLE.c.id.in_(sorted(people))).order_by(PEOPLE.c.id)
    return frozenset(connection.scalars(query.with_for_update(read=True, key_share=True)))


def _present(connection: Connection, jobs: Sequence[Job]) -> set[tuple[str, int]]:
    """The places (stream, version) with an entry, among the last one that each job expects and the
    one after it."""
    if not jobs:
        return set()
    places = [
        {"stream": job.stream, "version": job.expected + step} for job in jobs for step in (0, 1)
    ]
    query, wanted = PRESENT[connection.dialect.name], msgspec.json.encode(places).decode()
    return {(stream, version) for stream, version in connection.exec_driver_sql(query, (wanted,))}
