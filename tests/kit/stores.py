"""Stores over real databases, and their queries, so that these can be counted."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import asyncpg
import pytest
from sqlalchemy import Engine, create_engine, event

from volte.store.backing import make_file
from volte.store.migrations import migrate
from volte.store.store import Store

PATIENCE: Final = 60  # seconds after which an answer counts as missing


@functools.cache
def _tables() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "volte.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as begun:
            migrate(begun, "")
        engine.dispose()
        return path.read_bytes()


def lay_out(database: str) -> None:
    """Make the file of an SQLite URL, if it is not there, with all tables, empty: copying them is
    quicker than making them."""
    path = Path(database.removeprefix("sqlite:///"))
    if database.startswith("sqlite") and not path.exists():
        make_file(path)
        path.write_bytes(_tables())


_steps: Final[list[str]] = []  # statements that make all tables in PostgreSQL, once they are known


async def lay_out_any(database: str) -> None:
    """Make the tables of a URL of either kind, if they are not there; see `lay_out`."""
    if database.startswith("sqlite"):
        lay_out(database)
    elif _steps:
        connection = await asyncpg.connect(database)
        try:
            with suppress(asyncpg.DuplicateTableError):
                await connection.execute(";".join(_steps))
        finally:
            await connection.close()
    else:
        _steps.extend(await _heard_steps(database))


async def _heard_steps(database: str) -> list[str]:
    """Statements by which Volte makes its tables where there are none, heard while it does; none
    where they are there already.
    """
    heard: list[str] = []

    def hear(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if connection.dialect.name == "postgresql" and not statement.startswith("SELECT"):
            heard.append(statement)

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        async with await Store.open(database):
            return heard[:]
    finally:
        event.remove(Engine, "before_cursor_execute", hear)


def damage(path: Path) -> None:
    """Overwrite the middle of a file, where its tables are."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 4 // 4096 * 4096)
        file.write(b"\xff" * (size // 2))


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """A store over an empty database, see `on_both` and its like."""
    await lay_out_any(database)
    async with await Store.open(database) as store:
        yield store


@pytest.fixture
async def other(store: Store, database: str) -> AsyncIterator[Store]:
    """Another program's store over the same database."""
    async with await Store.open(database) as other:
        yield other


@contextmanager
def queries(store: Store) -> Iterator[list[str]]:
    """Collect the queries sent meanwhile, each followed by its parameters."""
    sent: list[str] = []

    def note(connection: Any, cursor: Any, query: str, parameters: Any, *_: Any) -> None:
        sent.append(f"{query} {parameters}")

    engine = store._reader._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", note)


@contextmanager
def rows_changed(store: Store, table: str) -> Iterator[list[int]]:
    """Collect the number of rows that each `UPDATE` of a table changes meanwhile."""
    counts: list[int] = []

    def note(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(f"UPDATE {table} "):
            counts.append(cursor.rowcount)

    engine = store._writer._transactions.engine
    event.listen(engine, "after_cursor_execute", note)
    try:
        yield counts
    finally:
        event.remove(engine, "after_cursor_execute", note)
