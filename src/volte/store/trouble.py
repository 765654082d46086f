"""What can go wrong with a store that is open, and which of the drivers' errors means what."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import asyncpg
from sqlalchemy import exc
from sqlalchemy.ext.asyncio import AsyncConnection


class Conflict(Exception):
    """Somebody else was first: nothing of this was kept."""


class Unavailable(Exception):
    """The database cannot be reached, is full, or stopped in the middle.

    Whether anything was kept is not known: read, then try again.
    """


OURS: Final = ("0A", "22", "42")
"""Classes of SQLSTATE that speak of a wrong statement or value, and not of the database."""

SQLITE_OURS: Final = (
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_MISUSE,
    sqlite3.SQLITE_RANGE,
)
"""SQLite's codes that do."""


def told(error: Exception) -> Exception:
    """The error as callers of the store get it; one of our own mistakes stays as it is."""
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    code = getattr(cause, "sqlite_errorcode", None)
    if isinstance(error, Conflict | Unavailable):
        return error
    if isinstance(error, exc.IntegrityError | asyncpg.IntegrityConstraintViolationError):
        return _caused(Conflict(str(cause)), error)
    if state is not None:
        ours = str(state)[:2] in OURS
    elif code is not None:
        ours = code & 0xFF in SQLITE_OURS
    else:
        ours = not isinstance(error, _WORLD)
    return error if ours else _caused(Unavailable(str(cause) or type(cause).__name__), error)


@asynccontextmanager
async def given_up_in_trouble(connection: AsyncConnection) -> AsyncIterator[None]:
    """Never uses a connection again that was in trouble, for nobody knows in what state it is.

    Nothing more is asked of it: it may be that it does not answer.
    """
    try:
        yield
    except Exception as error:
        if isinstance(told(error), Unavailable):
            await connection.invalidate()
        raise


def _caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


_WORLD: Final = (
    OSError,  # a TimeoutError is one
    exc.TimeoutError,  # no connection of the pool is free
    exc.InterfaceError,
    exc.OperationalError,
    exc.InternalError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresError,
)
