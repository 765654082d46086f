"""Forgetting of people: their tables pass on to others, or are closed."""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections.abc import Collection
from contextlib import suppress
from contextvars import Context
from functools import partial

from volte.evenings.conducting import Evenings
from volte.evenings.decide import leave
from volte.evenings.evening import Stage
from volte.evenings.store import Clubs
from volte.store import OPEN, Person, Unavailable, acting
from volte.table import Someone
from volte.table.commands import Vanish
from volte.table.pacing import concerned
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.web.room import Room

log = get_logger("volte.server")


class Departures:
    """Forgets people, and takes people forgotten elsewhere off the tables of this node."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._tasks: set[Task[None]] = set()

    def begin(self) -> None:
        """Listen for people whom other nodes and administrators have forgotten."""
        self._room.store.bus.subscribe("person", self._hear)

    async def close(self) -> None:
        """Cancel the departures that are under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def forget(self, person: Person) -> None:
        """Forget a person for good. Their sessions have been ended before."""
        room = self._room
        for row in await room.store[Clubs].evenings_of(person.id, (Stage.PLANNED, Stage.RUNNING)):
            with suppress(Refused):  # it is over meanwhile
                await room[Evenings].do(row.id, partial(leave, person=person.id))
        tables = await room.store.tables_of(person)
        await room.store.forget(person.id)
        with acting(""):  # no longer for the person, who is gone and may have asked for it
            await self._leave(person.id, tables)
            await room.store.bus.publish("person", person.id)

    async def _leave(self, person: str, tables: Collection[str] = ()) -> None:
        """Take a person off the given tables, the tables they host, and those live here."""
        lobby = self._room.lobby
        hosted = [each.table for each in await self._room.store.listings(OPEN, host=person)]
        here = [live.id for live in lobby.tables if person in concerned(live.state)]
        for table in dict.fromkeys((*tables, *hosted, *here)):
            with suppress(Unavailable):  # another node has it, and gets the same message
                live = await lobby.find(table)
                if live is not None:
                    await live.do(Someone(person, ""), Vanish(), live.state.version)

    def _hear(self, person: str) -> None:
        task = asyncio.create_task(self._tried(person), name="departure", context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tried(self, person: str) -> None:
        """Take one person off their tables; if none is named, everybody here who is forgotten, as a
        message may have been missed."""
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
