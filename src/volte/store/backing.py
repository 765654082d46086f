"""The database behind a store: where it is, and how its connections are made."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from weakref import WeakSet

import asyncpg
from sqlalchemy import create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from volte.cards import Fault
from volte.store.writing import InThread, OnLoop, Writing

BUSY: Final = 10
"""Seconds that SQLite waits for another program's transaction."""

AGAIN: Final = 0.02
"""Seconds until something that SQLite does not wait for is tried again."""

CONNECTING: Final = 10
"""Seconds for PostgreSQL to answer, and for a connection of the pool to be free."""

ANSWERING: Final = 30
"""Seconds for one statement of PostgreSQL."""

SETTINGS: Final = {
    "application_name": "volte",
    # What is said to be kept is on the disk, however careless the server is set up.
    "synchronous_commit": "on",
    # Where our machine is lost, PostgreSQL undoes what we were in the middle of, and frees all our
    # locks, after some five seconds.
    "tcp_keepalives_idle": "2",
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "5000",
}
"""How PostgreSQL treats each of our connections."""

_COMMON: Final = {
    "pool_timeout": CONNECTING,
    "max_overflow": 0,
    "pool_reset_on_return": None,  # every transaction is ended where it is begun
    "hide_parameters": True,  # no card and no secret goes into a traceback
}


class StoreFault(Fault):
    """A store that cannot be opened."""


@dataclass(frozen=True)
class Backing:
    """The connections to a database.

    Attributes:
        name: of the database, as it is told; never with a password.
        writers: one connection for SQLite, which has one writer.
        readers: they write nothing.
        connect: makes one more connection of asyncpg, for whoever keeps it for themselves; None
            for SQLite, which one process uses.
        open: the connections to PostgreSQL that there are.
    """

    name: str
    writers: Writing
    readers: AsyncEngine
    connect: Callable[[], Awaitable[Any]] | None = None
    open: WeakSet[Any] = field(default_factory=WeakSet)

    async def close(self) -> None:
        """Closes all connections; SQLite's writer, closed last, leaves one file alone."""
        await self.readers.dispose()
        await self.writers.close()


def backing(url: str) -> Backing:
    """The database of a URL; only SQLite's file is touched.

    Raises `StoreFault`.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreFault("store_url", text=without_password(url)) from None
    kind = parsed.drivername.partition("+")[0]
    if kind == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return _sqlite(Path(str(parsed.database)).expanduser())
    if kind in ("postgresql", "postgres"):
        return _postgres(parsed)
    raise StoreFault("store_url", text=without_password(url))


def without_password(url: str) -> str:
    """Only the kind, where there may be a password."""
    return url.partition("://")[0] + "://…" if "@" in url else url


# SQLite


def _sqlite(path: Path) -> Backing:
    make_file(path)
    address = URL.create("sqlite", database=str(path.absolute()))
    common: dict[str, Any] = _COMMON | {"connect_args": {"timeout": BUSY}}
    writers = create_engine(address.set(drivername="sqlite+pysqlite"), pool_size=1, **common)
    readers = create_async_engine(
        address.set(drivername="sqlite+aiosqlite"),
        pool_size=4,
        isolation_level="AUTOCOMMIT",
        **common,
    )
    event.listen(writers, "connect", _prepare_writer)
    event.listen(writers, "begin", _begin_at_once)
    event.listen(readers.sync_engine, "connect", _prepare_reader)
    return Backing(str(path), InThread(writers), readers)


def make_file(path: Path) -> None:
    """Sees that the file is there; what is new belongs to its owner alone."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        regular = stat.S_ISREG(os.fstat(file).st_mode)
        os.close(file)
    except OSError as error:
        # Where a folder should be made, there is a file.
        why = "Not a directory" if isinstance(error, FileExistsError) else str(error.strerror)
        raise StoreFault("store_not_opened", path=str(path), why=why) from None
    except ValueError:  # a zero byte
        raise StoreFault("store_url", text=f"sqlite:///{path}") from None
    if not regular:
        raise StoreFault("store_not_opened", path=str(path), why="Not a file")


def _prepare_writer(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions begin as `_begin_at_once` says
    _write_ahead(connection)
    _pragmas(connection, "synchronous=FULL", "foreign_keys=ON")


def _write_ahead(connection: Any) -> None:
    """While another program does the same to a new file, SQLite refuses it without waiting."""
    end = time.monotonic() + BUSY
    while True:
        try:
            _pragmas(connection, "journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > end:
                raise
        time.sleep(AGAIN)


def _prepare_reader(connection: Any, record: object) -> None:
    _pragmas(connection, "query_only=ON")


def _pragmas(connection: Any, *pragmas: str) -> None:
    cursor = connection.cursor()
    for pragma in pragmas:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_at_once(connection: Any) -> None:
    """Takes the lock before anything is read: what was read then stays true."""
    connection.connection.driver_connection.execute("BEGIN IMMEDIATE")


# PostgreSQL


def _postgres(url: URL) -> Backing:
    plain = url.set(drivername="postgresql")
    name = URL.create("postgresql", url.username, None, url.host, url.port, url.database)
    there: WeakSet[Any] = WeakSet()
    connect = _connecting(plain.render_as_string(hide_password=False), there)
    common: dict[str, Any] = _COMMON | {"async_creator": connect}
    writers = create_async_engine("postgresql+asyncpg://", pool_size=1, **common)
    readers = create_async_engine(
        "postgresql+asyncpg://", pool_size=4, isolation_level="AUTOCOMMIT", **common
    )
    for engine in (writers, readers):
        event.listen(engine.sync_engine, "checkout", _be_open)
    return Backing(str(name), OnLoop(writers), readers, connect, there)


def _be_open(connection: Any, record: object, proxy: object) -> None:
    """Has the pool make a new connection in place of one that the server has closed."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _connecting(url: str, there: WeakSet[Any]) -> Callable[[], Any]:
    async def connect() -> Any:
        connection = await asyncpg.connect(
            url,
            timeout=CONNECTING,
            command_timeout=ANSWERING,
            server_settings=SETTINGS,
        )
        there.add(connection)
        return connection

    return connect
