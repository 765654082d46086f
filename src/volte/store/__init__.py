"""Storage: logs of tables, people and their sessions, in SQLite or PostgreSQL."""

from volte.store.schema import OPEN, Entry, Listing, MatchRow, Person
from volte.store.store import Store
from volte.store.trouble import Conflict, StoreFault, Unavailable

__all__ = [
    "OPEN",
    "Conflict",
    "Entry",
    "Listing",
    "MatchRow",
    "Person",
    "Store",
    "StoreFault",
    "Unavailable",
]
