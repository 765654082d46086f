"""The burden of a hand: what its cards are likely to cost their holder, suit by suit.

A card is a burden as far as it will have to be played (few cards of the suit below it), will then
take the trick (many unseen cards below it), and that trick will cost something. What playing,
discarding or passing a card is worth is the burden before less the burden after; so guards of the
queen, voids and low hearts need no rules of their own.
"""

from __future__ import annotations

import msgspec

from volte.bots.odds import ONE
from volte.bots.ranks import BELOW, SUIT_OF, ascending


class Weights(msgspec.Struct, frozen=True):
    """The numbers that `casual` is tuned by. Points are told in 1024ths, chances too.

    Found in duplicate, trials of some thousand deals, good to about half a point a deal: the
    numbers lie on a plateau. Only a `relief` of 1700, `eager` at 600 and a `flush` of 0 lost half a
    point or more somewhere; `bonus` and `joker` are reasoned, not tried. Shooting the moon with a
    hand that takes everything brings 0.3 to 0.4. Fear of another's by the square of its share lost
    0.2 to 0.4 against fear by the fourth power, which cannot be told from none against equals.

    Attributes:
        relief: what a point of burden to come is worth beside one on the table.
        lead: points that having the lead costs.
        eager: chance that a seat which need not beat a clean trick does.
        greedy: the same where the trick has points.
        falls: chance that a dear card falls on a higher one of its suit.
        least: chance that a card is played to its suit, however well guarded.
        void: points that a void is worth, for every round its suit may be played; not in the pass.
        bonus: chance of catching a card below zero by keeping it.
        joker: points that a joker in hand is worth.
        flush: part of a card's points won by leading below it.
        gift: part of a card's points won by giving them to somebody else.
        give: part of the stake lost with a penalty card given to a shooter.
    """

    relief: int = 600
    lead: int = 256
    eager: int = 200
    greedy: int = 60
    falls: int = 600
    least: int = 100
    void: int = 300
    bonus: int = 400
    joker: int = 1500
    flush: int = 100
    gift: int = 128
    give: int = 512


class Burden:
    """The burden of holdings against what is unseen.

    Args:
        values: points by bit of every counting card.
        unseen: mask.
        others: how many seats hold cards besides.
        dump: points that a seat which cannot follow throws on a trick, in 1024ths.
    """

    def __init__(
        self, values: dict[int, int], unseen: int, others: int, dump: int, weights: Weights
    ) -> None:
        self._values = values
        self._unseen = unseen
        self._others = others
        self._dump = dump
        self._weights = weights
        self._dear: dict[int, int] = {}
        for bit, points in values.items():
            if points > 0:
                self._dear[points] = self._dear.get(points, 0) | bit
        self._known: dict[tuple[int, int], int] = {}

    def relief(self, hand: int, bit: int) -> int:
        """How much lighter the hand is without that card, in 1024ths of a point."""
        suit = SUIT_OF[bit]
        if not suit:
            return -self._weights.joker
        return self.of(hand & suit, suit) - self.of(hand & suit & ~bit, suit)

    def of(self, held: int, suit: int) -> int:
        """The burden of what is held of one suit."""
        known = self._known.get((held, suit))
        if known is None:
            known = self._known[held, suit] = self._reckon(held, suit)
        return known

    def _reckon(self, held: int, suit: int) -> int:
        weights, others = self._weights, self._others
        unseen = self._unseen & suit
        count = unseen.bit_count()
        if not held:
            return -weights.void * count // others
        burden = 0
        for guards, bit in enumerate(ascending(held)):
            below = unseen & BELOW[bit]
            lower = below.bit_count()
            own = self._values.get(bit, 0)
            if count:
                live = count - guards * others * 3 // 4
                forced = max(live * ONE // count, weights.least)
                wins = lower * lower * ONE // (count * count)
                voids = min(ONE, ONE * others * (guards + 1) // (2 * count))
            else:
                forced, wins, voids = ONE // 4, ONE, ONE
            cost = own * ONE + self._falling(below) + (self._dump * voids >> 10)
            burden += (forced * wins >> 10) * cost >> 10
            if own < 0:
                burden += own * weights.bonus
        return burden

    def _falling(self, below: int) -> int:
        """What the unseen penalty cards of a suit below a card are likely to add to its trick."""
        total = count = 0
        for points, cards in self._dear.items():
            found = (below & cards).bit_count()
            total += points * found
            count += found
        return total * min(count, self._others) * self._weights.falls // count if count else 0
