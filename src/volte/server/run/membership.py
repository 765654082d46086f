"""This node among the others: its heartbeat, the tables it owns, and those of dead nodes.

A table is live on one node. If that node dies, the others take over its tables with a match under
way; the row in `owners` alone decides which node gets a table.
"""

from __future__ import annotations

import asyncio
import secrets
from asyncio import Event, Task
from collections.abc import Collection
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Final

from volte.server.run.listening import ServingFault
from volte.store import OPEN, Unavailable
from volte.store.bus import within
from volte.store.errors import cause_of
from volte.store.nodes import Attendance, Expelled, NameTaken, Node
from volte.store.store import Store
from volte.table.live import LiveTable
from volte.table.lobby import Lobby, OnAnotherNode
from volte.web.logs import get_logger
from volte.web.settings import ALONE

CHANCE: Final = Random()  # our own generator: others may seed the global one

# Seconds:
TICK: Final = 0.5  # between two heartbeats, at which a node also looks for dead ones
LATE: Final = 1.0  # without a heartbeat until a node counts as dead if PostgreSQL freed its lock
CUT_OFF: Final = 8.0  # until a node counts as dead that still has its lock: stopped, or cut off
TAKING_OVER: Final = CUT_OFF + 2 * TICK  # for which a request waits for a table of a silent node
GIVING_UP: Final = 5.0  # without PostgreSQL until others may have this node's tables
JUDGING: Final = 3.0  # after its own outage until a node declares others dead, which may share it
NAMED: Final = 12.0  # that a starting node waits until its name is free
AGAIN: Final = 0.25  # until a lost connection is tried again
LOOKING: Final = 5.0  # until a node reads which tables it owns, if no message has come
SEEKING: Final = 60.0  # on average, until a node looks for tables of dead nodes
PAUSE: Final = 0.05  # that a node leaves to others which are taking over tables
TAKEN: Final = 1.0  # that a stopping node waits until others have taken a few tables
HANDING: Final = 30.0  # after which a stopping node hands over all its tables at once
LEAVING: Final = 5.0  # allowed for an orderly departure

# Tables:
AT_ONCE: Final = 16  # tables taken over at the same time
MANY: Final = 50  # dead nodes' tables read at a time, and shuffled, so that nodes share them
FEW: Final = 4  # tables that a stopping node hands over at a time, while the rest plays on

log = get_logger("volte.nodes")


