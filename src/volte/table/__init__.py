"""Live tables: seats, commands, happenings, clocks and stand-ins; one queue for each table."""

from volte.table.commands import Command, Someone
from volte.table.decide import decide, open_table
from volte.table.happenings import Happening, TableEvent, Why, decode_happening, seen_by
from volte.table.setup import Access, OpenSeats, Setup, Talk, Watching, check_setup
from volte.table.state import Seat, TableState, evolve, fold
from volte.table.steps import decide_bot, decide_house, outcome_of
from volte.table.turns import seconds_for

__all__ = [
    "Access",
    "Command",
    "Happening",
    "OpenSeats",
    "Seat",
    "Setup",
    "Someone",
    "TableEvent",
    "TableState",
    "Talk",
    "Watching",
    "Why",
    "check_setup",
    "decide",
    "decide_bot",
    "decide_house",
    "decode_happening",
    "evolve",
    "fold",
    "open_table",
    "outcome_of",
    "seconds_for",
    "seen_by",
]
