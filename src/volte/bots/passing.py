"""What a hand that has to pass would be lighter without."""

from __future__ import annotations

from msgspec.structs import replace

from volte.bots.burden import Burden, Weights
from volte.bots.odds import Odds
from volte.bots.ranks import SUIT_OF, ascending
from volte.bots.taking import values_of
from volte.cards import Card, cards_in
from volte.rules import Direction
from volte.view import View

USUAL = Weights()


def cards_to_pass(view: View, weights: Weights) -> tuple[Card, ...]:
    """Gives the card that lightens the hand most, and so on with what is left (P1).

    A void counts for nothing here, since what comes in may fill it again.
    """
    assert view.seat is not None
    scales = Scales(view, weights)
    hand, given = view.hand.mask, 0
    for _ in range(view.deal.pass_size):
        best = max(cards_in(hand), key=lambda card: (scales.relief(hand, card.bit), -card.index))
        hand &= ~best.bit
        given |= best.bit
    return handed_out(view, given)


def burdens(view: View) -> list[Card]:
    """The cards of a hand that has to pass, the heaviest first."""
    scales, hand = Scales(view, USUAL), view.hand.mask
    return sorted(view.hand, key=lambda card: (-scales.relief(hand, card.bit), card.index))


def handed_out(view: View, given: int) -> tuple[Card, ...]:
    """The cards of a mask in the order in which they are passed.

    That says something in a scatter only (W1): partners get what weighs least, and the others the
    rest as it comes.
    """
    cards = list(cards_in(given))
    deal, seat = view.deal, view.seat
    assert seat is not None
    mates = {(mate - seat) % deal.rules.players - 1 for mate in deal.rules.side(seat)} - {-1}
    if deal.direction is not Direction.SCATTER or not mates:
        return tuple(cards)
    light = [card for card in reversed(burdens(view)) if card.bit & given][: len(mates)]
    others = iter([card for card in cards if card not in light])
    kept = iter(light)
    return tuple(next(kept if place in mates else others) for place in range(len(cards)))


class Scales:
    """What a card of a hand that has to pass weighs on the side of its holder."""

    def __init__(self, view: View, weights: Weights) -> None:
        values = values_of(view)
        odds = Odds(view, values)
        deal, seat = view.deal, view.seat
        assert seat is not None
        self._burden = burden_of(view, values, odds, replace(weights, void=0))
        self._to_partner = deal.direction is not Direction.SCATTER and (
            deal.direction.target(seat, deal.rules.players) in deal.rules.side(seat)
        )
        self._unseen, self._others = odds.unseen, deal.rules.players - 1

    def relief(self, hand: int, bit: int) -> int:
        """How much lighter the hand is without that card; what a partner gets weighs on him."""
        relief = self._burden.relief(hand, bit)
        suit = SUIT_OF[bit]
        if not self._to_partner or not suit:
            return relief
        share = sum(ascending(self._unseen & suit)[self._others // 2 :: self._others])
        return relief - self._burden.relief(share | bit, bit)


def burden_of(view: View, values: dict[int, int], odds: Odds, weights: Weights) -> Burden:
    """The burden of holdings as the seat of that view sees them."""
    rules = view.deal.rules
    assert view.seat is not None
    others = rules.players - 1
    foes = [seat for seat in range(rules.players) if seat not in rules.side(view.seat)]
    dump = sum(odds.dearest(seat, odds.unseen) for seat in foes) // others
    return Burden(values, odds.unseen, others, dump, weights)
