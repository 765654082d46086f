"""The store: streams of entries, and what is looked up beside them."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Self

import msgspec
from sqlalchemy import select

from volte.store.backing import Backing, backing
from volte.store.opening import opened
from volte.store.reader import AnyRow, Query, Reader
from volte.store.rows import Entry, Listing, MatchRow, Person
from volte.store.schema import ADMITTED, ENTRIES, LISTINGS, MATCHES, PEOPLE, PLAYERS, SESSIONS
from volte.store.statements import statements
from volte.store.writer import Change, Job, Writer


class Store:
    """What is kept, in SQLite or PostgreSQL; `Store.open` makes one.

    Every method raises `Unavailable` while the database cannot be used: the caller may try
    again, and connections heal by themselves. What a method has written when it returns stays
    written, whatever happens to this program or the machine.
    """

    def __init__(self, database: Backing) -> None:
        self._database = database
        self._reader = Reader(database.readers)
        self._writer = Writer(
            database.writers, statements(database.writers.dialect.name), database.lanes
        )

    @classmethod
    async def open(cls, url: str) -> Self:
        """Opens `sqlite:///PATH` or `postgresql://…`, and brings its tables up to date.

        Raises `StoreFault`.
        """
        database = backing(url)
        await opened(database)
        return cls(database)

    async def close(self) -> None:
        """Answers whoever still waits, and closes the connections."""
        await self._writer.close()
        await self._reader.close()
        await self._database.close()

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

        All is kept, with the listing and the matches, or nothing is. Raises `Conflict` where
        somebody else has gone on from `expected`. After `Unavailable` it is not known whether
        anything was kept: read the stream.
        """
        now = time.time()
        changes = [
            Change(
                "entry",
                (stream, version),
                {"stream": stream, "version": version, "data": data, "cause": cause, "at": now},
            )
            for version, data in enumerate(entries, expected + 1)
        ]
        if listing is not None:
            changes.append(Change("listing", (listing.table,), msgspec.structs.asdict(listing)))
        for match in matches:
            changes += _match_changes(match)
        await self._writer.write(Job(changes, stream, expected, len(entries)))

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> list[Entry]:
        """The entries of a stream after a version, and up to one; none where there is no stream."""
        columns = ENTRIES.c
        query = select(columns.version, columns.data, columns.cause, columns.at)
        query = query.where(columns.stream == stream, columns.version > after)
        if until is not None:
            query = query.where(columns.version <= until)
        # Sorted here: a server whose disk is full may not be able to.
        return sorted((Entry(*row) for row in await self._reader.rows(query, stream)), key=_version)

    # Tables and matches

    async def listing(self, table: str) -> Listing | None:
        """The table of that id."""
        rows = await self._reader.rows(select(LISTINGS).where(LISTINGS.c.table == table), table)
        return Listing(*rows[0]) if rows else None

    async def listings(
        self, states: Collection[str] = (), *, host: str = "", limit: int = 500
    ) -> list[Listing]:
        """The tables in one of these states, or in any; of one host, or of all; latest first."""
        query = select(LISTINGS).order_by(LISTINGS.c.updated.desc()).limit(limit)
        if states:
            query = query.where(LISTINGS.c.state.in_(sorted(states)))
        if host:
            query = query.where(LISTINGS.c.host == host)
        return [Listing(*row) for row in await self._reader.rows(query, host)]

    async def match(self, match: str) -> MatchRow | None:
        """The match of that id."""
        found = await self._matches(select(MATCHES).where(MATCHES.c.id == match), match)
        return found[0] if found else None

    async def matches_of(self, person: str, *, limit: int = 500) -> list[MatchRow]:
        """The matches in which that person played, latest first."""
        mine = select(PLAYERS.c.match).where(PLAYERS.c.person == person)
        query = select(MATCHES).where(MATCHES.c.id.in_(mine))
        return await self._matches(query.order_by(MATCHES.c.begun.desc()).limit(limit), person)

    async def matches_at(self, table: str) -> list[MatchRow]:
        """The matches of a table, in their order."""
        query = select(MATCHES).where(MATCHES.c.table == table)
        return await self._matches(query.order_by(MATCHES.c.first), table)

    async def unfinished(self) -> list[MatchRow]:
        """The matches that go on."""
        query = select(MATCHES).where(MATCHES.c.ended.is_(None))
        return await self._matches(query.order_by(MATCHES.c.begun))

    # People

    async def put_person(self, person: Person) -> None:
        """Keeps a person, in place of what was kept under the same id."""
        values = msgspec.structs.asdict(person)
        values["settings"] = msgspec.json.encode(person.settings)
        await self._write(Change("person", (person.id,), values))

    async def person(self, person: str) -> Person | None:
        """The person of that id."""
        rows = await self._reader.rows(select(PEOPLE).where(PEOPLE.c.id == person), person)
        return _person(rows[0]) if rows else None

    async def put_session(self, token_hash: bytes, person: str, expires: float) -> None:
        """Lets whoever holds the token be that person until then; a known one lasts on.

        Raises `Conflict` for a person who is not there.
        """
        values = {"token_hash": token_hash, "person": person, "expires": expires}
        await self._write(
            Change("expired", (), {"now": time.time()}), Change("session", (token_hash,), values)
        )

    async def session(self, token_hash: bytes) -> Person | None:
        """The person who holds the token, unless it has expired."""
        query = select(PEOPLE).join(SESSIONS, SESSIONS.c.person == PEOPLE.c.id)
        query = query.where(SESSIONS.c.token_hash == token_hash)
        rows = await self._reader.rows(query.where(SESSIONS.c.expires > time.time()))
        return _person(rows[0]) if rows else None

    async def drop_session(self, token_hash: bytes) -> None:
        """Ends a session."""
        await self._write(Change("session_over", (token_hash,), {"over": token_hash}))

    async def admit(self, table: str, person: str) -> None:
        """Keeps that this person has said the word of that table."""
        values = {"table": table, "person": person}
        await self._write(Change("admitted", (table, person), values))

    async def admitted(self, table: str, person: str) -> bool:
        """Whether they have."""
        query = select(ADMITTED.c.person).where(ADMITTED.c.table == table)
        query = query.where(ADMITTED.c.person == person)
        return bool(await self._reader.rows(query, table, person))

    # The database

    async def _write(self, *changes: Change) -> None:
        await self._writer.write(Job(changes))

    async def _matches(self, query: Query, *texts: str) -> list[MatchRow]:
        """The matches of a query, with their players."""
        rows = await self._reader.rows(query, *texts)
        seats = select(PLAYERS.c.match, PLAYERS.c.person).order_by(PLAYERS.c.seat)
        seats = seats.where(PLAYERS.c.match.in_([row.id for row in rows]))
        players: dict[str, list[str]] = {row.id: [] for row in rows}
        for match, person in await self._reader.rows(seats) if rows else ():
            players[match].append(person)
        return [MatchRow(**row._asdict(), players=tuple(players[row.id])) for row in rows]


def _version(entry: Entry) -> int:
    return entry.version


def _match_changes(match: MatchRow) -> list[Change]:
    values = msgspec.structs.asdict(match)
    players = values.pop("players")
    return [
        Change("match", (match.id,), values),
        *(
            Change("player", (match.id, seat), {"match": match.id, "seat": seat, "person": person})
            for seat, person in enumerate(players)
        ),
    ]


def _person(row: AnyRow) -> Person:
    values = row._asdict()
    return Person(**values | {"settings": msgspec.json.decode(values["settings"])})
