"""`volte.bots.casual` in compiled code: from the same view the same choice.

It reads the hand of the seat that chooses, what that seat has given, and what lies open; no other
hand, nor a kitty that another seat has. Sums are the readable ones, in whole 1024ths, shifted and
divided in the same order.
"""

from __future__ import annotations

from typing import Final, cast

import numpy as np
from numba import from_dtype, types

from volte.cards import PACK_SIZE, SUIT_MASKS, Suit
from volte.kernel.casual_odds import (
    ODDS,
    SUIT_SIZE,
    SUITS,
    WHOLE,
    dearest,
    look,
    none_of,
    suit_mask,
    takes_all,
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
from volte.kernel.layout import MOST_CARDS, Record
from volte.kernel.play import (
    QUEEN,
    brings_kitty,
    give_all,
    on_table,
    pass_size,
    points_in,
    seat_after,
)

MIND: Final = np.dtype(
    [
        *ODDS,
        ("void", np.int64),  # what a void is worth; nothing in the pass
        ("threat", np.int64),  # what a seat that cannot follow throws on a trick
        ("relief", np.int64, MOST_CARDS),  # by card, how much lighter the hand is without it
        ("later", np.int64),  # how many seats play to the trick after this one
        ("table", np.int64),  # points that lie there
        ("dirty", np.int64),  # 1 where a penalty card does
        ("urge", np.int64),  # the chance that a seat which need not beat the trick does
        ("kitty", np.int64),  # what the kitty is likely to bring with this trick
        ("shooter", np.int64),  # the other seat that may take everything; -1 where there is none
        ("fear", np.int64),  # how much that is to be feared
        ("forfeit", np.int64),  # what a penalty card given away loses of the stake
        ("stopper", np.int64),  # what a card is worth that could still stop the shooter
    ]
)
"""What a seat has in mind while it chooses: scratch, of one choice."""

LOWEST: Final = cast(int, np.int64(-(1 << 62)))
"""Below every sum."""

_MIND: Final = from_dtype(MIND)

_HEARTS: Final = 3
_BELOW_QUEEN: Final = (QUEEN - ONE) & U(SUIT_MASKS[Suit.SPADES] & (1 << PACK_SIZE) - 1)


# The pass


@inlined
def heaviest(mind: Record, hand: U, chance: U, whim: int) -> U:
    """The card that the hand is lightest without, but for a whim; of several, the lowest.

    Args:
        chance: a seed.
    """
    best = NONE
    top = LOWEST
    while hand != NONE:
        bit = lowest(hand)
        hand ^= bit
        index = index_of(bit)
        relief = mind.relief[index]
        if whim > 0:
            relief += np.int64(split(chance, U(index)) % U(whim))
        if relief > top:
            best, top = bit, relief
    return best


@inlined
def spared(rules: Record, weights: Record, hand: U, given: U) -> U:
    """Mask of the cards that are not passed, as long as there are others."""
    stay = NONE
    queen = QUEEN & rules.penalties
    if size(hand & _BELOW_QUEEN) >= weights.guards:
        stay = queen
    hearts = suit_mask(_HEARTS)
    if not rules.moon or hearts & rules.penalties == NONE:
        return stay
    highest_two = high = NONE
    left = rules.deck & hearts
    for place in range(3):
        if left != NONE:
            bit = ONE << highest_index(left)
            left ^= bit
            high |= bit
            if place < 2:
                highest_two |= bit
    if size(hand & highest_two) <= 1:
        stay |= highest_two
    if given & queen != NONE:
        stay |= high
    if given & high != NONE:
        stay |= queen
    return stay


@shared(types.void(RULES_ROW, DEAL_ROW, types.int64, SEAT_ROW, _MIND))
def casual_pass(rules: Record, deal: Record, seat: int, weights: Record, mind: Record) -> None:
    """Gives the card that lightens the hand most, and so on with what is left (P1).

    Some are spared, and in part it is chance, which follows from the seed and the hand. They are
    scattered from the lowest up (W1).
    """
    look(rules, deal, seat, rules.penalties, mind)
    weigh_threat(rules, mind)
    mind.void = 0
    left = deal.hands[seat] & ~deal.given[seat]
    hand = wanted = left
    chance = split(weights.seed, deal.hands[seat])
    for _ in range(pass_size(rules, deal) - size(deal.given[seat])):
        weigh_hand(rules, mind, weights, hand, wanted)
        free = hand & ~spared(rules, weights, hand, deal.hands[seat] & ~hand)
        bit = heaviest(mind, free if free != NONE else hand, chance, weights.whim)
        hand ^= bit
        wanted = rules.suits[index_of(bit)]
    give_all(rules, deal, seat, left & ~hand)


# What later seats do


@apart
def takes(rules: Record, mind: Record, suit: int, bit: U) -> int:
    """The chance that a card takes the trick, if it is the highest of its suit so far."""
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
    """What later seats are likely to throw if that suit is led (T3, W3, T6, T7)."""
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
    """What later seats that follow are likely to put under a card."""
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


# What a card is worth


@inlined
def see_trick(rules: Record, deal: Record, mind: Record, weights: Record) -> None:
    """What lies on the table, and what the kitty is likely to bring (D6, W4)."""
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
    """What is lost with a penalty card that somebody else takes, if that may be the shooter, and
    with a card that could still stop them."""
    mind.forfeit = mind.stopper = 0
    if mind.fear:
        stake = rules.total * mind.fear * weights.give >> 10
        mind.forfeit = stake * shooter_takes(rules, deal, mind) >> 10
        mind.stopper = rules.total * mind.fear * weights.keep >> 10


@inlined
def dear_above(rules: Record, deal: Record, mind: Record, suit: int) -> int:
    """What the unseen penalty cards count that are above all that the hand holds of a suit."""
    if suit == SUITS - 1:
        return 0
    top = ONE << highest_index(deal.hands[mind.seat] & suit_mask(suit))
    above = suit_mask(suit) & ~(top | top - ONE)
    return points_in(rules, mind.unseen & rules.penalties & above)


@inlined
def could_stop(mind: Record, suit: int, bit: U) -> bool:
    """Whether one unseen card beats this one at most, and it beats one."""
    unseen = mind.unseen & suit_mask(suit)
    above = unseen & ~(bit | bit - ONE)
    return above & (above - ONE) == NONE and unseen & (bit - ONE) != NONE  # type: ignore[no-any-return]


@inlined
def worth_of(
    rules: Record, mind: Record, weights: Record, index: int, chance: int, adds: int
) -> int:
    """The sum of a card, but for what its lead drives out.

    Args:
        chance: that it takes the trick.
        adds: what later seats are likely to put there.
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
        worth += (own * weights.gift - mind.forfeit) * (WHOLE - chance) >> 10
    return worth  # type: ignore[no-any-return]


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
    """The best of some cards of one suit and the best so far, and its sum.

    Who takes the trick, and what later seats add, is the same for two cards with no unseen one
    between them.
    """
    ours = suit < SUITS - 1 and (deal.led == NONE or deal.led == suit_mask(suit))
    discards = likely_discards(rules, deal, mind, suit) if ours else 0
    driven = dear_above(rules, deal, mind, suit) if deal.led == NONE else 0
    flush = weights.flush * driven
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
        if worth > top:
            best, top = bit, worth
    return best, top


# Shooting the moon


@apart
def wins_this(rules: Record, deal: Record, mind: Record, legal: U) -> bool:
    """Whether the hand leads, or has a card that is sure of the trick."""
    sure = deal.led == NONE
    cards = legal & deal.led & ~(deal.best | deal.best - ONE)
    while cards != NONE:
        bit = lowest(cards)
        cards ^= bit
        sure = sure or takes(rules, mind, index_of(bit) // SUIT_SIZE, bit) == WHOLE
    return sure  # type: ignore[no-any-return]


@apart
def best_shot(rules: Record, deal: Record, mind: Record, legal: U) -> U:
    """For a hand that shoots the moon: take every trick, and give nothing away."""
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
        shot = (chance - max(0, rules.values[index])) * WHOLE + index
        if shot > top:
            best, top = bit, shot
    return best


# The play


@shared(types.uint64(RULES_ROW, DEAL_ROW, types.uint64, SEAT_ROW, _MIND))
def casual_card(rules: Record, deal: Record, legal: U, weights: Record, mind: Record) -> U:
    """The card, of those that the seat on turn may play, whose sum is the highest."""
    if legal & (legal - ONE) == NONE:
        return legal
    look(rules, deal, deal.turn, deal.led if deal.led != NONE else legal, mind)
    see_trick(rules, deal, mind, weights)
    if takes_all(rules, deal, mind) and wins_this(rules, deal, mind, legal):
        return best_shot(rules, deal, mind, legal)
    weigh_threat(rules, mind)
    mind.void = weights.void
    weigh_hand(rules, mind, weights, deal.hands[mind.seat], legal)
    weigh_fear(rules, deal, mind)
    weigh_forfeit(rules, deal, mind, weights)
    best = NONE
    top = LOWEST
    for suit in range(SUITS):
        cards = legal & suit_mask(suit)
        if cards != NONE:
            best, top = best_of(rules, deal, mind, weights, suit, cards, best, top)
    return best
