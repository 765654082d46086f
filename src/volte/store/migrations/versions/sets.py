"""Sets of deals, and the people who have begun them; reports by the place that they are about."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "sets"
down_revision = "studies"


def upgrade(op: Operations) -> None:
    sets = """
        deal_sets
            *id, maker -> people, title, content bytes, last, version int, made real, changed real,
            origin unique
            index deal_sets_by_maker: maker
        sets_begun
            *deal_set -> deal_sets, *person -> people, at real
            index sets_begun_by_person: person, at
    """
    make_tables(op, sets)
    op.create_index("reports_by_place", "reports", ["table"])
