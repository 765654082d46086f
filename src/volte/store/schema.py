"""The tables of the database, as they are after the last migration."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

METADATA: Final = MetaData()

ENTRIES: Final = Table(
    "entries",
    METADATA,
    Column("stream", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
    Column("cause", Text, nullable=False),
    Column("at", Double, nullable=False),
    sqlite_with_rowid=False,  # a stream lies together, and each entry is written once
)

LISTINGS: Final = Table(
    "listings",
    METADATA,
    Column("table", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("access", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("summary", LargeBinary, nullable=False),
    Column("password", Text, nullable=False),
    Column("updated", Double, nullable=False),
    Index("listings_by_state", "state", "updated"),
    Index("listings_by_host", "host"),
)

MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("table", Text, nullable=False),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("master", LargeBinary, nullable=False),
    Column("begun", Double, nullable=False),
    Column("ended", Double),
    Index("matches_by_table", "table", "first"),
    Index("matches_by_end", "ended"),
)

PLAYERS: Final = Table(
    "players",
    METADATA,
    Column("match", Text, ForeignKey(MATCHES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", Text, nullable=False),
    Index("players_by_person", "person"),
)

PEOPLE: Final = Table(
    "people",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("lang", Text, nullable=False),
    Column("settings", LargeBinary, nullable=False),
    Column("created", Double, nullable=False),
)

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("person", Text, ForeignKey(PEOPLE.c.id, ondelete="CASCADE"), nullable=False),
    Column("expires", Double, nullable=False),
    Index("sessions_by_person", "person"),
    Index("sessions_by_end", "expires"),
)

ADMITTED: Final = Table(
    "admitted",
    METADATA,
    Column("table", Text, primary_key=True),
    Column("person", Text, primary_key=True),
)
