"""The list of open tables: seats to take, and matches to watch. All who look share one reading."""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections.abc import Collection, Mapping, Sequence
from contextvars import Context
from hashlib import sha256
from itertools import chain
from time import monotonic, time
from typing import Final, NamedTuple

from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from volte.evenings.disclosure import Outline, outlines
from volte.people.sessions import Sessions, hashed
from volte.say import Words
from volte.say.catalogue import tongue
from volte.server.tables.languages import TableLanguages
from volte.server.tables.rows import LobbyRow, row_of
from volte.store import Listing
from volte.store.recent import Recent
from volte.store.store import Store
from volte.table.lobby import Lobby
from volte.table.stored import read_summary
from volte.talk.company import Avoided
from volte.web.addresses import base_path
from volte.web.page import rendered
from volte.web.room import room_of
from volte.web.visit import Visit, route

FRESH: Final = 2.0
"""Seconds for which those who look again are shown what others have been shown."""

MINUTE: Final = 60.0  # seconds for which the words for a time to come hold

MOST_READERS: Final = 100  # languages with time zones for which the list is remembered in words


MOST_SESSIONS: Final = 10_000  # sessions whose person is remembered, once they look at the list

FragmentKey = tuple[str, str, str, int, frozenset[str]]
"""Language, time zone, path of the playroom, minute, and ids of the tables that look full."""


class OpenTable(NamedTuple):
    """An open table as strangers may know it."""

    outline: Outline
    languages: tuple[str, ...]  # codes of those that the people there read
    people: int  # number of people at its seats
    shut: frozenset[str]  # ids of the people to whom it looks full, whoever sits there

    def seen_by(self, person: str) -> OpenTable:
        """The table as that person may know it; an empty id stands for a stranger."""
        return (
            self._replace(outline=self.outline._replace(full=True)) if person in self.shut else self
        )

    @property
    def can_be_entered(self) -> bool:
        """Whether there is anything to do for whoever looks, as far as one can know."""
        return not self.outline.full or bool(self.outline.ways())


class Fragment(NamedTuple):
    """Markup of the list of open tables in one language, as a browser that keeps it asks for it."""

    html: str
    tag: str  # its `ETag`


