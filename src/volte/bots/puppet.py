"""A bot on strings, for lessons: it does what it was given to do."""

from __future__ import annotations

from collections.abc import Sequence

from volte.bots.choosing import chosen_moon
from volte.bots.protocol import Clock
from volte.cards import Card
from volte.game import Pass, Phase, Play, SeatAction
from volte.view import View


class Puppet:
    """Plays its cards in the order given, and passes the first of them."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._cards = cards

    def choose(self, view: View, clock: Clock) -> SeatAction:
        assert view.seat is not None
        asked = chosen_moon(view)
        if asked is not None:
            return asked
        left = [card for card in self._cards if card in view.hand]
        if view.state.phase is Phase.PASSING:
            return Pass(view.seat, tuple(left[: view.deal.pass_size]))
        return Play(view.seat, left[0])
