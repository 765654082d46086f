"""All that a server has at hand while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from volte.bots import make_bot
from volte.evenings.conducting import Conductor, Evenings
from volte.history.reckoner import Reckoner
from volte.people.common_passwords import breached
from volte.people.sessions import Sessions
from volte.server.connections import Connections
from volte.server.membership import Membership
from volte.server.pulse import Pulse
from volte.server.tidying import Tidying
from volte.store import Store
from volte.table.lobby import Lobby
from volte.table.pacing import Timing
from volte.table.workers import usual_number
from volte.talk.talks import Talks
from volte.web.limits import Limits
from volte.web.security import Passwords
from volte.web.settings import Settings


@dataclass
class Room:
    """The playroom: what handlers find at `request.app.state.room`.

    Attributes:
        reckoner: works out what has come of matches.
        nodes: this node among the others of the playroom.
        evenings: of the clubs.
        conductor: looks after those that go on.
        recording: held by whoever writes a record, one at a time.
        stopping: whether the server is about to stop: it should be sent nobody new.
        pulse: how this process does.
        tidying: puts away what nobody comes back to.
    """

    settings: Settings
    store: Store
    lobby: Lobby
    sessions: Sessions
    limits: Limits
    talks: Talks
    passwords: Passwords = field(default_factory=Passwords)
    live: Connections = field(default_factory=Connections)
    recording: asyncio.Lock = field(default_factory=asyncio.Lock)
    stopping: bool = False
    pulse: Pulse = field(init=False)

    def __post_init__(self) -> None:
        self.reckoner = Reckoner(self.store)
        self.evenings = Evenings(self.store)
        self.conductor = Conductor(self.store, self.evenings, self.settings.conducting)
        self.pulse = Pulse(self)
        self.tidying = Tidying(self)
        self.nodes = Membership(self.store, self.lobby, self.settings.node_name)

    async def free_tables(self) -> None:
        """Stops the tables, and leaves them to other nodes. May be said twice."""
        await self.nodes.rest()
        await self.lobby.stop()
        await self.nodes.leave()


@asynccontextmanager
async def open_room(settings: Settings) -> AsyncIterator[Room]:
    """The playroom, open for as long as the context lasts. Raises `Fault`."""
    breached(settings.breached)  # a file that cannot be read is told of before anybody comes
    store = await Store.open(settings.database_url)
    try:
        timing = Timing(
            promise_within=settings.promise_within,
            grace=settings.grace,
            turn_down=settings.turn_down,
            cut=settings.cut,
            assembling=settings.assembling,
        )
        room = Room(
            settings,
            store,
            Lobby(store, make_bot, timing=timing, thinkers=settings.thinkers or usual_number()),
            Sessions(store, settings.session_days),
            limits := Limits(settings),
            Talks(store, limits, settings.talk_days),
        )
        room.live.attend(store)
        room.pulse.begin()
        room.talks.begin()
        room.reckoner.begin()
        room.conductor.begin()
        room.tidying.begin()
        try:
            yield room
        finally:
            await room.pulse.end()
            await room.tidying.close()
            await room.talks.close()
            await room.conductor.close()
            await room.free_tables()
            await room.lobby.close()
            await room.reckoner.close()
            room.passwords.close()
    finally:
        await store.close()
