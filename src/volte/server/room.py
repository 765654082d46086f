"""All that a server has at hand while it runs."""

from __future__ import annotations

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
    """The playroom: what handlers find at `request.app.state.room`."""

    settings: Settings
    store: Store
    lobby: Lobby
    sessions: Sessions
    limits: Limits
    passwords: Passwords = field(default_factory=Passwords)
    live: Connections = field(default_factory=Connections)


@asynccontextmanager
async def open_room(settings: Settings) -> AsyncIterator[Room]:
    """The playroom, open for as long as the context lasts. Raises `Fault`."""
    store = await Store.open(settings.database_url)
    try:
        timing = Timing(promise_within=settings.promise_within, grace=settings.grace)
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
