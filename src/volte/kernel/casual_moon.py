"""`volte.bots.moon` in compiled code: who may be shooting the moon, and whether this hand can."""

from __future__ import annotations

from volte.kernel.bits import NONE, ONE, highest_index
from volte.kernel.casual_odds import WHOLE, size, suit_mask
from volte.kernel.compiler import apart, inlined
from volte.kernel.layout import Record
from volte.kernel.play import points_in


@inlined
def weigh_fear(rules: Record, deal: Record, mind: Record) -> None:
    """The other seat that may take everything, and how much that is to be feared."""
    mind.shooter = alone_in_front(rules, deal)
    mind.fear = 0
    if mind.shooter >= 0 and mind.shooter != mind.seat:
        share = share_of(rules, deal, mind.shooter)
        square = share * share >> 10
        mind.fear = square * square >> 10


@inlined
def alone_in_front(rules: Record, deal: Record) -> int:
    """The only seat that has penalty cards, or tricks where only the slam counts; or -1."""
    front = -1
    if rules.moon or rules.slam:
        for seat in range(rules.players):
            has_cards = deal.taken[seat] & rules.penalties != NONE
            if has_cards if rules.moon else deal.won[seat] > 0:
                if front >= 0:
                    return -1
                front = seat
    return front


@inlined
def share_of(rules: Record, deal: Record, seat: int) -> int:
    """What a seat has of the penalty cards, and of their points; or of the tricks."""
    if not rules.moon:
        return deal.won[seat] * WHOLE // rules.hand_size  # type: ignore[no-any-return]
    cards = size(rules.penalties)
    taken = deal.taken[seat] & rules.penalties
    have = size(taken) * rules.total + points_in(rules, taken) * cards
    return have * WHOLE // (2 * cards * rules.total)  # type: ignore[no-any-return]


@apart
def takes_all(rules: Record, deal: Record, mind: Record) -> bool:
    """Whether the hand is likely to take every trick that is left, and the moon with them."""
    if not rules.moon or deal.kitty_taker not in (-1, mind.seat):
        return False
    for seat in range(rules.players):
        if seat != mind.seat and deal.taken[seat] & rules.penalties != NONE:
            return False
    left = deal.hands[mind.seat]
    for suit in range(4):
        held = left & suit_mask(suit)
        hidden = mind.unseen & suit_mask(suit)
        left ^= held
        drawn = 0
        while held != NONE:
            index = highest_index(held)
            held ^= ONE << index
            above = hidden >> index != NONE
            if above and drawn * mind.others * 2 // 3 < size(hidden):
                return False
            drawn += 1
    return left == NONE  # type: ignore[no-any-return]
