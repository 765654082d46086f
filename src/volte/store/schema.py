"""The tables of the database, as they are after the last migration."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
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
    Column("rated", Integer, nullable=False, server_default="0"),
    Index("matches_by_table", "table", "first"),
    Index("matches_by_end", "ended"),
)

PLAYERS: Final = Table(
    "players",
    METADATA,
    Column("match", Text, ForeignKey(MATCHES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", Text, nullable=False),
    Column("began", Text, nullable=False, server_default=""),
    Index("players_by_person", "person"),
    Index("players_by_began", "began"),
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
    Column("begun", Double, nullable=False, server_default="0"),
    Column("used", Double, nullable=False, server_default="0"),
    Column("agent", Text, nullable=False, server_default=""),
    Index("sessions_by_person", "person"),
    Index("sessions_by_end", "expires"),
)

DEVICES: Final = Table(
    "devices",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("person", Text, ForeignKey(PEOPLE.c.id, ondelete="CASCADE"), nullable=False),
    Column("since", Double, nullable=False),
    Column("expires", Double, nullable=False),
    Index("devices_by_person", "person"),
    Index("devices_by_end", "expires"),
)

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("person", Text, ForeignKey(PEOPLE.c.id, ondelete="CASCADE"), primary_key=True),
    Column("login", Text, nullable=False, unique=True),
    Column("password", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("changed", Double, nullable=False),
)

CODES: Final = Table(
    "codes",
    METADATA,
    Column("code_hash", LargeBinary, primary_key=True),
    Column("person", Text, ForeignKey(PEOPLE.c.id, ondelete="CASCADE"), nullable=False),
    Column("used", Double),
    Index("codes_by_person", "person"),
)

PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    Column("id", LargeBinary, primary_key=True),
    Column("person", Text, ForeignKey(PEOPLE.c.id, ondelete="CASCADE"), nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("used", Double),
    Index("passkeys_by_person", "person"),
)

CHALLENGES: Final = Table(
    "challenges",
    METADATA,
    Column("challenge", LargeBinary, primary_key=True),
    Column("person", Text, nullable=False),
    Column("expires", Double, nullable=False),
    Index("challenges_by_end", "expires"),
)

ROLES: Final = Table(
    "roles",
    METADATA,
    Column("person", Text, ForeignKey(PEOPLE.c.id, ondelete="CASCADE"), primary_key=True),
    Column("role", Text, nullable=False),
)

SAYINGS: Final = Table(
    "sayings",
    METADATA,
    Column("table", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("room", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("phrase", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("cause", Text, nullable=False, unique=True),
    Index("sayings_by_person", "person"),
    Index("sayings_by_time", "at"),
)

MUTES: Final = Table(
    "mutes",
    METADATA,
    Column("person", Text, ForeignKey(PEOPLE.c.id, ondelete="CASCADE"), primary_key=True),
    Column("other", Text, primary_key=True),
    Column("name", Text, nullable=False),
)

REPORTS: Final = Table(
    "reports",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("table", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("against", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("evidence", LargeBinary, nullable=False),
    Column("at", Double, nullable=False),
    Column("decision", Text, nullable=False),
    Column("remark", Text, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("decided", Double),
    Column("told", Double),
    Index("reports_by_decision", "decided", "at"),
    Index("reports_by_person", "against"),
    Index("reports_by_reporter", "by"),
)

MEASURES: Final = Table(
    "measures",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("report", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("until", Double),
    Column("seen", Double),
    Column("lifted", Double),
    Column("lifted_by", Text, nullable=False),
    Column("lifted_why", Text, nullable=False),
    Index("measures_by_person", "person", "at"),
)

TRIALS: Final = Table(
    "trials",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("lang", Text, nullable=False),
    Column("browser", Text, nullable=False),
    Column("reader", Text, nullable=False),
    Column("script", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("remarks", Text, nullable=False),
    Index("trials_by_time", "at"),
)

RECKONED: Final = Table(
    "reckoned",
    METADATA,
    Column("match", Text, ForeignKey(MATCHES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("at", Double, nullable=False),
)

RESULTS: Final = Table(
    "results",
    METADATA,
    Column("match", Text, ForeignKey(MATCHES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("level", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("people", Integer, nullable=False),
    Column("deals", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("stake", Integer),
    Column("moons", Integer, nullable=False),
    Column("queens", Integer, nullable=False),
    Column("left", Integer, nullable=False),
    Column("late", Integer, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("ended", Double, nullable=False),
    Index("results_by_person", "person", "ended"),
)

RATINGS: Final = Table(
    "ratings",
    METADATA,
    Column("person", Text, ForeignKey(PEOPLE.c.id, ondelete="CASCADE"), primary_key=True),
    Column("ladder", Text, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Index("ratings_by_ladder", "ladder", "mu"),
)

NODES: Final = Table(
    "nodes",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("begun", Double, nullable=False),
    Column("seen", Double, nullable=False),
)

OWNERS: Final = Table(
    "owners",
    METADATA,
    Column("table", Text, primary_key=True),
    Column("node", Text, nullable=False),
    Index("owners_by_node", "node"),
)

CLUBS: Final = Table(
    "clubs",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("listed", Integer, nullable=False),
    Column("made", Double, nullable=False),
    Column("key", Text, nullable=False),
    Index("clubs_by_owner", "owner"),
)

MEMBERS: Final = Table(
    "members",
    METADATA,
    Column("club", Text, ForeignKey(CLUBS.c.id, ondelete="CASCADE"), primary_key=True),
    Column("person", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("joined", Double, nullable=False),
    Index("members_by_person", "person"),
)

EVENINGS: Final = Table(
    "evenings",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("club", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("starts", Double, nullable=False),
    Column("summary", LargeBinary, nullable=False),
    Index("evenings_by_club", "club", "starts"),
    Index("evenings_by_state", "state", "starts"),
)

COMERS: Final = Table(
    "comers",
    METADATA,
    Column("evening", Text, primary_key=True),
    Column("person", Text, primary_key=True),
    Index("comers_by_person", "person"),
)

ADMITTED: Final = Table(
    "admitted",
    METADATA,
    Column("table", Text, primary_key=True),
    Column("person", Text, primary_key=True),
)
