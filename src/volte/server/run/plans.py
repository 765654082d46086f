"""Closing of planned tables to which nobody comes, half an hour after their time."""

from __future__ import annotations

import asyncio
import time
from asyncio import Task
from functools import partial
from typing import Final

from volte.server.run.membership import Membership
from volte.store import Conflict, Listing, Unavailable
from volte.table import TableState
from volte.table.lobby import close_abandoned
from volte.table.stored import AWAITED
from volte.web.logs import get_logger
from volte.web.room import Room

MINUTE: Final = 60.0  # seconds between two looks, and until the first

log = get_logger("volte.server")


class Plans:
    """Looks every minute for planned tables whose time is past. Every node does it: the first to
    append closes a table."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._task: Task[None] | None = None

    def begin(self) -> None:
        """Start the task, within a running loop."""
        self._task = asyncio.create_task(self._run(), name="plans")

    async def close(self) -> None:
        """Stop looking at planned tables, at once."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def look(self, now: float) -> None:
        """Close the tables due by `now`, in seconds since 1970, where nobody was at two looks.

        Raises `Unavailable`.
        """
        for listing in await self._room.store.planned(now - AWAITED):
            try:
                await self._see(listing, now)
            except Unavailable:
                raise
            except Conflict:
                pass  # somebody comes at this moment
            except Exception as error:  # a fault of one table must not keep the others open
                log.error("plan_not_closed", table=listing.table, exc_info=error)

    async def _see(self, listing: Listing, now: float) -> None:
        room, table = self._room, listing.table
        look, what = room.store.second_look, f"plan of {table}"
        live = room.lobby.living(table)
        if live is not None and live.present:
            await look.withdraw(what)
            return
        if await room[Membership].elsewhere(table) is not None:
            return  # that node sees who is there
        past = await look.past(what)
        if past and await close_abandoned(room.store, table, past, partial(_missed, now)):
            log.info("plan_closed", table=table)
            room.lobby.lose(table)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(MINUTE)
            try:
                await self.look(time.time())
            except Unavailable:
                log.warning("plans_wait_for_store")
            except Exception as error:
                log.error("plans_failed", error=type(error).__name__, exc_info=error)


def _missed(now: float, state: TableState) -> bool:
    """Whether the time of a planned table is past for long, and no match has begun."""
    planned = state.setup.planned
    return planned is not None and planned + AWAITED <= now and state.match is None
