"""Everything that the writer writes, in the order in which it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Executable, Table, bindparam, delete, text, update
from sqlalchemy.dialects import postgresql, sqlite

from volte.store.schema import (
    ACCOUNTS,
    ADMITTED,
    CHALLENGES,
    CLUBS,
    CODES,
    ENTRIES,
    EVENINGS,
    LISTINGS,
    MATCHES,
    MEASURES,
    MEMBERS,
    MUTES,
    OWNERS,
    PASSKEYS,
    PEOPLE,
    PLAYERS,
    PROCESSES,
    RATINGS,
    RECKONED,
    REPORTS,
    RESULTS,
    ROLES,
    SAYINGS,
    SESSIONS,
)

Statements = dict[str, Executable]

_INSERTS: Final[dict[str, Callable[[Table], Any]]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def statements(dialect: str) -> Statements:
    """By name, what a `Change` can ask for.

    The order is that of execution: what others point at comes first, and since every group
    of every process keeps it, none waits for one that waits for it.
    """
    insert = _INSERTS[dialect]
    return {
        "entry": insert(ENTRIES),
        "listing": _put(insert, LISTINGS),
        "match": _put(insert, MATCHES),
        "player": _put(insert, PLAYERS),
        "person": _put(insert, PEOPLE),
        "expired": delete(SESSIONS).where(SESSIONS.c.expires <= bindparam("now")),
        "session": _put(insert, SESSIONS),
        "session_over": delete(SESSIONS).where(SESSIONS.c.token_hash == bindparam("over")),
        "session_taken": delete(SESSIONS).where(SESSIONS.c.token_hash == bindparam("over")),
        "admitted": insert(ADMITTED).on_conflict_do_nothing(),
        # People
        "account": _put(insert, ACCOUNTS),
        "code": insert(CODES),
        "code_used": update(CODES)
        .where(CODES.c.code_hash == bindparam("code"), CODES.c.used.is_(None))
        .values(used=bindparam("now")),
        "passkey": _put(insert, PASSKEYS),
        "challenge": insert(CHALLENGES),
        "challenge_taken": delete(CHALLENGES).where(
            CHALLENGES.c.challenge == bindparam("taken"), CHALLENGES.c.expires > bindparam("now")
        ),
        "role": _put(insert, ROLES),
        # Talk
        "saying": insert(SAYINGS),
        "mute": _put(insert, MUTES),
        "report": _put(insert, REPORTS),
        "measure": _put(insert, MEASURES),
        # History
        "reckoned": insert(RECKONED),
        "result": insert(RESULTS),
        "rating": _put(insert, RATINGS),
        # Clubs
        "club": _put(insert, CLUBS),
        "member": _put(insert, MEMBERS),
        "evening": _put(insert, EVENINGS),
        # Processes
        "process": _put(insert, PROCESSES),
        "owner": insert(OWNERS),
    }


MUST_CHANGE: Final = frozenset({"session_taken", "code_used", "challenge_taken"})
"""The statements that have to change one row: where they do not, somebody else was first."""

KEPT: Final = {
    "sqlite": text(
        "SELECT stream, version FROM json_each(:places) AS place CROSS JOIN entries"
        " ON stream = json_extract(place.value, '$.stream')"
        " AND version = json_extract(place.value, '$.version')"
    ),
    "postgresql": text(
        "SELECT place.stream, place.version"
        " FROM json_to_recordset(CAST(CAST(:places AS text) AS json))"
        " AS place(stream text, version integer)"
        " CROSS JOIN LATERAL (SELECT FROM entries"
        " WHERE stream = place.stream AND version = place.version OFFSET 0) AS entry"
    ),
}
"""By dialect: which of these places in streams, a JSON list of objects, have an entry.

Both are kept from reading all entries, as SQLite does for a list of pairs after IN, and PostgreSQL
for a plain join while it does not know how many there are.
"""


def _put(insert: Callable[[Table], Any], table: Table) -> Executable:
    """Inserts a row, or replaces the one with the same key."""
    statement = insert(table)
    put: Executable = statement.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_={
            column.name: statement.excluded[column.name]
            for column in table.columns
            if not column.primary_key
        },
    )
    return put
