"""Causes of a store's errors among the drivers' errors, and the observer of failures."""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy import exc

from volte.store.errors import Conflict, Gone, Unavailable

try:
    import asyncpg
except ImportError:  # the extra `server` is not installed, and no PostgreSQL is opened
    POSTGRES_ERRORS: tuple[type[Exception], ...] = ()
else:
    POSTGRES_ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


class Observer:
    """The observer of a store's work with its database; this one ignores everything.

    The methods of subclasses must not raise.
    """

    def written(self, jobs: int, seconds: float) -> None:
        """Called when one transaction has written some jobs, in some seconds."""

    def failed(self, doing: str) -> None:
        """Called when the database could not be used, to `read` or to `write`."""


BROKEN: Final = "23"  # class of SQLSTATE: a row is there already, or a row it points at is missing
OURS: Final = ("0A", "22", "42")
"""Classes of SQLSTATE that mean a wrong statement or value, and not a fault of the database."""

SQLITE_OURS: Final = (
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_MISUSE,
    sqlite3.SQLITE_RANGE,
)
"""SQLite's codes that mean a wrong statement or value, and not a fault of the database."""

SQLITE_DAMAGED: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
"""SQLite's codes for a file that cannot be read, or not fully."""

_WORLD: Final = (
    OSError,  # a TimeoutError is one
    exc.TimeoutError,  # no connection of the pool is free
    exc.InterfaceError,
    exc.OperationalError,
    exc.InternalError,
    *POSTGRES_ERRORS,
)


def is_damage(error: Unavailable) -> bool:
    """Whether the error means that SQLite's file is damaged."""
    cause = error.__cause__
    code = getattr(getattr(cause, "orig", None) or cause, "sqlite_errorcode", 0)
    return code & 0xFF in SQLITE_DAMAGED


def store_error(error: Exception) -> Exception:
    """The error as callers of the store get it; a programming error stays as it is."""
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    code = getattr(cause, "sqlite_errorcode", None)
    found: Exception
    if isinstance(error, Conflict | Gone | Unavailable):
        return error
    if isinstance(error, exc.IntegrityError) or str(state)[:2] == BROKEN:
        found = Conflict(str(cause))
    else:
        if state is not None:
            ours = str(state)[:2] in OURS
        elif code is not None:
            ours = code & 0xFF in SQLITE_OURS
        else:
            ours = not isinstance(error, _WORLD)
        if ours:
            return error
        found = Unavailable(str(cause) or type(cause).__name__)
    found.__cause__ = error
    return found
