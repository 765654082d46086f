"""Evenings in the store, and their conductor, which opens tables and follows deals.

Any node may do any of this at any time. An evening is a stream: the first node to append to it
wins, and all others read it again and find nothing left to do. The id of a table follows from the
evening's secret, so each is opened once, by any node and after any number of attempts.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from asyncio import Queue, Task
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from functools import partial, reduce
from random import Random
from time import monotonic
from typing import Final

import msgspec

from volte.evenings import evening as ev
from volte.evenings.decide import Outcome, due, given_up, join, leave, plan_evening, played
from volte.evenings.evening import Evening, Plan, Stage
from volte.evenings.store import Clubs, EveningRow
from volte.evenings.tables import Followed, follow, opening
from volte.game import Refusal
from volte.game.codec import encode
from volte.store import Conflict, Unavailable
from volte.store.changes import Changes
from volte.store.recent import Recent
from volte.store.store import Store
from volte.table import Someone, decode_happening
from volte.table.commands import Sit
from volte.table.live import LiveTable
from volte.table.stored import read_summary
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.web.room import Room

REMEMBERED: Final = 200  # evenings in memory
MOST_TRIES: Final = 50  # attempts to append where others were first
MANY: Final = 24  # people from whom on seating them takes so long that it goes to a thread
LONGEST_ID: Final = 64

CHANGED: Final = "evening"  # the topic of hints that an evening has changed

CHANCE: Final = Random()
"""A generator of this module's own, which nobody else seeds."""

Judge = Callable[[Evening], Outcome]
"""A function that decides what happens to an evening as it is now."""

Wake = Callable[[Collection[str]], Awaitable[None]]  # called with the ids of tables

log: Final = get_logger("volte.server")


class EveningSummary(msgspec.Struct, frozen=True):
    """The summary of an evening for lists; `EveningRow.summary` holds it as JSON."""

    name: str
    zone: str
    coming: int
    rounds: int
    played: int


def summary_of(row: EveningRow) -> EveningSummary:
    """The summary of an evening for lists. Raises `msgspec.ValidationError`."""
    return msgspec.json.decode(row.summary, type=EveningSummary)


def _row(key: str, evening: Evening) -> EveningRow:
    plan = evening.plan
    counts = len(evening.coming), plan.rounds, len(evening.rounds)
    summary = msgspec.json.encode(EveningSummary(plan.name, plan.zone, *counts))
    return EveningRow(key, plan.club, evening.stage.value, plan.starts, summary)


