"""Whereabouts: who of somebody's friends is here, at any node, and where one may join them.

Whoever has a page open, or a connection to a table, has rows in `here`, which are written once a
minute at most, and for nobody without friends.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import Task
from collections.abc import Coroutine
from contextlib import suppress
from contextvars import Context
from time import monotonic
from typing import Any, Final

import msgspec
from sqlalchemy import and_, delete, exists, func, select, update

from volte.evenings.disclosure import outlines
from volte.friends.service import CHANGED
from volte.friends.store import FRIENDSHIPS, INVISIBLE, Friendships
from volte.names import name_order
from volte.news.desk import NewsDesk
from volte.news.kinds import News, NewsKind
from volte.store import OPEN, Gone, Unavailable
from volte.store.part import Part
from volte.store.recent import Recent
from volte.store.rows import LISTED
from volte.store.schema import PEOPLE, table
from volte.store.store import Store
from volte.store.writer import Write, put
from volte.table.stored import WayIn
from volte.talk.company import Avoided
from volte.talk.store import MUTES
from volte.web.logs import get_logger

# Seconds:
EVERY: Final = 60.0  # between two notes that somebody is here
LASTS: Final = 150.0  # for which a note counts; nodes' clocks may differ by a minute
AWAY: Final = 30 * 60.0  # after which friends are told again that somebody has come
FORGOTTEN: Final = 2 * AWAY  # after which a note is deleted

REMEMBERED: Final = 100_000  # people whose last note, or lack of friends, is remembered

HERE: Final = table(
    "here", {"person": str, "table": str, "until": float}, "person table", person=PEOPLE
)
"""People who are here: at a table, or with the empty id at any page, until a time."""

log: Final = get_logger("volte.server")


class FriendHere(msgspec.Struct, frozen=True):
    """A friend with a page or a terminal open, and the table where one may join them."""

    id: str
    name: str
    table: str = ""  # id of the table where they are and one may join; empty for none
    title: str = ""  # name of that table
    ways: tuple[WayIn, ...] = ()  # ways in that are open to the person


class Sightings(Part):
    """The store's part for people who are here."""

    async def note(self, person: str, where: str) -> None:
        """Stores that a person is at a table, or at a page, for a while. Raises `Gone`."""
        until = time.time() + LASTS
        await self._write(put(HERE, person=person, table=where, until=until))

    async def left(self, person: str, where: str) -> None:
        """Stores that a person is no longer at a table."""
        columns = HERE.c
        row = update(HERE).where(columns.person == person, columns.table == where)
        await self._write(row.where(columns.until > time.time()).values(until=time.time()))

    async def until(self, person: str) -> float:
        """The time until which a person counts as here, or did, in seconds since 1970; 0.0 for
        never."""
        return await self._value(select(func.max(HERE.c.until)).where(HERE.c.person == person), 0.0)

    async def friends(self, person: str) -> list[tuple[str, str, str]]:
        """The friends of a person who are here and not invisible to them: id, name, and id of a
        table or "", a row for each place."""
        own, theirs, now = FRIENDSHIPS.c, FRIENDSHIPS.alias(), time.time()
        query = select(HERE.c.person, PEOPLE.c.name, HERE.c.table)
        query = query.select_from(FRIENDSHIPS)
        both = and_(theirs.c.person == own.other, theirs.c.other == own.person)
        query = query.join(theirs, both).join(HERE, HERE.c.person == own.other)
        query = query.join(PEOPLE, PEOPLE.c.id == own.other)
        query = query.where(own.person == person, own.agrees == 1, theirs.c.agrees == 1)
        query = query.where(theirs.c.hidden == 0, HERE.c.until > now)
        query = query.where(~exists().where(INVISIBLE.c.person == own.other))
        return [(row[0], row[1], row[2]) for row in await self._reader.rows(query)]

    async def heard_of(self, person: str) -> list[str]:
        """Ids of the friends who are here, not invisible to a person, and not muted by them."""
        muted = select(MUTES.c.other).where(MUTES.c.person == person)
        unheard = {*await self._column(muted)}
        return [each for each, _, _ in await self.friends(person) if each not in unheard]

    async def seen_by(self, person: str) -> list[str]:
        """Ids of the friends to whom a person is visible and who have not muted them."""
        own, theirs = FRIENDSHIPS.c, FRIENDSHIPS.alias()
        query = select(own.other)
        query = query.join(theirs, and_(theirs.c.person == own.other, theirs.c.other == own.person))
        query = query.where(own.person == person, own.agrees == 1, theirs.c.agrees == 1)
        query = query.where(own.hidden == 0, ~exists().where(INVISIBLE.c.person == person))
        muted = exists().where(MUTES.c.person == own.other, MUTES.c.other == person)
        return await self._column(query.where(~muted))

    async def export(self, person: str) -> dict[str, Any]:
        query = select(HERE.c.table, HERE.c.until).where(HERE.c.person == person)
        return {"here": await self._dicts(query)}

    def over(self, now: float) -> tuple[Write, ...]:
        return (delete(HERE).where(HERE.c.until < now - FORGOTTEN),)


