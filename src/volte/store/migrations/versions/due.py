"""Notes of things that are due by the wall clock and wait for a second look."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "due"
down_revision = "reviews"


def upgrade(op: Operations) -> None:
    due = """
        due
            *what, noted real
    """
    make_tables(op, due)
