"""A room as a browser has it, over texts in memory whose keeping can wait or fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any, Final

import pytest
from kit.live import QUICK, done
from kit.tables import setup

from volte.alone.file import packed
from volte.fair import House
from volte.solo.keeper import KeptChange, MemoryKeeper
from volte.solo.kept import KeptStore
from volte.solo.room import ME, SoloRoom
from volte.store import Person, Unavailable
from volte.table import Setup, Someone
from volte.table import commands as cmd
from volte.table.live import LiveTable

SOUTH: Final = Someone(ME, "South")


class SlowKeeper(MemoryKeeper):
    """Texts that are kept once `lets` is set, and not at all while it is `full`."""

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        super().__init__()
        self._texts |= texts or {}
        self.full = False
        self.lets = asyncio.Event()
        self.lets.set()
        self.asked = 0  # number of changes so far

    @property
    def all(self) -> dict[str, str]:
        """A copy of all texts, as a crash at this moment leaves them."""
        return dict(self._texts)

    async def keep(self, change: KeptChange) -> None:
        self.asked += 1
        await self.lets.wait()
        if self.full:
            raise Unavailable("full")
        await super().keep(change)


OpenRoom = Callable[[MemoryKeeper], SoloRoom]


@pytest.fixture
async def room_over() -> AsyncIterator[OpenRoom]:
    """Function that opens a room over some texts; nothing takes time there but what people do."""
    async with AsyncExitStack() as rooms:

        def room_over(keeper: MemoryKeeper) -> SoloRoom:
            room = SoloRoom(KeptStore(keeper), "en", QUICK, lambda: House.from_seed(1))
            rooms.push_async_callback(room.lobby.close)
            return room

        yield room_over


async def begun(room: SoloRoom, preset: str = "coeurs", **options: Any) -> LiveTable:
    """A table of the room at which a match has begun, with nobody there yet."""
    rules = setup(preset, **options)
    table = await room.open(rules, ["casual"] * (rules.rules.players - 1))
    live = await room.find(table)
    assert live is not None
    await done(live, SOUTH, cmd.Start())
    return live


async def to_take_along(setup: Setup, lang: str, name: str) -> tuple[str, bytes]:
    """The id of a table of a person with `casual` bots, where nothing has begun, and its file."""
    room = SoloRoom(KeptStore(), lang)
    await room.store.put_person(Person(ME, name, lang, {}, 0.0))
    table = await room.open(setup, ["casual"] * (setup.rules.players - 1))
    file, _ = await packed(room.store)
    return table, file
