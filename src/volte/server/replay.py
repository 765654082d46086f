"""A deal that is told late, card by card, to those who watch with all hands open.

All of it comes at once, when its secret is told. Nobody could follow that by eye or by ear.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.game import Dealt, Exchanged, Played, TrickHeld, TrickTaken
from volte.table import Watching, evolve
from volte.table.pacing import Manner
from volte.table.viewpoints import Update

LONGEST: Final = 90.0
"""Seconds that a deal may take to be told."""


def told_late(update: Update, seat: int | None) -> bool:
    """Whether it is a deal to be told slowly, to somebody who sits there, or has no seat."""
    if seat is not None or update.resync:
        return False
    if not any(isinstance(each, Dealt) for each in update.happenings):
        return False
    return update.before is not None and update.after.setup.watching is Watching.AFTERWARDS


def parts(update: Update) -> Iterator[Update]:
    """The same, one happening at a time, each with the table as it was then."""
    state = update.before
    for number, happening in enumerate(update.happenings, start=update.first):
        before, state = state, evolve(state, happening)
        yield Update.known(number, (happening,), before, state)


def pauses(update: Update, pace: Manner) -> Iterator[float]:
    """The seconds to wait after each of its happenings: as it was played, within reason."""
    waits = [_pause(each, pace) for each in update.happenings]
    haste = min(1.0, LONGEST / max(sum(waits), 1.0))
    return (wait * haste for wait in waits)


def _pause(happening: object, pace: Manner) -> float:
    match happening:
        case TrickTaken() | TrickHeld():
            return pace.trick_pace
        case Played() | Dealt() | Exchanged():
            return pace.bot_pace
    return 0.0
