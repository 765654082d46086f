"""Friends, who of them is here, and invitations to tables."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "friends"
down_revision = "news"


def upgrade(op: Operations) -> None:
    tables = """
        friendships
            *person -> people, *other -> people, agrees int, hidden int, since real
            index friendships_by_other: other
        invisible
            *person -> people, since real
        here
            *person -> people, *table, until real
        invitations
            *person -> people, *by -> people, table, at real, answered real?, accepted int
            index invitations_by_sender: by
    """
    make_tables(op, tables)
