"""Reviews of matches: the findings for one seat."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "reviews"
down_revision = "nodes"


def upgrade(op: Operations) -> None:
    reviews = """
        reviews
            *match -> matches, *person -> people, seat int, at real, percent int, found bytes?
            index reviews_by_person: person
    """
    make_tables(op, reviews)
