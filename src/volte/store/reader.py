"""Reading: any number of queries at the same time, each on a connection of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select
from sqlalchemy.ext.asyncio import AsyncEngine

from volte.store.heard import Nobody, Observer
from volte.store.rows import storable
from volte.store.trouble import Unavailable, given_up_in_trouble, told

AnyRow = Row[*tuple[Any, ...]]
Query = Select[*tuple[Any, ...]]

AT_ONCE: Final = 1000
"""Values that one query looks for: databases do not take any number of them."""


class Reader:
    """Asks the database.

    Attributes:
        observer: hears where it cannot be used.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._asked = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False
        self.observer: Observer = Nobody()

    async def rows(self, query: Query, *texts: str) -> Sequence[AnyRow]:
        """All rows; none where one of the texts can be in no database.

        Asks once more where the connection proves to have been lost meanwhile. Raises
        `Unavailable`.
        """
        if not all(map(storable, texts)):
            return ()
        with self._under_way():
            for once_more in (True, False):
                try:
                    return await self._ask(query)
                except Exception as error:
                    if once_more and getattr(error, "connection_invalidated", False):
                        continue
                    if isinstance(told(error), Unavailable):
                        self.observer.failed("read")
                    raise told(error)  # noqa: B904, since `told` names the cause
        raise AssertionError("unreachable")

    async def rows_among(
        self, query: Query, column: ColumnElement[Any], values: Collection[Any]
    ) -> list[AnyRow]:
        """All rows in which the column has one of these values; see `rows`."""
        left, found = list(values), list[AnyRow]()
        while left:
            found += await self.rows(query.where(column.in_(left[:AT_ONCE])))
            del left[:AT_ONCE]
        return found

    async def close(self) -> None:
        """Waits for the answers that are due, and asks no more."""
        self._closed = True
        await self._idle.wait()

    async def _ask(self, query: Query) -> Sequence[AnyRow]:
        async with self._engine.connect() as connection, given_up_in_trouble(connection):
            return (await connection.execute(query)).all()

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        if self._closed:
            raise Unavailable("the store is closed")
        self._asked += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._asked -= 1
            if not self._asked:
                self._idle.set()
