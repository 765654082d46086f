"""The store: streams of entries, and the tables for looking things up beside them."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final, Self, TypeVar

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Delete,
    Select,
    Update,
    delete,
    exists,
    or_,
    select,
    union_all,
    update,
)

from volte.cards import NeverCopied
from volte.store.backing import Backing, backing, opened
from volte.store.behalf import acting
from volte.store.bus import Bus
from volte.store.errors import Conflict, Unavailable
from volte.store.nodes import Nodes
from volte.store.part import Part, Query, Reader
from volte.store.rows import LISTED, OPEN, Entry, Listing, MatchRow, Person
from volte.store.schema import ADMITTED, ENTRIES, LISTINGS, MATCHES, PEOPLE, PLAYERS, SESSIONS
from volte.store.second_look import SecondLook
from volte.store.trouble import Observer
from volte.store.writer import NewRow, One, Write, Writer, one, put, renew

MOST_TRIES: Final = 50  # attempts to change a row that others change at the same time

P = TypeVar("P", bound=Part)

DAY: Final = 24 * 3600.0

PLAYING: Final = "playing"
"""Topic of hints that somebody has taken a seat in a match, by the id of the person."""

SETTINGS: Final = "settings"
"""Topic of hints that somebody has changed their name, language or settings, by their id."""


class Store(Part, NeverCopied):
    """The data of a playroom, in SQLite or PostgreSQL; `Store.open` makes one.

    Every method raises `Unavailable` while the database cannot be used: the caller may try again,
    and connections heal by themselves. A method that returns has written for good: a crash of this
    program or the machine loses nothing of it.

    Each feature stores its own data in a `Part`, found by its class: `store[Clubs]`.
    """

    met = (PLAYERS.c.person, PLAYERS.c.began)

    def __init__(self, database: Backing, parts: Iterable[type[Part]] = ()) -> None:
        super().__init__(Reader(database.readers), Writer(database.writers))
        self._database = database
        self._parts: dict[type[Part], Part] = {}
        self._ended: list[Callable[[str], None]] = []  # called when a match is over
        self.bus = Bus(database.connect)  # hints to the other nodes to look at something again
        self.nodes = Nodes(self._reader, self._writer, database.connect)
        self.second_look = SecondLook(self._reader, self._writer)
        for part in parts:
            self[part]

    @classmethod
    async def open(cls, url: str, parts: Iterable[type[Part]] = ()) -> Self:
        """Opens `sqlite:///PATH` or `postgresql://…`, and brings its tables up to date.

        Raises `StoreFault`.

        Args:
            parts: the further parts with data to export or to forget about a person.
        """
        database = backing(url)
        await opened(database)
        return cls(database, parts)

    def __getitem__(self, kind: type[P]) -> P:
        if kind not in self._parts:
            self._parts[kind] = kind(self._reader, self._writer)
        part = self._parts[kind]
        assert isinstance(part, kind)
        return part

    async def close(self) -> None:
        """Completes the jobs and queries under way, and closes the connections."""
        await self._writer.close()
        await self._reader.close()
        await self.bus.close()
        await self._database.close()

    def give_up_connections(self) -> None:
        """Ends the connections to a PostgreSQL that no longer answers.

        Waiting calls raise `Unavailable` at once, and not only when the network is back.
        """
        for connection in tuple(self._database.open):
            connection.terminate()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    # Streams

    async def append(
        self,
        stream: str,
        expected: int,
        entries: Sequence[bytes],
        *,
        cause: str = "",
        listing: Listing | None = None,
        matches: Sequence[MatchRow] = (),
    ) -> None:
        """Adds entries after version `expected`, the stream's last; 0 where it has none yet.

        Entries, listing and matches are all written, or none. Raises `Conflict` where somebody else
        has gone on from `expected`. After `Unavailable` it is not known whether anything was
        written: read the stream.
        """
        writes: list[Write] = [] if listing is None else [put(LISTINGS, listing)]
        for match in matches:
            writes.extend(_match_rows(match))
        await self._writer.append(stream, expected, entries, writes, cause)
        for match in matches:
            if match.ended is not None:
                self.match_over(match.id)
                continue
            for person in filter(None, match.players):
                await self.bus.publish(PLAYING, person)

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> list[Entry]:
        """The entries of a stream after version `after`, up to version `until`."""
        return await self._entries(stream, after, until)

    # Tables and matches

    async def listing(self, table: str) -> Listing | None:
        """The line of a table in the lobby, by its id; None where there is none."""
        return await self._first(Listing, select(LISTINGS).where(LISTINGS.c.table == table))

    async def may_know(self, table: str, person: str) -> bool:
        """Whether somebody may know that a table exists: of a private one, only its host, and
        people who have ever acted there."""
        listing = await self.listing(table)
        if listing is None or listing.access != "private" or person == listing.host:
            return listing is not None
        done = select(ENTRIES.c.version).where(ENTRIES.c.stream == table)
        done = done.where(ENTRIES.c.cause.startswith(f"{person}:", autoescape=True))
        return bool(person) and bool(await self._column(done.limit(1)))

    async def listings(
        self, states: Collection[str] = (), *, host: str = "", limit: int = 500
    ) -> list[Listing]:
        """The listings in some states, or in any; of one host, or of all; latest first."""
        query = select(LISTINGS).order_by(LISTINGS.c.updated.desc()).limit(limit)
        if states:
            query = query.where(LISTINGS.c.state.in_(sorted(states)))
        if host:
            query = query.where(LISTINGS.c.host == host)
        return await self._all(Listing, query)

    async def public(self, limit: int = 500) -> list[Listing]:
        """The open tables that the lobby may list, the latest change first."""
        return await self._all(Listing, _public(limit))

    async def listings_at(self, tables: Collection[str]) -> dict[str, Listing]:
        """The listings of some tables, by id, as far as they exist."""
        rows = await self._among(select(LISTINGS), LISTINGS.c.table, tables)
        return {row.table: Listing(*row) for row in rows}

    async def planned(self, before: float, *, host: str = "", limit: int = 200) -> list[Listing]:
        """The listings of tables planned for a time until `before`, of one host or of all; the
        earliest first."""
        query = select(LISTINGS).where(LISTINGS.c.planned <= before)
        if host:
            query = query.where(LISTINGS.c.host == host)
        return await self._all(Listing, query.order_by(LISTINGS.c.planned).limit(limit))

    async def left_alone(self, before: float, limit: int = 200) -> list[str]:
        """Ids of tables where no match goes on, with listings unchanged since `before`; oldest
        first."""
        query = select(LISTINGS.c.table).where(LISTINGS.c.state == "waiting")
        query = query.where(LISTINGS.c.updated <= before).order_by(LISTINGS.c.updated)
        return await self._column(query.limit(limit))

    async def played_by(self, person: str, limit: int = 500) -> list[Listing]:
        """The open tables where a match of a person goes on, the latest change first."""
        going_on = select(MATCHES.c.table).where(MATCHES.c.ended.is_(None))
        going_on = going_on.where(MATCHES.c.id.in_(_matches_of(person)))
        query = select(LISTINGS).where(LISTINGS.c.table.in_(going_on), LISTINGS.c.state.in_(OPEN))
        query = query.order_by(LISTINGS.c.updated.desc()).limit(limit)
        return await self._all(Listing, query)

    async def seats_in_play(self, person: str, limit: int = 50) -> list[tuple[Listing, int]]:
        """The open tables with a match that goes on, and the seat that a person took last in it,
        the latest change first. By now nobody may sit there.
        """
        going_on = select(MATCHES).where(MATCHES.c.ended.is_(None))
        matches = await self._matches(going_on.where(MATCHES.c.id.in_(_matches_of(person))))
        seats = {row.table: row.players.index(person) for row in matches if person in row.players}
        found = await self.listings_at(list(seats)[:limit])
        listings = sorted(found.values(), key=lambda each: -each.updated)
        return [(each, seats[each.table]) for each in listings if each.state in OPEN]

    async def tables_of(self, person: Person) -> list[str]:
        """Ids of the open tables of which somebody is the host, where they play, or have a seat."""
        hosted, played = await self.listings(OPEN, host=person.id), await self.played_by(person.id)
        lines = select(LISTINGS.c.table, LISTINGS.c.summary).where(LISTINGS.c.state.in_(OPEN))
        name = msgspec.json.encode(person.name)[1:-1]
        named = [row.table for row in await self._reader.rows(lines) if name in row.summary]
        done = select(ENTRIES.c.stream).distinct()
        done = done.where(ENTRIES.c.cause.startswith(f"{person.id}:", autoescape=True))
        sat = [row.stream for row in await self._among(done, ENTRIES.c.stream, named)]
        return [*dict.fromkeys([*(each.table for each in (*hosted, *played)), *sat])]

    async def match(self, match: str) -> MatchRow | None:
        """The row of a match, by its id; None where there is none."""
        found = await self._matches(select(MATCHES).where(MATCHES.c.id == match))
        return found[0] if found else None

    async def matches_of(self, person: str, *, limit: int = 500) -> list[MatchRow]:
        """The matches in which a person has played, latest first."""
        query = select(MATCHES).where(MATCHES.c.id.in_(_matches_of(person)))
        return await self._matches(query.order_by(MATCHES.c.begun.desc()).limit(limit))

    async def matches_at(self, table: str) -> list[MatchRow]:
        """The matches of a table, in their order."""
        query = select(MATCHES).where(MATCHES.c.table == table)
        return await self._matches(query.order_by(MATCHES.c.first))

    def listen(self, listener: Callable[[str], None]) -> None:
        """Has the listener called with the id of every match that ends at this node."""
        self._ended.append(listener)

    def match_over(self, match: str) -> None:
        """Notifies the listeners that a match has ended, and its log is written."""
        for listener in self._ended:
            listener(match)

    # People

    async def put_person(self, person: Person) -> None:
        """Stores a person, in place of any with the same id."""
        await self._write(put(PEOPLE, person))

    async def change_person(self, person: str, change: Callable[[Person], Person]) -> Person | None:
        """Changes a person's name, language and settings, anew where others were first.

        Returns the changed person; None where they are gone. Raises the errors of `change`.
        """
        for _ in range(MOST_TRIES):
            before = await self.person(person)
            if before is None:
                return None
            after = change(before)
            known = PEOPLE.c
            same = known.name == before.name, known.lang == before.lang
            row = update(PEOPLE).where(known.id == person, *same, known.settings == before.settings)
            changed = {"name": after.name, "lang": after.lang, "settings": after.settings}
            with suppress(Conflict):
                await self._write(one(row.values(changed), person))
                await self.bus.publish(SETTINGS, person)
                return after
        raise Unavailable("too many change one person")

    async def person(self, person: str) -> Person | None:
        """The row of a person, by id; None where they are gone or never were here."""
        return await self._first(Person, select(PEOPLE).where(PEOPLE.c.id == person))

    async def known(self, people: Collection[str]) -> frozenset[str]:
        """The given people whose rows are still here."""
        query = select(PEOPLE.c.id).where(PEOPLE.c.id.in_(sorted(people)))
        return frozenset(await self._column(query) if people else ())

    async def write(self, *writes: Write) -> None:
        """Does all the writes, for good, or none. Raises `Conflict` where `one` changes no row."""
        await self._write(*writes)

    async def put_session(
        self, token_hash: bytes, person: str, expires: float, agent: str = "", *also: Write
    ) -> None:
        """Begins a session of a person, or renews it, until `expires`; see `session_begun`.

        Raises `Gone` for a person who is not there.
        """
        await self._write(*session_begun(token_hash, person, expires, agent), *also)

    async def renew_session(self, token_hash: bytes, expires: float) -> None:
        """Renews a session until `expires`. An expired one stays so, and none becomes shorter."""
        now = time.time()
        session = update(SESSIONS).where(SESSIONS.c.token_hash == token_hash)
        session = session.where(SESSIONS.c.expires > now, SESSIONS.c.expires <= expires)
        await self._write(session.values(expires=expires, used=now))

    async def take_session(self, token_hash: bytes, *also: Write) -> None:
        """Ends a session, once, together with other writes. Raises `Conflict`, with nothing
        written, where it has ended before."""
        await self._write(one(session_over(token_hash)), *also)

    async def session(self, token_hash: bytes) -> Person | None:
        """The person of a session, by the hash of its token; None where it has expired."""
        query = select(PEOPLE).join(SESSIONS, SESSIONS.c.person == PEOPLE.c.id)
        query = query.where(SESSIONS.c.token_hash == token_hash)
        return await self._first(Person, query.where(SESSIONS.c.expires > time.time()))

    async def lasting(self, token_hashes: Collection[bytes]) -> frozenset[bytes]:
        """The given sessions that have not expired."""
        query = select(SESSIONS.c.token_hash).where(SESSIONS.c.expires > time.time())
        rows = await self._among(query, SESSIONS.c.token_hash, token_hashes)
        return frozenset(token_hash for (token_hash,) in rows)

    async def drop_session(self, token_hash: bytes) -> None:
        """Ends a session, if it has not ended before."""
        await self._write(session_over(token_hash))

    async def admit(self, table: str, person: str) -> None:
        """Stores that a person knows the password of a table, or was invited there."""
        await self._write(put(ADMITTED, table=table, person=person))

    async def admitted(self, table: str, person: str) -> bool:
        """Whether a person knows the password of a table, or was invited there."""
        return bool(await self.admitted_to([table], person))

    async def admitted_to(self, tables: Collection[str], person: str) -> frozenset[str]:
        """The given tables whose password a person knows, or to which they were invited."""
        query = select(ADMITTED.c.table).where(ADMITTED.c.person == person)
        rows = await self._among(query, ADMITTED.c.table, tables)
        return frozenset(table for (table,) in rows)

    # Exporting and forgetting people

    async def export(self, person: str) -> dict[str, Any]:
        """The data of all parts about a person, for them to take away."""
        sheets = select(LISTINGS.c.table, LISTINGS.c.name, LISTINGS.c.state, LISTINGS.c.updated)
        admitted = select(ADMITTED.c.table).where(ADMITTED.c.person == person)
        matches = select(MATCHES.c.id, MATCHES.c.table, PLAYERS.c.seat, MATCHES.c.begun)
        matches = matches.add_columns(MATCHES.c.ended).join(PLAYERS).order_by(MATCHES.c.begun)
        own = {
            "tables_and_sheets": await self._dicts(sheets.where(LISTINGS.c.host == person)),
            "admitted_at": await self._column(admitted),
            "matches": await self._dicts(matches.where(PLAYERS.c.person == person)),
        }
        accounts, *parts = self._parts.values()
        found = await accounts.export(person) | own
        for part in parts:
            found |= await part.export(person)
        return found

    async def forget(self, person: str) -> None:
        """Forgets a person for good. Their sessions must have been ended before."""
        parts = [each for part in self._parts.values() for each in part.forgetting(person)]
        await self._write(*parts, *self.forgetting(person))
        with acting(""):  # of two who go at once, each may have become the other's heir
            await self._write(*parts)

    def forgetting(self, person: str) -> tuple[Write, ...]:
        """Writes that delete a person, the rows that point at them, and their score sheets.

        Logs of tables stay, since others played in them.
        """
        sheets = select(LISTINGS.c.table).where(LISTINGS.c.state == "sheet")
        sheets = sheets.where(LISTINGS.c.host == person)  # nobody else has written on them
        return (
            delete(ENTRIES).where(ENTRIES.c.stream.in_(sheets)),  # executed before the listings
            delete(LISTINGS).where(LISTINGS.c.table.in_(sheets)),
            delete(PEOPLE).where(PEOPLE.c.id == person),
        )

    async def sweep(self, now: float) -> None:
        """Deletes rows that had ended by `now`: sessions, known devices, challenges."""
        await self._write(
            *(each for part in (self, *self._parts.values()) for each in part.over(now))
        )

    def over(self, now: float) -> tuple[Write, ...]:
        return (delete(SESSIONS).where(SESSIONS.c.expires <= now),)

    async def strayed(self, now: float, limit: int = 100) -> list[str]:
        """Ids of guests without a session at that time, so that nobody can be them, who occur in
        nothing that others need: no match, open table, club, evening, saying or report.

        Guests younger than a day are left out: they may be about to get their first session.
        """
        query = select(PEOPLE.c.id).where(PEOPLE.c.created < now - DAY)
        query = query.where(_nowhere(SESSIONS.c.person, SESSIONS.c.expires > now))
        query = query.where(_nowhere(LISTINGS.c.host, LISTINGS.c.state != "closed"))
        for part in (self, *self._parts.values()):
            query = query.where(*map(_nowhere, part.met))
        return await self._column(query.limit(limit))

    # The database

    def observed_by(self, observer: Observer) -> None:
        """Has an observer notified of the work with the database."""
        self._reader.observer = self._writer.observer = observer

    async def _matches(self, query: Query) -> list[MatchRow]:
        """The matches of a query, with their players."""
        rows = await self._reader.rows(query)
        seats = select(PLAYERS.c.match, PLAYERS.c.person, PLAYERS.c.began)
        seats = seats.where(PLAYERS.c.match.in_([row.id for row in rows]))
        now, first = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for seat in await self._reader.rows(seats.order_by(PLAYERS.c.seat)) if rows else ():
            now[seat.match].append(seat.person)
            first[seat.match].append(seat.began)
        return [
            MatchRow(
                **row._asdict(),
                players=tuple(now[row.id]),
                began=tuple(first[row.id]) if any(first[row.id]) else (),
            )
            for row in rows
        ]


# Writes about sessions. Jobs that begin or end sessions of one person take turns by the lock of the
# person's row: a statement of PostgreSQL sees nothing that is committed after it began, so one that
# ends all sessions could miss one that has just begun.


def locked(person: str) -> Update:
    """An update that changes nothing of a person, but makes other jobs on their sessions wait."""
    return update(PEOPLE).where(PEOPLE.c.id == person).values(created=PEOPLE.c.created)


def session_begun(
    token_hash: bytes, person: str, expires: float, agent: str = ""
) -> tuple[Write, ...]:
    """Writes that begin a session of a person, who must exist, or renew it until `expires`.

    Args:
        agent: the kind of device; `volte.people.store.LINK` for a link to begin a session with.
    """
    now = time.time()
    values = {"token_hash": token_hash, "person": person, "expires": expires}
    values |= {"begun": now, "used": now, "agent": agent}
    return (
        one(locked(person)),
        renew(SESSIONS, "expires", "used", **values),
    )


def session_lasts(token_hash: bytes) -> One:
    """A write that requires that a session has not ended."""
    session = update(SESSIONS).where(SESSIONS.c.token_hash == token_hash)
    return one(session.where(SESSIONS.c.expires > time.time()).values(used=time.time()))


def session_over(token_hash: bytes) -> Delete:
    """Statement that deletes a session, by the hash of its token."""
    return delete(SESSIONS).where(SESSIONS.c.token_hash == token_hash)


def sessions_over(person: str, keep: bytes = b"") -> tuple[Write, ...]:
    """Writes that end all sessions of a person but one, and the links for other devices."""
    others = delete(SESSIONS).where(SESSIONS.c.person == person, SESSIONS.c.token_hash != keep)
    return locked(person), others


def _nowhere(column: Column[Any], *more: ColumnElement[bool]) -> ColumnElement[bool]:
    """The condition that a person is in no row of a column, among rows that fulfil `more`."""
    return ~exists().where(column == PEOPLE.c.id, *more)


@cache  # to make it takes longer than to ask it
def _public(limit: int) -> Query:
    each = [
        select(LISTINGS)
        .where(LISTINGS.c.state == state, LISTINGS.c.access.in_(LISTED))
        .order_by(LISTINGS.c.updated.desc())
        .limit(limit)
        .subquery()
        for state in OPEN
    ]  # the index leads to the latest of each state, however many there are
    found = union_all(*map(select, each)).subquery()
    return select(found).order_by(found.c.updated.desc()).limit(limit)


def _matches_of(person: str) -> Select[tuple[str]]:
    """A query for the ids of matches in which somebody plays, or has played."""
    has_played = or_(PLAYERS.c.person == person, PLAYERS.c.began == person)
    return select(PLAYERS.c.match).where(has_played)


def _match_rows(match: MatchRow) -> Iterator[NewRow]:
    values = msgspec.structs.asdict(match)
    players, began = values.pop("players"), values.pop("began")
    yield put(MATCHES, **values)
    seats = zip(players, began or ("",) * len(players), strict=True)
    for seat, (person, first) in enumerate(seats):
        yield put(PLAYERS, match=match.id, seat=seat, person=person, began=first)
