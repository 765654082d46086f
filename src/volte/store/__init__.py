"""What is kept: logs of tables, people and their sessions, in SQLite or PostgreSQL."""

from volte.store.backing import StoreFault
from volte.store.rows import OPEN, Entry, Listing, MatchRow, Person
from volte.store.store import Store
from volte.store.trouble import Conflict, Unavailable

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
