"""Writing: all that waits to be written is written in one transaction.

A write is made where it is needed: `insert`, `put` and `renew` make a row of a table, `update` and
`delete` of SQLAlchemy change rows, and `one` says that a row must have changed. The writer gathers
them, sorts them so that several processes never wait for each other in a circle, and executes them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
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

from volte.store.schema import ENTRIES, PEOPLE, parameters, storable
from volte.store.transactions import NewEntry, Transactions
from volte.store.trouble import Conflict, Gone, Observer, Unavailable, store_error

MOST_TOGETHER: Final = 256  # jobs of one transaction

FEW: Final = 16
"""Entries of a job that is written by one statement with others: SQLite takes 32,766 values."""

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
"""By dialect: which of these places in streams, a JSON list of objects, have an entry.

Both are written so that the database does not read all entries, as SQLite does for a list of pairs
after IN, and PostgreSQL for a plain join while it does not know how many places there are.
"""


ACTING: Final[ContextVar[str]] = ContextVar("acting", default="")
"""Id of the person for whom this task writes: once they are gone, nothing of it is written."""


@contextmanager
def acting(person: str) -> Iterator[None]:
    """While the context lasts, all is written for that person; an empty id is nobody's."""
    token = ACTING.set(person)
    try:
        yield
    finally:
        ACTING.reset(token)


# Writes


class NewRow(NamedTuple):
    """A row to be inserted, or to take another's place."""

    table: Table
    values: Mapping[str, Any]
    # The columns that change where there is a row of that key; None where there must be none
    renewed: tuple[str, ...] | None = None


class One(NamedTuple):
    """A statement that must change one row: where it does not, somebody else was first."""

    statement: Insert | Update | Delete
    # The primary key of the row, where the condition of the statement does not show it
    key: tuple[Any, ...] = ()


Write = NewRow | One | Update | Delete
Writing = Callable[..., Awaitable[None]]
"""Writes something of its own and the writes that it is given, all or nothing. Raises `Conflict`
where what its own part is about has changed."""


def insert(table: Table, row: msgspec.Struct | None = None, /, **values: Any) -> NewRow:
    """A new row, of the fields of a struct and of values beside it. There must be none of its key,
    or all of the job is refused with `Conflict`."""
    fields = {} if row is None else msgspec.structs.asdict(row)
    return NewRow(table, fields | values)


def put(table: Table, row: msgspec.Struct | None = None, /, **values: Any) -> NewRow:
    """A row in place of the one with the same key, if there is one."""
    return insert(table, row, **values)._replace(renewed=_shape(table).others)


def renew(table: Table, *columns: str, **values: Any) -> NewRow:
    """A row; where there is one with the same key, only those columns of it change."""
    return NewRow(table, values, columns)


def one(statement: Insert | Update | Delete, *key: Any) -> One:
    """A statement that must change one row, or all of the job is refused with `Conflict`."""
    return One(statement, key)


class _Shape(NamedTuple):
    """What the writer looks up of a table again and again."""

    child: bool  # whether it points at other tables
    name: str
    people: tuple[str, ...]  # the columns that point at people
    key: tuple[str, ...]  # the columns of its primary key
    others: tuple[str, ...]  # the columns beside that


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
    """The primary key of the one row that is written; empty for what may change many rows."""
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

    Every group of every process keeps it, so none waits for one that waits for it: tables that
    point at others come after them, and the rows of a table by their keys. What may change many
    rows comes after all that; but before, where its job goes on with rows of the same table.
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
    """The text of a statement for new rows with these columns, and how its values are made of a
    row. Compiled once: through SQLAlchemy, every row would be looked up and bound anew."""
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
    """Executes the writes of some jobs. Raises `Conflict` where `one` did not change a row."""
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
    """The same for rows that one statement inserts."""
    if isinstance(write, NewRow):
        return write.table.name, write.renewed, tuple(write.values)
    return id(write)


# The writer


@dataclass(eq=False)
class Job:
    """What is written whole, or not at all."""

    writes: Sequence[Write]
    stream: str = ""  # the one that is appended to; empty where none is
    expected: int = 0  # the version that must be its last
    entries: Sequence[NewEntry] = ()  # what is appended to it
    person: str = ""  # id of whom it is written for; empty for nobody
    # Gets its result once all is written, or its error
    done: asyncio.Future[None] = field(default_factory=asyncio.Future)

    @property
    def people(self) -> set[str]:
        """Ids of people who have to be here: whom it is written for, and whom its rows name."""
        rows = [write for write in self.writes if isinstance(write, NewRow)]
        named = {row.values[column] for row in rows for column in _shape(row.table).people}
        new = {row.values["id"] for row in rows if row.table is PEOPLE}
        return {self.person, *named} - {"", *new}

    @property
    def values(self) -> Iterator[object]:
        """Values that it brings into the database, all texts among them."""
        for write in self.writes:
            if isinstance(write, NewRow):
                yield from write.values.values()
            else:
                yield from parameters(write.statement if isinstance(write, One) else write)
        yield self.stream
        yield from {entry.cause for entry in self.entries}


class Writer:
    """Joins the jobs that wait into one transaction.

    While a group is written, the next one gathers, so the more there is to write, the less each
    job costs. A job that fails never harms the others of its group: they are then tried one by
    one.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._queue: asyncio.Queue[Job | None] = asyncio.Queue()
        self._running = asyncio.create_task(self._run())
        self._closed = False
        self.observer = Observer()  # is notified of what is done

    async def append(
        self,
        stream: str,
        expected: int,
        data: Sequence[bytes],
        writes: Sequence[Write] = (),
        cause: str = "",
    ) -> None:
        """Writes entries after version `expected` of a stream, if any, and what else changes.

        Returns once all of it is written for good. Raises `Conflict` where the stream ends
        elsewhere, `Gone` where somebody is whom it names or is written for, `Unavailable`, or
        whatever is wrong with the values: `ValueError` for a text that no database takes.
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
        """Writes what waits, and accepts no more."""
        if not self._closed:
            self._closed = True
            self._queue.put_nowait(None)
        await self._running

    async def _run(self) -> None:
        """Takes groups of jobs from the queue. Those that only append, as nearly all do, are
        written by one statement, and the others after them."""
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
        """Whether these jobs have an answer; where not, nothing of them was written."""
        begun = perf_counter()
        try:
            done = await self._transactions.append([each for job in jobs for each in job.entries])
        except Exception as error:
            if not isinstance(store_error(error), Unavailable):
                return False  # they are tried one by one to find the one that is wrong
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
            if not job.done.done():  # else the task that waited was cancelled
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
    """Writes jobs in the transaction under way; the answer is why some are not: their stream does
    not end where they expect it to, or somebody is gone.

    Entries are never deleted: where one is, all before it are.
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
    """Finds which of some people are here, and keeps them until the transaction is over."""
    if not people:
        return frozenset()
    query = select(PEOPLE.c.id).where(PEOPLE.c.id.in_(sorted(people))).order_by(PEOPLE.c.id)
    return frozenset(connection.scalars(query.with_for_update(read=True, key_share=True)))


def _present(connection: Connection, jobs: Sequence[Job]) -> set[tuple[str, int]]:
    """The last entry that each of these jobs expects and the one after it, as far as they exist: by
    stream and version."""
    if not jobs:
        return set()
    places = [
        {"stream": job.stream, "version": job.expected + step} for job in jobs for step in (0, 1)
    ]
    query, wanted = PRESENT[connection.dialect.name], msgspec.json.encode(places).decode()
    return {(stream, version) for stream, version in connection.exec_driver_sql(query, (wanted,))}
