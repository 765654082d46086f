"""A person's connection to a table: the updates that wait to be sent there, in order."""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections.abc import Callable
from typing import Final

from volte.table.commands import Someone
from volte.table.state import TableState
from volte.table.viewpoints import EVERYTHING, MatchLog, Update, Viewpoint, viewpoint_of

MOST_WAITING: Final = 128  # updates that a slow connection may be behind before it is cut off


class Bell:
    """An event for a single waiter, which is cleared when the wait is over.

    It stands in for `asyncio.Event`, since it takes next to no memory: each connection has one.
    """

    __slots__ = ("_rung", "_waiter")

    def __init__(self) -> None:
        self._rung = False
        self._waiter: Future[None] | None = None

    def ring(self) -> None:
        """Wakes the waiter, or lets it pass the next time."""
        self._rung = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def wait(self) -> None:
        """Waits until it has been rung since the last wait."""
        while not self._rung:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        self._rung = False


class Subscription:
    """One connection of a person to a table. Iterates over `Update`, until it is closed."""

    def __init__(
        self, who: Someone, log: MatchLog, gone: Callable[[Subscription], None], closed: str = ""
    ) -> None:
        assert log.state is not None
        self.who = who
        self.closed = closed  # reason why no more updates come; empty while it is open
        self._log = log
        self._gone = gone
        self._viewpoint = viewpoint_of(log.state, who.id)
        self._latest, self._latest_from = log.still(self._viewpoint), self._viewpoint
        self._reached = self._latest.last  # number of the last happening that was queued
        self._queue: list[tuple[Viewpoint, Update]] = []  # an empty deque takes more memory
        self._bell = Bell()

    @property
    def state(self) -> TableState:
        """The table as the person knows it, after the last update taken from here."""
        return self._latest.after

    @property
    def seat(self) -> int | None:
        """The seat from which the last update taken was seen; None without a seat."""
        return None if self._latest_from == EVERYTHING else self._latest_from

    def catch_up(self, seen: int) -> Update:
        """The happenings after number `seen`, as one update that comes before the first other."""
        update = self._log.since(self._viewpoint, seen)
        notices = [waiting.notice for _, waiting in self._queue if waiting.notice]
        self._queue.clear()
        self._latest, self._latest_from, self._reached = update, self._viewpoint, update.last
        for notice in notices:
            self.nudge(notice)
        return update

    def close(self) -> None:
        """The client is gone. May be called twice."""
        self.end("gone")

    def end(self, why: str) -> None:
        """Ends the updates; the queue can still be read, unless the client is gone or too slow."""
        if not self.closed:
            self.closed = why
            if why in ("gone", "too_slow"):
                self._queue.clear()
            self._bell.ring()
            self._gone(self)

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Update:
        while not self._queue:
            if self.closed:
                raise StopAsyncIteration
            await self._bell.wait()
        self._latest_from, self._latest = self._queue.pop(0)
        return self._latest

    def notify(self, shared: dict[tuple[Viewpoint, int], Update]) -> None:
        """Queues new happenings. `shared`: the updates already made for other subscriptions."""
        log = self._log
        assert log.state is not None
        viewpoint = viewpoint_of(log.state, self.who.id)
        moved = viewpoint != self._viewpoint and log.state.match is not None
        self._viewpoint = viewpoint
        key = viewpoint, -1 if moved else self._reached  # -1: the match anew
        if key not in shared:
            shared[key] = log.news(*key)
        if shared[key].happenings or shared[key].resync:
            self._put(shared[key])

    def nudge(self, notice: str = "") -> None:
        """Queues an update though nothing has happened: there is something else to show."""
        self.notify({})
        last = self._queue[-1][1] if self._queue else None
        if notice or last is None or last.notice:
            self._put(self._log.still(self._viewpoint, notice))

    def _put(self, update: Update) -> None:
        if self.closed:
            return
        self._reached = update.last
        self._queue.append((self._viewpoint, update))
        self._bell.ring()
        if len(self._queue) > MOST_WAITING:
            self.end("too_slow")
