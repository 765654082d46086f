"""Notes of what is due by the wall clock and waits for a second look."""

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
