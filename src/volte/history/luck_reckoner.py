"""Luck of matches, worked out in the background once they have results.

It takes some 50 milliseconds a match, in a process of its own that comes after everything else
(`volte.bots.worker`), one match at a time: neither tables and their bots nor results wait for it.
It is stored once, wholly or not at all, so any process may be killed and several nodes may do the
same. A server without the extra `strong` leaves it to one that has it.
"""

from __future__ import annotations

import asyncio
import random
import time
from asyncio import Task
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from statistics import fmean
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from volte.bots.apart import LuckQuestion
from volte.bots.judged import DealLuck
from volte.extras import strong_installed
from volte.game import MatchStarted
from volte.history.luck import SeatLuck, lucks_of
from volte.history.store import Results, StoredLuck
from volte.referee import Event
from volte.rules import Irregularities
from volte.store import Conflict, Gone, MatchRow, Unavailable
from volte.store.recent import Recent
from volte.store.store import Store
from volte.table import TableEvent, TableState, decode_happening
from volte.table.workers import Worker
from volte.web.logs import get_logger

LOOKING: Final = 300.0
"""Interval between two looks for matches that a dead node has left behind, in seconds."""

BEHIND: Final = 60.0
"""Age from which a match with results but without luck counts as left behind, in seconds."""

DAY: Final = 24 * 3600.0
"""Age up to which such a match is looked for later, in seconds; at its start a node looks at all
matches ever played."""

TOGETHER: Final = 100  # matches found at a time
IDLE: Final = 20.0  # time without a match after which the process ends, in seconds
LONGEST: Final = 600.0  # limit for one match, in seconds
REMEMBERED: Final = 10_000  # deals of matches that go on

log = get_logger("volte.server")

Value = Callable[[LuckQuestion], Awaitable[tuple[DealLuck, ...]]]
"""Works out what the cards of each deal were worth."""


class OpenDeal(NamedTuple):
    """A deal of a match that goes on, whose cards may be shown."""

    table: str
    began: int  # number of the `MatchStarted` of its match
    until: int  # number of a happening after the deal
    number: int


