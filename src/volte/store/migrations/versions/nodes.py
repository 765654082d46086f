"""Nodes with names, in place of processes with addresses and secrets."""

from alembic.operations import Operations
from sqlalchemy import Column, Double, Text

revision = "nodes"
down_revision = "trials"


def upgrade(op: Operations) -> None:
    op.drop_table("processes")
    op.create_table(
        "nodes",
        Column("id", Text, primary_key=True),
        Column("name", Text, nullable=False, unique=True),
        Column("begun", Double, nullable=False),
        Column("seen", Double, nullable=False),
    )
    # Whoever had a table is no node: matches that were under way are taken over at once.
    op.execute("ALTER TABLE owners RENAME COLUMN process TO node")
    op.drop_index("owners_by_process", "owners")
    op.create_index("owners_by_node", "owners", ["node"])
