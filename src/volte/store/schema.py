"""Declaration of tables of the database, and the tables that all parts of the store use.

The steps in `volte.store.migrations` make the database itself, and lead to these tables. A feature
declares its own tables beside its statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import NoneType
from typing import Any, Final, get_args, get_type_hints

import msgspec
from sqlalchemy import (
    BigInteger,
    BindParameter,
    ClauseElement,
    Column,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
)
from sqlalchemy.sql.visitors import iterate

METADATA: Final = MetaData()

OPEN: Final = ("waiting", "playing", "paused")  # the states of tables that are not closed

LISTED: Final = ("public", "password")  # the access of tables that the lobby lists


class _Flag(TypeDecorator[bool]):
    """True or false, stored as 1 or 0."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> int | None:
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> bool | None:
        return None if value is None else bool(value)


class _Json(TypeDecorator[dict[str, Any]]):
    """A mapping of texts to anything, stored as JSON."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: dict[str, Any] | None, dialect: Dialect) -> bytes | None:
        return None if value is None else msgspec.json.encode(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> dict[str, Any] | None:
        return None if value is None else msgspec.json.decode(value, type=dict[str, Any])


_TYPES: Final[Mapping[Any, Any]] = {
    str: Text,
    int: Integer,
    float: Double,
    bytes: LargeBinary,
    bool: _Flag,
    dict[str, Any]: _Json,
}


def table(
    name: str,
    row: type[msgspec.Struct] | Mapping[str, Any],
    key: str,
    *indexes: Index,
    unique: str = "",
    wide: str = "",
    **parents: Table,
) -> Table:
    """Declare a table by its rows; only columns that may be None are nullable.

    Args:
        row: a struct, whose fields are the columns in their order; or types by column.
        key: the columns of the primary key, with spaces between them.
        unique: another column in which no two rows have the same value.
        wide: a column of integers that need more than 32 bits.
        parents: by column, the table at whose `id` it points. Rows are deleted with their parent.
    """
    columns = list[Column[Any]]()
    for column, hint in (get_type_hints(row) if isinstance(row, type) else row).items():
        nullable = NoneType in get_args(hint)
        kind = BigInteger if column == wide else _TYPES[get_args(hint)[0] if nullable else hint]
        parent = parents.get(column)
        points = () if parent is None else (ForeignKey(parent.c.id, ondelete="CASCADE"),)
        columns.append(
            Column(
                column,
                kind,
                *points,
                primary_key=column in key.split(),
                nullable=nullable,
                unique=column == unique or None,
            )
        )
    return Table(name, METADATA, *columns, *indexes)


# People


class Person(msgspec.Struct, frozen=True):
    """A person who plays in this playroom."""

    id: str
    name: str
    lang: str
    settings: dict[str, Any]  # speech, keys, pace and the like
    created: float  # seconds since 1970


PEOPLE: Final = table("people", Person, "id")

# Streams, and the tables of the lobby with their matches


class Entry(msgspec.Struct, frozen=True):
    """An entry of a stream, as it is read."""

    version: int  # place in the stream, from 1 and without gaps
    data: bytes
    cause: str  # the message behind it, `PERSON:MESSAGE`; or empty
    at: float  # seconds since 1970


ENTRIES: Final = table("entries", {"stream": str} | get_type_hints(Entry), "stream version")


class Listing(msgspec.Struct, frozen=True):
    """A table as the lobby shows it, or a score sheet as its owner finds it."""

    table: str  # id of the table, which is also the name of its stream
    name: str
    host: str  # id of the host, or of the sheet's owner
    access: str  # a `volte.table.Access`; of a score sheet `private`
    state: str  # `waiting`, `playing`, `paused` or `closed`; of a score sheet always `sheet`
    summary: bytes = b"{}"  # further facts for the lobby, as JSON
    password: str = ""  # argon2 hash of the table's password; empty where there is none
    updated: float = 0.0  # in seconds since 1970


LISTINGS: Final = table(
    "listings",
    Listing,
    "table",
    Index("listings_by_state", "state", "updated"),
    Index("listings_by_host", "host"),
)

ADMITTED: Final = table("admitted", {"table": str, "person": str}, "table person", person=PEOPLE)


class MatchRow(msgspec.Struct, frozen=True):
    """The row of a match: its place in the stream of its table, its people, its dealer's secret."""

    id: str
    table: str
    first: int  # number of its `MatchStarted`
    master: bytes  # the 32 bytes of its `House`, never shown to anybody
    begun: float  # in seconds since 1970
    # By seat, the id of the person, empty for a bot; a person who has given up the seat stays here
    # until another one takes it
    players: tuple[str, ...]
    last: int = 0  # number of its last happening; 0 while the match goes on
    ended: float | None = None  # in seconds since 1970; None while the match goes on
    # By seat, the id of the person there when the match began; empty where that is not known
    began: tuple[str, ...] = ()
    rated: bool = False  # whether it counts for the ratings

    @property
    def beginners(self) -> tuple[str, ...]:
        """The people by seat when the match began, as far as that is known."""
        return self.began or self.players

    def played(self, person: str) -> bool:
        """Whether a person has had a seat in the match."""
        return bool(person) and (person in self.players or person in self.began)


MATCHES: Final = table(
    "matches",
    {"id": str, "table": str, "first": int, "last": int, "master": bytes}
    | {"begun": float, "ended": float | None, "rated": bool},
    "id",
    Index("matches_by_table", "table", "first"),
    Index("matches_by_end", "ended"),
)

PLAYERS: Final = table(
    "players",
    {"match": str, "seat": int, "person": str, "began": str},
    "match seat",
    Index("players_by_person", "person"),
    Index("players_by_began", "began"),
    match=MATCHES,
)


# Sessions


SESSIONS: Final = table(
    "sessions",
    {"token_hash": bytes, "person": str, "expires": float, "begun": float, "used": float}
    | {"agent": str},
    "token_hash",
    Index("sessions_by_person", "person"),
    Index("sessions_by_end", "expires"),
    person=PEOPLE,
)


# Texts that a database can hold


def parameters(statement: ClauseElement) -> Iterator[object]:
    """The values in a statement, with lists taken apart."""
    for each in iterate(statement):
        if isinstance(each, BindParameter):
            yield from each.value if isinstance(each.value, list | tuple) else (each.value,)


def storable(values: Iterable[object]) -> bool:
    """Whether every database takes all texts among the values: they must have no zero byte, and no
    half of a surrogate pair."""
    return not any(isinstance(each, str) and _NEVER_STORED.search(each) for each in values)


_NEVER_STORED: Final = re.compile("[\0\ud800-\udfff]")
