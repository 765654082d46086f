"""Rows that name a person are deleted with the person."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "gone"
down_revision = "due"

TABLES = """
    admitted
        *table, *person -> people
    members
        *club -> clubs, *person -> people, role, joined real
        index members_by_person: person
    comers
        *evening, *person -> people
        index comers_by_person: person
"""


def upgrade(op: Operations) -> None:
    for table in ("members", "comers"):
        op.drop_index(f"{table}_by_person", table)
    for table in ("admitted", "members", "comers"):
        op.rename_table(table, f"{table}_before")
    make_tables(op, TABLES)
    for table in ("admitted", "members", "comers"):
        kept = f"SELECT * FROM {table}_before WHERE person IN (SELECT id FROM people)"
        op.execute(f"INSERT INTO {table} {kept}")
        op.drop_table(f"{table}_before")