class Whereabouts:
    """Notes who is at the pages and tables of this node, and knows whose friends are here."""

    def __init__(self, store: Store, desk: NewsDesk) -> None:
        self._store = store
        self._rows = store[Sightings]
        self._desk = desk
        self._again = Recent[str, dict[str, float]](REMEMBERED)  # times of the next notes, by place
        self._friendless = Recent[str, bool](REMEMBERED)  # False while the database is asked
        self._tasks: set[Task[None]] = set()

    def begin(self) -> None:
        """Listen for people who make friends, at any node, and say which news of them is true."""
        self._store.bus.subscribe(CHANGED, self._hear)
        self._desk.check(NewsKind.FRIEND, self._rows.heard_of)

    async def close(self) -> None:
        """Cancel the notes that are under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def note(self, person: str, where: str = "") -> None:
        """Note, once a minute at most, that a person is here; nobody waits for that.

        Args:
            where: id of the table to which they are connected; empty for a page.
        """
        again = self._again.setdefault(person, {})
        if monotonic() >= again.get(where, 0.0):
            self._again[person] = again | {where: monotonic() + EVERY}
            self._later(self._note(person, where))

    def left(self, person: str, where: str) -> None:
        """Note that a person is no longer connected to a table."""
        if self._again.get(person, {}).pop(where, None) is not None:
            self._later(self._rows.left(person, where))

    async def friends(self, person: str) -> tuple[FriendHere, ...]:
        """The friends who are here, as the person may know it, by name. Raises `Unavailable`."""
        if await self._has_none(person):
            return ()
        found = await self._rows.friends(person)
        places = await self._places({where for _, _, where in found} - {""}, person)
        here = dict[str, FriendHere]()
        for friend, name, where in found:
            there = places.get(where)
            if there is not None:
                here[friend] = FriendHere(friend, name, where, *there)
            else:
                here.setdefault(friend, FriendHere(friend, name))
        return tuple(sorted(here.values(), key=lambda each: (name_order(each.name), each.id)))

    async def _places(
        self, tables: set[str], person: str
    ) -> dict[str, tuple[str, tuple[WayIn, ...]]]:
        """Names of those tables of which a person may know, with the ways in."""
        found = await self._store.listings_at(tables) if tables else {}
        listed = [each for each in found.values() if each.state in OPEN and each.access in LISTED]
        places = dict[str, tuple[str, tuple[WayIn, ...]]]()
        apart = await self._store[Avoided].apart_from(person) if listed else frozenset()
        for outline in await outlines(self._store, listed, person, apart):
            if outline.summary is not None and not outline.needs_password:
                ways = outline.ways()
                if ways:
                    places[outline.listing.table] = outline.listing.name, ways
        return places

    async def _note(self, person: str, where: str) -> None:
        if await self._has_none(person):
            return
        seen = await self._rows.until(person)
        await self._rows.note(person, where)
        if seen < time.time() - AWAY:
            await self._has_come(person)

    async def _has_come(self, person: str) -> None:
        """Tell the friends of somebody who has come, as far as they have asked for it."""
        known = await self._store.person(person)
        if known is None:
            return
        for friend in await self._rows.seen_by(person):
            news = News.of(friend, NewsKind.FRIEND, person, "/friends", known.name, time.time())
            await self._desk.tell(news)

    async def _has_none(self, person: str) -> bool:
        """Whether a person has no friends: asked once, and again only after a hint."""
        if self._friendless.get(person):
            return True
        self._friendless[person] = False
        has_some = await self._store[Friendships].any_of(person)
        if has_some:
            self._friendless.pop(person, None)
        elif person in self._friendless:  # no hint has come meanwhile
            self._friendless[person] = True
        return not has_some

    def _hear(self, person: str) -> None:
        if person:
            self._friendless.pop(person, None)
            for where, again in self._again.pop(person, {}).items():
                if monotonic() < again:  # here still: friends made at this moment see it at once
                    self.note(person, where)
        else:  # hints may have been missed
            self._friendless.clear()

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._tried(work), name="presence", context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tried(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            with suppress(Gone, Unavailable):  # the next note is a minute away
                await work
        except Exception as error:
            log.error("presence_failed", error=type(error).__name__, exc_info=error)
