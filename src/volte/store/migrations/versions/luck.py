"""Luck and play of the seats in matches that are over."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "luck"
down_revision = "boards"


def upgrade(op: Operations) -> None:
    luck = """
        luck
            *match -> matches, *seat int, day int, given int, deals int, lost int, points int,
            luck real, play real, luck_squares real, play_squares real, course bytes
    """
    make_tables(op, luck)