class Membership:
    """The membership of this node among the others; for some methods see `lobby.Ownership`.

    Args:
        name: empty for a node that has to be alone.
    """

    def __init__(self, store: Store, lobby: Lobby, name: str) -> None:
        self._store = store
        self._nodes = store.nodes
        self._lobby = lobby
        self._name = name
        self._away = self._cut_off = False  # whether the database is silent, and has been for long
        self._answered = 0.0  # time of its last answer, on the monotonic clock
        self._me: Node | None = None  # None before this node has joined, and after it was expelled
        self._joined = Event()
        self._check_tables = Event()
        self._seek_orphans = Event()
        self._leaving = Event()
        self._heartbeat: Task[None] | None = None
        self._adoption: Task[None] | None = None
        self._broken: set[str] = set()  # tables that could not be loaded
        self._resting = False

    async def join(self) -> None:
        """Join the others; return once the database knows of this node, which can take a while.

        Raises `ServingFault` if another node has the name and keeps it, or, for a node without a
        name, if there is any other node.
        """
        if self._nodes.alone:
            return
        self._lobby.ownership = self
        self._store.bus.subscribe("node", self._node_died)
        self._store.bus.subscribe("table", self._owner_changed)
        self._heartbeat = asyncio.create_task(self._keep_alive(), name="attendance")
        joined = asyncio.create_task(self._joined.wait())
        await asyncio.wait({self._heartbeat, joined}, return_when=asyncio.FIRST_COMPLETED)
        if not joined.done():
            joined.cancel()
            raise ServingFault("name_taken" if self._name else "node_unnamed", name=self._name)
        self._adoption = asyncio.create_task(self._look_after_tables(), name="adoption")

    async def rest(self) -> None:
        """Take over no more tables of other nodes."""
        self._resting = True
        if self._adoption is not None:
            self._adoption.cancel()
            await asyncio.wait({self._adoption})

    async def hand_over(self) -> None:
        """Hand the tables over to other nodes, if there are any, a few at a time."""
        await self.rest()
        end = monotonic() + HANDING
        with suppress(Unavailable):
            others = self._me is not None and await self._nodes.count() > 1
            while others and monotonic() < end and (few := self._lobby.tables[:FEW]):
                playing = {table.id for table in few if table.state.under_way}
                await self._lobby.hand_over(few)
                await self._store.bus.publish("node", "")
                taken = monotonic() + TAKEN
                while monotonic() < taken and playing - await self._nodes.living(playing):
                    await asyncio.sleep(PAUSE)

    async def leave(self) -> None:
        """Leave the others, which may take this node's tables. May be called twice."""
        if self._heartbeat is None:
            return
        self._leaving.set()
        await asyncio.wait({self._heartbeat}, timeout=LEAVING)
        self._heartbeat.cancel()
        await asyncio.wait({self._heartbeat})

    async def elsewhere(self, table: str) -> Node | None:
        """The other node that has the table; None if it is here, or may be loaded here.

        Waits for a while if that node is silent. Raises `Unavailable`.
        """
        end = monotonic() + TAKING_OVER
        while self._me is not None and self._lobby.living(table) is None:
            if self._away:
                raise Unavailable("nobody knows who has the table")
            found = await self._nodes.owner(table)
            if found is None or found[0].id == self._me.id:
                if self._resting:
                    raise Unavailable("this node takes over nothing more")
                return None
            owner, silent = found
            if silent < LATE or monotonic() > end:
                return owner
            await asyncio.sleep(AGAIN)
        return None

    async def wake(self, tables: Collection[str]) -> None:
        """Load those of the tables that are live on no node. Raises `Unavailable`."""
        asleep = {table for table in tables if self._lobby.living(table) is None} - self._broken
        if self._resting or not asleep:
            return
        for table in asleep - await self.living(asleep):
            await self._load(table)

    # For the lobby

    async def take(self, table: str) -> bool:
        me = self._me
        if me is None:
            raise OnAnotherNode("this node is not there yet")
        if await self._nodes.take(table, me.id):
            await self._store.bus.publish("table", table)
            return True
        listing = await self._store.listing(table)
        if listing is not None and listing.state in OPEN:
            raise OnAnotherNode("another node has the table")
        return False

    async def give_up(self, table: str) -> None:
        if self._me is not None:
            await self._nodes.give_up(table, self._me.id)

    async def living(self, tables: Collection[str]) -> frozenset[str]:
        return await self._nodes.living(tables)

    def lost(self, live: LiveTable) -> None:
        self._check_tables.set()

    # The heartbeat

    async def _keep_alive(self) -> None:
        until = monotonic() + NAMED
        while not self._leaving.is_set():
            try:
                await self._one_connection()
            except NameTaken:
                if not self._joined.is_set() and monotonic() > until:
                    return
                await asyncio.sleep(AGAIN)
            except Expelled:
                log.warning("expelled", which=self._me.id if self._me else "")
                self._me = None
                self._lobby.lose_all()
            except Unavailable as error:
                self._lost_database(error)
                await asyncio.sleep(AGAIN)
            except Exception as error:
                log.error("attendance_failed", exc_info=error)
                await asyncio.sleep(AGAIN)

    def _lost_database(self, error: Unavailable) -> None:
        """React to silence of PostgreSQL. If nothing answers at all, perhaps only this node is cut
        off: it lets go of its tables, as others go on with them."""
        if not self._away:  # once is enough
            log.warning("not_there", why=cause_of(error))
        self._away = True
        cause = error.__cause__
        if isinstance(cause, ConnectionRefusedError) or hasattr(cause, "sqlstate"):
            self._answered = monotonic()  # PostgreSQL's machine answers: it is down for all nodes
        elif not self._cut_off and monotonic() > self._answered + GIVING_UP:
            log.warning("cut_off")
            self._cut_off = True
            self._lobby.lose_all()
            self._store.give_up_connections()

    async def _one_connection(self) -> None:
        """Keep the heartbeat going on one connection to PostgreSQL, until it ends.

        Raises `Expelled`, `NameTaken` and `Unavailable`.
        """
        me = self._me or Node(secrets.token_hex(8), self._name or ALONE)
        async with self._nodes.attendance(me) as here:
            judging = monotonic()
            if self._me is None:
                await self._declare_dead(here)
                if not (self._name or self._joined.is_set()) and await self._nodes.count():
                    raise NameTaken(ALONE)
                await here.begin()
                self._me = me
                self._seek_orphans.set()
            else:
                judging += JUDGING
            while not here.lost.is_set():
                await here.go_on()
                self._away = self._cut_off = False
                self._answered = monotonic()
                if monotonic() >= judging:
                    await self._declare_dead(here)
                self._joined.set()
                if await within(self._leaving, TICK):
                    await here.end()
                    await self._store.bus.publish("node", me.id)
                    return
        raise Unavailable("the connection is lost")

    async def _declare_dead(self, here: Attendance) -> None:
        for dead in await here.bury(CUT_OFF, LATE):
            log.warning("buried", which=dead)
            await self._store.bus.publish("node", dead)

    # Tables

    def _owner_changed(self, table: str) -> None:
        """Check the tables, as a table may have another owner now."""
        if not table or self._lobby.living(table) is not None:
            self._check_tables.set()

    def _node_died(self, _: str) -> None:
        self._seek_orphans.set()
        self._check_tables.set()

    async def _look_after_tables(self) -> None:
        seek_at = 0.0
        while True:
            await within(self._check_tables, LOOKING)
            self._check_tables.clear()
            try:
                await self._compare()
                if self._seek_orphans.is_set() or monotonic() >= seek_at:
                    seek_at = monotonic() + SEEKING * CHANCE.uniform(0.5, 1.5)
                    self._seek_orphans.clear()
                    await self._take_over()
            except Unavailable:  # logged by the heartbeat
                await asyncio.sleep(TICK)
                self._seek_orphans.set()
                self._check_tables.set()
            except Exception as error:
                self._seek_orphans.set()
                log.error("adoption_failed", exc_info=error)

    async def _compare(self) -> None:
        """Compare the tables that are live here with those that this node owns."""
        if self._me is None:
            return
        me, here = self._me, frozenset(live.id for live in self._lobby.tables)
        mine = await self._nodes.owned(me.id)
        if self._me is not me:
            return
        for table in here - mine:
            self._lobby.lose(table)
        for table in mine - here - self._lobby.loading:
            await self._resume(table)

    async def _resume(self, table: str) -> None:
        """Load an own table that is not live, or release it if no match is under way."""
        if self._lobby.living(table) is not None or table in self._broken:
            return
        listing = await self._store.listing(table)
        if listing is not None and listing.state == "playing":
            await self._load(table)
        else:
            self._lobby.release(table)

    async def _take_over(self) -> None:
        """Take over as many tables of dead nodes as this node can get."""
        if self._me is None:
            return
        while orphans := await self._nodes.orphans(MANY):
            CHANCE.shuffle(orphans)
            for first in range(0, len(orphans), AT_ONCE):
                some = orphans[first : first + AT_ONCE]
                taken = await asyncio.gather(*map(self._load, some))
                if not any(taken):  # another node is taking them over: look again for the rest
                    await asyncio.sleep(PAUSE)
                    break
        await self._nodes.forget_idle()

    async def _load(self, table: str) -> bool:
        """Load a table, so that it is live here; whether that worked."""
        try:
            return await self._lobby.find(table) is not None
        except Unavailable:
            return False
        except Exception as error:
            self._broken.add(table)
            log.error("table_not_taken_over", table=table, exc_info=error)
            return False
