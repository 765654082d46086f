"""Accounts, talk, results, and the processes that share a database."""

from alembic.operations import Operations
from sqlalchemy import Column, Double, Integer, Text

from volte.store.migrations.versions import make_tables

revision = "people"
down_revision = "first"

TABLES = """
    accounts
        *person -> people, login unique, password, made real, changed real
    codes
        *code_hash bytes, person -> people, used real?
        index codes_by_person: person
    passkeys
        *id bytes, person -> people, public_key bytes, sign_count big, name, made real,
        used real?
        index passkeys_by_person: person
    challenges
        *challenge bytes, person, expires real
        index challenges_by_end: expires
    roles
        *person -> people, role
    sayings
        *table, *number int, room, person, name, phrase, text, at real, cause unique
        index sayings_by_person: person
        index sayings_by_time: at
    mutes
        *person -> people, *other, name
    reports
        *id, table, by, against, why, note, evidence bytes, at real, decision, remark,
        decided_by, decided real?, told real?
        index reports_by_decision: decided, at
        index reports_by_person: against
        index reports_by_reporter: by
    measures
        *id, person, kind, note, by, report, at real, until real?, seen real?, lifted real?,
        lifted_by, lifted_why
        index measures_by_person: person, at
    reckoned
        *match -> matches, at real
    results
        *match -> matches, *seat int, *person, name, level, rules, players int, people int,
        deals int, total int, place int, stake int?, moons int, queens int, left int,
        late int, rated int, ended real
        index results_by_person: person, ended
    ratings
        *person -> people, *ladder, mu real, sigma real, matches int, at real
        index ratings_by_ladder: ladder, mu
    processes
        *id, address, secret bytes, begun real, seen real
    owners
        *table, process
        index owners_by_process: process
    clubs
        *id, name, owner, about, listed int, made real, key
        index clubs_by_owner: owner
    members
        *club -> clubs, *person, role, joined real
        index members_by_person: person
    evenings
        *id, club, state, starts real, summary bytes
        index evenings_by_club: club, starts
        index evenings_by_state: state, starts
    comers
        *evening, *person
        index comers_by_person: person
"""


def upgrade(op: Operations) -> None:
    op.add_column("sessions", Column("begun", Double, nullable=False, server_default="0"))
    op.add_column("sessions", Column("used", Double, nullable=False, server_default="0"))
    op.add_column("sessions", Column("agent", Text, nullable=False, server_default=""))
    op.add_column("matches", Column("rated", Integer, nullable=False, server_default="0"))
    op.add_column("players", Column("began", Text, nullable=False, server_default=""))
    op.create_index("players_by_began", "players", ["began"])
    make_tables(op, TABLES)
