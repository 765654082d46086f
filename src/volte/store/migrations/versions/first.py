"""The first tables of a playroom."""

from alembic.operations import Operations
from sqlalchemy import (
    Column,
    Double,
    ForeignKey,
    Integer,
    LargeBinary,
    Text,
)

revision = "first"
down_revision = None


def upgrade(op: Operations) -> None:
    op.create_table(
        "entries",
        Column("stream", Text, primary_key=True),
        Column("version", Integer, primary_key=True, autoincrement=False),
        Column("data", LargeBinary, nullable=False),
        Column("cause", Text, nullable=False),
        Column("at", Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "listings",
        Column("table", Text, primary_key=True),
        Column("name", Text, nullable=False),
        Column("host", Text, nullable=False),
        Column("access", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("summary", LargeBinary, nullable=False),
        Column("password", Text, nullable=False),
        Column("updated", Double, nullable=False),
    )
    op.create_index("listings_by_state", "listings", ["state", "updated"])
    op.create_index("listings_by_host", "listings", ["host"])
    op.create_table(
        "matches",
        Column("id", Text, primary_key=True),
        Column("table", Text, nullable=False),
        Column("first", Integer, nullable=False),
        Column("last", Integer, nullable=False),
        Column("master", LargeBinary, nullable=False),
        Column("begun", Double, nullable=False),
        Column("ended", Double),
    )
    op.create_index("matches_by_table", "matches", ["table", "first"])
    op.create_index("matches_by_end", "matches", ["ended"])
    op.create_table(
        "players",
        Column("match", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("seat", Integer, primary_key=True, autoincrement=False),
        Column("person", Text, nullable=False),
    )
    op.create_index("players_by_person", "players", ["person"])
    op.create_table(
        "people",
        Column("id", Text, primary_key=True),
        Column("name", Text, nullable=False),
        Column("lang", Text, nullable=False),
        Column("settings", LargeBinary, nullable=False),
        Column("created", Double, nullable=False),
    )
    op.create_table(
        "sessions",
        Column("token_hash", LargeBinary, primary_key=True),
        Column("person", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        Column("expires", Double, nullable=False),
    )
    op.create_index("sessions_by_person", "sessions", ["person"])
    op.create_index("sessions_by_end", "sessions", ["expires"])
    op.create_table(
        "admitted",
        Column("table", Text, primary_key=True),
        Column("person", Text, primary_key=True),
    )
