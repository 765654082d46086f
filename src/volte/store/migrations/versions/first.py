"""The first tables of a playroom."""

from alembic.operations import Operations

from volte.store.migrations.versions import make_tables

revision = "first"
down_revision = None


def upgrade(op: Operations) -> None:
    entries = """
        entries
            *stream, *version int, data bytes, cause, at real
    """
    make_tables(op, entries, sqlite_with_rowid=False)
    tables = """
        listings
            *table, name, host, access, state, summary bytes, password, updated real
            index listings_by_state: state, updated
            index listings_by_host: host
        matches
            *id, table, first int, last int, master bytes, begun real, ended real?
            index matches_by_table: table, first
            index matches_by_end: ended
        players
            *match -> matches, *seat int, person
            index players_by_person: person
        people
            *id, name, lang, settings bytes, created real
        sessions
            *token_hash bytes, person -> people, expires real
            index sessions_by_person: person
            index sessions_by_end: expires
        admitted
            *table, *person
    """
    make_tables(op, tables)
