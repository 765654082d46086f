"""Deals to be played again, the tries at them, and who has opened which match."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "boards"
down_revision = "push"


def upgrade(op: Operations) -> None:
    tables = """
        openings
            *match -> matches, *person -> people, at real
            index openings_by_person: person
        boards
            *id, maker, match, number int, cards bytes, secret bytes, master bytes, made real,
            ended real?, told real?, origin unique
            index boards_by_maker: maker
            index boards_by_match: match
        tries
            *table, board -> boards, person, guest int, attempt int, begun real, finished real?,
            marks, found bytes?, named int
            index tries_by_board: board
            index tries_by_person: person
    """
    make_tables(op, tables)
