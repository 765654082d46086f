"""What is told of a match that is over, when it is looked at again with every card open."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from babel.dates import format_date, format_time

from volte.game import Exchanged, Player
from volte.referee import Event
from volte.say.language import N_
from volte.say.telling import Lines, received, told_order
from volte.say.verbosity import Verbosity
from volte.say.words import Words
from volte.view import View

PASSED = N_("{player} passes {cards:the} {taker:to}.")
SCATTERED = N_("{player} passes {gifts}.")


def tell_openly(
    words: Words, before: View | None, event: Event, after: View, verbosity: Verbosity
) -> Lines:
    """What an onlooker hears who sees every hand: as `Words.tell`, and what everybody passes."""
    lines = words.tell(before, event, after, verbosity)
    if not isinstance(event, Exchanged):
        return lines
    return (*lines, *passed_openly(words, event, after.state.players))


def passed_openly(words: Words, event: Exchanged, players: Sequence[Player]) -> Lines:
    """Who passes which cards to whom, a line for each seat."""
    lines = []
    for seat, player in enumerate(players):
        gifts = [each for each in event.transfers if each.giver == seat and each.cards]
        if len(gifts) > 1:
            told = received(words, players, gifts)
            lines.append(words.t(SCATTERED, player=player, gifts=told))
        elif gifts:
            cards, taker = told_order(gifts[0].cards or ()), players[gifts[0].taker]
            lines.append(words.t(PASSED, player=player, cards=cards, taker=taker))
    return tuple(lines)


def day_and_time(words: Words, seconds: float) -> str:
    """A moment since 1970, as it is read here: "21 Nov 2026, 20:05"."""
    moment = datetime.fromtimestamp(seconds).astimezone()
    day = format_date(moment, "medium", locale=words.lang)
    return f"{day}, {format_time(moment, 'short', locale=words.lang)}"
