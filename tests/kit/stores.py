"""Stores over real databases, and what they send there, so that it can be counted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from volte.store import Store


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """A store over an empty database, of each kind in turn; see `on_sqlite` and its like."""
    async with await Store.open(database) as store:
        yield store


@pytest.fixture
async def other(store: Store, database: str) -> AsyncIterator[Store]:
    """Another program's store over the same database."""
    async with await Store.open(database) as other:
        yield other


@contextmanager
def queries(store: Store) -> Iterator[list[str]]:
    """The queries that are sent meanwhile, each followed by its parameters."""
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
    """How many rows of a table each `UPDATE` changes meanwhile."""
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
