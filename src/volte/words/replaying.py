"""What is told of a match that is over, when it is looked at again with every card open."""

from __future__ import annotations

from datetime import datetime

from babel.dates import format_date, format_time

from volte.game import Exchanged
from volte.referee import Event
from volte.view import View
from volte.words.language import N_
from volte.words.telling import Lines, told_order
from volte.words.verbosity import Verbosity
from volte.words.words import Words

PASSED = N_("{player} passes {cards:the} {taker:to}.")


def tell_openly(
    words: Words, before: View | None, event: Event, after: View, verbosity: Verbosity
) -> Lines:
    """What an onlooker hears who sees every hand: as `Words.tell`, and what everybody passes."""
    lines = words.tell(before, event, after, verbosity)
    if not isinstance(event, Exchanged):
        return lines
    players = after.state.players
    passed = (
        words.t(
            PASSED,
            player=players[each.giver],
            cards=told_order(each.cards),
            taker=players[each.taker],
        )
        for each in event.transfers
        if each.cards is not None
    )
    return (*lines, *passed)


def day_and_time(words: Words, seconds: float) -> str:
    """A moment since 1970, as it is read here: "21 Nov 2026, 20:05"."""
    moment = datetime.fromtimestamp(seconds).astimezone()
    day = format_date(moment, "medium", locale=words.lang)
    return f"{day}, {format_time(moment, 'short', locale=words.lang)}"
