"""People who would play with anybody, and whom they would rather not meet again."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "meeting"
down_revision = "gone"


def upgrade(op: Operations) -> None:
    tables = """
        seeks
            *person -> people, version int, seek bytes
        avoided
            *person -> people, *other -> people, name, since real
            index avoided_by_other: other
    """
    make_tables(op, tables)
