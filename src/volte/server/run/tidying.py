"""What nobody comes back to is put away: rated matches that lie, tables, and guests who are gone.

Every node does it, and none minds that others do: a table is closed by whoever appends first,
and who is forgotten stays so.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import Task
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from volte.server.run.membership import Membership
from volte.store import Conflict, Store, Unavailable
from volte.table.failing import where_it_failed
from volte.table.lobby import attended, break_off, clear_away
from volte.web.logs import get_logger
from volte.web.room import Room

HOUR: Final = 3600.0
"""Seconds between two looks, and until the first: whoever waited for a server that was down has so
much time to come back."""


DAY: Final = 24 * HOUR


SEASON: Final = 90 * DAY
"""Seconds for which a table where no match goes on waits for somebody."""


TableCloser = Callable[[Store, str, float], Awaitable[bool]]


log = get_logger("volte.server")


class Tidying:
    """Looks now and then what can be put away."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._task: Task[None] | None = None

    def begin(self) -> None:
        """Begins, within a running loop."""
        self._task = asyncio.create_task(self._run(), name="tidying")

    async def close(self) -> None:
        """Looks no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def look(self, now: float) -> None:
        """Puts away what can be, at that time in seconds since 1970. Raises `Unavailable`."""
        rated, alone = now - self._room.settings.rated_hours * HOUR, now - SEASON
        store = self._room.store
        await self._close(await store.results.lying(rated), break_off, rated)
        await self._close(await store.left_alone(alone), clear_away, alone)
        await self._forget(now - DAY)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(HOUR)
            try:
                await self.look(time.time())
            except Unavailable:
                log.warning("tidying_waits_for_store")
            except Exception as error:
                where = where_it_failed(error)
                log.error("tidying_failed", error=type(error).__name__, where=where)

    async def _close(self, tables: Sequence[str], close: TableCloser, since: float) -> None:
        """Closes the tables to which nobody has come back since then."""
        room = self._room
        for table in tables:
            live = room.lobby.living(table)
            if live is not None and attended(live):
                continue
            if await room[Membership].elsewhere(table) is not None:
                continue  # that node looks after it
            try:
                if await close(room.store, table, since):
                    log.info("table_put_away", table=table)
                    room.lobby.lose(table)
            except Unavailable:
                raise
            except Conflict:
                pass  # somebody goes on
            except Exception as error:  # whatever is wrong with one, the others are ended
                log.error("table_not_put_away", table=table, where=where_it_failed(error))

    async def _forget(self, before: float) -> None:
        """Forgets guests whom no browser knows any more."""
        store = self._room.store
        while strayed := await store.accounts.strayed(before):
            for person in strayed:
                await store.forget(person)
            log.info("guests_forgotten", count=len(strayed))