class OpenTables:
    """The open tables of all nodes, read for all who look at this one."""

    def __init__(self, store: Store, lobby: Lobby) -> None:
        self._store = store
        self._lobby = lobby
        self._tables: Sequence[OpenTable] = ()
        self._until = 0.0  # time until which they are fresh, on the monotonic clock
        self._reading: Task[Sequence[OpenTable]] | None = None
        self._told = Recent[FragmentKey, Fragment](MOST_READERS)
        self._told_some = Recent[FragmentKey, Fragment](MOST_READERS)  # where tables look full
        self._people = Recent[bytes, str](MOST_SESSIONS)

    async def read(self) -> Sequence[OpenTable]:
        """The tables as they are now. Raises `Unavailable`."""
        listed = await self._lobby.listed()
        languages = await self.languages(listed)
        summaries = {each.table: read_summary(each) for each in listed}
        apart = await self._store[Avoided].apart(
            {person for summary in summaries.values() for person in summary.company}
        )
        tables = tuple(
            OpenTable(
                outline,
                languages[outline.listing.table],
                sum(seat.person for seat in summaries[outline.listing.table].seats),
                shut_to(outline.listing.host, summaries[outline.listing.table].company, apart),
            )
            for outline in await outlines(self._store, listed)
        )
        if tables != self._tables:
            self._tables = tables
            self._told.clear()
            self._told_some.clear()
        self._until = monotonic() + FRESH
        return tables

    async def languages(self, listed: Sequence[Listing]) -> dict[str, tuple[str, ...]]:
        """Codes of the languages that people at some tables read, by the table's id: of the people
        with a seat, and of the host while a table waits. Raises `Unavailable`."""
        summaries = {each.table: read_summary(each) for each in listed}
        waiting = {each.table for each in listed if each.state == "waiting"}
        spoken: dict[str, set[str]] = {table: set() for table in summaries}
        for table, seat, lang in await self._store[TableLanguages].languages_at(spoken):
            if table in waiting if seat is None else summaries[table].seats[seat].person:
                spoken[table].add(tongue(lang))
        return {table: tuple(sorted(langs)) for table, langs in spoken.items()}

    async def recent(self) -> Sequence[OpenTable]:
        """The tables as they were `FRESH` seconds ago or later. Raises `Unavailable`."""
        if monotonic() < self._until:
            return self._tables
        if self._reading is None:
            self._reading = asyncio.create_task(self.read(), context=Context())
            self._reading.add_done_callback(self._has_read)
        return await asyncio.shield(self._reading)

    def _has_read(self, task: Task[Sequence[OpenTable]]) -> None:
        self._reading = None
        if not task.cancelled():
            task.exception()  # retrieved here, as perhaps nobody awaits the task any more

    async def fragment(self, words: Words, base: str, person: str = "") -> Fragment:
        """Markup of the list, for people who have no table in it. Raises `Unavailable`.

        Args:
            person: id of somebody to whom tables may look full; empty for a stranger.
        """
        tables = await self.recent()
        full = frozenset(each.outline.listing.table for each in tables if person in each.shut)
        planned = any(each.outline.listing.planned is not None for each in tables)
        key = words.lang, words.zone, base, int(time() // MINUTE) if planned else 0, full
        known = self._told_some if full else self._told
        if key not in known:
            groups = groups_of(words, tables, person=person)
            html = rendered("open_tables.html", words, base, None, groups=groups)
            known[key] = Fragment(html, f'"{sha256(html.encode()).hexdigest()[:16]}"')
        return known[key]

    async def reader(self, token: str, sessions: Sessions) -> str:
        """Id of the person of a session, by its token, while any table looks full to anybody; else
        empty, so that nobody is looked up. Raises `Unavailable`."""
        if not token or not any(each.shut for each in await self.recent()):
            return ""
        key = hashed(token)
        if key not in self._people:
            person = await sessions.person(token)
            self._people[key] = person.id if person is not None else ""
        return self._people[key]


def shut_to(
    host: str, company: Collection[str], apart: Mapping[str, Collection[str]]
) -> frozenset[str]:
    """Ids of those to whom a table looks full, as they are apart from people there."""
    return frozenset(chain(*(apart.get(each, ()) for each in company))) - {host, *company}


Groups = tuple[tuple[str, str, list[LobbyRow]], ...]  # name, heading, tables


def groups_of(
    words: Words, tables: Sequence[OpenTable], own: Collection[str] = (), person: str = ""
) -> Groups:
    """The open tables by what one can do there; those with most people first, and last
    those of which only the name may be known.

    Args:
        own: ids of the person's own tables, which are left out.
        person: id of whoever looks; empty for a stranger.
    """
    seen = (each.seen_by(person) for each in tables if each.outline.listing.table not in own)
    others = [each for each in seen if each.can_be_entered]
    others.sort(
        key=lambda each: (each.outline.summary is None, -each.people, each.outline.listing.table)
    )
    rows = [row_of(words, each.outline, languages=each.languages) for each in others]
    now = [row for row in rows if not row.planned]
    return (
        ("seats", words.t("Tables to join"), [row for row in now if row.seats]),
        (
            "planned",
            words.t("Planned tables"),
            sorted((row for row in rows if row.planned), key=lambda row: row.planned or 0.0),
        ),
        ("watch", words.t("Matches to watch"), [row for row in now if row.ways and not row.seats]),
    )


def routes() -> list[BaseRoute]:
    return [route("/lobby/list", show_list)]


async def show_list(visit: Visit) -> Response:
    """Answer with the list, for the script that keeps it up to date: alike for everybody who reads
    a language, but for people to whom a table looks full.
    """
    room = room_of(visit)
    await room.limits.spend("page", visit.address)
    tables = room[OpenTables]
    person = await tables.reader(visit.visitor.claimed, room[Sessions])
    fragment = await tables.fragment(visit.words, base_path(visit), person)
    headers = {"etag": fragment.tag, "cache-control": "private, no-cache"}
    if fragment.tag in visit.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return HTMLResponse(fragment.html, headers=headers)
