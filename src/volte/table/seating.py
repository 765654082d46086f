"""What bots and people at one table are called: nobody as somebody else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from volte.bots import NAMES
from volte.names import told_apart
from volte.table.happenings import BotSat
from volte.table.state import TableState

USUAL: Final = "casual"
"""How bots play that nobody has chosen."""


def person_name(state: TableState, person: str, name: str) -> str:
    """The name of somebody who sits down: "Anne 2" where there is an Anne."""
    taken = [seat.name for seat in state.seats if seat.person != person]
    if state.host != person:
        taken.append(state.host_name)
    return told_apart(name, taken)


def bot_sits(
    state: TableState, place: int, level: str = USUAL, taken: Iterable[str] = ()
) -> BotSat:
    """A bot for that seat, called like nobody at the table, nor like who sat there last.

    Args:
        taken: further names, of bots that are about to sit down.
    """
    known = (*taken, *(seat.name for seat in state.seats), state.host_name)
    free = (name for name in NAMES if told_apart(name, known) == name)
    return BotSat(place, next(free, None) or told_apart(NAMES[place], known), level)
