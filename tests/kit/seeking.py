"""People at real servers who press "Play with people", whatever happens to the servers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Self

import pytest
from kit.playing import GONE, Player
from kit.sites import Playroom

from volte.meeting.matchmaker import Matchmaker
from volte.meeting.store import Seeks
from volte.store.store import Store
from volte.table.stored import onward_of, read_table
from volte.web.room import Room


async def nobody_seeks(room: Room) -> None:
    """Let nobody look for people any more, so that none of them is paired with somebody new."""
    for person in await room.store[Seeks].all({}):
        await room[Matchmaker].stop(person)
    await room[Matchmaker].look()


@pytest.fixture
def nobody_waits(request: pytest.FixtureRequest) -> Iterator[None]:
    """Nobody whom a test leaves in the playroom is paired with those of the next one."""
    yield
    if "playroom" in request.fixturenames:
        playroom: Playroom = request.getfixturevalue("playroom")
        playroom.do(nobody_seeks(playroom.site.room))


class Seeker(Player):
    """Somebody who presses, plays, and goes on where the people of their table do, whatever happens
    to the servers.

    Attributes:
        store: of their playroom.
        first: id of the table where they begin.
        went: ids of the tables where they have been.
    """

    store: Store
    first: str
    went: set[str]
    playing: asyncio.Task[None]

    @classmethod
    async def among(cls, store: Store, address: str, name: str) -> Self:
        """A new person, who has not pressed yet."""
        come = await cls.come(address, name)
        come.store, come.went = store, set()
        return come

    async def press(self, rules: str) -> None:
        """Press until there is an answer, and play from then on."""
        while True:
            with suppress(*GONE):
                reply = await self.post("/api/meet", {"rules": rules})
                if reply.status == 200:
                    break
            await asyncio.sleep(0.05)
        self.table = self.first = reply.json["table"]
        self.starts = lambda: self.table == self.first
        self.playing = asyncio.create_task(self.stay(lambda: False))

    async def give_up(self) -> None:
        """Lose the connection, for good."""
        self.playing.cancel()
        await asyncio.wait({self.playing})
        await self.leave()

    async def come_back(self) -> None:
        listing = await self.store.listing(self.table)
        onward = onward_of(listing) if listing is not None else ""
        await self.join(onward or self.table)
        self.went.add(self.table)
        await self.hurry()

    async def at(self, table: str) -> bool:
        """Whether they have a seat at a table, by its log."""
        stored = await read_table(self.store, table)
        return (
            stored is not None
            and not stored.state.closed
            and stored.state.seat_of(self.person) is not None
        )

    async def together(self, *others: Seeker) -> bool:
        """Whether all are seated at one table, from which they seek, and at no other one."""
        people = (self, *others)
        seeks = await self.store[Seeks].all({})
        if not {each.person for each in people} <= seeks.keys():
            return False
        tables = {seeks[each.person].table for each in people}
        if len(tables) > 1 or any(seeks[each.person].joins for each in people):
            return False
        for each in people:
            if {table for table in each.went | tables if await each.at(table)} != tables:
                return False
        return True
