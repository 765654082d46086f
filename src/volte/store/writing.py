"""Transactions: a function of a connection is run from beginning to end, off the loop or on it."""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from volte.store.statements import ADDED, added_rows
from volte.store.trouble import Unavailable, told

T = TypeVar("T")
Work = Callable[[Connection], T]
"""What is done within one transaction; it leaves commit and rollback to others."""

_Task = tuple[Callable[[], Any], "Future[Any]"]


class Added(NamedTuple):
    """An entry that is added to a stream.

    Attributes:
        expected: the version that must be the last of the stream, before anything is added.
    """

    stream: str
    version: int
    data: bytes
    cause: str
    at: float
    expected: int


class Writing(Protocol):
    """Runs transactions.

    Attributes:
        engine: has the connections.
    """

    @property
    def engine(self) -> Engine: ...

    async def run(self, work: Work[T]) -> T:
        """Returns once the transaction is committed; it is rolled back where `work` raises."""

    async def add(self, entries: Sequence[Added]) -> bool:
        """Adds entries by one statement, which is a transaction: all of them, or none.

        The answer is whether they were added: every stream must end where it is expected to.
        """

    async def close(self) -> None:
        """Closes the connections; more than once is harmless."""


class OnLoop:
    """For PostgreSQL: while it works, the loop goes on."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine: Final = engine

    @property
    def engine(self) -> Engine:
        return self._engine.sync_engine

    async def run(self, work: Work[T]) -> T:
        async with self._engine.connect() as connection:
            return await connection.run_sync(_committed, work)

    async def add(self, entries: Sequence[Added]) -> bool:
        # The driver is asked directly: with the way through SQLAlchemy, with a beginning and with
        # an end, one entry takes four answers and four times as long, a hundred ten times.
        connection = await self._engine.raw_connection()
        try:
            driver: Any = connection.driver_connection
            done = await driver.execute(ADDED, *zip(*entries, strict=True))
        except Exception as error:
            if isinstance(told(error), Unavailable):
                connection.invalidate()
            raise
        finally:
            connection.close()
        return bool(done == f"INSERT 0 {len(entries)}")

    async def close(self) -> None:
        await self._engine.dispose()


class InThread:
    """For SQLite, which has one writer: a thread of its own.

    Going there and back costs more than what is done there: a transaction does it once. One that
    nobody waits for any more is ended all the same. The thread is there from the first
    transaction until it is closed.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine: Final = engine
        self._tasks: SimpleQueue[_Task | None] | None = None
        self._connection: Connection | None = None  # the thread's alone

    @property
    def engine(self) -> Engine:
        return self._engine

    async def run(self, work: Work[T]) -> T:
        done: T = await self._there(partial(self._connected, work))
        return done

    async def add(self, entries: Sequence[Added]) -> bool:
        return await self.run(partial(_added, entries))

    async def close(self) -> None:
        if self._tasks is not None:
            closed = self._there(self._disposed)
            self._tasks.put(None)
            self._tasks = None
            await closed

    def _there(self, work: Callable[[], Any]) -> Future[Any]:
        """What the thread answers."""
        if self._tasks is None:
            tasks: SimpleQueue[_Task | None] = SimpleQueue()
            Thread(target=_serve, args=(tasks,), name="writer", daemon=True).start()
            self._tasks = tasks
        done: Future[Any] = asyncio.get_running_loop().create_future()
        self._tasks.put((work, done))
        return done

    def _connected(self, work: Work[T]) -> T:
        """Keeps the connection for the next, unless something went wrong."""
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            return _committed(self._connection, work)
        except BaseException:
            self._let_go()
            raise

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _disposed(self) -> None:
        self._let_go()
        self._engine.dispose()


def _committed(connection: Connection, work: Work[T]) -> T:
    """Never uses a connection again that was in trouble, for nobody knows in what state it is."""
    try:
        done = work(connection)
        connection.commit()
    except Exception as error:
        if isinstance(told(error), Unavailable):
            connection.invalidate()
        raise
    return done


def _added(entries: Sequence[Added], connection: Connection) -> bool:
    values = tuple(chain.from_iterable(entries))
    done = connection.exec_driver_sql(added_rows(len(entries)), values)
    return done.rowcount == len(entries)


# The thread


def _serve(tasks: SimpleQueue[_Task | None]) -> None:
    while _served(tasks.get()):
        pass


def _served(task: _Task | None) -> bool:
    """Does one task; False for the end."""
    if task is None:
        return False
    work, done = task
    with suppress(RuntimeError):  # the loop is closed, and nobody waits
        done.get_loop().call_soon_threadsafe(_settle, done, _answer(work, done))
    return True


def _answer(work: Callable[[], Any], done: Future[Any]) -> Callable[[], None]:
    """Does it; whoever waits is told by what is returned."""
    try:
        return partial(done.set_result, work())
    except BaseException as error:
        return partial(done.set_exception, error)


def _settle(done: Future[Any], answer: Callable[[], None]) -> None:
    if not done.done():  # nobody waits any more
        answer()
