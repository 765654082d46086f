"""Transactions: for SQLite in a thread of their own, for PostgreSQL on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from volte.store.errors import Unavailable
from volte.store.trouble import store_error

T = TypeVar("T")
Work = Callable[[Connection], T]
"""The work of one transaction; its caller commits or rolls back."""

_APPEND: Final = """
    INSERT INTO entries (stream, version, data, cause, at)
    WITH added (stream, version, data, cause, at, expected) AS ({rows})
    SELECT stream, version, data, cause, at FROM added
    WHERE NOT EXISTS (
        SELECT 1 FROM added WHERE expected <> coalesce(
            (SELECT max(version) FROM entries WHERE entries.stream = added.stream), 0
        )
    )
"""
"""A statement that adds all rows if every stream ends where it is expected to, else none."""

APPEND: Final = _APPEND.format(
    rows="""
        SELECT * FROM unnest(
            $1::text[], $2::integer[], $3::bytea[], $4::text[], $5::double precision[],
            $6::integer[]
        )
    """
)
"""`_APPEND` for PostgreSQL, with a list of values for each column."""


class NewEntry(NamedTuple):
    """An entry to be added to a stream."""

    stream: str
    version: int
    data: bytes
    cause: str
    at: float
    expected: int  # the version that must be the stream's last before anything is added


class OnLoop:
    """Transactions of PostgreSQL, on the event loop, which goes on meanwhile."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine: Final = engine.sync_engine
        self._engine: Final = engine

    async def run(self, work: Work[T]) -> T:
        """Does the work and commits; rolls back where `work` raises."""
        async with self._engine.connect() as connection:
            return await connection.run_sync(_committed, work)

    async def append(self, entries: Sequence[NewEntry]) -> bool:
        """Adds all entries by one statement, which is a transaction, or none of them.

        Returns whether they were added: every stream must end where it is expected to.
        """
        # The driver is called directly: through SQLAlchemy, with BEGIN and COMMIT, one entry takes
        # four answers and four times as long, and a hundred take ten times as long.
        connection = await self._engine.raw_connection()
        try:
            driver: Any = connection.driver_connection
            done = await driver.execute(APPEND, *zip(*entries, strict=True))
        except Exception as error:
            if isinstance(store_error(error), Unavailable):
                connection.invalidate()
            raise
        finally:
            connection.close()
        return bool(done == f"INSERT 0 {len(entries)}")

    async def close(self) -> None:
        """Closes the connections. May be called again."""
        await self._engine.dispose()


class InThread:
    """Transactions of SQLite, which has one writer: a thread of its own; see `OnLoop`.

    Changing threads costs more than the work itself, so a transaction does it once each way. A
    transaction that has begun is completed even if its waiter is cancelled.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine: Final = engine
        self._thread: Final = ThreadPoolExecutor(1, "writer")
        self._connection: Connection | None = None  # used by that thread alone

    async def run(self, work: Work[T]) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._commit, work)

    async def append(self, entries: Sequence[NewEntry]) -> bool:
        # A statement for each row would release the interpreter's lock, and wait for it, each time.
        rows = "VALUES " + ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(entries))
        values = tuple(chain.from_iterable(entries))

        def work(connection: Connection) -> int:
            return connection.exec_driver_sql(_APPEND.format(rows=rows), values).rowcount

        return await self.run(work) == len(entries)

    async def close(self) -> None:
        with suppress(RuntimeError):  # it is closed already
            await asyncio.get_running_loop().run_in_executor(self._thread, self._dispose)
        self._thread.shutdown()

    def _commit(self, work: Work[T]) -> T:
        """Commits the work on a connection that is kept for the next one, unless it fails."""
        if self._connection is None:
            self._connection = self.engine.connect()
        try:
            return _committed(self._connection, work)
        except BaseException:
            connection, self._connection = self._connection, None
            connection.close()
            raise

    def _dispose(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self.engine.dispose()


Transactions = OnLoop | InThread  # runs one transaction after another


def _committed(connection: Connection, work: Work[T]) -> T:
    """Do the work and commit it. A connection that fails is dropped, since its state is unknown."""
    try:
        done = work(connection)
        connection.commit()
    except Exception as error:
        if isinstance(store_error(error), Unavailable):
            connection.invalidate()
        raise
    return done
