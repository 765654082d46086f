"""The store: streams of entries, and what is looked up beside them."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any, Self

import msgspec
from sqlalchemy import Select, or_, select, union_all

from volte.cards import NeverCopied
from volte.store.accounts import Accounts
from volte.store.backing import Backing, backing
from volte.store.bus import Bus
from volte.store.clubs import Clubs
from volte.store.heard import Observer
from volte.store.nodes import Nodes
from volte.store.opening import opened
from volte.store.part import Part
from volte.store.passkeys import Passkeys
from volte.store.reader import AnyRow, Query, Reader
from volte.store.results import Results
from volte.store.rows import LISTED, OPEN, Entry, Listing, MatchRow, Person
from volte.store.schema import ADMITTED, ENTRIES, LISTINGS, MATCHES, PEOPLE, PLAYERS, SESSIONS
from volte.store.statements import statements
from volte.store.talk import Talk
from volte.store.trials import Trials
from volte.store.writer import Change, Job, Writer, appending


class Store(NeverCopied):
    """What is kept, in SQLite or PostgreSQL; `Store.open` makes one.

    Every method raises `Unavailable` while the database cannot be used: the caller may try
    again, and connections heal by themselves. What a method has written when it returns stays
    written, whatever happens to this program or the machine.

    Attributes:
        bus: tells the other nodes what to look at again.
    """

    def __init__(self, database: Backing) -> None:
        self._database = database
        self.bus = Bus(database.connect)
        self._reader = Reader(database.readers)
        known = statements(database.writers.engine.dialect.name)
        self._writer = Writer(database.writers, known)
        self.accounts = Accounts(self._reader, self._writer)
        self.talk = Talk(self._reader, self._writer)
        self.trials = Trials(self._reader, self._writer)
        self.passkeys = Passkeys(self._reader, self._writer)
        self.results = Results(self._reader, self._writer)
        self.nodes = Nodes(self._reader, self._writer, database.connect)
        self.clubs = Clubs(self._reader, self._writer)

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
        await self.bus.close()
        await self._database.close()

    def give_up_connections(self) -> None:
        """Ends those to PostgreSQL, which answers no more.

        What waits there is `Unavailable` at once, and not when a network that is back lets it know.
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

        All is kept, with the listing and the matches, or nothing is. Raises `Conflict` where
        somebody else has gone on from `expected`. After `Unavailable` it is not known whether
        anything was kept: read the stream.
        """
        changes = list[Change]()
        if listing is not None:
            changes.append(Change("listing", (listing.table,), msgspec.structs.asdict(listing)))
        for match in matches:
            changes += _match_changes(match)
        await self._writer.write(appending(stream, expected, entries, changes, cause))
        for match in matches:
            if match.ended is not None:
                self.results.over(match.id)

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

    async def public(self, limit: int = 500) -> list[Listing]:
        """The open tables that are found without a link, those that changed last first."""
        each = [
            select(LISTINGS)
            .where(LISTINGS.c.state == state, LISTINGS.c.access.in_(LISTED))
            .order_by(LISTINGS.c.updated.desc())
            .limit(limit)
            .subquery()
            for state in OPEN
        ]  # the index leads to the latest of each state, however many there are
        found = union_all(*map(select, each)).subquery()
        query = select(found).order_by(found.c.updated.desc()).limit(limit)
        return [Listing(*row) for row in await self._reader.rows(query)]

    async def listings_at(self, tables: Collection[str]) -> dict[str, Listing]:
        """Those of these tables that are there, by id."""
        rows = await self._reader.rows_among(select(LISTINGS), LISTINGS.c.table, tables)
        return {row.table: Listing(*row) for row in rows}

    async def left_alone(self, before: float, limit: int = 200) -> list[str]:
        """Tables where no match goes on, and whose line is as it was then; the oldest first."""
        query = select(LISTINGS.c.table).where(LISTINGS.c.state == "waiting")
        query = query.where(LISTINGS.c.updated <= before).order_by(LISTINGS.c.updated)
        return [table for (table,) in await self._reader.rows(query.limit(limit))]

    async def played_by(self, person: str, limit: int = 500) -> list[Listing]:
        """The open tables where a match of that person goes on, those that changed last first."""
        going_on = select(MATCHES.c.table).where(MATCHES.c.ended.is_(None))
        going_on = going_on.where(MATCHES.c.id.in_(_matches_of(person)))
        query = select(LISTINGS).where(LISTINGS.c.table.in_(going_on), LISTINGS.c.state.in_(OPEN))
        query = query.order_by(LISTINGS.c.updated.desc()).limit(limit)
        return [Listing(*row) for row in await self._reader.rows(query, person)]

    async def match(self, match: str) -> MatchRow | None:
        """The match of that id."""
        found = await self._matches(select(MATCHES).where(MATCHES.c.id == match), match)
        return found[0] if found else None

    async def matches_of(self, person: str, *, limit: int = 500) -> list[MatchRow]:
        """The matches in which that person played, latest first."""
        query = select(MATCHES).where(MATCHES.c.id.in_(_matches_of(person)))
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

    async def change_person(self, person: Person) -> None:
        """Keeps what somebody is called, and how they want things; nothing of whoever is gone."""
        settings = msgspec.json.encode(person.settings)
        values = {"whose": person.id, "called": person.name, "speaks": person.lang}
        await self._write(Change("person_changed", (person.id,), values | {"chosen": settings}))

    async def person(self, person: str) -> Person | None:
        """The person of that id."""
        rows = await self._reader.rows(select(PEOPLE).where(PEOPLE.c.id == person), person)
        return _person(rows[0]) if rows else None

    async def put_session(
        self, token_hash: bytes, person: str, expires: float, agent: str = ""
    ) -> None:
        """Lets whoever holds the token be that person until then; a known one lasts on.

        Args:
            agent: at what kind of device; `accounts.LINK` for a link to begin a session with.

        Raises `Conflict` for a person who is not there.
        """
        now = time.time()
        values = {"token_hash": token_hash, "person": person, "expires": expires}
        values |= {"begun": now, "used": now, "agent": agent}
        await self._write(
            Change("expired", (), {"now": now}), Change("session", (token_hash,), values)
        )

    async def renew_session(self, token_hash: bytes, expires: float) -> None:
        """Lets a session last until then; one that is over stays over."""
        values = {"lasting": token_hash, "now": time.time(), "until": expires}
        await self._write(Change("session_lasts", (token_hash,), values))

    async def take_session(self, token_hash: bytes) -> None:
        """Ends a session; of several who do that, one. Raises `Conflict` for the others."""
        await self._write(Change("session_taken", (token_hash,), {"over": token_hash}))

    async def session(self, token_hash: bytes) -> Person | None:
        """The person who holds the token, unless it has expired."""
        query = select(PEOPLE).join(SESSIONS, SESSIONS.c.person == PEOPLE.c.id)
        query = query.where(SESSIONS.c.token_hash == token_hash)
        rows = await self._reader.rows(query.where(SESSIONS.c.expires > time.time()))
        return _person(rows[0]) if rows else None

    async def lasting(self, token_hashes: Collection[bytes]) -> frozenset[bytes]:
        """Those of these sessions that are not over."""
        query = select(SESSIONS.c.token_hash).where(SESSIONS.c.expires > time.time())
        rows = await self._reader.rows_among(query, SESSIONS.c.token_hash, token_hashes)
        return frozenset(token_hash for (token_hash,) in rows)

    async def drop_session(self, token_hash: bytes) -> None:
        """Ends a session."""
        await self._write(Change("session_over", (token_hash,), {"over": token_hash}))

    async def admit(self, table: str, person: str) -> None:
        """Keeps that this person knows the word of that table, or was invited there."""
        values = {"table": table, "person": person}
        await self._write(Change("admitted", (table, person), values))

    async def admitted(self, table: str, person: str) -> bool:
        """Whether they do, or were."""
        return bool(await self.admitted_to([table], person))

    async def admitted_to(self, tables: Collection[str], person: str) -> frozenset[str]:
        """Those of these tables that a person may enter, or was invited to."""
        query = select(ADMITTED.c.table).where(ADMITTED.c.person == person)
        rows = await self._reader.rows_among(query, ADMITTED.c.table, tables)
        return frozenset(table for (table,) in rows)

    # All that is kept about somebody

    async def export(self, person: str) -> dict[str, Any]:
        """What every part keeps about a person, for them to take away."""
        parts = [await part.export(person) for part in self._parts]
        return {name: kept for part in parts for name, kept in part.items()}

    async def forget(self, person: str) -> None:
        """Forgets a person for good. Their sessions have been over since before."""
        await self._write(*(each for part in self._parts for each in part.forgetting(person)))

    @property
    def _parts(self) -> tuple[Part, ...]:
        return tuple(part for part in vars(self).values() if isinstance(part, Part))

    # The database

    def observed_by(self, observer: Observer) -> None:
        """Has somebody hear how the database does."""
        self._reader.observer = self._writer.observer = observer

    async def _write(self, *changes: Change) -> None:
        await self._writer.write(Job(changes))

    async def _matches(self, query: Query, *texts: str) -> list[MatchRow]:
        """The matches of a query, with their players."""
        rows = await self._reader.rows(query, *texts)
        seats = select(PLAYERS.c.match, PLAYERS.c.person, PLAYERS.c.began)
        seats = seats.where(PLAYERS.c.match.in_([row.id for row in rows]))
        players: dict[str, list[tuple[str, str]]] = {row.id: [] for row in rows}
        for match, *seat in await self._reader.rows(seats.order_by(PLAYERS.c.seat)) if rows else ():
            players[match].append((seat[0], seat[1]))
        return [_match(row, players[row.id]) for row in rows]


def _matches_of(person: str) -> Select[tuple[str]]:
    """Ids of the matches in which somebody plays, or has played."""
    has_played = or_(PLAYERS.c.person == person, PLAYERS.c.began == person)
    return select(PLAYERS.c.match).where(has_played)


def _version(entry: Entry) -> int:
    return entry.version


def _match_changes(match: MatchRow) -> list[Change]:
    values = msgspec.structs.asdict(match)
    players, began = values.pop("players"), values.pop("began")
    values["rated"] = int(match.rated)
    seats = zip(players, began or ("",) * len(players), strict=True)
    return [
        Change("match", (match.id,), values),
        *(
            Change(
                "player",
                (match.id, seat),
                {"match": match.id, "seat": seat, "person": person, "began": first},
            )
            for seat, (person, first) in enumerate(seats)
        ),
    ]


def _match(row: AnyRow, seats: Sequence[tuple[str, str]]) -> MatchRow:
    """A match, and by seat who has it now and who had it first."""
    players, began = tuple(seat[0] for seat in seats), tuple(seat[1] for seat in seats)
    known = began if any(began) else ()
    values = row._asdict() | {"rated": bool(row.rated)}
    return MatchRow(**values, players=players, began=known)


def _person(row: AnyRow) -> Person:
    values = row._asdict()
    return Person(**values | {"settings": msgspec.json.decode(values["settings"])})
