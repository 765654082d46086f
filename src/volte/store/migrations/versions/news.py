"""News for people who are not looking."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "news"
down_revision = "planned"


def upgrade(op: Operations) -> None:
    news = """
        news
            *person -> people, *kind, *about, path, name, at real, until real
            index news_by_subject: kind, about
            index news_by_end: until
    """
    make_tables(op, news)