class Evenings(Changes):
    """The evenings of the store: finds, plans and changes them."""

    def __init__(self, store: Store) -> None:
        super().__init__(store.bus, CHANGED)
        self.store = store
        self._at_hand = Recent[str, Evening](REMEMBERED)

    async def find(self, key: str) -> Evening | None:
        """The evening of that id, as it is now. Raises `Unavailable`."""
        if not (key.isascii() and 0 < len(key) <= LONGEST_ID):
            return None
        evening = self._at_hand.get(key)
        entries = await self.store[Clubs].read(key, evening.version if evening else 0)
        for entry in entries:
            evening = ev.evolve(evening, ev.decode_event(entry.data))
        if evening is not None:
            known = self._at_hand.get(key)
            if known is None or known.version < evening.version:
                known = evening
                self.wake(key)
            self._at_hand[key] = known
        return evening

    async def next_table(self, key: str, table: str, person: str) -> str:
        """The id of the table where a person belongs now; empty where that is `table`, or where the
        table has not been opened yet."""
        evening = await self.find(key)
        going = evening.round if evening is not None else None
        there = going.table_of(person) if going is not None else ""
        if there in ("", table) or await self.store.listing(there) is None:
            return ""
        return there

    async def plan(self, plan: Plan, host: Someone, key: str = "") -> str:
        """Plans a new evening, and returns its id.

        Args:
            key: the id, so that the same request sent again plans nothing more; empty for a new id.

        Raises `VolteError`.
        """
        events = plan_evening(plan, host)
        key = key or secrets.token_hex(8)
        row = _row(key, ev.fold(events))
        with suppress(Conflict):  # somebody was first
            await self.store[Clubs].append(row, 0, [encode(each) for each in events], [host.id])
        return key

    async def do(self, key: str, judge: Judge) -> Evening:
        """Appends the events that `judge` decides, anew where others were first; the evening after.

        Raises `Refused`, 409 where the rules of the evening do not allow it; `VolteError` and
        `Unavailable`.
        """
        for _ in range(MOST_TRIES):
            evening = await self.find(key)
            if evening is None:
                raise Refused(404, "no_evening")
            many = len(evening.coming) >= MANY
            outcome = await asyncio.to_thread(judge, evening) if many else judge(evening)
            if isinstance(outcome, Refusal):
                raise Refused(409, outcome.reason, **outcome.params)
            if not outcome:
                return evening
            with suppress(Conflict):
                return await self._append(key, evening, outcome)
        raise Unavailable("too many write to one evening")

    async def _append(self, key: str, evening: Evening, events: Sequence[ev.Event]) -> Evening:
        after = reduce(ev.evolve, events, evening)
        data = [encode(each) for each in events]
        new = [comer.person for comer in after.comers[len(evening.comers) :]]
        await self.store[Clubs].append(_row(key, after), evening.version, data, new)
        await self.changed(key)
        if any(isinstance(each, ev.RoundOver) for each in events):
            await self._disclose(after.rounds[-1])
        return after

    async def _disclose(self, played: ev.Round) -> None:
        """Announces the matches of a round as over, now that their results are no secret."""
        with suppress(Unavailable):  # then the matches are found later
            for sitting in played.tables:
                for row in await self.store.matches_at(sitting.table):
                    if row.ended is not None:
                        self.store.match_over(row.id)


