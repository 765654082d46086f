"""Storage: logs of tables, people and their sessions, in SQLite or PostgreSQL."""

from volte.store.schema import OPEN, Entry, Listing, MatchRow, Person
from volte.store.store import Store
from volte.store.trouble import Conflict, Gone, StoreFault, Unavailable
from volte.store.writer import acting

__all__ = [
    "OPEN",
    "Conflict",
    "Entry",
    "Gone",
    "Listing",
    "MatchRow",
    "Person",
    "Store",
    "StoreFault",
    "Unavailable",
    "acting",
]
