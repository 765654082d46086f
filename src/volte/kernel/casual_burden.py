"""`volte.bots.burden` in compiled code: how much lighter a hand is without each of its cards.

The readable one adds up the burden of a holding with a card, and again without it. A card weighs by
itself, but for its guards: how many cards of the suit the hand has below it. Without a card, those
below weigh the same, and each of those above has one guard less. So one walk down a suit, with
two weights for each card, gives the relief of all of them.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.kernel.bits import NONE, ONE, U, count, highest_index
from volte.kernel.casual_odds import SUIT_SIZE, WHOLE, dearest, size, suit_mask
from volte.kernel.compiler import apart, inlined
from volte.kernel.layout import MOST_SEATS, Record

_JOKERS: Final = 4

_others, _unseen, _guards = np.ogrid[:MOST_SEATS, : SUIT_SIZE + 1, : SUIT_SIZE + 1]


def _where_some_are_unseen(table: NDArray[np.int64], where_none: int) -> NDArray[np.int64]:
    table[..., 0, :] = where_none
    return table


FORCED: Final = _where_some_are_unseen(
    (_unseen - _guards * _others * 3 // 4) * WHOLE // np.maximum(_unseen, 1), WHOLE // 4
)
"""`[others][unseen cards of the suit][guards]`: the chance that a card must be played."""

VOIDS: Final = _where_some_are_unseen(
    np.minimum(WHOLE, WHOLE * _others * (_guards + 1) // np.maximum(2 * _unseen, 1)), WHOLE
)
"""The same: the chance that somebody is void by then."""

WINS: Final = _where_some_are_unseen(
    (_guards * _guards * WHOLE // np.maximum(_unseen * _unseen, 1))[0], WHOLE
)
"""`[unseen cards of the suit][those of them below]`: the chance that a card takes its trick."""


@inlined
def weigh_threat(rules: Record, mind: Record) -> None:
    """What a seat that cannot follow throws on a trick, on average."""
    threat = 0
    for seat in range(rules.players):
        if seat != mind.seat:
            threat += dearest(rules, mind, seat, mind.unseen)
    mind.threat = threat // mind.others


@inlined
def weigh_hand(rules: Record, mind: Record, weights: Record, hand: U, wanted: U) -> None:
    """The relief of each card of a hand, in the suits of another mask."""
    for suit in range(_JOKERS):
        if wanted & suit_mask(suit) != NONE:
            weigh_suit(rules, mind, weights, hand & suit_mask(suit), suit)
    if wanted & suit_mask(_JOKERS) != NONE:
        mind.relief[SUIT_SIZE * _JOKERS :] = -weights.joker


@apart
def weigh_suit(rules: Record, mind: Record, weights: Record, held: U, suit: int) -> None:
    """The relief of each card that is held of a suit, from the highest down."""
    unseen = mind.unseen & suit_mask(suit)
    number = size(unseen)
    guards = size(held) - 1
    lighter = 0 if guards else -(-mind.void * number // mind.others)
    while held != NONE:
        index = highest_index(held)
        held ^= ONE << index
        below = unseen & ((ONE << index) - ONE)
        own = rules.values[index]
        wins = WINS[number, count(below)]
        price = own * WHOLE + falling(rules, mind, weights, below)
        weight = weigh_card(mind, weights, number, guards, wins, price)
        mind.relief[index] = weight + min(own, 0) * weights.bonus + lighter
        guards -= 1
        if guards >= 0:
            lighter += weight - weigh_card(mind, weights, number, guards, wins, price)


@inlined
def weigh_card(
    mind: Record, weights: Record, number: int, guards: int, wins: int, price: int
) -> int:
    """The weight of a card with so many guards, where so many of its suit are unseen.

    Args:
        wins: the chance that it takes its trick.
        price: what that trick costs, but for what is thrown on it.
    """
    forced = max(FORCED[mind.others, number, guards], weights.least if number else 0)
    cost = price + (mind.threat * VOIDS[mind.others, number, guards] >> 10)
    return (forced * wins >> 10) * cost >> 10  # type: ignore[no-any-return]


@inlined
def falling(rules: Record, mind: Record, weights: Record, below: U) -> int:
    """What the penalty cards among unseen ones below a card are likely to add to its trick."""
    if below & rules.penalties == NONE:
        return 0
    total = 0
    number = 0
    for kind in range(rules.dear):
        fall = size(below & rules.dear_masks[kind])
        total += rules.dear_values[kind] * fall
        number += fall
    return total * min(number, mind.others) * weights.falls // number  # type: ignore[no-any-return]
