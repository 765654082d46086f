"""The database behind a store: its location, its connections, and opening it."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import ssl
import stat
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final
from weakref import WeakSet

from sqlalchemy import create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from volte.extras import missing
from volte.store.errors import StoreFault
from volte.store.migrations import migrate
from volte.store.transactions import InThread, OnLoop, Transactions
from volte.store.trouble import POSTGRES_ERRORS, SQLITE_OURS

BUSY: Final = 10  # seconds that SQLite waits for another program's transaction

AGAIN: Final = 0.02  # seconds until a step for which SQLite itself does not wait is tried again

CONNECTING: Final = 10
"""Seconds for PostgreSQL to answer, and for a connection of the pool to be free."""

ANSWERING: Final = 30  # seconds for one statement of PostgreSQL

SETTINGS: Final = {
    "application_name": "volte",
    # A commit is on the disk when it is answered, however carelessly the server is set up.
    "synchronous_commit": "on",
    # When this machine is lost, PostgreSQL rolls its transactions back and frees its locks after
    # some five seconds.
    "tcp_keepalives_idle": "2",
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "5000",
}
"""The settings of each connection to PostgreSQL."""

_COMMON: Final = {
    "pool_timeout": CONNECTING,
    "max_overflow": 0,
    "pool_reset_on_return": None,  # every transaction is ended where it is begun
    "hide_parameters": True,  # no card and no secret goes into a traceback
}


@dataclass(frozen=True)
class Backing:
    """The connections to a database."""

    name: str  # name of the database, for people to read; never with a password
    writers: Transactions  # one connection, since SQLite has one writer
    readers: AsyncEngine  # connections that write nothing
    # Makes one more connection of asyncpg, for one owner alone; None for SQLite, which only one
    # process uses
    connect: Callable[[], Awaitable[Any]] | None = None
    open: WeakSet[Any] = field(default_factory=WeakSet)  # the connections to PostgreSQL that exist

    async def close(self) -> None:
        """Closes all connections. SQLite's writer is closed last, and leaves a single file."""
        await self.readers.dispose()
        await self.writers.close()


def backing(url: str) -> Backing:
    """The connections to the database of a URL. None is opened yet, but SQLite's file is made.

    Raises `StoreFault`.
    """
    where = location(url)
    return _sqlite(where) if isinstance(where, Path) else _postgres(where)


def location(url: str) -> Path | URL:
    """The location of a URL's database: SQLite's file, or a PostgreSQL. Raises `StoreFault`."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreFault("store_url", text=without_password(url)) from None
    kind = parsed.drivername.partition("+")[0]
    if kind in ("postgresql", "postgres"):
        return parsed
    if kind == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return Path(str(parsed.database)).expanduser()
    raise StoreFault("store_url", text=without_password(url))


def without_password(url: str) -> str:
    """A URL that may be shown: only its kind, where it may have a password."""
    return url.partition("://")[0] + "://…" if "@" in url else url


# SQLite


def _sqlite(path: Path) -> Backing:
    make_file(path)
    check_links(path)
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
    """Make the file if there is none; only its owner may read it. Raises `StoreFault`."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        regular = stat.S_ISREG(os.fstat(file).st_mode)
        os.close(file)
    except OSError as error:
        # Another file stands where a folder should be made.
        why = "Not a directory" if isinstance(error, FileExistsError) else str(error.strerror)
        raise StoreFault("store_not_opened", path=str(path), why=why) from None
    except ValueError:  # a zero byte
        raise StoreFault("store_url", text=f"sqlite:///{path}") from None
    if not regular:
        raise StoreFault("store_not_opened", path=str(path), why="Not a file")


@contextmanager
def alone(database: Path) -> Iterator[sqlite3.Connection]:
    """The database, closed to all others meanwhile. Raises `StoreFault` if it is open already."""
    with closing(sqlite3.connect(database, 0, isolation_level=None)) as connection:
        try:
            # Only the last connection to a database can leave the mode of a shared log.
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            (mode,) = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
            connection.execute("BEGIN EXCLUSIVE")
            connection.rollback()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            raise StoreFault("store_in_use", path=str(database)) from None
        if mode != "delete":
            raise StoreFault("store_in_use", path=str(database))
        yield connection


