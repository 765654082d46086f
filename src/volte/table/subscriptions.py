"""Whoever is connected to a table: what they are told, in order, each as they may see it."""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections.abc import Callable
from typing import Final

from volte.table.admission import watch_refusal
from volte.table.commands import Someone
from volte.table.state import TableState
from volte.table.viewpoints import EVERYTHING, Sight, Sights, Update, sight_of

MOST_WAITING: Final = 128
"""Updates that a slow connection may be behind before it is cut off."""


class Watcher:
    """One connection of a person to a table. Iterates over `Update`, until it is closed.

    Attributes:
        who: whose connection it is.
        closed: why there will be no more; empty while it is open.
    """

    def __init__(
        self, who: Someone, sights: Sights, gone: Callable[[Watcher], None], closed: str = ""
    ) -> None:
        assert sights.state is not None
        self.who = who
        self.closed = closed
        self._sights = sights
        self._gone = gone
        self._sight = sight_of(sights.state, who.id)
        self._taken = sights.still(self._sight)
        self._told = self._taken.last
        self._shown = self._sight
        self._waiting: list[tuple[Sight, Update]] = []  # a deque takes more for the first one
        self._bell = Bell()

    @property
    def state(self) -> TableState:
        """The table as the person knows it, after the last update that was taken from here."""
        return self._taken.after

    @property
    def seat(self) -> int | None:
        """Whose eyes the person sees with, after the last update taken; None: nobody's at the
        table."""
        return None if self._shown == EVERYTHING else self._shown

    def catch_up(self, seen: int) -> Update:
        """What came after happening `seen`, up to what `state` shows; before the first update."""
        update = self._sights.since(self._sight, seen)
        notices = [waiting.notice for _, waiting in self._waiting if waiting.notice]
        self._waiting.clear()
        self._taken, self._told, self._shown = update, update.last, self._sight
        for notice in notices:
            self.nudge(notice)
        return update

    def close(self) -> None:
        """The connection is gone. May be said twice."""
        self.end("gone")

    def end(self, why: str) -> None:
        """No more comes; what waits is still told, unless there is too much of it."""
        if not self.closed:
            self.closed = why
            if why in ("gone", "too_slow"):
                self._waiting.clear()
            self._bell.ring()
            self._gone(self)

    def __aiter__(self) -> Watcher:
        return self

    async def __anext__(self) -> Update:
        while not self._waiting:
            if self.closed:
                raise StopAsyncIteration
            await self._bell.wait()
        self._shown, self._taken = self._waiting.pop(0)
        return self._taken

    def bring_up(self, made: dict[tuple[Sight, int], Update]) -> None:
        """Tells what is new; `made` holds updates that others are told as well."""
        assert self._sights.state is not None
        sight = sight_of(self._sights.state, self.who.id)
        other = sight != self._sight and self._sights.state.match is not None
        self._sight = sight
        if other or self._told < self._sights.began:
            self._tell(self._sights.again(sight))
        elif self._told < self._sights.reach(sight):
            key = sight, self._told
            if key not in made:
                made[key] = self._sights.news(sight, self._told)
            self._tell(made[key])

    def nudge(self, notice: str = "") -> None:
        """Says that there is something to show, though nothing has happened."""
        self.bring_up({})
        last = self._waiting[-1][1] if self._waiting else None
        if notice or last is None or last.notice:
            self._tell(self._sights.still(self._sight, notice))

    def _tell(self, update: Update) -> None:
        if self.closed:
            return
        self._told = update.last
        self._waiting.append((self._sight, update))
        self._bell.ring()
        if len(self._waiting) > MOST_WAITING:
            self.end("too_slow")


class Audience:
    """All the watchers of a table."""

    def __init__(self) -> None:
        self._watchers: dict[Watcher, None] = {}

    def __len__(self) -> int:
        return len(self._watchers)

    def add(self, watcher: Watcher) -> None:
        """One more."""
        self._watchers[watcher] = None

    def remove(self, watcher: Watcher) -> None:
        """One less."""
        del self._watchers[watcher]

    def bring_up(self, state: TableState) -> None:
        """Tells everybody what is new, and ends those who may not watch any more."""
        made: dict[tuple[Sight, int], Update] = {}
        for watcher in list(self._watchers):
            watcher.bring_up(made)
            out = "closed" if state.closed else watch_refusal(state, watcher.who.id)
            if out:
                watcher.end(out)

    def nudge(self, notice: str = "") -> None:
        """Has everybody look again."""
        for watcher in list(self._watchers):
            watcher.nudge(notice)

    def end(self, why: str) -> None:
        """No more for anybody."""
        for watcher in list(self._watchers):
            watcher.end(why)


class Bell:
    """Rung once or often, it wakes whoever waits, or lets them pass the next time.

    Unlike `asyncio.Event` it is for one, is silent again once it has been heard, and takes next
    to no memory.
    """

    __slots__ = ("_heard", "_rung")

    def __init__(self) -> None:
        self._rung = False
        self._heard: Future[None] | None = None

    def ring(self) -> None:
        """Wakes them."""
        self._rung = True
        if self._heard is not None and not self._heard.done():
            self._heard.set_result(None)

    async def wait(self) -> None:
        """Waits until it has been rung since it was heard last."""
        while not self._rung:
            self._heard = asyncio.get_running_loop().create_future()
            try:
                await self._heard
            finally:
                self._heard = None
        self._rung = False
