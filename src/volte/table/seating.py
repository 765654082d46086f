"""What bots and people at one table are called: nobody as somebody else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from volte.bots import NAMES
from volte.table.happenings import BotSat
from volte.table.state import TableState

USUAL: Final = "casual"
"""How bots play that nobody has chosen."""


def person_name(state: TableState, person: str, name: str) -> str:
    """The name of somebody who sits down: "Anne 2" where there is an Anne."""
    taken = {_heard(seat.name) for seat in state.seats if seat.person != person}
    if state.host != person:
        taken.add(_heard(state.host_name))
    return _apart(" ".join(name.split()), taken)


def bot_sits(
    state: TableState, place: int, level: str = USUAL, taken: Iterable[str] = ()
) -> BotSat:
    """A bot for that seat, called like nobody at the table, nor like who sat there last.

    Args:
        taken: further names, of bots that are about to sit down.
    """
    heard = {_heard(name) for name in (*taken, *(seat.name for seat in state.seats))}
    heard.add(_heard(state.host_name))
    name = next((name for name in NAMES if _heard(name) not in heard), None)
    return BotSat(place, name or _apart(NAMES[place], heard), level)


def _apart(name: str, taken: set[str]) -> str:
    number, apart = 1, name
    while _heard(apart) in taken:
        number += 1
        apart = f"{name} {number}"
    return apart


def _heard(name: str) -> str:
    """Names that sound alike are one."""
    return " ".join(name.casefold().split())
