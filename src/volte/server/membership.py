"""This process among the others: that it is there, which tables are its own, and whose are free.

A table lives whole in one process. Where that one dies, each of the others takes over what it can
get of the tables where a match goes on; who gets which is decided by the row in `owners` alone.
"""

from __future__ import annotations

import asyncio
import secrets
from asyncio import Event, Task
from collections.abc import Collection
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Final, Protocol

from volte.server.logs import cause_of, get_logger
from volte.store import OPEN, Store, Unavailable
from volte.store.processes import Attendance, Expelled, Process
from volte.table.failing import where_it_failed
from volte.table.live import LiveTable
from volte.table.lobby import Elsewhere, Lobby

CHANCE: Final = Random()
"""Our own: what others seed is left alone."""

TICK: Final = 0.5
"""Seconds after which a process says again that it is there, and looks for the dead."""

LATE: Final = 1.0
"""Seconds of silence after which a process is dead whose lock PostgreSQL has freed."""

CUT_OFF: Final = 10.0
"""The same for one whose lock it still holds: it has been stopped, or its machine is cut off."""

JUDGING: Final = 3.0
"""Seconds for which a process that was itself cut off buries nobody: others may have been, too."""

AGAIN: Final = 0.25
"""Seconds until a connection that is lost is tried again."""

LOOKING: Final = 5.0
"""Seconds after which a process looks which tables are its own, where nobody has said anything."""

SEEKING: Final = 60.0
"""The same, about, for those of the dead: each process looks for them among the tables of all."""

AT_ONCE: Final = 16
"""Tables that are taken over at the same time."""

PAUSE: Final = 0.05
"""Seconds for which others are left to take over what they are at."""

MANY: Final = 50
"""Free tables that are read at a time; in any order, so that several processes share them."""

LEAVING: Final = 5.0
"""Seconds for an orderly farewell."""

log = get_logger("volte.cluster")


class Passed(Protocol):
    """A connection that is passed on.

    Attributes:
        table: its id.
        owner: the process that has it.
    """

    table: str
    owner: Process

    def hang_up(self, reason: str) -> None:
        """Ends it soon, with that reason."""


class Calls:
    """What is passed on to other processes."""

    def __init__(self) -> None:
        self._at: dict[str, set[Passed]] = {}  # by table

    def __len__(self) -> int:
        return sum(map(len, self._at.values()))

    def add(self, call: Passed) -> None:
        self._at.setdefault(call.table, set()).add(call)

    def discard(self, call: Passed) -> None:
        here = self._at.get(call.table, set())
        here.discard(call)
        if not here:
            self._at.pop(call.table, None)

    def at(self, table: str) -> list[Passed]:
        """What concerns a table; all of it where that is empty."""
        tables = [self._at.get(table, set())] if table else self._at.values()
        return [call for calls in tables for call in calls]


