"""The tables of this node: each is live here once, or rests in the store."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from asyncio import Task
from collections.abc import Callable, Collection
from contextvars import Context
from functools import partial
from typing import Final, Protocol

from volte.fair import House
from volte.game import Refusal
from volte.referee.codec import encode
from volte.store import Listing, Unavailable
from volte.table.commands import Someone
from volte.table.decide import open_table
from volte.table.engines import EnginePool
from volte.table.live import LiveTable, TableServices
from volte.table.pacing import Timing, attending
from volte.table.setup import Setup
from volte.table.state import TableState, states
from volte.table.steps import close_table
from volte.table.stored import (
    StoredTable,
    TableStore,
    can_be_entered,
    is_awaited,
    listing_of,
    read_table,
    row_after,
)
from volte.table.thinking import MakeBot, Thinking

log: Final = logging.getLogger(__name__)


class OnAnotherNode(Unavailable):
    """Another node owns the table, or nobody knows yet which one does."""


class Ownership(Protocol):
    """Ownership of tables, where several nodes share a store. Its methods raise `Unavailable`."""

    async def take(self, table: str) -> bool:
        """Makes a table this node's; False where there is no such table. Raises `OnAnotherNode`."""

    async def give_up(self, table: str) -> None:
        """Lets any node take a table."""

    async def living(self, tables: Collection[str]) -> frozenset[str]:
        """The given tables that are live on some node."""

    def lost(self, live: LiveTable) -> None:
        """Called when a table has ended here because another node goes on with it."""


