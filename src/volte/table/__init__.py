"""Live tables: who sits where, what happens, clocks and stand-ins; one inbox per table."""

from volte.table.commands import Command, Someone
from volte.table.happenings import Happening, TableEvent, Why, decode_happening, seen_by
from volte.table.setup import Access, Setup, Watching
from volte.table.state import Seat, TableState

__all__ = [
    "Access",
    "Command",
    "Happening",
    "Seat",
    "Setup",
    "Someone",
    "TableEvent",
    "TableState",
    "Watching",
    "Why",
    "decode_happening",
    "seen_by",
]
