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

from volte.store.rows import Entry, Listing, Person

METADATA: Final = MetaData()


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
        parents: by column, the table at whose key, of one column, it points. Rows are deleted with
            their parent.
    """
    columns = list[Column[Any]]()
    for column, hint in (get_type_hints(row) if isinstance(row, type) else row).items():
        nullable = NoneType in get_args(hint)
        kind = BigInteger if column == wide else _TYPES[get_args(hint)[0] if nullable else hint]
        parent = parents.get(column)
        points = () if parent is None else (_pointing_at(parent),)
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


def _pointing_at(parent: Table) -> ForeignKey:
    (key,) = parent.primary_key
    return ForeignKey(key, ondelete="CASCADE")


# People


PEOPLE: Final = table("people", Person, "id")

# Streams, and the tables of the lobby with their matches


ENTRIES: Final = table("entries", {"stream": str} | get_type_hints(Entry), "stream version")


LISTINGS: Final = table(
    "listings",
    Listing,
    "table",
    Index("listings_by_state", "state", "updated"),
    Index("listings_by_host", "host"),
    Index("listings_by_plan", "planned"),
)

ADMITTED: Final = table("admitted", {"table": str, "person": str}, "table person", person=PEOPLE)


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
