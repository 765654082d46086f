"""Accounts, talk, results, and the processes that share a database."""

from alembic.operations import Operations
from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Integer,
    LargeBinary,
    Text,
)

revision = "people"
down_revision = "first"


def upgrade(op: Operations) -> None:
    op.add_column("sessions", Column("begun", Double, nullable=False, server_default="0"))
    op.add_column("sessions", Column("used", Double, nullable=False, server_default="0"))
    op.add_column("sessions", Column("agent", Text, nullable=False, server_default=""))
    op.add_column("matches", Column("rated", Integer, nullable=False, server_default="0"))
    op.add_column("players", Column("began", Text, nullable=False, server_default=""))
    op.create_index("players_by_began", "players", ["began"])
    op.create_table(
        "accounts",
        Column("person", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        Column("login", Text, nullable=False, unique=True),
        Column("password", Text, nullable=False),
        Column("made", Double, nullable=False),
        Column("changed", Double, nullable=False),
    )
    op.create_table(
        "codes",
        Column("code_hash", LargeBinary, primary_key=True),
        Column("person", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        Column("used", Double),
    )
    op.create_index("codes_by_person", "codes", ["person"])
    op.create_table(
        "passkeys",
        Column("id", LargeBinary, primary_key=True),
        Column("person", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        Column("public_key", LargeBinary, nullable=False),
        Column("sign_count", BigInteger, nullable=False),
        Column("name", Text, nullable=False),
        Column("made", Double, nullable=False),
        Column("used", Double),
    )
    op.create_index("passkeys_by_person", "passkeys", ["person"])
    op.create_table(
        "challenges",
        Column("challenge", LargeBinary, primary_key=True),
        Column("person", Text, nullable=False),
        Column("expires", Double, nullable=False),
    )
    op.create_index("challenges_by_end", "challenges", ["expires"])
    op.create_table(
        "roles",
        Column("person", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        Column("role", Text, nullable=False),
    )
    op.create_table(
        "sayings",
        Column("table", Text, primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("room", Text, nullable=False),
        Column("person", Text, nullable=False),
        Column("name", Text, nullable=False),
        Column("phrase", Text, nullable=False),
        Column("text", Text, nullable=False),
        Column("at", Double, nullable=False),
        Column("cause", Text, nullable=False, unique=True),
    )
    op.create_index("sayings_by_person", "sayings", ["person"])
    op.create_index("sayings_by_time", "sayings", ["at"])
    op.create_table(
        "mutes",
        Column("person", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        Column("other", Text, primary_key=True),
        Column("name", Text, nullable=False),
    )
    op.create_table(
        "reports",
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
    )
    op.create_index("reports_by_decision", "reports", ["decided", "at"])
    op.create_index("reports_by_person", "reports", ["against"])
    op.create_index("reports_by_reporter", "reports", ["by"])
    op.create_table(
        "measures",
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
    )
    op.create_index("measures_by_person", "measures", ["person", "at"])
    op.create_table(
        "reckoned",
        Column("match", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("at", Double, nullable=False),
    )
    op.create_table(
        "results",
        Column("match", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
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
    )
    op.create_index("results_by_person", "results", ["person", "ended"])
    op.create_table(
        "ratings",
        Column("person", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        Column("ladder", Text, primary_key=True),
        Column("mu", Double, nullable=False),
        Column("sigma", Double, nullable=False),
        Column("matches", Integer, nullable=False),
        Column("at", Double, nullable=False),
    )
    op.create_index("ratings_by_ladder", "ratings", ["ladder", "mu"])
    op.create_table(
        "processes",
        Column("id", Text, primary_key=True),
        Column("address", Text, nullable=False),
        Column("secret", LargeBinary, nullable=False),
        Column("begun", Double, nullable=False),
        Column("seen", Double, nullable=False),
    )
    op.create_table(
        "owners",
        Column("table", Text, primary_key=True),
        Column("process", Text, nullable=False),
    )
    op.create_index("owners_by_process", "owners", ["process"])
    op.create_table(
        "clubs",
        Column("id", Text, primary_key=True),
        Column("name", Text, nullable=False),
        Column("owner", Text, nullable=False),
        Column("about", Text, nullable=False),
        Column("listed", Integer, nullable=False),
        Column("made", Double, nullable=False),
        Column("key", Text, nullable=False),
    )
    op.create_index("clubs_by_owner", "clubs", ["owner"])
    op.create_table(
        "members",
        Column("club", Text, ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True),
        Column("person", Text, primary_key=True),
        Column("role", Text, nullable=False),
        Column("joined", Double, nullable=False),
    )
    op.create_index("members_by_person", "members", ["person"])
    op.create_table(
        "evenings",
        Column("id", Text, primary_key=True),
        Column("club", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("starts", Double, nullable=False),
        Column("summary", LargeBinary, nullable=False),
    )
    op.create_index("evenings_by_club", "evenings", ["club", "starts"])
    op.create_index("evenings_by_state", "evenings", ["state", "starts"])
    op.create_table(
        "comers",
        Column("evening", Text, primary_key=True),
        Column("person", Text, primary_key=True),
    )
    op.create_index("comers_by_person", "comers", ["person"])
