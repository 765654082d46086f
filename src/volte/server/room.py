"""All that a server has at hand while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from volte.bots import Bot, make_bot, warm_up
from volte.server.connections import Connections
from volte.server.limits import Limits
from volte.server.security import Passwords
from volte.server.sessions import Sessions
from volte.server.settings import Settings
from volte.store import Store
from volte.table.lobby import Lobby
from volte.table.pacing import Timing

_WARM: Final[set[str]] = set()
"""Levels whose code has been asked for in this process."""


def bot(level: str, seed: int) -> Bot:
    """A bot of that level. The code that it needs comes in the background, the first time; until
    it is there, it plays as `casual`.
    """
    if level not in _WARM:
        _WARM.add(level)
        warm_up([level])
    return make_bot(level, seed)


@dataclass
class Room:
    """The playroom: what handlers find at `request.app.state.room`.

    Attributes:
        recording: held by whoever writes a record, one at a time.
        taking: held by whoever takes a link for another device.
    """

    settings: Settings
    store: Store
    lobby: Lobby
    sessions: Sessions
    limits: Limits
    passwords: Passwords = field(default_factory=Passwords)
    live: Connections = field(default_factory=Connections)
    recording: asyncio.Lock = field(default_factory=asyncio.Lock)
    taking: asyncio.Lock = field(default_factory=asyncio.Lock)


@asynccontextmanager
async def open_room(settings: Settings) -> AsyncIterator[Room]:
    """The playroom, open for as long as the context lasts. Raises `Fault`."""
    store = await Store.open(settings.database_url)
    try:
        timing = Timing(
            promise_within=settings.promise_within,
            grace=settings.grace,
            turn_down=settings.turn_down,
            cut=settings.cut,
        )
        room = Room(
            settings,
            store,
            Lobby(store, bot, timing=timing),
            Sessions(store, settings.session_days),
            Limits(settings),
        )
        try:
            yield room
        finally:
            await room.lobby.close()
            room.passwords.close()
    finally:
        await store.close()
