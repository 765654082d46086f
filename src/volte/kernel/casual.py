"""`volte.bots.casual` in compiled code: from the same view the same choice.

It reads the hand of the seat that chooses, that seat's pass, and the open cards; no other
hand, nor a kitty that another seat has. Sums are the readable ones, in whole 1024ths, shifted and
divided in the same order.
"""

from __future__ import annotations

from typing import Final, cast

import numpy as np
from numba import from_dtype, types

from volte.cards import PACK_SIZE, SUIT_MASKS, Suit
from volte.kernel.casual_odds import (
    MIND,
    MOST_GIVEN,
    SUIT_SIZE,
    SUITS,
    WHOLE,
    beaten,
    dearest,
    exit_in,
    look,
    none_of,
    outlook,
    shoots,
    suit_mask,
    weigh_fear,
    weigh_hand,
    weigh_threat,
)
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
from volte.kernel.play import (
    QUEEN,
    brings_kitty,
    give_all,
    on_table,
    pass_size,
    points_in,
    seat_after,
)

LOWEST: Final = cast(int, np.int64(-(1 << 62)))
"""Start value of a maximum: less than any card can be worth."""

FEW: Final = cast(int, np.int64(4))
"""Most cards in a hand that leads a sure exit at once, as in `volte.bots.casual`."""

ENDING: Final = cast(int, np.int64(3))
"""Number of leads from which on an exit has its full worth."""

HIGHEST: Final = cast(int, np.int64(1 << 62))
"""Start value of a minimum: more than any set of cards can cost."""

FAR: Final = cast(int, np.int64(1 << 40))
"""Stands for an end out of reach: more points than any match has."""

_MIND: Final = from_dtype(MIND)

_HEARTS: Final = 3
_BELOW_QUEEN: Final = (QUEEN - ONE) & U(SUIT_MASKS[Suit.SPADES] & (1 << PACK_SIZE) - 1)


# The pass

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


# Later seats


@apart
def takes(rules: Record, mind: Record, suit: int, bit: U) -> int:
    """The chance that the card takes the trick; it must be the highest of its suit so far."""
    below = suit_mask(suit) & (bit - ONE)
    above = suit_mask(suit) & ~(bit | bit - ONE)
    chance = WHOLE
    for steps in range(1, mind.later + 1):
        seat = seat_after(rules, mind.seat, steps)
        under = none_of(rules, mind, seat, suit, below)
        over = WHOLE - none_of(rules, mind, seat, suit, above)
        must = over * under >> 10
        chance = chance * (WHOLE - must - ((over - must) * mind.urge >> 10)) >> 10
    return chance


@inlined
def likely_discards(rules: Record, deal: Record, mind: Record, suit: int) -> int:
    """Penalty points that later seats are likely to discard if the suit is led (T3, W3, T6, T7)."""
    total = 0
    for steps in range(1, mind.later + 1):
        seat = seat_after(rules, mind.seat, steps)
        void = none_of(rules, mind, seat, suit, suit_mask(suit))
        if void:
            allowed = rules.allowed[deal.gathered, suit, deal.broken, deal.voided >> seat & 1]
            total += void * dearest(rules, mind, seat, allowed & ~suit_mask(suit)) >> 10
    return total


@inlined
def dearest_below(rules: Record, mind: Record, below: U) -> int:
    """Penalty points that later seats, following suit, are likely to play under a card."""
    total = 0
    if below & rules.penalties != NONE:
        for steps in range(1, mind.later + 1):
            total += dearest(rules, mind, seat_after(rules, mind.seat, steps), below)
    return total


