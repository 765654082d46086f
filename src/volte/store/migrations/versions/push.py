"""The browsers that want messages while no page is open."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "push"
down_revision = "friends"


def upgrade(op: Operations) -> None:
    subscriptions = """
        subscriptions
            *session bytes -> sessions.token_hash, person -> people, endpoint unique,
            p256dh bytes, auth bytes, since real
            index subscriptions_by_person: person
    """
    make_tables(op, subscriptions)