class LuckReckoner:
    """Works the luck of matches out, for this node; and that of deals of matches that go on, which
    is not stored.

    Args:
        looking: interval between two looks for matches left behind by others, in seconds.
    """

    def __init__(self, store: Store, looking: float = LOOKING) -> None:
        self._store = store
        self._looking = looking
        self._due: asyncio.Queue[str | OpenDeal] = asyncio.Queue()
        # Luck by seat in deals of matches that go on, by table, match and number; None until known
        self._deals = Recent[tuple[str, int, int], Sequence[float] | None](REMEMBERED)
        self._looked = asyncio.Event()
        self._failed = set[str]()  # matches that are not tried again before the next start
        self._changes = WeakValueDictionary[str, asyncio.Event]()
        self._worker: Worker | None = None
        self._task: Task[None] | None = None

    def begin(self) -> None:
        """Begin with all matches that have results but no luck; then take new ones. Do nothing
        without the extra `strong`."""
        if strong_installed():
            self._store[StoredLuck].able = True
            self._task = asyncio.create_task(self._run(), name="luck")

    async def close(self) -> None:
        """Stop; matches that are left are worked out after the next start."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})
        await self._rest()

    async def idle(self) -> None:
        """Wait until nothing is left to work out."""
        if self._task is not None:
            await self._looked.wait()
            await self._due.join()

    def take(self, match: str) -> None:
        """Take a match that has just got its results."""
        if self._task is not None:
            self._due.put_nowait(match)

    def take_deal(self, deal: OpenDeal) -> None:
        """Take a deal of a match that goes on, whose cards may be shown now; each once."""
        if self._task is not None and _key(deal) not in self._deals:
            self._deals[_key(deal)] = None
            self._due.put_nowait(deal)

    def luck_in(self, deal: OpenDeal) -> Sequence[float]:
        """The luck of each seat in such a deal; none before it is known, or where nobody can."""
        return self._deals.get(_key(deal)) or ()

    def change(self, table: str) -> asyncio.Event:
        """An event, set as soon as the luck of a match or a deal at a table is worked out here."""
        return self._changes.setdefault(table, asyncio.Event())

    async def _run(self) -> None:
        before, since = time.time(), 0.0
        while True:
            with suppress(Unavailable):
                await self._catch_up(before, since)
            self._looked.set()
            look = time.monotonic() + self._looking
            while (match := await self._next(look)) is not None:
                await self._take_due(match)
            before = time.time() - BEHIND
            since = before - DAY

    async def _next(self, look: float) -> str | OpenDeal | None:
        """The next match that has just got its results, or deal; None when it is time to look.
        After a while without one, the process ends."""
        idle = time.monotonic() + IDLE
        for until, then in ((min(idle, look), self._rest), (look, None)):
            with suppress(TimeoutError):
                async with asyncio.timeout(max(until - time.monotonic(), 0.0)):
                    return await self._due.get()
            if then is not None:
                await then()
        return None

    async def _catch_up(self, before: float, since: float) -> None:
        """Work out what others have left behind. Raises `Unavailable`."""
        async for match in self._left_behind(before, since):
            await self._work_out(match)
            while not self._due.empty():  # what has just ended goes first
                await self._take_due(self._due.get_nowait())

    async def _take_due(self, due: str | OpenDeal) -> None:
        with suppress(Unavailable):  # a later look finds the match
            await (self._value_deal(due) if isinstance(due, OpenDeal) else self._work_out(due))
        self._due.task_done()

    async def _value_deal(self, deal: OpenDeal) -> None:
        try:
            question = await _question(self._store, deal.table, deal.began, deal.until)
            deals = await self._value(question)
        except Unavailable:
            raise
        except Exception as error:
            log.error("luck_failed", table=deal.table, error=type(error).__name__, exc_info=error)
            return
        for each in deals:
            if each.number == deal.number and each.cards is not None:
                share = fmean(each.cards)
                self._deals[_key(deal)] = [cards - share for cards in each.cards]
        self._wake(deal.table)

    async def _left_behind(self, before: float, since: float) -> AsyncIterator[str]:
        """Matches without luck, by and by, the latest first; nodes that begin at the same moment
        take them in other orders."""
        while True:
            some = await self._store[StoredLuck].missing(
                before, since, TOGETHER + len(self._failed)
            )
            found = [match for match in some if match not in self._failed]
            if not found:
                return
            random.shuffle(found)
            for match in found:
                yield match

    async def _work_out(self, match: str) -> None:
        """Work out a match, and wake those who wait for it; log a failure, so that one match does
        not hold up the others. Raises `Unavailable`."""
        try:
            row = await self._store.match(match)
            known = row is not None and await work_out(self._store, row, self._value)
        except Unavailable:
            log.warning("luck_waits_for_store")
            raise
        except Exception as error:
            log.error("luck_failed", match=match, error=type(error).__name__, exc_info=error)
            self._failed.add(match)
            return
        if row is not None and known:
            self._wake(row.table)

    def _wake(self, table: str) -> None:
        change = self._changes.pop(table, None)
        if change is not None:
            change.set()

    async def _value(self, question: LuckQuestion) -> tuple[DealLuck, ...]:
        """Ask the process, which is started if needed. Raises `NoChoice` and `TimeoutError`."""
        done = False
        try:
            if self._worker is None:
                self._worker = await Worker.begin()
                await self._worker.ready()
            async with asyncio.timeout(LONGEST):
                deals = await self._worker.luck_of(question)
            done = True
            return deals
        finally:
            if not done:
                await self._rest()

    async def _rest(self) -> None:
        """End the process that works luck out, until another match needs it."""
        worker, self._worker = self._worker, None
        if worker is not None:
            await worker.end()


async def work_out(store: Store, row: MatchRow, value: Value) -> bool:
    """Work out the luck of a match that has results, and store it, unless that is done already.
    Return whether it is stored now. Raises `Unavailable`, and errors of `value`."""
    if not await store[Results].reckoned(row.id):
        return False
    if not await store[StoredLuck].known(row.id):
        question = await _question(store, row.table, row.first, row.last)
        deals, started = await value(question), question.log[0]
        given = isinstance(started, MatchStarted) and started.cards is not None
        with suppress(Conflict, Gone):  # another node has stored it, or its table is deleted
            await store[StoredLuck].keep(lucks_of(row, len(row.players), deals, given))
    return True


async def _question(store: Store, table: str, first: int, last: int) -> LuckQuestion:
    """The question about a match, or its beginning. Raises `Unavailable`.

    Args:
        first: number of its first happening at the table.
        last: number of the last one that counts.
    """
    entries = await store.read(table, first - 1, last)

    def events() -> tuple[Event, ...]:
        happenings = (decode_happening(each.data) for each in entries)
        return tuple(each for each in happenings if not isinstance(each, TableEvent))

    return LuckQuestion(await asyncio.to_thread(events))


def _key(deal: OpenDeal) -> tuple[str, int, int]:
    return deal.table, deal.began, deal.number


def told_during(state: TableState) -> bool:
    """Whether luck may be told while a match goes on, of deals whose secrets have been revealed.

    Not with a referee, before the settlement is accepted; not at an evening, where the same cards
    are played elsewhere; and not of given cards, which no secret tells.
    """
    refereed = state.setup.rules.irregularities is Irregularities.REFEREED
    elsewhere = state.setup.evening or state.given is not None
    return state.under_way and not (refereed or elsewhere)


async def own_at(store: Store, table: str, person: str) -> SeatLuck | None:
    """The luck of a person in the last match of a table that counts for them; None while that match
    goes on, or its luck is not known. Raises `Unavailable`."""
    *_, last = (None, *await store.matches_at(table))
    if last is None or not last.last:
        return None
    return await store[StoredLuck].own(last.id, person)


async def value_here(question: LuckQuestion) -> tuple[DealLuck, ...]:
    """Work out what the cards were worth in a thread of this process, for commands. Raises
    `KernelFault`."""
    from volte.bots.reviewing import luck_of  # here, as NumPy takes a while to come

    return await asyncio.to_thread(luck_of, question.log)
