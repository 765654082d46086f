"""The cards of `volte.bots.casual` in compiled code: from the same view the same choice.

It reads the hand of the seat that chooses, that seat's pass, and the open cards; no other
hand, nor a kitty that another seat has. Sums are the readable ones, in whole 1024ths, shifted and
divided in the same order. The pass is in `volte.kernel.casual_pass`.
"""

from __future__ import annotations

from typing import Final, cast

import numpy as np
from numba import from_dtype, types

from volte.kernel.casual_moons import beaten, draws, hope, shoots, weigh_fear, weigh_moon
from volte.kernel.casual_odds import (
    MIND,
    SUIT_SIZE,
    SUITS,
    WHOLE,
    dearest,
    exit_in,
    kept_in,
    look,
    none_of,
    outlook,
    suit_mask,
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
)
from volte.kernel.layout import Record
from volte.kernel.play import brings_kitty, on_table, points_in, seat_after

LOWEST: Final = cast(int, np.int64(-(1 << 62)))
"""Start value of a maximum: less than any card can be worth."""

ENDING: Final = cast(int, np.int64(3))
"""Number of leads from which on an exit has its full worth."""

LIKELY: Final = cast(int, np.int64(WHOLE * 4 // 5))
"""Least chance to keep its trick with which the loser of a moon is led first."""

POSSIBLE: Final = cast(int, np.int64(WHOLE // 3))
"""Least such chance for a loser that is the only card of its suit."""

FAR: Final = cast(int, np.int64(1 << 40))
"""Stands for an end out of reach: more points than any match has."""

_MIND: Final = from_dtype(MIND)


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


# Moons in the match, as in `volte.bots.standing`


@inlined
def leads(rules: Record, deal: Record, looking: int) -> bool:
    """Whether no seat has a lower total in the match."""
    ahead = True
    for seat in range(rules.players):
        ahead = ahead and deal.totals[seat] >= deal.totals[looking]
    return ahead


@apart
def wins_by_moon(rules: Record, deal: Record, looking: int, shooter: int) -> bool:
    """Whether a moon of the shooter ends the match with the seat that looks in front, or level."""
    most, least, own = -FAR, FAR, FAR
    for seat in range(rules.players):
        after = deal.totals[seat] + rules.moon_up
        if seat == shooter:
            after -= rules.total
        most, least = max(most, after), min(least, after)
        if seat == looking:
            own = after
    return most >= deal.ending_total and own == least


@inlined
def weigh_standing(rules: Record, deal: Record, mind: Record, weights: Record) -> None:
    """Note the worth of a moon of one's own, and the fear that another one deserves."""
    mind.hoped = weights.moon
    if deal.ending_total == 0:
        return
    if mind.may_shoot and not leads(rules, deal, mind.seat):
        mind.hoped += weights.decisive * wins_by_moon(rules, deal, mind.seat, mind.seat)
    if mind.fear and wins_by_moon(rules, deal, mind.seat, mind.shooter):
        mind.fear = 0


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
def could_stop(mind: Record, hand: U, suit: int, bit: U) -> bool:
    """Whether the card could still take a trick from a shooter, and no higher one of the hand.

    It beats an unseen card of its suit, and one unseen card beats it at most.
    """
    unseen = mind.unseen & suit_mask(suit)
    higher = suit_mask(suit) & ~(bit | bit - ONE)
    above = unseen & higher
    few = above & (above - ONE) == NONE and hand & higher == NONE
    return few and unseen & (bit - ONE) != NONE  # type: ignore[no-any-return]


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
def is_dear(rules: Record, bit: U) -> bool:
    """Whether the card counts a quarter of all points or more."""
    own = rules.values[index_of(bit)]
    return 4 * own >= rules.total and own > 0  # type: ignore[no-any-return]


@inlined
def lead_of(
    rules: Record, mind: Record, weights: Record, rest: U, suit: int, bit: U, chance: int
) -> int:
    """Worth of a lead for the cards that stay: what is safe, and a sure exit; before a moon of
    one's own, a dear card.

    Args:
        rest: mask of these cards.
        chance: that the card led takes the trick.
    """
    if not mind.shared:
        return -weights.keep if mind.may_shoot and is_dear(rules, bit) else 0
    safe, leaves = mind.safe, mind.leaves
    if suit < SUITS - 1:
        cards = suit_mask(suit)
        kept, leave = kept_in(rest & cards, mind.unseen & ~mind.drawn & cards)
        safe += kept
        leaves = max(leaves, leave)
    return weights.safe * safe - (0 if leaves else chance * weights.caught >> 10)  # type: ignore[no-any-return]


@apart
def promise(rules: Record, mind: Record, rest: U, index: int, chance: int, press: int) -> int:
    """Worth of the hope that stays for a moon of one's own.

    A trick with points that another seat takes ends the hope, a clean one that is lost costs half
    of it; a hand that cannot follow sheds, and hopes for nothing.

    Args:
        rest: mask of the cards that stay in the hand.
        chance: that the card played takes the trick.
        press: more points of full hope if it does.
    """
    _, beaters = beaten(rules, mind, rest)
    hopes = hope(rest, beaters)
    lives = chance
    if not mind.dirty and rules.values[index] <= 0:
        lives += WHOLE - chance >> 1
    return (hopes * hopes >> 10) * (mind.hoped * lives + press * chance) >> 10  # type: ignore[no-any-return]


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
    press = weights.press if deal.led == NONE else 0
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
        if mind.stopper and suit < SUITS - 1 and could_stop(mind, hand, suit, bit):
            worth -= mind.stopper * (WHOLE - chance) >> 10
        rest = hand & ~bit
        if deal.led == NONE:
            worth += lead_of(rules, mind, weights, rest, suit, bit, chance)
        worth += outlook_of(rules, mind, weights, rest, suit, bit, chance)
        if mind.may_shoot and ours:
            worth += promise(rules, mind, rest, index_of(bit), chance, press)
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
def loser_to_lead(rules: Record, deal: Record, mind: Record, legal: U) -> U:
    """The loser that a hand which shoots the moon leads first; none where it goes last.

    A loser that is likely to keep its trick goes first; a bare one needs no more than some chance,
    if no dear card can beat it. A dear loser goes last, and so does one that the moon can do
    without, as the hand's other cards draw all that it needs.
    """
    hand = deal.hands[mind.seat]
    loser, _ = beaten(rules, mind, hand)
    if deal.led != NONE or loser & legal == NONE or index_of(loser) >= SUIT_SIZE * (SUITS - 1):
        return NONE
    needless = loser & rules.needed == NONE and draws(rules, mind, hand & ~loser)
    if is_dear(rules, loser) or needless:
        return NONE
    suit = index_of(loser) // SUIT_SIZE
    above = mind.unseen & suit_mask(suit) & ~(loser | loser - ONE)
    bare = hand & suit_mask(suit) == loser
    while above != NONE:
        bit = lowest(above)
        above ^= bit
        bare = bare and not is_dear(rules, bit)
    if takes(rules, mind, suit, loser) < (POSSIBLE if bare else LIKELY):
        loser = NONE
    return loser


@apart
def best_shot(rules: Record, deal: Record, mind: Record, legal: U) -> U:
    """The card of a hand that shoots the moon: take every trick, and give nothing away.

    Of cards alike in that the highest goes first; but the last to play takes with a card without
    which the fewest others are beaten, and with the lowest of those.
    """
    last = deal.led != NONE and mind.later == 0
    hand = deal.hands[mind.seat]
    first = loser_to_lead(rules, deal, mind, legal)
    if first != NONE:
        return first
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
            shot -= beaters * WHOLE + index
        else:
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
    weigh_moon(rules, deal, mind)
    if shoots(rules, mind, deal.hands[mind.seat]) and wins_this(rules, deal, mind, legal):
        return best_shot(rules, deal, mind, legal)
    weigh_threat(rules, mind)
    mind.void = weights.void
    weigh_hand(rules, mind, weights, deal.hands[mind.seat], legal)
    weigh_fear(rules, deal, mind)
    weigh_standing(rules, deal, mind, weights)
    weigh_forfeit(rules, deal, mind, weights)
    weigh_end(rules, deal, mind)
    best = NONE
    top = LOWEST
    for suit in range(SUITS):
        cards = legal & suit_mask(suit)
        if cards != NONE:
            best, top = best_of(rules, deal, mind, weights, suit, cards, best, top)
    return best
