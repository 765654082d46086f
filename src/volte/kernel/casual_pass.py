"""The pass of `volte.bots.casual` in compiled code, the twin of `volte.bots.candidates`.

It reads the hand of the seat that chooses, and no other.
"""

from __future__ import annotations

from typing import Final, cast

import numpy as np
from numba import from_dtype, types

from volte.cards import PACK_SIZE, SUIT_MASKS, Suit
from volte.kernel.casual_odds import MIND, MOST_GIVEN, SUITS, WHOLE, suit_mask
from volte.kernel.compiler import (
    DEAL_ROW,
    NONE,
    ONE,
    RULES_ROW,
    SEAT_ROW,
    U,
    apart,
    highest_index,
    index_of,
    inlined,
    lowest,
    shared,
    size,
    split,
)
from volte.kernel.layout import Record
from volte.kernel.play import QUEEN, give_all, pass_size

HIGHEST: Final = cast(int, np.int64(1 << 62))
"""Start value of a minimum: more than any set of cards can cost."""

_MIND: Final = from_dtype(MIND)

_HEARTS: Final = 3
_BELOW_QUEEN: Final = (QUEEN - ONE) & U(SUIT_MASKS[Suit.SPADES] & (1 << PACK_SIZE) - 1)

_LENGTHS: Final = 6
_RANKS: Final = 4
_GUARDS: Final = 5
_PER_KIND: Final = 15
_HELD_DEAR: Final = 45
_ABOVE_DEAR: Final = 50
_WITH_DEAR: Final = 55
_OTHERS: Final = 60
"""Places of the weights in `passing`, as in `volte.bots.odds`."""

_BARRED: Final = cast(int, np.int64(1 << 40))
"""Extra cost of a choice that is only a last resort."""


@inlined
def dear_in(rules: Record, suit: int) -> U:
    """The bit of a suit's dearest penalty card if it counts a quarter of all points; else 0."""
    for kind in range(rules.dear):
        if rules.dear_suits[kind] == suit:
            if 4 * rules.dear_values[kind] < rules.total:
                return NONE
            return lowest(rules.dear_masks[kind])
    return NONE


@inlined
def height_in(unseen: U, bit: U) -> int:
    """Height of a card among unseen ones of its suit: from -1024, below all, to 1024, above."""
    return 2 * WHOLE * size(unseen & (bit - ONE)) // max(1, size(unseen)) - WHOLE


@inlined
def holding_costs(rules: Record, weights: Record, suit: int, held: U, kept: U) -> int:
    """Cost of the cards kept of a suit, to be compared with other holdings of the same hand.

    Args:
        held, kept: masks of the hand's cards of the suit, before the pass and after it.
    """
    learned = weights.passing
    cards = rules.deck & suit_mask(suit)
    unseen = cards & ~held
    penalties = rules.penalties & cards
    dear = dear_in(rules, suit)
    kind = 1 if dear != NONE else 2 if 2 * size(penalties) >= size(cards) else 0
    start = kind * _PER_KIND
    cost = np.int64(learned[start + min(size(kept), _LENGTHS - 1)])
    left = kept
    rank = 0
    while left != NONE:
        bit = lowest(left)
        left ^= bit
        height = height_in(unseen, bit)
        place = start + _LENGTHS + rank
        if rank < _RANKS:
            cost += learned[place] * height >> 10
            cost += learned[place + _RANKS] * (height * height >> 10) >> 10
            rank += 1
        else:
            cost += learned[start + _LENGTHS + 2 * _RANKS] * height >> 10
        cost += min(0, rules.values[index_of(bit)]) * weights.bonus
    if dear != NONE:
        guards = min(size(kept & (dear - ONE)), _GUARDS - 1)
        above = size(kept & ~(dear | dear - ONE))
        if kept & dear != NONE:
            cost += learned[_HELD_DEAR + guards] + learned[_WITH_DEAR + guards] * above
        elif held & dear != NONE:
            cost += learned[_OTHERS] + learned[_OTHERS + 1] * above
        else:
            cost += learned[_ABOVE_DEAR + guards] * above
    elif kind:
        left = held & ~kept
        while left != NONE:
            bit = lowest(left)
            left ^= bit
            cost += learned[_OTHERS + 2] + (learned[_OTHERS + 3] * height_in(unseen, bit) >> 10)
    return cost  # type: ignore[return-value]


