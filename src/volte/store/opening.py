"""Opening a database: its tables are brought up to date, or one sentence says why not."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import ssl
from functools import partial
from typing import Final

import asyncpg

from volte.store.backing import Backing, StoreFault
from volte.store.migrations import migrate
from volte.store.trouble import SQLITE_OURS


async def opened(database: Backing) -> None:
    """Brings the tables up to date.

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
    """Raises `StoreFault` where something between here and PostgreSQL shares connections out.

    The lock by which a node is there would be somebody else's in the next transaction.
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
            if code in SQLITE_OURS:
                return None
            why = SQLITE_WHY.get(code, str(cause))
            return StoreFault("store_not_opened", path=name, why=why)
        case asyncpg.InvalidAuthorizationSpecificationError():
            return StoreFault("store_denied", path=name)
        case asyncpg.InvalidCatalogNameError():
            return StoreFault("store_missing", path=name)
        case asyncpg.InsufficientPrivilegeError():
            return StoreFault("store_not_opened", path=name, why="Permission denied")
        case asyncpg.ClientConfigurationError():
            return StoreFault("store_url", text=name)
        case TimeoutError():
            return StoreFault("store_unreachable", path=name, why="it does not answer")
        case OSError():
            return StoreFault("store_unreachable", path=name, why=_why(cause))
        case asyncpg.PostgresError() | asyncpg.InterfaceError():
            return StoreFault("store_unreachable", path=name, why=str(cause))
        case _:
            return None


def _why(error: OSError) -> str:
    """What the system says; of several addresses that were tried, what it says of the first."""
    named = re.search(r"\[Errno (\d+)\]", str(error))
    number = int(named[1]) if named else 0
    if isinstance(error, ssl.SSLError) or number not in errno.errorcode:
        return error.strerror or str(error)
    return os.strerror(number)


SQLITE_WHY: Final = {
    sqlite3.SQLITE_PERM: "Permission denied",
    sqlite3.SQLITE_READONLY: "Permission denied",
    sqlite3.SQLITE_CANTOPEN: "Permission denied",
    sqlite3.SQLITE_BUSY: "another program holds it",
    sqlite3.SQLITE_LOCKED: "another program holds it",
    sqlite3.SQLITE_FULL: "No space left on device",
    sqlite3.SQLITE_IOERR: "Input/output error",
    sqlite3.SQLITE_CORRUPT: "it is damaged",
}
"""By SQLite's code, what keeps a file from being used."""