class Lobby:
    """The tables of this node: opens them, finds them and ends them.

    Args:
        bots: makes a bot of a level from a seed.
        house: makes the dealer of a match.
        thinkers: most worker processes for bots that search.
        engines: outside engines that can be seated beside the levels.
    """

    def __init__(
        self,
        store: TableStore,
        bots: MakeBot,
        *,
        house: Callable[[], House] = House.fresh,
        timing: Timing | None = None,
        thinkers: int = 0,
        engines: EnginePool | None = None,
    ) -> None:
        timing = timing or Timing()
        self.store = store
        self.ownership: Ownership | None = None  # to be set before anything else, for many nodes
        self.thinking = Thinking(bots, thinkers, timing.hurried, timing.longest_thought, engines)
        self._seating: list[Callable[[LiveTable], None]] = []
        self._turning: list[Callable[[LiveTable], None]] = []
        self._services = TableServices(
            store, self.thinking, house, timing, self._ended, self._seated, self._turned
        )
        self._tables: dict[str, LiveTable] = {}
        self._loading: dict[str, Task[LiveTable | None]] = {}
        self._leaving: dict[str, Task[None]] = {}
        self._opening: set[str] = set()
        self._stopped: tuple[LiveTable, ...] = ()
        self._era = 0  # changes when all tables are lost, also those that are being loaded
        self._closed = False

    @property
    def tables(self) -> tuple[LiveTable, ...]:
        """The tables that are live on this node."""
        return tuple(self._tables.values())

    @property
    def loading(self) -> frozenset[str]:
        """Ids of the tables that are being loaded, opened or given up here."""
        return frozenset((*self._loading, *self._leaving, *self._opening))

    def living(self, table: str) -> LiveTable | None:
        """The table of that id, if it is live on this node."""
        return self._tables.get(table)

    def listen(self, listener: Callable[[LiveTable], None]) -> None:
        """Has the listener called with every table as it becomes live on this node, where people
        have taken seats there, asked for them or left them, and once it is closed."""
        self._seating.append(listener)

    def listen_to_turns(self, listener: Callable[[LiveTable], None]) -> None:
        """Has the listener called with every table of this node where it has become others' turn,
        and with every one that has ended here."""
        self._turning.append(listener)

    def release(self, table: str) -> None:
        """Lets other nodes take a table that is not live here."""
        there = table in self._tables or table in self.loading
        if self.ownership is not None and not there:
            leaving = asyncio.create_task(self._leave(self.ownership, table), context=Context())
            self._leaving[table] = leaving

    def lose(self, table: str) -> None:
        """Ends a table that another node owns, without writing to the store."""
        if table in self._tables:
            self._tables[table].lose()

    def lose_all(self) -> None:
        """Ends all tables without writing to the store, also those that are being loaded."""
        self._era += 1
        for table in tuple(self._tables):
            self.lose(table)

    async def open(
        self, setup: Setup, who: Someone, password: str = "", table: str = ""
    ) -> LiveTable:
        """A new table, whose host is that person.

        Args:
            password: the argon2 hash of the table's password.
            table: the table's id, 20 hexadecimal digits; empty for a new one.

        Raises `VolteError` for a setup that is not allowed, `Conflict` for an id that a table has
        already, and `Unavailable`.
        """
        happenings = open_table(setup, who)
        table, stored = table or secrets.token_hex(10), StoredTable()
        stored.log.add(happenings)
        entries = [encode(happening) for happening in happenings]
        listing = listing_of(table, stored.state, password)
        era = self._era
        await self.store.append(table, 0, entries, listing=listing)
        self._opening.add(table)
        try:
            if self.ownership is not None:
                await self.ownership.take(table)
            return self._begin(LiveTable(table, stored, password, self._services), era)
        finally:
            self._opening.remove(table)

    async def find(self, table: str) -> LiveTable | None:
        """The table of that id, loaded from the store if need be; None if there is none, or it is
        closed. Raises `Unavailable`, and `OnAnotherNode`."""
        live = self._tables.get(table)
        if live is not None:
            return None if live.state.closed else live
        task = self._loading.get(table)
        if task is None:
            task = asyncio.create_task(self._load(table), context=Context())
            self._loading[table] = task
            task.add_done_callback(partial(self._loaded, table))
        return await asyncio.shield(task)

    async def listed(self) -> list[Listing]:
        """The tables of the lobby, those that changed last first.

        A table that is full or paused, whose match is over, or which everybody has left is not
        listed; its people still find it. A planned one may be empty until its time.
        """
        found = [each for each in await self.store.public() if can_be_entered(each)]
        living = frozenset(self._tables)
        if self.ownership is not None:
            living = await self.ownership.living([each.table for each in found])
        now = time.time()
        return [each for each in found if each.table in living or is_awaited(each, now)]

    async def hand_over(self, tables: Collection[LiveTable]) -> None:
        """Ends some tables in good order, and tells their people once other nodes may take them."""
        await asyncio.gather(*(table.stop() for table in tables))
        leaving = (self._leaving[table.id] for table in tables if table.id in self._leaving)
        await asyncio.gather(*leaving)
        for table in tables:
            table.dismiss()

    async def stop(self) -> None:
        """Ends all tables in good order, and opens no more; the store has all that they have.

        `dismiss` tells their people, once other nodes may take the tables. May be called twice.
        """
        self._closed = True
        loading = (*self._loading.values(), *self._leaving.values())
        await asyncio.gather(*loading, return_exceptions=True)
        self._stopped += self.tables
        await asyncio.gather(*(table.stop() for table in self.tables))

    def dismiss(self) -> None:
        """Tells the people at stopped tables that they have ended here."""
        stopped, self._stopped = self._stopped, ()
        for table in stopped:
            table.dismiss()

    async def close(self) -> None:
        """Stops all tables, and tells their people."""
        await self.stop()
        self.dismiss()
        await self.thinking.close()

    async def _load(self, table: str) -> LiveTable | None:
        era = self._era
        listing = await self.store.listing(table)
        if listing is None or listing.state == "closed":
            return None
        if self.ownership is not None:
            if table in self._leaving:
                await asyncio.wait({self._leaving[table]})
            if not await self.ownership.take(table):
                return None
        stored = await read_table(self.store, table)
        if stored is None or stored.state.closed:
            return None
        listing = await self.store.listing(table) or listing
        password = listing.password
        return self._begin(LiveTable(table, stored, password, self._services), era)

    def _loaded(self, table: str, task: Task[LiveTable | None]) -> None:
        del self._loading[table]
        if not task.cancelled():
            task.exception()  # retrieved here, as perhaps nobody awaits the task any more

    def _begin(self, live: LiveTable, era: int) -> LiveTable:
        if self._closed:
            raise Unavailable("the lobby is closed")
        if era != self._era:
            raise OnAnotherNode("the table has been lost while it was read")
        self._tables[live.id] = live
        self._seated(live)
        live.begin()
        return live

    def _seated(self, live: LiveTable) -> None:
        for listener in self._seating:
            listener(live)

    def _turned(self, live: LiveTable) -> None:
        for listener in self._turning:
            listener(live)

    def _ended(self, live: LiveTable) -> None:
        self._turned(live)
        if self._tables.get(live.id) is not live:
            return
        del self._tables[live.id]
        if self.ownership is None or self._closed:
            return
        if live.ended == "moved_away":
            self.ownership.lost(live)
        else:
            self.release(live.id)

    async def _leave(self, ownership: Ownership, table: str) -> None:
        """Lets another node take a table that has ended here."""
        try:
            await ownership.give_up(table)
        except Unavailable as error:
            log.warning("table_not_given_up", extra={"table": table, "why": str(error)})
        finally:
            del self._leaving[table]


# Abandoned tables: rated matches are broken off, so that leaving one counts, and tables where no
# match goes on are closed; all other matches wait for their people.


def attended(live: LiveTable) -> bool:
    """Whether somebody is there for whom the match goes on, or it has not been paused yet."""
    return not live.state.paused or bool(attending(live.state, live.present))


async def close_abandoned(
    store: TableStore, table: str, since: float, due: Callable[[TableState], bool]
) -> bool:
    """Close a table where nothing has happened since a given time. True if it was closed.

    Somebody who acts there at the same moment comes first, or finds it closed.

    Args:
        since: time, in seconds since 1970.
        due: whether a table in that state is to be closed.

    Raises `Unavailable`, and `Conflict` where somebody acts at that moment.
    """
    stored, listing = await read_table(store, table), await store.listing(table)
    if stored is None or listing is None:
        return False
    state = stored.state
    version = state.version
    if not due(state):
        return False
    (last,) = await store.read(table, version - 1, version)
    happenings = close_table(state)
    if last.at > since or isinstance(happenings, Refusal):
        return False
    *_, state = states(state, happenings)
    row = row_after(stored.row, table, happenings, state, House.fresh)
    await store.append(
        table,
        version,
        [encode(happening) for happening in happenings],
        listing=listing_of(table, state, listing.password),
        matches=() if row is None else (row,),
    )
    return True