@apart
def shooter_takes(rules: Record, deal: Record, mind: Record) -> int:
    """The chance that the feared seat takes this trick, as far as the cards on it tell."""
    if deal.led == NONE:
        return 0
    if deal.winner == mind.shooter:
        return WHOLE
    steps = mind.shooter - mind.seat
    if steps < 0:
        steps += rules.players
    if steps > mind.later:
        return 0
    higher = deal.led & ~(deal.best | deal.best - ONE)
    return WHOLE - none_of(rules, mind, mind.shooter, index_of(deal.best) // SUIT_SIZE, higher)


# The value of a card


@inlined
def see_trick(rules: Record, deal: Record, mind: Record, weights: Record) -> None:
    """Note the cards on the table, and the points that the kitty is likely to bring (D6, W4)."""
    table = on_table(deal)
    mind.later = mind.others - deal.count
    mind.table = points_in(rules, table)
    mind.dirty = 1 if table & rules.penalties != NONE else 0
    mind.urge = weights.greedy if mind.dirty else weights.eager
    mind.kitty = 0
    any_trick = rules.kitty_for & rules.deck == rules.deck
    last = any_trick or deal.gathered + 1 == rules.hand_size
    if brings_kitty(rules, deal, table, last):
        brings = points_in(rules, mind.unseen) * WHOLE * rules.kitty_size
        mind.kitty = brings // size(mind.unseen)


@inlined
def weigh_forfeit(rules: Record, deal: Record, mind: Record, weights: Record) -> None:
    """Note the loss by a penalty card that goes to the likely shooter, and by a card that could
    still stop them."""
    mind.forfeit = mind.stopper = 0
    if not mind.fear:
        return
    theirs = shooter_takes(rules, deal, mind)
    if mind.dirty and deal.led != NONE and not theirs:
        mind.fear = 0  # somebody else gets points, and that ends the moon
    else:
        stake = rules.total * mind.fear * weights.give >> 10
        mind.forfeit = stake * theirs >> 10
        mind.stopper = rules.total * mind.fear


@inlined
def nearness(most: int, left: int) -> int:
    """Nearness of a total to the end of the match: 0 to twice the points of a deal.

    Args:
        most: the points of a deal.
        left: points that are left until the end.
    """
    return min(most, max(0, most - left)) + (most if left <= 0 else 0)


@inlined
def weigh_end(rules: Record, deal: Record, mind: Record) -> None:
    """Note how far the trick, as it lies, leaves its taker from the end, if that matters."""
    mind.left = FAR
    left = deal.ending_total - deal.totals[deal.winner]
    if deal.ending_total == 0 or deal.led == NONE or left >= 2 * rules.total:
        return
    ours = deal.totals[mind.seat] + points_in(rules, deal.taken[mind.seat])
    for seat in range(rules.players):
        if deal.totals[seat] + points_in(rules, deal.taken[seat]) < ours:
            mind.left = left - points_in(rules, deal.taken[deal.winner]) - mind.table


@inlined
def dear_above(rules: Record, deal: Record, mind: Record, suit: int) -> int:
    """Points of the unseen penalty cards above all cards of the suit in the hand."""
    if suit == SUITS - 1:
        return 0
    top = ONE << highest_index(deal.hands[mind.seat] & suit_mask(suit))
    above = suit_mask(suit) & ~(top | top - ONE)
    return points_in(rules, mind.unseen & rules.penalties & above)


@inlined
def could_stop(mind: Record, suit: int, bit: U) -> bool:
    """Whether the card could still take a trick from a shooter.

    It beats an unseen card of its suit, and one unseen card beats it at most.
    """
    unseen = mind.unseen & suit_mask(suit)
    above = unseen & ~(bit | bit - ONE)
    return above & (above - ONE) == NONE and unseen & (bit - ONE) != NONE  # type: ignore[no-any-return]


@inlined
def worth_of(
    rules: Record, mind: Record, weights: Record, index: int, chance: int, adds: int
) -> int:
    """The value of a card, without the gain if its lead draws out a dear card.

    Args:
        chance: that it takes the trick.
        adds: points that later seats are likely to add, in 1024ths.
    """
    own = rules.values[index]
    relief = mind.relief[index] * weights.relief >> 10
    worth = relief - (relief * mind.fear >> 10)
    if chance:
        cost = (mind.table + own) * WHOLE + adds + mind.kitty + weights.lead
        if mind.fear:
            stops = not rules.moon or mind.dirty or own > 0
            cost -= rules.total * mind.fear * (WHOLE if stops else min(WHOLE, adds)) >> 10
        worth -= chance * cost >> 10
    if own > 0 and chance != WHOLE:
        nearer = nearness(rules.total, mind.left - own) - nearness(rules.total, mind.left)
        gift = own * weights.gift - mind.forfeit - nearer * WHOLE
        worth += gift * (WHOLE - chance) >> 10
    return worth  # type: ignore[no-any-return]


@inlined
def outlook_of(
    rules: Record, mind: Record, weights: Record, rest: U, suit: int, bit: U, chance: int
) -> int:
    """Worth of the cards that stay in the hand for giving the lead away.

    Args:
        rest: mask of these cards.
        chance: that the card played takes the trick.
    """
    exits, keeps, followers = mind.exits, mind.keeps, mind.followers
    if suit < SUITS - 1:
        cards = suit_mask(suit)
        exit, keep, number = exit_in(rest & cards, mind.unseen & ~mind.drawn & cards)
        exits += exit
        keeps = min(keeps, keep)
        followers += number
    more = size(rest) - 1
    if more <= 0:
        keeps = np.int64(0)
    out = mind.out
    if bit & rules.penalties != NONE:
        out -= rules.values[index_of(bit)]
    comes = followers * WHOLE // max(1, mind.hidden)
    leads = chance + ((WHOLE - chance) * comes * weights.back >> 20)
    danger = (out * keeps * leads >> 10) * weights.stuck >> 10
    return (exits * (weights.exit * min(more, ENDING) // ENDING) >> 10) - danger  # type: ignore[no-any-return]


@inlined
def best_of(
    rules: Record,
    deal: Record,
    mind: Record,
    weights: Record,
    suit: int,
    cards: U,
    best: U,
    top: int,
) -> tuple[U, int]:
    """The better of the best so far and the best of some cards of one suit, and its value.

    The taker's chance and the points that later seats add are the same for two cards with no
    unseen one between them.
    """
    ours = suit < SUITS - 1 and (deal.led == NONE or deal.led == suit_mask(suit))
    discards = likely_discards(rules, deal, mind, suit) if ours else 0
    driven = dear_above(rules, deal, mind, suit) if deal.led == NONE else 0
    flush = weights.flush * driven
    hand = deal.hands[mind.seat]
    late = deal.led == NONE and suit < SUITS - 1 and size(hand) <= FEW
    hidden = mind.unseen & suit_mask(suit)
    outlook(rules, deal, mind, suit)
    chance = adds = 0
    before = ~NONE
    while cards != NONE:
        bit = lowest(cards)
        cards ^= bit
        if ours and bit > deal.best:
            below = mind.unseen & suit_mask(suit) & (bit - ONE)
            if below != before:
                before = below
                chance = takes(rules, mind, suit, bit)
                adds = discards + dearest_below(rules, mind, below)
        worth = flush + worth_of(rules, mind, weights, index_of(bit), chance, adds)
        if mind.stopper and suit < SUITS - 1 and could_stop(mind, suit, bit):
            worth -= mind.stopper * (WHOLE - chance) >> 10
        if late and hidden != NONE and hidden & (bit - ONE) == NONE:
            worth += weights.leave
        worth += outlook_of(rules, mind, weights, hand & ~bit, suit, bit, chance)
        if worth > top:
            best, top = bit, worth
    return best, top


# Shooting the moon


@apart
def wins_this(rules: Record, deal: Record, mind: Record, legal: U) -> bool:
    """Whether the hand leads, or has a card that is sure to take the trick."""
    sure = deal.led == NONE
    cards = legal & deal.led & ~(deal.best | deal.best - ONE)
    while cards != NONE:
        bit = lowest(cards)
        cards ^= bit
        sure = sure or takes(rules, mind, index_of(bit) // SUIT_SIZE, bit) == WHOLE
    return sure  # type: ignore[no-any-return]


@apart
def best_shot(rules: Record, deal: Record, mind: Record, legal: U) -> U:
    """The card of a hand that shoots the moon: take every trick, and give nothing away.

    Of cards alike in that the highest goes first; but the last to play takes with a card without
    which the fewest others are beaten.
    """
    last = deal.led != NONE and mind.later == 0
    hand = deal.hands[mind.seat]
    best = NONE
    top = LOWEST
    while legal != NONE:
        bit = lowest(legal)
        legal ^= bit
        index = index_of(bit)
        takers = rules.suits[index] if deal.led == NONE else deal.led
        chance = 0
        if bit & takers != NONE and bit > deal.best:
            chance = takes(rules, mind, index // SUIT_SIZE, bit)
        shot = (chance - max(0, rules.values[index])) * WHOLE * WHOLE
        if last:
            _, beaters = beaten(rules, mind, hand & ~bit)
            shot -= beaters * WHOLE
        shot += index
        if shot > top:
            best, top = bit, shot
    return best


# The play


@shared(types.uint64(RULES_ROW, DEAL_ROW, types.uint64, SEAT_ROW, _MIND))
def casual_card(rules: Record, deal: Record, legal: U, weights: Record, mind: Record) -> U:
    """The legal card of the highest value, for the seat on turn."""
    if legal & (legal - ONE) == NONE:
        return legal
    look(rules, deal, deal.turn, deal.led if deal.led != NONE else legal, mind)
    see_trick(rules, deal, mind, weights)
    if shoots(rules, deal, mind) and wins_this(rules, deal, mind, legal):
        return best_shot(rules, deal, mind, legal)
    weigh_threat(rules, mind)
    mind.void = weights.void
    weigh_hand(rules, mind, weights, deal.hands[mind.seat], legal)
    weigh_fear(rules, deal, mind)
    weigh_forfeit(rules, deal, mind, weights)
    weigh_end(rules, deal, mind)
    best = NONE
    top = LOWEST
    for suit in range(SUITS):
        cards = legal & suit_mask(suit)
        if cards != NONE:
            best, top = best_of(rules, deal, mind, weights, suit, cards, best, top)
    return best
