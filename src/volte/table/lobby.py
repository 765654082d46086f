"""All the tables of this process: each lives here once, or sleeps in the store."""

from __future__ import annotations

import asyncio
import secrets
import time
from asyncio import Task
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec.structs import replace

from volte.fair import House
from volte.referee.codec import encode
from volte.store import Listing, Store, Unavailable
from volte.table.commands import Someone
from volte.table.decide import open_table
from volte.table.kept import Kept, read_table
from volte.table.listing import listing_of
from volte.table.live import LiveTable, Setting
from volte.table.pacing import Timing
from volte.table.setup import Access, Setup
from volte.table.thinking import MakeBot, Thinking

THINKERS: Final = 2
"""Bots that think at the same time."""

LINGERING: Final = 24 * 3600.0
"""Seconds for which a table where nobody is any more still stands in the lobby."""


class Lobby:
    """Opens tables, and finds them.

    Args:
        bots: makes a bot of a level from a seed.
        house: makes who deals in a match.
        timing: how long tables wait.
        thinkers: how many bots think at the same time.

    Attributes:
        store: where everything is kept.
    """

    def __init__(
        self,
        store: Store,
        bots: MakeBot,
        *,
        house: Callable[[], House] = House.fresh,
        timing: Timing | None = None,
        thinkers: int = THINKERS,
    ) -> None:
        timing = timing or Timing()
        self.store = store
        self._thinking = Thinking(bots, thinkers, timing.hurried, timing.longest_thought)
        self._setting = Setting(store, self._thinking, house, timing, self._ended)
        self._tables: dict[str, LiveTable] = {}
        self._loading: dict[str, Task[LiveTable | None]] = {}
        self._closed = False

    @property
    def tables(self) -> tuple[LiveTable, ...]:
        """Those that live in this process."""
        return tuple(self._tables.values())

    async def open(self, setup: Setup, who: Someone, password: str = "") -> LiveTable:
        """A new table, whose host is that person.

        Args:
            password: the argon2 hash of the word for coming in.

        Raises `Fault` for a table that cannot be, and `Unavailable`.
        """
        happenings = open_table(setup, who)
        table, kept = secrets.token_hex(10), Kept()
        kept.sights.add(happenings)
        entries = [encode(happening) for happening in happenings]
        listing = listing_of(table, kept.state, password)
        await self.store.append(table, 0, entries, listing=listing)
        return self._begin(LiveTable(table, kept, password, self._setting))

    async def find(self, table: str) -> LiveTable | None:
        """The table of that id, from the store where it sleeps; None where it is not, or closed.

        Raises `Unavailable`.
        """
        live = self._tables.get(table)
        if live is not None:
            return None if live.state.closed else live
        task = self._loading.get(table)
        if task is None:
            task = self._loading[table] = asyncio.create_task(self._load(table))
            task.add_done_callback(partial(self._loaded, table))
        return await asyncio.shield(task)

    async def listed(self) -> list[Listing]:
        """The tables that stand in the lobby, those that changed last first.

        One that has been left alone for long stands there no more; its people still find it.
        """
        found = await self.store.listings(("waiting", "playing", "paused"))
        since = time.time() - LINGERING
        return [
            self._now(each)
            for each in found
            if each.access != Access.LINK.value
            and (each.table in self._tables or each.updated > since)
        ]

    async def close(self) -> None:
        """Ends all tables in good order; what they have is in the store."""
        self._closed = True
        loading = tuple(self._loading.values())
        await asyncio.gather(*loading, return_exceptions=True)
        await asyncio.gather(*(table.stop() for table in self.tables))
        await self._thinking.close()

    def _now(self, listing: Listing) -> Listing:
        """A match that nobody has gone on with since the server began again is paused."""
        asleep = listing.table not in self._tables
        return (
            replace(listing, state="paused") if asleep and listing.state == "playing" else listing
        )

    async def _load(self, table: str) -> LiveTable | None:
        kept = await read_table(self.store, table)
        listing = await self.store.listing(table)
        if kept is None or kept.state.closed:
            return None
        password = listing.password if listing is not None else ""
        return self._begin(LiveTable(table, kept, password, self._setting))

    def _loaded(self, table: str, task: Task[LiveTable | None]) -> None:
        del self._loading[table]
        if not task.cancelled():
            task.exception()  # whoever looked for the table has it, if anybody waits still

    def _begin(self, live: LiveTable) -> LiveTable:
        if self._closed:
            raise Unavailable("the lobby is closed")
        self._tables[live.id] = live
        live.begin()
        return live

    def _ended(self, live: LiveTable) -> None:
        if self._tables.get(live.id) is live:
            del self._tables[live.id]
