"""Storage: logs of tables, people and their sessions, in SQLite or PostgreSQL.

Rows, errors and `acting` are here, and need no database; `Store` is in `volte.store.store`.
"""

from volte.store.behalf import acting
from volte.store.errors import Conflict, Gone, StoreFault, Unavailable
from volte.store.rows import AT_TABLES, LISTED, OPEN, Entry, Listing, MatchRow, Person

__all__ = [
    "AT_TABLES",
    "LISTED",
    "OPEN",
    "Conflict",
    "Entry",
    "Gone",
    "Listing",
    "MatchRow",
    "Person",
    "StoreFault",
    "Unavailable",
    "acting",
]
