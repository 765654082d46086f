"""Messages about happenings at a table: welcomes, sentences, and deals shown late."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.game import Dealt, Exchanged, MatchEnded, Passed, Played, TrickHeld, TrickTaken
from volte.say import Verbosity, Words
from volte.say.narration import tell_each
from volte.say.texts.remarks import remark
from volte.table import Someone, TableEvent, TableState, Watching, evolve
from volte.table.happenings import Happening
from volte.table.pacing import Pace
from volte.table.setup import Talk
from volte.table.telling import beside_last, named, tell_room
from volte.table.viewpoints import Update
from volte.view import View
from volte.wire.messages import PROTOCOL, CharacterRemark, Happened, Welcome

VERBOSITIES: Final = tuple((kind.value, kind) for kind in Verbosity)

LONGEST: Final = 90.0  # seconds that a deal may take to be shown


def welcome(
    request: str, table: str, who: Someone, state: TableState, first: int, news: int, talked: int
) -> Welcome:
    """The answer to `Hello`; see `Welcome` for the arguments."""
    return Welcome(
        id=request,
        protocol=PROTOCOL,
        table=table,
        person=who.id,
        name=who.name,
        seat=state.seat_of(who.id),
        number=state.version,
        first=first,
        began=state.match_began,
        host=state.host == who.id,
        setup=state.setup,
        host_id=state.host,
        host_name=state.host_name,
        seats=state.seats,
        paused=state.paused,
        closed=state.closed,
        moved=state.moved,
        matches=state.matches,
        talked=talked,
        given=state.given.hidden if state.given is not None else None,
        news=news,
    )


def first_news(missed: Update, state: TableState, seat: int | None) -> int:
    """Number of the first happening that is news to somebody who has only come; see `Welcome`.

    Args:
        missed: the happenings that they have missed.
        seat: theirs; None for somebody who watches.
    """
    begun = state.under_way and missed.first == state.match_began
    chosen = (each.seat for each in missed.happenings if isinstance(each, Passed | Played))
    return missed.first if begun and seat is not None and seat not in chosen else missed.last + 1


def happened(
    update: Update, told_after: int, words: Words | None, person: str, remarks: bool = True
) -> Iterator[Happened]:
    """The messages of an update, with the sentences that the person reads.

    Args:
        told_after: number of the last happening whose sentences the client has; up to it,
            happenings come without sentences.
        words: None if no sentences are wanted.
        remarks: whether the person wants the remarks of bots with personality.
    """
    if words is None:
        for number, happening in enumerate(update.happenings, start=update.first):
            yield Happened(number, happening)
        return
    state = update.before
    for number, happening in enumerate(update.happenings, start=update.first):
        before = state
        state = update.after if number == update.last else evolve(state, happening)
        if number <= told_after:
            yield Happened(number, happening)
            continue
        seat = state.seat_of(person)
        view = view_of(state, seat)
        if isinstance(happening, TableEvent):
            alike = tell_room(words, before, happening, state, person)
            lines = dict.fromkeys(Verbosity, alike)
        elif view is None:
            lines = dict.fromkeys(Verbosity, ())
        else:
            same_match = before is not None and before.match_began == state.match_began
            view_before = view_of(before, seat) if before is not None and same_match else None
            lines = tell_each(words, view_before, happening, view)
            beside = isinstance(happening, MatchEnded) and beside_last(words, state, person)
            if beside and beside.line:
                lines = {kind: (*told, beside.line) for kind, told in lines.items()}
        told = {name: lines[kind] for name, kind in VERBOSITIES}
        said = remark_of(words, happening, state) if remarks else None
        yield Happened(number, happening, told, said)


def remark_of(words: Words, happening: Happening, after: TableState) -> CharacterRemark | None:
    """The remark of a bot with character about a happening, if talk is allowed at the table."""
    if after.match is None or after.setup.talk is Talk.NOBODY or isinstance(happening, TableEvent):
        return None
    levels = [seat.level for seat in after.seats]
    said = remark(words, happening, after.match, levels)
    return said and CharacterRemark(said.seat, after.seats[said.seat].name, said.line)


def view_of(state: TableState, seat: int | None) -> View | None:
    """The match at a table as a seat sees it, with the names of its present players."""
    return named(View(seat, state.match), state) if state.match is not None else None


def before_last_deal(missed: Update) -> int:
    """Number of the happening before the last deal: a newcomer gets sentences from there on."""
    dealt = [
        number
        for number, happening in enumerate(missed.happenings, start=missed.first)
        if isinstance(happening, Dealt)
    ]
    return dealt[-1] - 1 if dealt else missed.first - 1


# Deals shown late, to people who watch with all hands open: a whole deal comes at once, when its
# secret is revealed, but nobody could follow it like that by eye or by ear.


def told_late(update: Update, seat: int | None) -> bool:
    """Whether the update is a deal that is shown late, and goes to somebody without a seat."""
    if seat is not None or update.resync:
        return False
    if not any(isinstance(each, Dealt) for each in update.happenings):
        return False
    return update.before is not None and update.after.setup.watching is Watching.AFTERWARDS


def parts(update: Update) -> Iterator[Update]:
    """Split the update into one for each happening, each with the table as it was then."""
    state = update.before
    for number, happening in enumerate(update.happenings, start=update.first):
        before, state = state, evolve(state, happening)
        yield Update.known(number, (happening,), before, state)


def pauses(update: Update, pace: Pace) -> Iterator[float]:
    """Seconds to wait after each happening: at the pace of play, but at most `LONGEST` in all."""
    waits = [
        pace.trick_pace
        if isinstance(each, TrickTaken | TrickHeld)
        else pace.bot_pace
        if isinstance(each, Played | Dealt | Exchanged)
        else 0.0
        for each in update.happenings
    ]
    haste = min(1.0, LONGEST / max(sum(waits), 1.0))
    return (wait * haste for wait in waits)
