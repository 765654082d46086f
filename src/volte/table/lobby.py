"""All the tables of this node: each lives here once, or sleeps in the store."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from asyncio import Task
from collections.abc import Callable, Collection
from functools import partial
from typing import Final, Protocol

from msgspec.structs import replace

from volte.fair import House
from volte.game import Refusal
from volte.referee.codec import encode
from volte.store import Listing, Store, Unavailable
from volte.table.commands import Someone
from volte.table.decide import open_table
from volte.table.house import close_table
from volte.table.live import LiveTable, TableServices
from volte.table.pacing import Timing, concerned
from volte.table.setup import Setup
from volte.table.state import TableState, evolve
from volte.table.stored import StoredTable, listing_of, read_table, row_after
from volte.table.thinking import MakeBot, Thinking

log: Final = logging.getLogger(__name__)

LINGERING: Final = 24 * 3600.0
"""Seconds for which a table where nobody is any more still stands in the lobby."""


class OnAnotherNode(Unavailable):
    """Another node looks after the table, or nobody knows yet who does."""


class Ownership(Protocol):
    """Which tables are this node's, where several share a store. All raise `Unavailable`."""

    async def take(self, table: str) -> bool:
        """Makes a table this node's; False where there is none. Raises `OnAnotherNode`."""

    async def give_up(self, table: str) -> None:
        """Leaves a table to whoever wants it."""

    async def living(self, tables: Collection[str]) -> frozenset[str]:
        """Those of these tables that live on some node."""

    def lost(self, live: LiveTable) -> None:
        """A table has ended here because somebody else has gone on with it."""


