"""What has happened at a table, as messages with their sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.game import MatchState
from volte.say import Verbosity, Words
from volte.say.narration import tell_each
from volte.say.telling import Lines
from volte.table import Happening, TableEvent, TableState, evolve
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
