"""Reports to the news desk: whose turn it is, which table is full, which evening begins."""

from __future__ import annotations

import asyncio
import time
from asyncio import Queue, Task, TimerHandle
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from volte.evenings.conducting import CHANGED, Conductor, Evenings
from volte.evenings.evening import Evening
from volte.news.desk import NewsDesk
from volte.news.kinds import LASTS, News, NewsKind
from volte.store import Unavailable
from volte.table.live import LiveTable
from volte.table.pacing import concerned
from volte.table.turns import SeatTurn
from volte.web.logs import get_logger
from volte.web.room import Room

SLOW: Final = 5.0  # seconds after which somebody whose turn it is may not have seen it

log = get_logger("volte.server")


class Awaited:
    """A turn of somebody who has asked to be told of it."""

    def __init__(self, turn: SeatTurn) -> None:
        self.turn = turn
        self.told = False
        self.timer: TimerHandle | None = None

    def cancel(self) -> None:
        if self.timer is not None:
            self.timer.cancel()


class Reporter:
    """The reporter of this node, which tells one thing after another.

    It looks at nothing but what the tables here show anyway; for people who have asked for nothing
    it does nothing.
    """

    def __init__(self, room: Room) -> None:
        self._room = room
        self._desk = room[NewsDesk]
        self._awaited: dict[str, dict[str, Awaited]] = {}  # by table and person
        self._open: dict[str, frozenset[str]] = {}  # people of tables with a free seat
        self._full: set[str] = set()  # ids of tables that have become full here
        self._begun: set[str] = set()  # ids of evenings that have been told
        self._reports: Queue[Callable[[], Awaitable[None]]] = Queue()
        self._task: Task[None] | None = None

    def begin(self) -> None:
        """Start the task, within a running loop."""
        room = self._room
        room.lobby.listen(self._seated)
        room.lobby.listen_to_turns(self._turned)
        room[Conductor].listen(self._attended)
        room.store.bus.subscribe(CHANGED, self._evening_changed)
        self._task = asyncio.create_task(self._run(), name="reports")

    async def close(self) -> None:
        """End the reports of turns, full tables and evenings, at once."""
        for awaited in self._awaited.values():
            for each in awaited.values():
                each.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def idle(self) -> None:
        """Wait until all that is due has been told."""
        await self._reports.join()

    # Turns

    def _turned(self, live: LiveTable) -> None:
        """See whose turn it is at a table now, and whose no longer."""
        if live.ended:
            self._open.pop(live.id, None)
            self._full.discard(live.id)
        turns = {
            person: turn
            for person, turn in live.turns.items()
            if self._desk.may_want(person, NewsKind.TURN)
        }
        if not turns and live.id not in self._awaited:
            return
        before = self._awaited.pop(live.id, None)
        if before is None:  # another node may have told of a turn here
            self._over(NewsKind.TURN, live.id)
            before = {}
        for person, each in before.items():
            if live.ended or turns.get(person) != each.turn:
                each.cancel()
                if each.told and live.ended in ("", "closed"):
                    self._over(NewsKind.TURN, live.id, person)
        if live.ended:
            return
        now = self._awaited[live.id] = {}
        for person, turn in turns.items():
            awaited = before.get(person)
            if awaited is None or awaited.turn != turn:
                awaited = Awaited(turn)
                self._wait(live, person, awaited)
            now[person] = awaited

    def _wait(self, live: LiveTable, person: str, awaited: Awaited) -> None:
        loop = asyncio.get_running_loop()
        awaited.timer = loop.call_later(SLOW, self._overdue, live, person, awaited)

    def _overdue(self, live: LiveTable, person: str, awaited: Awaited) -> None:
        """Tell somebody that it is their turn, unless they look at the table."""
        if self._sees(live, person):
            self._wait(live, person, awaited)
        else:
            awaited.told = True
            self._tell(live, NewsKind.TURN, person)

    # Seats

    def _seated(self, live: LiveTable) -> None:
        """See whether the last free seat of a table has been taken, or one is free again."""
        state = live.state
        if state.closed or any(seat.free for seat in state.seats):
            if live.id in self._full:
                self._full.discard(live.id)
                self._over(NewsKind.FULL, live.id)
            self._open.pop(live.id, None)
            if not state.closed:
                self._open[live.id] = concerned(state)
        elif live.id in self._open:
            self._full.add(live.id)
            for person in self._open.pop(live.id) & concerned(state):
                if self._desk.may_want(person, NewsKind.FULL) and not self._sees(live, person):
                    self._tell(live, NewsKind.FULL, person)
        if state.setup.evening in self._begun:
            for seat in state.seats:
                if seat.person:
                    self._over(NewsKind.EVENING, state.setup.evening, seat.person)

    # Evenings

    def _attended(self, key: str, evening: Evening) -> None:
        """Tell the people of an evening that it begins."""
        now, plan = time.time(), evening.plan
        late = now >= plan.starts + LASTS[NewsKind.EVENING]
        if late or not evening.open or key in self._begun:
            return
        self._begun.add(key)
        for comer in evening.coming:
            if not self._desk.may_want(comer.person, NewsKind.EVENING):
                continue
            news = News.of(comer.person, NewsKind.EVENING, key, f"/evenings/{key}", plan.name, now)
            self._report(partial(self._desk.tell, news))

    def _evening_changed(self, key: str) -> None:
        if key in self._begun:
            self._report(partial(self._look_at, key))

    async def _look_at(self, key: str) -> None:
        """Take back what was told of an evening that is over, or to somebody who has left it."""
        evening = await self._room[Evenings].find(key)
        if evening is None or not evening.open:
            self._begun.discard(key)
            await self._desk.over(NewsKind.EVENING, key)
            return
        for comer in evening.comers:
            if comer not in evening.coming:
                await self._desk.over(NewsKind.EVENING, key, comer.person)

    # The reports

    def _sees(self, live: LiveTable, person: str) -> bool:
        """Whether somebody is at a table and looks at a page."""
        return person in live.present and self._desk.looks(person)

    def _tell(self, live: LiveTable, kind: NewsKind, person: str) -> None:
        path, name = f"/tables/{live.id}", live.state.setup.name
        news = News.of(person, kind, live.id, path, name, time.time())
        self._report(partial(self._desk.tell, news))

    def _over(self, kind: NewsKind, about: str, person: str = "") -> None:
        self._report(partial(self._desk.over, kind, about, person))

    def _report(self, report: Callable[[], Awaitable[None]]) -> None:
        self._reports.put_nowait(report)

    async def _run(self) -> None:
        while True:
            report = await self._reports.get()
            try:
                await report()
            except Unavailable:
                log.warning("news_not_told")
            except Exception as error:
                log.error("reports_failed", error=type(error).__name__, exc_info=error)
            self._reports.task_done()