class Lobby:
    """Opens tables, and finds them.

    Args:
        bots: makes a bot of a level from a seed.
        house: makes who deals in a match.
        timing: how long tables wait.
        thinkers: how many processes bots that search may think in; with none they think here.

    Attributes:
        store: where everything is stored.
        thinking: where its bots think.
        ownership: what is this node's; None where there is no other. To be set before any
            table is looked for.
    """

    def __init__(
        self,
        store: Store,
        bots: MakeBot,
        *,
        house: Callable[[], House] = House.fresh,
        timing: Timing | None = None,
        thinkers: int = 0,
    ) -> None:
        timing = timing or Timing()
        self.store = store
        self.ownership: Ownership | None = None
        self.thinking = Thinking(bots, thinkers, timing.hurried, timing.longest_thought)
        self._setting = TableServices(store, self.thinking, house, timing, self._ended)
        self._tables: dict[str, LiveTable] = {}
        self._loading: dict[str, Task[LiveTable | None]] = {}
        self._leaving: dict[str, Task[None]] = {}
        self._opening: set[str] = set()
        self._stopped: tuple[LiveTable, ...] = ()
        self._era = 0
        self._closed = False

    @property
    def tables(self) -> tuple[LiveTable, ...]:
        """Those that live on this node."""
        return tuple(self._tables.values())

    @property
    def loading(self) -> frozenset[str]:
        """Ids of those that are about to live here, or to live here no more."""
        return frozenset((*self._loading, *self._leaving, *self._opening))

    def living(self, table: str) -> LiveTable | None:
        """The table of that id, if it lives on this node."""
        return self._tables.get(table)

    def release(self, table: str) -> None:
        """Lets other nodes have a table that does not live here."""
        there = table in self._tables or table in self.loading
        if self.ownership is not None and not there:
            leaving = asyncio.create_task(self._leave(self.ownership, table))
            self._leaving[table] = leaving

    def lose(self, table: str) -> None:
        """Ends a table that is another node's, without a word to the store."""
        if table in self._tables:
            self._tables[table].lose()

    def lose_all(self) -> None:
        """Ends all of them likewise, and those that are being read."""
        self._era += 1
        for table in tuple(self._tables):
            self.lose(table)

    async def open(self, setup: Setup, who: Someone, password: str = "") -> LiveTable:
        """A new table, whose host is that person.

        Args:
            password: the argon2 hash of the word for coming in.

        Raises `Fault` for a table that cannot be, and `Unavailable`.
        """
        happenings = open_table(setup, who)
        table, stored = secrets.token_hex(10), StoredTable()
        stored.log.add(happenings)
        entries = [encode(happening) for happening in happenings]
        listing = listing_of(table, stored.state, password)
        era = self._era
        await self.store.append(table, 0, entries, listing=listing)
        self._opening.add(table)
        try:
            if self.ownership is not None:
                await self.ownership.take(table)
            return self._begin(LiveTable(table, stored, password, self._setting), era)
        finally:
            self._opening.remove(table)

    async def find(self, table: str) -> LiveTable | None:
        """The table of that id, from the store where it sleeps; None where it is not, or closed.

        Raises `Unavailable`, and `OnAnotherNode`.
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
        found = await self.store.public()
        living = await self._living([each.table for each in found])
        since = time.time() - LINGERING
        return [
            _now(each, living) for each in found if each.table in living or each.updated > since
        ]

    async def hand_over(self, tables: Collection[LiveTable]) -> None:
        """Ends some tables in good order, and tells their people once other nodes may have them."""
        await asyncio.gather(*(table.stop() for table in tables))
        leaving = (self._leaving[table.id] for table in tables if table.id in self._leaving)
        await asyncio.gather(*leaving)
        for table in tables:
            table.dismiss()

    async def stop(self) -> None:
        """Ends all tables in good order, and opens none any more; what they have is in the store.

        Their people are told by `dismiss`, once others may have the tables. May be said twice.
        """
        self._closed = True
        loading = (*self._loading.values(), *self._leaving.values())
        await asyncio.gather(*loading, return_exceptions=True)
        self._stopped += self.tables
        await asyncio.gather(*(table.stop() for table in self.tables))

    def dismiss(self) -> None:
        """Tells whoever is at a stopped table that it has ended here."""
        stopped, self._stopped = self._stopped, ()
        for table in stopped:
            table.dismiss()

    async def close(self) -> None:
        """Stops all tables, and says so to their people."""
        await self.stop()
        self.dismiss()
        await self.thinking.close()

    async def _living(self, tables: Collection[str]) -> frozenset[str]:
        """Those of these tables that live on some node."""
        if self.ownership is None:
            return frozenset(self._tables)
        return await self.ownership.living(tables)

    async def _load(self, table: str) -> LiveTable | None:
        era = self._era
        listing = await self.store.listing(table)
        if listing is None or listing.state == "closed":
            return None  # nobody's, whoever asks for it
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
        return self._begin(LiveTable(table, stored, password, self._setting), era)

    def _loaded(self, table: str, task: Task[LiveTable | None]) -> None:
        del self._loading[table]
        if not task.cancelled():
            task.exception()  # whoever looked for the table has it, if anybody waits still

    def _begin(self, live: LiveTable, era: int) -> LiveTable:
        if self._closed:
            raise Unavailable("the lobby is closed")
        if era != self._era:
            raise OnAnotherNode("the table has been lost while it was read")
        self._tables[live.id] = live
        live.begin()
        return live

    def _ended(self, live: LiveTable) -> None:
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
        """Nothing goes on at the table any more: another node may have it."""
        try:
            await ownership.give_up(table)
        except Unavailable as error:
            log.warning("table_not_given_up", extra={"table": table, "why": str(error)})
        finally:
            del self._leaving[table]


def _now(listing: Listing, living: frozenset[str]) -> Listing:
    """A match that nobody has gone on with since the server began again is paused."""
    asleep = listing.table not in living
    return replace(listing, state="paused") if asleep and listing.state == "playing" else listing


def attended(live: LiveTable) -> bool:
    """Whether somebody is there for whom the match goes on, or it has not been paused yet."""
    return not live.state.paused or bool(concerned(live.state) & live.present)


async def break_off(store: Store, table: str, since: float) -> bool:
    """Closes a table at whose rated match nothing has happened since then; whether it did.

    Whoever goes on there at the same moment is first, or finds it closed.

    Args:
        since: in seconds since 1970.

    Raises `Unavailable`, and `Conflict` where somebody goes on.
    """
    return await _close(store, table, since, lambda state: state.setup.rated and state.under_way)


async def clear_away(store: Store, table: str, since: float) -> bool:
    """The same for a table where no match goes on."""
    return await _close(store, table, since, lambda state: not state.under_way)


async def _close(
    store: Store, table: str, since: float, where: Callable[[TableState], bool]
) -> bool:
    stored, listing = await read_table(store, table), await store.listing(table)
    if stored is None or listing is None or not where(stored.state):
        return False
    version = stored.state.version
    (last,) = await store.read(table, version - 1, version)
    happenings = close_table(stored.state)
    if last.at > since or isinstance(happenings, Refusal):
        return False
    state = stored.state
    for happening in happenings:
        state = evolve(state, happening)
    row = row_after(stored.row, table, happenings, state, House.fresh)
    await store.append(
        table,
        version,
        [encode(happening) for happening in happenings],
        listing=listing_of(table, state, listing.password),
        matches=() if row is None else (row,),
    )
    return True
