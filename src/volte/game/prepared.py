"""A house that deals cards chosen beforehand, for lessons and tests."""

from __future__ import annotations

from collections.abc import Sequence

from volte.cards import Card
from volte.game.actions import DealCards, HouseAction, NameDealer
from volte.game.state import MatchState, Phase


class Prepared:
    """Deals those hands, to whoever leads first and on from there.

    Args:
        eldest: the seat to the dealer's left.
        hands: by seat, all of one size.
    """

    def __init__(self, eldest: int, hands: Sequence[Sequence[Card]]) -> None:
        self._eldest = eldest
        self._hands = hands

    def act(self, state: MatchState) -> HouseAction | None:
        """The dealer, then the cards: one by one from the dealer's left (D4)."""
        eldest, hands = self._eldest, self._hands
        if state.phase is Phase.DRAWING:
            return NameDealer((eldest - 1) % len(hands))
        order = [*hands[eldest:], *hands[:eldest]]
        return DealCards(tuple(card for round_ in zip(*order, strict=True) for card in round_))
