"""How likely it is that a seat holds this or that: integers, in 1024ths.

An unseen card lies in each place that can still hold it with a chance in proportion to the room
there; two cards are treated as if they lay independently. Exact for one card in a fresh deal, near
enough for the rest, and small enough to be written a second time for the compiled kernel.
"""

from __future__ import annotations

from typing import Final

from volte.cards import mask_of
from volte.view import View

ONE: Final = 1024


class Odds:
    """What a view says about the hidden hands.

    Attributes:
        unseen: mask of the cards that the seat has not seen.
        costs: (points, bit) of the unseen penalty cards, the dearest first, then the lowest.
    """

    def __init__(self, view: View, values: dict[int, int]) -> None:
        deal = view.deal
        self.unseen = unseen = view.unseen
        self.costs = sorted(
            ((points, bit) for bit, points in values.items() if points > 0 and bit & unseen),
            key=lambda cost: (-cost[0], cost[1]),
        )
        given, known = 0, {}
        for transfer in deal.transfers:
            if transfer.giver == view.seat and transfer.cards is not None:
                known[transfer.taker] = mask_of(transfer.cards) & unseen
                given |= known[transfer.taker]
        self._room = deal.hand_sizes()
        self._could = [
            unseen & ~given & ~excluded | known.get(seat, 0)
            for seat, excluded in enumerate(deal.excluded)
        ]
        places = [
            (self._room[seat], could) for seat, could in enumerate(self._could) if seat != view.seat
        ]
        if deal.rules.kitty_size and not deal.kitty:
            places.append((deal.rules.kitty_size, unseen & ~given))
        self._places = places
        self._all_room: dict[int, int] = {}

    def could(self, seat: int) -> int:
        """Mask of the cards that nothing forbids to that seat."""
        return self._could[seat]

    def holds(self, seat: int, bit: int) -> int:
        """The chance that the seat holds that unseen card."""
        if not self._could[seat] & bit:
            return 0
        room = self._all_room.get(bit)
        if room is None:
            room = 0
            for size, could in self._places:
                if could & bit:
                    room += size
            self._all_room[bit] = room
        return self._room[seat] * ONE // room if room else 0

    def none_of(self, seat: int, mask: int) -> int:
        """The chance that the seat holds no card of the mask."""
        mask &= self._could[seat]
        chance = ONE
        while mask:
            bit = mask & -mask
            chance = chance * (ONE - self.holds(seat, bit)) >> 10
            mask ^= bit
        return chance

    def dearest(self, seat: int, mask: int) -> int:
        """What the dearest penalty card of the mask that the seat holds costs, on average."""
        mask &= self._could[seat]
        left, cost = ONE, 0
        for points, bit in self.costs:
            if bit & mask:
                chance = left * self.holds(seat, bit) >> 10
                cost += points * chance
                left -= chance
        return cost
