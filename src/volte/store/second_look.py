"""Second looks at things that are due by the wall clock and cannot be taken back.

A wall clock can be wrong for a moment, so nothing is given up, ended or forgotten when it first
seems due. A note in the database names the thing, with the time by the wall clock. A node that has
seen that note for ten minutes, by a clock that nobody can set, does what was due at the noted time,
and nothing that has become due since. Every node removes notes that lie in the future by its own
clock; so where nodes disagree, the clock that is behind decides.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from sqlalchemy import delete, or_, select

from volte.store.part import Part, Reader
from volte.store.schema import table
from volte.store.writer import Writer, put

USUAL: Final = 600.0  # seconds between the two looks

SET: Final = 60.0
"""Seconds by which clocks may differ: a wall clock counts as set once it has moved by more."""

STALE: Final = 24 * 3600.0
"""Seconds after which an unused note is removed: the thing was done by hand."""

DUE: Final = table("due", {"what": str, "noted": float}, "what")


def steady_time() -> float:
    """Seconds by a clock that nobody can set and, where possible, runs while the machine sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class SecondLook(Part):
    """The notes of things that are due, and the time for which this node has seen each."""

    def __init__(
        self,
        reader: Reader,
        writer: Writer,
        wall: Callable[[], float] = lambda: time.time(),
        steady: Callable[[], float] = steady_time,
    ) -> None:
        super().__init__(reader, writer)
        self.seconds = USUAL  # between the two looks; 0: no second look is needed
        self._wall = wall
        self._steady = steady
        self._seen: dict[str, tuple[float, float]] = {}  # by name: its note, and first seen when
        self._offset = wall() - steady()  # believed lead of the wall clock over the steady one
        self._set: float | None = None  # steady time since which the wall clock is ahead of that

    def now(self) -> float:
        """The wall clock, in seconds since 1970. If it was set ahead, the old time goes on until it
        has been ahead for as long as a second look takes."""
        wall, steady = self._wall(), self._steady()
        if wall - steady <= self._offset + SET:
            self._offset, self._set = wall - steady, None
        elif self._set is None:
            self._set = steady
        if self._set is not None and steady - self._set >= self.seconds:
            self._offset, self._set = wall - steady, None
        return steady + self._offset

    @property
    def ahead(self) -> float:
        """Seconds by which the wall clock was set ahead lately; 0 where it was not."""
        return max(0.0, self._wall() - self.now())

    async def past(self, what: str, at: float = 0.0) -> float:
        """The time, in seconds since 1970, up to which `what` was due and may be done. 0 where
        there has been only one look at it so far.

        Call it whenever something of that name is due.

        Args:
            at: time by the wall clock at which it was found due; the clock may have been set back
                since, and then nothing is noted.
        """
        now = self._wall()
        if at > now + SET:
            return 0.0
        if not self.seconds:
            return now
        noted = await self._value(select(DUE.c.noted).where(DUE.c.what == what), 0.0)
        seen, since = self._seen.get(what, (0.0, 0.0))
        if not 0 < noted <= now + SET:  # there is no note, or it was made while a clock was ahead
            await self._write(put(DUE, what=what, noted=now))
            self._seen[what] = now, self._steady()
        elif noted != seen:  # the note is another node's, or older than this node's start
            self._seen[what] = noted, self._steady()
        elif self._steady() - since >= self.seconds:
            await self._write(delete(DUE).where(DUE.c.what == what, DUE.c.noted == noted))
            del self._seen[what]
            return min(noted, now)
        return 0.0

    async def withdraw(self, what: str) -> None:
        """Removes the note of a thing that is no longer due: it takes two new looks from now on."""
        self._seen.pop(what, None)
        if await self._value(select(DUE.c.noted).where(DUE.c.what == what), 0.0):
            await self._write(delete(DUE).where(DUE.c.what == what))

    async def look(self) -> None:
        """Removes notes that are of the future by this node's clock, and stale ones. Call it every
        few seconds."""
        self.now()
        wall = self._wall()
        wrong = or_(DUE.c.noted > wall + SET, DUE.c.noted < wall - STALE)
        for what in await self._column(select(DUE.c.what).where(wrong)):
            self._seen.pop(what, None)
            await self._write(delete(DUE).where(DUE.c.what == what, wrong))
