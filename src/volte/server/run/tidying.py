"""Tidying: closes abandoned tables, and forgets guests who are gone and data that has expired.

Every node does it, side by side: the first to append closes a table, and a guest can be forgotten
twice without harm.
"""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections.abc import Callable, Sequence
from typing import Final

from volte.history.store import Results
from volte.server.run.membership import Membership
from volte.store import Conflict, Unavailable
from volte.table import TableState
from volte.table.lobby import attended, close_abandoned
from volte.talk.store import TalkStore
from volte.web.logs import get_logger
from volte.web.room import Room

HOUR: Final = 3600.0
"""Seconds between two looks, and until the first: people have this much time to come back after the
server was down."""

DAY: Final = 24 * HOUR

SEASON: Final = 90 * DAY  # seconds until an abandoned table without a match is closed

log = get_logger("volte.server")


class Tidying:
    """Looks every hour for tables to close and for people and data to forget."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._task: Task[None] | None = None

    def begin(self) -> None:
        """Start the task, within a running loop."""
        self._task = asyncio.create_task(self._run(), name="tidying")

    async def close(self) -> None:
        """End the task at once."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def look(self, now: float) -> None:
        """Close and forget everything due by `now`, in seconds since 1970. Raises `Unavailable`."""
        settings = self._room.settings
        rated, alone = now - settings.rated_hours * HOUR, now - SEASON
        store = self._room.store
        await self._close(await store[Results].lying(rated), rated, _rated_match)
        await self._close(await store.left_alone(alone), alone, _without_match)
        await store[TalkStore].sweep(now - settings.talk_days * DAY)
        await store.sweep(now)
        while strayed := await store.strayed(now):  # no browser knows these guests
            for person in strayed:
                await store.forget(person)
                await store.bus.publish("person", person)
            log.info("guests_forgotten", count=len(strayed))

    async def _run(self) -> None:
        what = f"tidying at {self._room.settings.node_name}"
        second_look, wait = self._room.store.second_look, HOUR
        while True:
            await asyncio.sleep(wait)
            try:
                past = await second_look.past(what)
                wait = HOUR if past else second_look.seconds
                await self.look(past)
            except Unavailable:
                log.warning("tidying_waits_for_store")
            except Exception as error:
                log.error("tidying_failed", error=type(error).__name__, exc_info=error)

    async def _close(
        self, tables: Sequence[str], since: float, due: Callable[[TableState], bool]
    ) -> None:
        """Close those tables to which nobody has come back since then."""
        room = self._room
        for table in tables:
            live = room.lobby.living(table)
            if live is not None and attended(live):
                continue
            if await room[Membership].elsewhere(table) is not None:
                continue  # that node does it
            try:
                if await close_abandoned(room.store, table, since, due):
                    log.info("table_put_away", table=table)
                    room.lobby.lose(table)
            except Unavailable:
                raise
            except Conflict:
                pass  # somebody goes on
            except Exception as error:  # a fault of one table must not keep the others open
                log.error("table_not_put_away", table=table, exc_info=error)


def _rated_match(state: TableState) -> bool:
    """Whether a rated match goes on, which is broken off, so that leaving one counts."""
    return state.under_way and state.setup.rated


def _without_match(state: TableState) -> bool:
    return not state.under_way
