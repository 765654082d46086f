"""The base of every part of the store: it reads, writes, exports and forgets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, TypeVar

from sqlalchemy import Column, ColumnElement, Row, Select, select
from sqlalchemy.ext.asyncio import AsyncEngine

from volte.store.errors import Unavailable
from volte.store.rows import Entry
from volte.store.schema import ENTRIES, parameters, storable
from volte.store.trouble import Observer, store_error
from volte.store.writer import Write, Writer

T = TypeVar("T")
AnyRow = Row[*tuple[Any, ...]]
Query = Select[*tuple[Any, ...]]

MOST_VALUES: Final = 1000
"""Most values for which one query looks, since databases limit their number."""


class Reader:
    """Runs queries: any number at the same time, each on a connection of its own."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False
        self.observer = Observer()  # notified of failures

    async def rows(self, query: Query) -> Sequence[AnyRow]:
        """The rows of a query; none where it looks for a text that no database can hold.

        Tries once more where the connection proves to have been lost meanwhile. Raises
        `Unavailable`.
        """
        if not storable(parameters(query)):
            return ()
        with self._counted():
            for once_more in (True, False):
                try:
                    async with self._engine.connect() as connection:
                        try:
                            return (await connection.execute(query)).all()
                        except Exception as error:
                            # Send nothing more through it: the database may never answer.
                            if isinstance(store_error(error), Unavailable):
                                await connection.invalidate()
                            raise
                except Exception as error:
                    if once_more and getattr(error, "connection_invalidated", False):
                        continue
                    raised = store_error(error)
                    if isinstance(raised, Unavailable):
                        self.observer.failed("read")
                    raise raised  # noqa: B904, since `store_error` names the cause
        raise AssertionError("unreachable")

    async def close(self) -> None:
        """Waits for the queries under way, and accepts no more."""
        self._closed = True
        await self._idle.wait()

    @contextmanager
    def _counted(self) -> Iterator[None]:
        if self._closed:
            raise Unavailable("the store is closed")
        self._under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()


class Part:
    """A part of the store with tables of its own. Reads, writes and raises as `Store` does."""

    met: ClassVar[Sequence[Column[str]]] = ()
    """Columns with ids of people who can come back, or whom others have met: nobody in them may be
    forgotten as a guest whom nobody knows."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def export(self, person: str) -> dict[str, Any]:
        """The data of this part about a person, for them to take away as JSON, without secrets."""
        return {}

    def forgetting(self, person: str) -> tuple[Write, ...]:
        """Writes by which this part forgets a person; they may be repeated. Rows that others need
        stay, without the name."""
        return ()

    def over(self, now: float) -> tuple[Write, ...]:
        """Writes by which this part deletes rows that had ended by `now`, in seconds since 1970."""
        return ()

    async def _write(self, *writes: Write) -> None:
        """Does all the writes, for good, or none. Raises `Conflict` where `one` changes no row."""
        await self._writer.append("", 0, (), writes)

    async def _entries(self, stream: str, after: int = 0, until: int | None = None) -> list[Entry]:
        """The entries of a stream after version `after`, up to version `until`."""
        columns = ENTRIES.c
        query = select(columns.version, columns.data, columns.cause, columns.at)
        query = query.where(columns.stream == stream, columns.version > after)
        if until is not None:
            query = query.where(columns.version <= until)
        # Sorted here, as a server with a full disk may not be able to sort.
        return sorted(await self._all(Entry, query), key=lambda entry: entry.version)

    async def _all(self, row: Callable[..., T], query: Query) -> list[T]:
        """The rows of a query, each made into a `row`."""
        return [row(*each) for each in await self._reader.rows(query)]

    async def _first(self, row: Callable[..., T], query: Query) -> T | None:
        """The first row of a query, made into a `row`; None where there is none."""
        rows = await self._reader.rows(query)
        return row(*rows[0]) if rows else None

    async def _value(self, query: Query, default: T) -> T:
        """The first column of the first row of a query; the default for none or NULL."""
        rows = await self._reader.rows(query)
        return default if not rows or rows[0][0] is None else rows[0][0]

    async def _column(self, query: Query) -> list[Any]:
        """The values in the first column of a query."""
        return [row[0] for row in await self._reader.rows(query)]

    async def _among(
        self, query: Query, column: ColumnElement[Any], values: Collection[Any]
    ) -> list[AnyRow]:
        """All rows in which the column has one of these values, of which there may be many."""
        wanted, found = list(values), list[AnyRow]()
        while wanted:
            found += await self._reader.rows(query.where(column.in_(wanted[:MOST_VALUES])))
            del wanted[:MOST_VALUES]
        return found

    async def _dicts(self, query: Query) -> list[dict[str, Any]]:
        """The rows of a query as mappings by column."""
        return [row._asdict() for row in await self._reader.rows(query)]