def check_links(path: Path) -> None:
    """Raise `StoreFault` where a server has the file open by another name, a hard link: the latest
    writes lie in a log beside that name alone. Raises `OSError` for a path that is no file."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, "Not a file", str(path))
    if found.st_nlink > 1:
        path = path.resolve()
        if not path.with_name(f"{path.name}-wal").exists():
            with suppress(sqlite3.Error), alone(path):  # later steps report any other fault
                pass


def _prepare_writer(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions begin as `_begin_at_once` says
    _write_ahead(connection)
    _pragmas(connection, "synchronous=FULL", "foreign_keys=ON")


def _write_ahead(connection: Any) -> None:
    """Switch on the write-ahead log. While another program does so with a new file, SQLite refuses
    it without waiting, so it is tried again."""
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
    """Begin a transaction with the write lock, so that its reads stay true until it ends."""
    connection.connection.driver_connection.execute("BEGIN IMMEDIATE")


# PostgreSQL


def _postgres(url: URL) -> Backing:
    """The connections to a PostgreSQL. Raises `VolteError` `needs_extra` without its driver."""
    if not POSTGRES_ERRORS:
        raise missing("server")
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
    """Make the pool replace a connection that the server has closed."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _connecting(url: str, there: WeakSet[Any]) -> Callable[[], Any]:
    import asyncpg  # imported here, as SQLite does not need it

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


# Opening


NO_ROOM: Final = "No space left on device"

SQLITE_WHY: Final = {
    sqlite3.SQLITE_PERM: "Permission denied",
    sqlite3.SQLITE_READONLY: "Permission denied",
    sqlite3.SQLITE_CANTOPEN: "Permission denied",
    sqlite3.SQLITE_BUSY: "another program holds it",
    sqlite3.SQLITE_LOCKED: "another program holds it",
    sqlite3.SQLITE_FULL: NO_ROOM,
    sqlite3.SQLITE_IOERR: "Input/output error",
    sqlite3.SQLITE_IOERR_SHMSIZE: NO_ROOM,
}
"""Reasons for which a file cannot be used, by SQLite's code."""


def sqlite_why(error: BaseException) -> str | None:
    """Reason for which a file cannot be used, by SQLite's error; None for any other error."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return SQLITE_WHY.get(code) or SQLITE_WHY.get(code & 0xFF)


async def opened(database: Backing) -> None:
    """Bring the tables of a database up to date.

    Raises `StoreFault`, and leaves nothing open then.
    """
    try:
        await _check_direct(database)
        await database.writers.run(partial(migrate, name=database.name))
    except BaseException as error:
        await database.close()
        fault = _fault(error, database.name)
        if fault is None:
            raise
        raise fault from error


async def _check_direct(database: Backing) -> None:
    """Raise `StoreFault` where a pooler stands before PostgreSQL.

    The advisory lock of a node would belong to another connection in the next transaction.
    """
    if database.connect is None:
        return
    connection = await database.connect()
    try:
        if await connection.fetchval("SELECT pg_backend_pid()") != connection.get_server_pid():
            raise StoreFault("store_pooled", path=database.name)
    finally:
        connection.terminate()


def _fault(error: BaseException, name: str) -> StoreFault | None:
    cause = getattr(error, "orig", None) or error
    cause = getattr(cause, "__cause__", None) or cause
    match cause:
        case sqlite3.Error():
            code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code == sqlite3.SQLITE_NOTADB:
                return StoreFault("store_foreign", path=name)
            if code == sqlite3.SQLITE_CORRUPT:
                return StoreFault("store_damaged", path=name)
            if code in SQLITE_OURS:
                return None
            why = sqlite_why(cause) or str(cause)
            return StoreFault("store_not_opened", path=name, why=why)
        case TimeoutError():
            return StoreFault("store_unreachable", path=name, why="it does not answer")
        case OSError():
            return StoreFault("store_unreachable", path=name, why=_why(cause))
        case _ if isinstance(cause, POSTGRES_ERRORS):
            return _postgres_fault(cause, name)
        case _:
            return None


def _postgres_fault(cause: BaseException, name: str) -> StoreFault:
    import asyncpg

    match cause:
        case asyncpg.InvalidAuthorizationSpecificationError():
            return StoreFault("store_denied", path=name)
        case asyncpg.InvalidCatalogNameError():
            return StoreFault("store_missing", path=name)
        case asyncpg.InsufficientPrivilegeError():
            return StoreFault("store_not_opened", path=name, why="Permission denied")
        case asyncpg.ClientConfigurationError():
            return StoreFault("store_url", text=name)
    return StoreFault("store_unreachable", path=name, why=str(cause))


def _why(error: OSError) -> str:
    """The system's message for an error; of several addresses that were tried, the first one's."""
    named = re.search(r"\[Errno (\d+)\]", str(error))
    number = int(named[1]) if named else 0
    if isinstance(error, ssl.SSLError) or number not in errno.errorcode:
        return error.strerror or str(error)
    return os.strerror(number)
