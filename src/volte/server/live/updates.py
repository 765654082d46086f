"""What has happened at a table, as messages with their sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.game import Dealt, Exchanged, MatchState, Played, TrickHeld, TrickTaken
from volte.say import Verbosity, Words
from volte.say.narration import tell_each
from volte.say.telling import Lines
from volte.table import Happening, TableEvent, TableState, Watching, evolve
from volte.table.pacing import Manner
from volte.table.telling import named, tell_room
from volte.table.viewpoints import Update
from volte.view import View
from volte.wire.messages import Happened

Told = dict[str, tuple[str, ...]]


VERBOSITIES: Final = tuple((verbosity.value, verbosity) for verbosity in Verbosity)


def happened(
    update: Update, told_after: int, words: Words | None, person: str
) -> Iterator[Happened]:
    """The messages of an update.

    Args:
        told_after: number of the last happening that the client has been told: those up to there
            come without their sentences.
        words: None where no sentences are wanted.
    """
    state = update.before if words is not None else None
    for number, happening in enumerate(update.happenings, start=update.first):
        told: Told | None = None
        if words is not None:
            before = state
            state = update.after if number == update.last else evolve(state, happening)
            if number > told_after:
                told = sentences(words, before, happening, state, person)
        yield Happened(number, happening, told)


def sentences(
    words: Words, before: TableState | None, happening: Happening, after: TableState, person: str
) -> Told:
    """What that person hears, by verbosity."""
    if isinstance(happening, TableEvent):
        return _alike(tell_room(words, before, happening, after, person))
    seat = after.seat_of(person)
    view_before = view_of(before, seat) if before is not None else None
    view_after = view_of(after, seat)
    if view_after is None:
        return _alike(())
    if before is None or before.match_began != after.match_began:
        view_before = None
    told = tell_each(words, view_before, happening, view_after)
    return {name: told[verbosity] for name, verbosity in VERBOSITIES}


def _alike(lines: Lines) -> Told:
    """The same at every verbosity."""
    return {name: lines for name, _ in VERBOSITIES}


def view_of(state: TableState, seat: int | None) -> View | None:
    """The match at a table as it is told to a seat, by the names of those who sit there now."""
    match: MatchState | None = state.match
    return named(View(seat, match), state) if match is not None else None


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