class Conductor:
    """The conductor of the evenings that go on, beside those of other nodes.

    Args:
        every: seconds, on average, until one of the nodes looks at all evenings again.
        wake: makes sure that each of the given tables is live at some node, and so is played.
    """

    def __init__(self, store: Store, evenings: Evenings, every: float, wake: Wake) -> None:
        self._store = store
        self._evenings = evenings
        self._every = every
        self._wake = wake
        self._followed: dict[str, Followed] = {}
        self._listeners: list[Callable[[str, Evening], None]] = []
        self._ended: Queue[str] = Queue()
        self._attending = asyncio.Lock()
        self._sharing = 1
        self._task: Task[None] | None = None

    def listen(self, listener: Callable[[str, Evening], None]) -> None:
        """Has the listener called with every evening whose time has come, by its id, each time that
        this conductor has attended to it."""
        self._listeners.append(listener)

    def begin(self) -> None:
        """Starts. When a match of this node ends, the conductor attends to its evening at once."""
        self._store.listen(self._ended.put_nowait)
        self._task = asyncio.create_task(self._run(), name="evenings")

    async def close(self) -> None:
        """Stops. The next node that looks carries on with unfinished work."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def idle(self) -> None:
        """Waits until it has attended to the evenings of all matches that have ended here, and to
        all that it has found by looking."""
        await self._ended.join()
        async with self._attending:
            pass

    async def _run(self) -> None:
        until = 0.0
        while True:
            match = await self._next(until)
            if not match:
                until = monotonic() + self._every * self._sharing * CHANCE.uniform(0.5, 1.5)
            try:
                async with self._attending:
                    for key in await (self._of_match(match) if match else self._going_on()):
                        await self._attend_to(key)
            except Unavailable:
                log.warning("evenings_wait")
            except Exception as error:
                log.error("evenings_failed", exc_info=error)
            if match:
                self._ended.task_done()

    async def _next(self, until: float) -> str:
        """The id of the next match that ends here; empty when all evenings have to be looked at."""
        left = until - monotonic()
        if left > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    return await self._ended.get()
        return ""

    async def _going_on(self) -> Sequence[str]:
        """Ids of all evenings that may have something to do; nodes share the looking."""
        self._sharing = await self._store.nodes.count()
        return await self._store[Clubs].going_on(time.time())

    async def _of_match(self, match: str) -> Sequence[str]:
        """The id of the evening to which a match belongs, if it belongs to one."""
        row = await self._store.match(match)
        listing = await self._store.listing(row.table) if row is not None else None
        key = read_summary(listing).evening if listing is not None else ""
        return (key,) if key else ()

    async def _attend_to(self, key: str) -> None:
        """Attends to one evening; an error there does not stop the others."""
        try:
            await self.attend(key)
        except Unavailable:
            raise
        except Exception as error:
            log.error("evening_failed", evening=key, exc_info=error)

    async def attend(self, key: str) -> None:
        """Takes all due steps of an evening: opens tables, notes deals, begins and ends rounds."""
        before = None
        evening = await self._evenings.find(key)
        while evening is not None and evening != before:
            before = evening
            if evening.round is not None:
                evening = await self._follow(key, evening, evening.round)
            else:
                evening = await self._without_the_gone(key, evening)
            past, at = 0.0, time.time()
            if given_up(evening, at):
                past = await self._store.second_look.past(f"evening {key} given up", at)
            now = self._store.second_look.now()
            evening = await self._evenings.do(key, partial(due, now=now, past=past))
        if evening is not None:
            for listener in self._listeners:
                listener(key, evening)
        if evening is not None and evening.stage is not Stage.RUNNING:
            for each in evening.rounds:
                for sitting in each.tables:
                    self._followed.pop(sitting.table, None)

    async def _without_the_gone(self, key: str, evening: Evening) -> Evening:
        """Removes people whose accounts have been deleted meanwhile."""
        coming = [comer.person for comer in evening.coming]
        known = await self._store.known(coming)
        for person in coming:
            if person not in known:
                evening = await self._evenings.do(key, partial(leave, person=person))
        return evening

    async def _follow(self, key: str, evening: Evening, going: ev.Round) -> Evening:
        """Opens the missing tables of a round, keeps unfinished ones live, even with nobody there,
        and notes the deals that are over."""
        number = len(evening.rounds)
        unfinished = [
            (place, sitting)
            for place, sitting in enumerate(going.tables)
            if len(sitting.results) < evening.plan.deals
        ]
        for place, sitting in unfinished:
            followed = await self._read(sitting.table)
            if not followed.version:
                await self._open(key, evening, place)
            elif len(followed.results) > len(sitting.results):
                noted = partial(played, number=number, table=place, results=followed.results)
                evening = await self._evenings.do(key, noted)
        await self._wake([sitting.table for _, sitting in unfinished])
        return evening

    async def _read(self, table: str) -> Followed:
        """The state followed from a table's log, of which only new entries are read."""
        followed = self._followed.get(table, Followed())
        for entry in await self._store.read(table, followed.version):
            followed = follow(followed, decode_happening(entry.data))
        self._followed[table] = followed
        return followed

    async def _open(self, key: str, evening: Evening, place: int) -> None:
        table = opening(evening, key, len(evening.rounds), place)
        with suppress(Conflict):  # somebody else has opened it
            await self._store.append(
                *(table.table, 0, table.entries), listing=table.listing, matches=(table.row,)
            )
            await self._evenings.changed(key)


async def seat_at_evening(room: Room, who: Someone, live: LiveTable) -> None:
    """Seat somebody who is there where the evening wants them, also in place of somebody else.
    Raises `Refused` for all others: the cards here are still to be played elsewhere."""
    evenings, key = room[Evenings], live.state.setup.evening
    evening = await evenings.find(key)
    going = evening.round_of(live.id) if evening is not None else None
    place = going.place_of(who.id) if going is not None else None
    if evening is None or going is None or place is None or going.tables[place[0]].table != live.id:
        raise Refused(403, "not_your_table")
    comer = evening.comer(who.id)
    if comer is not None and comer.away:
        with suppress(Refused):  # the evening is over meanwhile
            await evenings.do(key, partial(join, who=who))
    if live.state.seat_of(who.id) is not None:
        return
    invited = Someone(who.id, who.name, invited=True)
    reply = await live.do(invited, Sit(place[1]), live.state.version)
    if reply.refusal is not None and live.state.seat_of(who.id) is None:
        raise Refused(403, "not_your_table")
