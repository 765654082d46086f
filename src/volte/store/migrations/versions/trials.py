"""Findings of volunteers who tried the pages with their screen readers."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "trials"
down_revision = "devices"


def upgrade(op: Operations) -> None:
    trials = """
        trials
            *id, at real, lang, browser, reader, script, outcome, remarks
            index trials_by_time: at
    """
    make_tables(op, trials)
