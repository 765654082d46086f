"""`visible`: what one seat may know of an event, at a refereed table or another."""

from __future__ import annotations

from typing import Final, cast, get_args

from volte import game
from volte.referee.events import Event, RefereedEvent


def visible(event: Event, seat: int | None) -> Event:
    """The event as that seat may see it; None is somebody who holds no cards.

    What is ruled on lies open on the table.
    """
    return event if type(event) in _OPEN else game.visible(cast("game.Event", event), seat)


_OPEN: Final = frozenset(get_args(RefereedEvent))
