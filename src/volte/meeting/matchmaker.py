"""The matchmaker: brings people together who would play with anybody, at whichever node they are.

Everybody who waits has a row (`Seek`), which all nodes read. The node of a table writes the rows of
the people there, and pairs others with them, by writes that hold only if none of those rows has
changed. What a node leaves undone, the next one that has the table does.
"""

from __future__ import annotations

import asyncio
import secrets
from asyncio import Event, Task, TimerHandle
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Final

from msgspec.structs import replace

from volte.history.ratings import MIDDLE, Skill
from volte.history.store import Results
from volte.meeting.moves import (
    Moves,
    attended,
    company_of,
    meeting_of,
    people_of,
    refused_after,
    strangers,
)
from volte.meeting.pairing import Pairing, are_apart, destination, pairings
from volte.meeting.patience import Patience
from volte.meeting.seeks import MeetingTable, Seek, Wish
from volte.meeting.store import Seeks, after, begun, changed, first_version, over, touched
from volte.meeting.waiting import Tablemate, Waiting, WaitingList, companions_of
from volte.store import OPEN, Conflict, Gone, Unavailable
from volte.store.bus import within
from volte.store.store import Store
from volte.table.commands import Someone
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.talk.company import MOST_AVOIDED, Avoided
from volte.talk.store import TalkStore
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.web.turns import Turns

CHANCE: Final = Random()  # our own generator: others may seed the global one

CHANGED: Final = "meeting"  # the topic of hints that seeks have changed

# Seconds:
EVERY: Final = 5.0  # on average, until a node looks at everything, if no hint has come
AGAIN: Final = 1.0  # until a node looks again after a failure
PAUSE: Final = 0.05  # between two looks, so that many hints lead to one
LONGER: Final = 0.001  # added to that for everybody who waits
TELLING: Final = 0.01  # for everybody who waits, between two times that they are told
STRAIGHT: Final = 0.75  # for which somebody waits for a seat at a table of another node

MOST_TRIES: Final = 20  # attempts to begin a seek while others change what it builds upon
SIGNS: Final = 20  # of a table's id

Opened = Callable[[str], Awaitable[str]]
"""A function that opens a meeting table of that id for the person, or finds it, and returns its id.
Raises `Refused`."""

Wake = Callable[[Collection[str]], Awaitable[None]]  # called with the ids of tables

log: Final = get_logger("volte.server")


