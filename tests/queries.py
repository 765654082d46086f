"""What a store asks of its database: where something must not grow, that is counted, not time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from volte.store import Store


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
