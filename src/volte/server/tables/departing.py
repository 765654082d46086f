"""People who are forgotten: their tables pass on to others, or are closed."""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections.abc import Collection
from contextlib import suppress
from contextvars import Context
from functools import partial

from volte.evenings.conducting import Declined, Evenings
from volte.evenings.decide import leave
from volte.evenings.evening import Stage
from volte.evenings.store import Clubs
from volte.store import OPEN, Person, Unavailable, acting
from volte.table import Someone
from volte.table.commands import Vanish
from volte.table.pacing import concerned
from volte.web.logs import get_logger
from volte.web.room import Room

log = get_logger("volte.server")


class Departures:
    """Forgets people, and lets those whom others have forgotten leave the tables of this node."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._tasks: set[Task[None]] = set()

    def begin(self) -> None:
        """Listens to what other nodes and administrators do."""
        self._room.store.bus.subscribe("person", self._hear)

    async def close(self) -> None:
        """Cancel the departures that are under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def forget(self, person: Person) -> None:
        """Forgets a person for good. Their sessions have been ended before."""
        room = self._room
        for row in await room.store[Clubs].evenings_of(person.id, (Stage.PLANNED, Stage.RUNNING)):
            with suppress(Declined):  # it is over meanwhile
                await room[Evenings].do(row.id, partial(leave, person=person.id))
        tables = await room.store.tables_of(person)
        await room.store.forget(person.id)
        with acting(""):  # and no longer for the person, who may have asked for it
            await self._leave(person.id, tables)
            await room.store.bus.publish("person", person.id)

    async def _leave(self, person: str, tables: Collection[str] = ()) -> None:
        """Somebody who is gone leaves these tables, those that are theirs, and those live here."""
        lobby = self._room.lobby
        hosted = [each.table for each in await self._room.store.listings(OPEN, host=person)]
        here = [live.id for live in lobby.tables if person in concerned(live.state)]
        for table in dict.fromkeys((*tables, *hosted, *here)):
            with suppress(Unavailable):  # another node has it, which hears of it as well
                live = await lobby.find(table)
                if live is not None:
                    await live.do(Someone(person, ""), Vanish(), live.state.version)

    def _hear(self, person: str) -> None:
        task = asyncio.create_task(self._tried(person), name="departure", context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tried(self, person: str) -> None:
        """Lets one person leave; or whoever is gone, where something may have been missed."""
        try:
            gone = frozenset({person})
            if not person:
                there = [concerned(live.state) for live in self._room.lobby.tables]
                people = frozenset().union(*there)
                gone = people - await self._room.store.known(people)
            for each in gone:
                await self._leave(each)
        except Unavailable:
            log.warning("departures_wait")