class Matchmaker:
    """The matchmaker of this node, beside those of other nodes.

    Args:
        wake: makes sure that each of the given tables is live at some node.
    """

    def __init__(self, store: Store, lobby: Lobby, wake: Wake) -> None:
        self._store = store
        self._rows = store[Seeks]
        self._lobby = lobby
        self._wake = wake
        self._moves = Moves(store)
        self._seeks: dict[str, Seek] = {}  # as they were read last, by the person's id
        self._tables: frozenset[str] = frozenset()  # ids of the tables where these people are
        self._done: Mapping[str, Seek] = {}  # as the last look has left them
        self._stirred: set[str] = set()  # ids of tables where people have come or gone since
        self._apart: Mapping[str, Collection[str]] = {}  # as it was read last
        self._opening: set[str] = set()  # ids of tables that are being opened here
        self._patience = Patience()
        self._presses = Turns()  # one press of a person at a time
        self._woken = Event()
        self._hint = Event()  # set by the next hint, and then replaced
        self._look_at_all = 0.0  # time, on the monotonic clock
        self._waiting: WaitingList | None = None  # of these seeks, once somebody asks
        self._change = Event()
        self._telling: TimerHandle | None = None  # sets it
        self._task: Task[None] | None = None

    def begin(self) -> None:
        """Start the task, within a running loop."""
        self._store.bus.subscribe(CHANGED, self._hinted)
        self._lobby.listen(self._seated)
        self._task = asyncio.create_task(self._run(), name="meeting")

    async def close(self) -> None:
        """End the task at once; other nodes go on with the moves under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        self._tell()

    # For the people

    async def seek(self, who: Someone, wish: Wish, opened: Opened, table: str = "") -> str:
        """Begin to seek company, and return the id of the table to go to.

        Somebody who seeks already goes on with that seek. Where people who suit play at a table
        that can be joined at once, the person is seated there; else at a table of their own.

        Args:
            opened: called for a table of their own.
            table: the meeting table where they sit already; empty for none.

        Raises `Unavailable`, and the errors of `opened`.
        """
        async with self._presses.turn(who.id):
            for _ in range(MOST_TRIES):
                known = await self._rows.of(who.id) if who.id in self._seeks else None
                with suppress(Conflict):
                    if known is not None:
                        there = await self._resumed(known, opened)
                    else:  # refused where there is one of which this node has not read
                        seek = await self._begun(who, wish, table)
                        there = await self._placed(seek, opened)
                    if there:
                        return there
                self._take(await self._rows.all(self._seeks))
        raise Unavailable("too many seek at once")

    async def stop(self, person: str) -> None:
        """End somebody's seek, if they have one; they keep their table."""
        known = self._seeks.get(person)  # where it has changed since, the write is refused
        seek = await self._rows.of(person) if known is None or known.ends else known
        for _ in range(MOST_TRIES):
            if seek is None or seek.ends:
                return
            with suppress(Conflict):
                self._know(person, await self._moves.end(seek))
                await self._publish()
                return
            seek = await self._rows.of(person)
        raise Unavailable("too many change one seek")

    def waiting(self, person: str) -> Waiting | None:
        """The wait of a person, as this node knows it; None where they do not wait."""
        if self._waiting is None:
            self._waiting = WaitingList(self._seeks)
        return self._waiting.of(person)

    def change(self) -> Event:
        """An event, set soon after the answer of `waiting` may have changed, and the later the more
        people wait. Take it before."""
        return self._change

    async def companions(self, person: str) -> tuple[Tablemate, ...]:
        """The people with whom a person has played at their last meeting table."""
        return await companions_of(self._store, person)

    async def avoid(self, person: str, other: str) -> bool:
        """Note that a person would rather not meet another one, with whom they have played at a
        meeting table. False where they have not, or the other one is gone."""
        met = {each.id: each.name for each in await self.companions(person)}
        if other not in met:
            return False
        with suppress(Gone):
            await self.keep_apart(person, other, met[other])
            return True
        return False

    async def keep_apart(self, person: str, other: str, name: str) -> None:
        """Note that a person would rather not sit with another one of that name. Nobody is told.

        Raises `Refused` 429 where a person has too many of these wishes, and `Gone`.
        """
        avoided = await self._store[Avoided].of(person)
        if len(avoided) >= MOST_AVOIDED and other not in avoided:
            raise Refused(429, "too_many_avoided", most=MOST_AVOIDED)
        writes = touched(person), touched(other)
        await self._store[Avoided].avoid(person, other, name, *writes)
        await self._store.bus.publish(CHANGED, "apart")

    async def take_back(self, person: str, other: str) -> None:
        """Forget that a person would rather not meet another one."""
        await self._store[Avoided].take_back(person, other)
        await self._store.bus.publish(CHANGED, "apart")

    # A press

    async def _begun(self, who: Someone, wish: Wish, table: str) -> Seek:
        """A new seek, paired at once if somebody suits. Raises `Conflict`."""
        rating, since = await self._rating(who.id, wish.game), self._store.second_look.now()
        seek = Seek(who.id, wish, rating, since, table, version=first_version())
        joins = "" if table else await self._destination(seek)
        if joins:
            hosts = people_of(joins, self._seeks)
            await self._check_public(seek, *hosts)
            seek = replace(seek, joins=joins)
            await self._rows.write(begun(seek), *map(changed, hosts))
            self._take({**self._seeks, **{host.person: after(host) for host in hosts}})
            return seek
        live = self._here(table)
        if live is not None:
            seek = replace(seek, there=meeting_of(live, (), seek.there))
        seek = replace(seek, table=table or secrets.token_hex(SIGNS // 2))
        await self._rows.write(begun(seek))
        return seek

    async def _destination(self, seek: Seek) -> str:
        """The id of the table for somebody who begins to seek; empty where there is none.

        A table that was found by what was read last is written only if that holds still. That there
        is none has to be seen in the rows as they are now.
        """
        apart = await self._rows.apart_from(seek.person)
        if not (joins := destination(seek, self._seeks.values(), apart)):
            self._take(await self._rows.all(self._seeks))
            joins = destination(seek, self._seeks.values(), apart)
        return joins

    async def _placed(self, seek: Seek, opened: Opened) -> str:
        """The table for a seek that has just begun. Raises `Conflict`."""
        if not seek.table:
            arrived = await self._arrived(seek)
            if arrived is None:
                raise Conflict(seek.person)
            if arrived.table:
                self._know(seek.person, arrived)
                return arrived.table
            seek = await self._moves.write(replace(arrived, table=secrets.token_hex(SIGNS // 2)))
        there = self._lobby.living(seek.table)
        if there is None or there.state.seat_of(seek.person) is None:
            return await self._open(seek, opened)
        self._know(seek.person, seek)
        await self._publish()
        return seek.table

    async def _arrived(self, seek: Seek) -> Seek | None:
        """The seek of a person who is to be seated at once, or has to wait; None where it is gone.
        Raises `Conflict`."""
        there = self._here(seek.joins)
        if there is not None:
            found = await self._moves.arrive(seek, there, attended=True)
            await self._publish()
            return found
        await self._publish()
        end = monotonic() + STRAIGHT
        while (left := end - monotonic()) > 0:
            hint = self._hint
            known = await self._rows.of(seek.person)
            if known is None or known.table or known.asks or not known.joins:
                return known
            await within(hint, left)
        return seek

    async def _open(self, seek: Seek, opened: Opened) -> str:
        """Have the person's own table opened; where that is refused, there is no seek."""
        self._opening.add(seek.table)
        try:
            table = await opened(seek.table)
        except BaseException:
            with suppress(Unavailable):
                await self.stop(seek.person)
            raise
        finally:
            self._opening.discard(seek.table)
        live = self._here(table)
        if live is not None:
            with suppress(Conflict):  # the next look does it
                there = meeting_of(live, (), seek.there)
                seek = await self._moves.write(replace(seek, table=table, there=there))
        self._know(seek.person, seek)
        await self._publish()
        return table

    async def _resumed(self, seek: Seek, opened: Opened) -> str:
        """The table of somebody who seeks already; empty where the seek has to be looked at again,
        as it was over or has changed. Raises `Conflict`."""
        if seek.ends:
            await self._moves.write(replace(seek, ends=False))
            return ""
        if seek.table in self._opening:
            return seek.table
        listing = await self._store.listing(seek.table) if seek.table else None
        if listing is not None and (listing.state in OPEN or seek.sat):
            return seek.table
        if seek.table and listing is None:  # its node has died before it was opened
            return await self._open(seek, opened)
        if not seek.joins:
            await self._rows.write(over(seek))
            return ""
        if seek.table:  # it is closed
            await self._moves.write(replace(seek, table="", there=MeetingTable()))
            return ""
        return await self._placed(seek, opened)

    async def _rating(self, person: str, game: str) -> int:
        """The rating of a person in a game, or else in the game that they have played most."""
        found = await self._store[Results].ratings_of(person)
        best = max(found, key=lambda each: (each.ladder == game, each.matches), default=None)
        return MIDDLE if best is None else Skill(best.mu, best.sigma).points

    # The task

    def _hinted(self, key: str) -> None:
        """Look soon; at everything where the hint has a key, as no version tells of that."""
        if key:
            self._look_at_all = 0.0
        self._woken.set()
        hint, self._hint = self._hint, Event()
        hint.set()

    def _seated(self, live: LiveTable) -> None:
        """Look soon, as people at a table of this node have come or gone."""
        if live.id in self._tables:
            self._stirred.add(live.id)
            if live.state.closed:
                self._look_at_all = 0.0
            self._woken.set()

    def _know(self, person: str, seek: Seek | None) -> None:
        """Note what has become of one person's seek."""
        others = {each: other for each, other in self._seeks.items() if each != person}
        self._take(others if seek is None else others | {person: seek})

    async def _publish(self) -> None:
        await self._store.bus.publish(CHANGED, "")

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            try:
                await self.look()
            except Unavailable:
                log.warning("meeting_waits_for_store")
                self._look_at_all = monotonic() + AGAIN
            except Exception as error:
                log.error("meeting_failed", error=type(error).__name__, exc_info=error)
                self._look_at_all = monotonic() + AGAIN
            await asyncio.sleep(PAUSE + LONGER * len(self._seeks))
            await within(self._woken, max(0.0, self._look_at_all - monotonic()))

    async def look(self) -> None:
        """Take all steps that are due at the tables of this node. Raises `Unavailable`."""
        look_at_all = monotonic() >= self._look_at_all
        if look_at_all:
            self._look_at_all = monotonic() + EVERY * CHANCE.uniform(0.75, 1.25)
        stirred, self._stirred = self._stirred, set()
        known = self._seeks
        seeks = await self._rows.all(known)
        before, done = dict(seeks), self._done
        due = [
            seek
            for seek in before.values()
            if look_at_all
            or seek.joins
            or seek.table in stirred
            or done.get(seek.person) is not seek
        ]
        for seek in due:
            await self._tend(seeks, seek)
        await self._refresh(seeks, [seeks[seek.person] for seek in due if seek.person in seeks])
        if look_at_all:
            await self._look_for_lost(seeks)
        if look_at_all or seeks != done:
            await self._pair(seeks, look_at_all)
        self._done = seeks
        pressed = {who: seek for who, seek in self._seeks.items() if known.get(who) is not seek}
        stopped = known.keys() - self._seeks.keys()  # both since this look has begun
        now = (seeks | pressed).items()
        self._take({who: seek for who, seek in now if who not in stopped})
        if seeks != before:
            await self._publish()

    def _take(self, seeks: Mapping[str, Seek]) -> None:
        """Note the seeks as they are now."""
        same, self._seeks = seeks == self._seeks, dict(seeks)
        if same:
            return
        tables = {table for seek in seeks.values() for table in (seek.table, seek.joins)}
        self._tables = frozenset(tables - {""})
        self._patience.forget_others(seeks)
        self._waiting = None
        if self._telling is None:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_later(TELLING * len(seeks), self._tell)

    def _tell(self) -> None:
        """Wake all who wait to hear what has changed."""
        if self._telling is not None:
            self._telling.cancel()
        self._telling = None
        change, self._change = self._change, Event()
        change.set()

    def _here(self, table: str) -> LiveTable | None:
        """The table of that id, if it is open and live on this node."""
        live = self._lobby.living(table)
        return None if live is None or live.ended or live.state.closed else live

    async def _tend(self, seeks: dict[str, Seek], seek: Seek) -> None:
        """Take the steps of one person, at the tables that are here."""
        person, found = seek.person, None
        try:
            found = await self._stepped(seeks, seek)
        except Conflict:
            found = await self._rows.of(person)
            self._woken.set()
        except Unavailable:
            raise
        except Exception as error:  # a fault of one must not keep the others waiting
            log.error("seek_failed", error=type(error).__name__, exc_info=error)
            return
        if found is None:
            del seeks[person]
        else:
            seeks[person] = found

    async def _stepped(self, seeks: Mapping[str, Seek], seek: Seek) -> Seek | None:
        found: Seek | None = seek
        there = self._here(seek.joins)
        if there is not None:
            if seek.asks and self._patience.has_waited_long(seek):
                back = replace(seek, back=True, refused=refused_after(seek))
                seek = await self._moves.write(back)
            found = await self._moves.arrive(seek, there, attended(there, seeks, seek.person))
        here = self._here(seek.table)
        if found is None or found.table != seek.table or here is None or here.id in self._opening:
            return found
        return await self._moves.depart(found, here, self._patience.is_away(seek.person, here))

    async def _refresh(self, seeks: dict[str, Seek], due: Collection[Seek]) -> None:
        """Store who is at those tables that are here, where that has changed."""
        coming = {seek.person for seek in seeks.values() if seek.joins}
        fresh = list[Seek]()
        for seek in due:
            live = self._here(seek.table)
            if live is not None and live.id not in self._opening:
                there = meeting_of(live, coming, seek.there)
                if there != seek.there:
                    fresh.append(replace(seek, there=there))
        if not fresh:
            return
        try:
            await self._rows.write(*map(changed, fresh))
        except Conflict:
            self._look_at_all = 0.0
        else:
            seeks |= {seek.person: after(seek) for seek in fresh}

    async def _pair(self, seeks: dict[str, Seek], anew: bool) -> None:
        """Pair people with those at the tables of this node.

        Args:
            anew: whether people may be apart no longer who were; the others are found anyway.
        """
        if anew or pairings(seeks.values(), self._apart):
            self._apart = await self._rows.apart(strangers(seeks))
            await self._call_back(seeks)
        found = pairings(seeks.values(), self._apart)
        found = tuple(each for each in found if self._here(each.table) is not None)
        for pairing in found:
            try:
                await self._join(seeks, pairing)
            except Conflict:
                self._woken.set()
            else:
                await self._tend(seeks, seeks[pairing.person])

    async def _call_back(self, seeks: dict[str, Seek]) -> None:
        """Have people who are on the way to somebody, and are apart from them since, stay where
        they are."""
        for seek in [*seeks.values()]:
            there = self._here(seek.joins)
            if (
                there is None
                or seek.back
                or seek.sat
                or there.state.seat_of(seek.person) is not None
            ):
                continue
            if any(are_apart(seek.person, other, self._apart) for other in company_of(there)):
                with suppress(Conflict):
                    seeks[seek.person] = await self._moves.write(replace(seek, back=True))
                    await self._tend(seeks, seeks[seek.person])

    async def _join(self, seeks: dict[str, Seek], pairing: Pairing) -> None:
        """Store that somebody joins a table. Raises `Conflict`."""
        hosts = people_of(pairing.table, seeks)
        joined = replace(seeks[pairing.person], joins=pairing.table)
        await self._check_public(joined, *hosts)
        await self._rows.write(changed(joined), *map(changed, hosts))
        seeks |= {seek.person: after(seek) for seek in (joined, *hosts)}

    async def _check_public(self, *people: Seek) -> None:
        """End the seeks of those who may not play at public tables. Raises `Conflict` then."""
        excluded = await self._store[TalkStore].excluded([seek.person for seek in people])
        for person in excluded:
            await self.stop(person)
        if excluded:
            raise Conflict(*excluded)

    async def _look_for_lost(self, seeks: dict[str, Seek]) -> None:
        """Wake tables that are live nowhere, and go on without those that are closed or gone."""
        tables = {table for each in seeks.values() for table in (each.table, each.joins)} - {""}
        lost = {table for table in tables if self._here(table) is None} - self._opening
        if lost and not self._store.nodes.alone:
            lost -= await self._store.nodes.living(lost)
        listings = await self._store.listings_at(lost)
        asleep = [table for table, listing in listings.items() if listing.state in OPEN]
        await self._wake(asleep)
        closed = {table for table in listings if table not in asleep}
        missing = lost - listings.keys() | {""}
        for seek in [*seeks.values()]:
            if closed.isdisjoint((seek.table, seek.joins)) and seek.table not in missing:
                self._patience.is_settled(seek.person)
                continue
            with suppress(Conflict):
                found = await self._without(seek, closed)
                if found is None:
                    del seeks[seek.person]
                else:
                    seeks[seek.person] = found

    async def _without(self, seek: Seek, closed: Collection[str]) -> Seek | None:
        """The seek of somebody whose table is closed or missing. Raises `Conflict`."""
        if seek.joins in closed:
            return await self._moves.stay(seek)
        if seek.table in closed:
            return await (self._moves.settle if seek.sat else self._moves.end)(seek)
        return await self._moves.end(seek) if self._patience.is_lost(seek) else seek