@inlined
def whims(weights: Record, chance: U, given: U) -> int:
    """Discount by chance on giving those cards away.

    Args:
        chance: a seed.
    """
    total = np.int64(0)
    while weights.whim > 0 and given != NONE:
        bit = lowest(given)
        given ^= bit
        total += np.int64(split(chance, U(index_of(bit))) % U(weights.whim))
    return total  # type: ignore[return-value]


@inlined
def highest_hearts(rules: Record, number: int) -> U:
    """The highest hearts, which may stop a moon; none where hearts cannot make one."""
    found = NONE
    left = rules.deck & suit_mask(_HEARTS)
    if not rules.moon or left & rules.penalties == NONE:
        return NONE
    for _ in range(number):
        if left != NONE:
            bit = ONE << highest_index(left)
            left ^= bit
            found |= bit
    return found


@apart
def weigh_sets(
    rules: Record, deal: Record, seat: int, weights: Record, suit: int, barred: U, mind: Record
) -> None:
    """Extend the cheapest sets of each size, which are in `mind`, by cards of one more suit.

    Args:
        barred: mask of cards that are given only as a last resort.
    """
    queen = QUEEN & rules.penalties
    stoppers = highest_hearts(rules, 2)
    chance = split(weights.seed, deal.hands[seat])
    held = deal.hands[seat] & suit_mask(suit)
    gone = deal.given[seat] & held
    most = pass_size(rules, deal)
    free = held & ~gone
    for number in range(most + 1):
        mind.costs[1, number] = HIGHEST
    picked = free
    while True:
        number = size(picked)
        if number <= most:
            given = picked | gone
            kept = held & ~given
            if suit == SUITS - 1:
                cost = -weights.joker * size(kept)
            else:
                cost = holding_costs(rules, weights, suit, held, kept)
            cost -= whims(weights, chance, given)
            if given & queen != NONE and size(kept & _BELOW_QUEEN) >= weights.guards:
                cost += _BARRED
            covered = size(held) >= weights.cover
            if covered and held & stoppers != NONE and kept & stoppers == NONE:
                cost += _BARRED
            if given & barred != NONE:
                cost += _BARRED
            for before in range(most - number + 1):
                sum_of = mind.costs[0, before] + cost
                found = mind.sets[0, before] | given
                known = mind.costs[1, before + number]
                if mind.costs[0, before] < HIGHEST and (
                    sum_of < known or (sum_of == known and found < mind.sets[1, before + number])
                ):
                    mind.costs[1, before + number] = sum_of
                    mind.sets[1, before + number] = found
        if picked == NONE:
            break
        picked = picked - ONE & free
    for number in range(most + 1):
        mind.costs[0, number] = mind.costs[1, number]
        mind.sets[0, number] = mind.sets[1, number]


@shared(types.void(RULES_ROW, DEAL_ROW, types.int64, SEAT_ROW, _MIND))
def casual_pass(rules: Record, deal: Record, seat: int, weights: Record, mind: Record) -> None:
    """Give the set that costs least at a glance (P1); cards given before stay given.

    In part it is chance, which follows from the seed and the hand. Cards are scattered from the
    lowest up (W1).
    """
    hand = deal.hands[seat]
    queen = QUEEN & rules.penalties
    high = highest_hearts(rules, 3)
    most = pass_size(rules, deal) - size(deal.given[seat])
    best = HIGHEST
    chosen = NONE
    both = hand & queen != NONE and hand & high != NONE
    for turn in range(2 if both else 1):
        for number in range(MOST_GIVEN + 1):
            mind.costs[0, number] = HIGHEST
        mind.costs[0, 0] = 0
        mind.sets[0, 0] = NONE
        barred = NONE
        if both:
            barred = high if turn else queen
        for suit in range(SUITS):
            weigh_sets(rules, deal, seat, weights, suit, barred, mind)
        cost = mind.costs[0, most]
        if cost < best or (cost == best and mind.sets[0, most] < chosen):
            best, chosen = cost, mind.sets[0, most]
    give_all(rules, deal, seat, chosen & ~deal.given[seat])