class Cluster:
    """Who else is there. See `lobby.Ownership` for some of its methods.

    Attributes:
        secret: which the others show this process when they pass something on.
        passed: what is passed on from here.
    """

    def __init__(self, store: Store, lobby: Lobby) -> None:
        self.secret = secrets.token_bytes(32)
        self._store = store
        self._processes = store.processes
        self._lobby = lobby
        self._address = ""
        self._away = False
        self._me: Process | None = None
        self._there = Event()
        self._look = Event()
        self._seek = Event()
        self._over = Event()
        self._attending: Task[None] | None = None
        self._adopting: Task[None] | None = None
        self._broken: set[str] = set()
        self.passed = Calls()
        self._looking: set[Task[None]] = set()

    async def join(self, address: str) -> None:
        """Is there from now on; the others reach this process at that address.

        Returns once the database knows, which it may have to wait for.
        """
        if self._processes.alone:
            return
        self._address = address
        self._lobby.ownership = self
        self._store.bus.hear("process", self._told_of_death)
        self._store.bus.hear("table", self._told_of)
        self._attending = asyncio.create_task(self._attend(), name="attendance")
        await self._there.wait()
        self._adopting = asyncio.create_task(self._adopt(), name="adoption")

    async def rest(self) -> None:
        """Takes over nothing more."""
        if self._adopting is not None:
            self._adopting.cancel()
            await asyncio.wait({self._adopting})

    async def leave(self) -> None:
        """Is there no more: the tables are anybody's."""
        if self._attending is None:
            return
        self._over.set()
        await asyncio.wait({self._attending}, timeout=LEAVING)
        self._attending.cancel()
        await asyncio.wait({self._attending})

    async def elsewhere(self, table: str) -> Process | None:
        """The other process that has the table; None where it is here, or could be."""
        if self._me is None or self._lobby.living(table) is not None:
            return None
        owner = await self._processes.owner(table)
        return None if owner is None or owner.id == self._me.id else owner

    # What the lobby asks

    async def take(self, table: str) -> bool:
        me = self._me
        if me is None:
            raise Elsewhere("this process is not there yet")
        if await self._processes.take(table, me.id):
            await self._store.bus.tell("table", table)
            return True
        listing = await self._store.listing(table)
        if listing is not None and listing.state in OPEN:
            raise Elsewhere("another process has the table")
        return False

    async def give_up(self, table: str) -> None:
        if self._me is not None:
            await self._processes.give_up(table, self._me.id)

    async def living(self, tables: Collection[str]) -> frozenset[str]:
        return await self._processes.living(tables)

    def lost(self, live: LiveTable) -> None:
        self._look.set()

    # Being there

    async def _attend(self) -> None:
        while not self._over.is_set():
            try:
                await self._be_there()
            except Expelled:
                log.warning("expelled", which=self._me.id if self._me else "")
                self._me = None
                self._lobby.lose_all()
            except Unavailable as error:
                if not self._away:  # once is enough
                    log.warning("not_there", why=cause_of(error))
                self._away = True
                await asyncio.sleep(AGAIN)
            except Exception as error:
                log.error("attendance_failed", where=where_it_failed(error))
                await asyncio.sleep(AGAIN)

    async def _be_there(self) -> None:
        """One connection, from its beginning to its end. Raises `Expelled` and `Unavailable`."""
        me = self._me or Process(secrets.token_hex(8), self._address, self.secret)
        async with self._processes.attendance(me) as here:
            judging = monotonic()
            if self._me is None:
                await here.begin()
                self._me = me
                self._seek.set()
            else:
                judging += JUDGING
            while not here.lost.is_set():
                await here.go_on()
                self._away = False
                if monotonic() >= judging:
                    await self._bury(here)
                self._there.set()
                if await _within(self._over, TICK):
                    await here.end()
                    await self._store.bus.tell("process", me.id)
                    return
        raise Unavailable("the connection is lost")

    async def _bury(self, here: Attendance) -> None:
        for dead in await here.bury(CUT_OFF, LATE):
            log.warning("buried", which=dead)
            await self._store.bus.tell("process", dead)

    # Tables

    def _told_of(self, table: str) -> None:
        """A table may have another owner now."""
        if not table or self._lobby.living(table) is not None:
            self._look.set()
        calls = self.passed.at(table)
        if calls:
            task = asyncio.create_task(self._look_after(calls))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    def _told_of_death(self, process: str) -> None:
        """The tables of a process are free."""
        self._seek.set()
        self._look.set()
        for call in self.passed.at(""):
            if call.owner.id == process:
                call.hang_up("moved_away")

    async def _look_after(self, calls: Collection[Passed]) -> None:
        """Ends those connections to processes that do not have the table any more.

        Such a process may not know that itself: perhaps it does nothing at all.
        """
        with suppress(Unavailable):
            owners = await self._processes.owners({call.table for call in calls})
            for call in calls:
                if owners.get(call.table) != call.owner.id:
                    call.hang_up("moved_away")

    async def _adopt(self) -> None:
        seek_at = 0.0
        while True:
            await _within(self._look, LOOKING)
            self._look.clear()
            try:
                await self._compare()
                if self._seek.is_set() or monotonic() >= seek_at:
                    seek_at = monotonic() + SEEKING * CHANCE.uniform(0.5, 1.5)
                    self._seek.clear()
                    await self._take_over()
            except Unavailable:  # whoever is there has said so
                await asyncio.sleep(TICK)
                self._seek.set()
                self._look.set()
            except Exception as error:
                self._seek.set()
                log.error("adoption_failed", where=where_it_failed(error))

    async def _compare(self) -> None:
        """Holds the tables that live here against those that should."""
        if self._me is None:
            return
        me, here = self._me, frozenset(live.id for live in self._lobby.tables)
        mine = await self._processes.owned(me.id)
        if self._me is not me:
            return
        for table in here - mine:
            self._lobby.lose(table)
        for table in mine - here - self._lobby.loading:
            await self._wake(table)

    async def _wake(self, table: str) -> None:
        """Goes on with one's own table that does not live, or leaves it to others."""
        if self._lobby.living(table) is not None or table in self._broken:
            return
        listing = await self._store.listing(table)
        if listing is not None and listing.state == "playing":
            await self._go_on(table)
        else:
            self._lobby.release(table)

    async def _take_over(self) -> None:
        """Takes what it can get of the tables whose process is dead."""
        if self._me is None:
            return
        while orphans := await self._processes.orphans(MANY):
            CHANCE.shuffle(orphans)
            for first in range(0, len(orphans), AT_ONCE):
                some = orphans[first : first + AT_ONCE]
                taken = await asyncio.gather(*map(self._go_on, some))
                if not any(taken):  # somebody else is at it: look again what is left
                    await asyncio.sleep(PAUSE)
                    break
        await self._processes.forget_idle()

    async def _go_on(self, table: str) -> bool:
        """Has the table live here, from its log; whether it does."""
        try:
            return await self._lobby.find(table) is not None
        except Unavailable:
            return False
        except Exception as error:
            self._broken.add(table)
            where = where_it_failed(error)
            log.error("table_not_taken_over", table=table, where=where)
            return False


async def _within(event: Event, seconds: float) -> bool:
    """Waits for the event, but not for long; whether it has come."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
