"""Live tables: who sits where, what happens, clocks and stand-ins; one queue for each."""

from volte.table.commands import Command, Someone
from volte.table.decide import decide, open_table
from volte.table.happenings import Happening, TableEvent, Why, decode_happening, seen_by
from volte.table.house import (
    close_table,
    come_back,
    decide_bot,
    decide_house,
    pause_empty,
    play_forced,
    resume_present,
    stand_in,
)
from volte.table.setup import Access, OpenSeats, Setup, Talk, Watching, check_setup
from volte.table.state import Seat, TableState, evolve, fold
from volte.table.turns import choice_due, seconds_for

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
    "choice_due",
    "close_table",
    "come_back",
    "decide",
    "decide_bot",
    "decide_house",
    "decode_happening",
    "evolve",
    "fold",
    "open_table",
    "pause_empty",
    "play_forced",
    "resume_present",
    "seconds_for",
    "seen_by",
    "stand_in",
]
