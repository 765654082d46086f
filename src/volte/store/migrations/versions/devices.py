"""The devices at which somebody has proved who they are."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "devices"
down_revision = "people"


def upgrade(op: Operations) -> None:
    devices = """
        devices
            *token_hash bytes, person -> people, since real, expires real
            index devices_by_person: person
            index devices_by_end: expires
    """
    make_tables(op, devices)
