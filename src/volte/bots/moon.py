"""The moon: who may be shooting it, and whether one's own hand can (S3, S4)."""

from __future__ import annotations

from volte.bots.odds import ONE
from volte.cards import SUIT_MASKS
from volte.game import DealState
from volte.rules import MoonRule, SlamRule


def feared(deal: DealState, seat: int) -> tuple[int, int]:
    """The other seat that may take everything, and how much that is to be feared in 1024ths.

    Only the first that anybody else takes ends it. Fear is the fourth power of the share that the
    seat has: the mean of its shares of the penalty cards and of their points, or, where only the
    slam counts, its share of the tricks. (-1, 0) where there is nobody to fear.
    """
    rules = deal.rules
    if rules.moon.moon is not MoonRule.OFF:
        cards, points = rules.penalty_mask.bit_count(), rules.penalty_total
        whole = 2 * cards * points
        have = [
            (taken & rules.penalty_mask).bit_count() * points
            + rules.points_in(taken & rules.penalty_mask) * cards
            for taken in deal.taken
        ]
    elif rules.moon.slam is not SlamRule.OFF:
        whole, have = rules.hand_size, list(deal.won)
    else:
        return -1, 0
    most = max(have)
    shooter = have.index(most)
    if shooter == seat or not 0 < most == sum(have):
        return -1, 0
    share = most * ONE // whole
    square = share * share >> 10
    return shooter, square * square >> 10


def takes_all(deal: DealState, seat: int, unseen: int) -> bool:
    """Whether the hand is likely to take every trick that is left, and the moon with them.

    A card will take its trick where no unseen card of its suit is higher, or where the ones above
    it in the hand have drawn the suit out, each of them two thirds of a round.
    """
    rules = deal.rules
    if rules.moon.moon is MoonRule.OFF or deal.kitty_taker not in (None, seat):
        return False
    if any(taken & rules.penalty_mask for other, taken in enumerate(deal.taken) if other != seat):
        return False
    left = deal.hands[seat]
    for suit in SUIT_MASKS:
        held, hidden = left & suit, unseen & suit
        left ^= held
        drawn = 0
        while held:
            bit = 1 << held.bit_length() - 1
            held ^= bit
            if hidden & -bit and drawn * (rules.players - 1) * 2 // 3 < hidden.bit_count():
                return False
            drawn += 1
    return not left
