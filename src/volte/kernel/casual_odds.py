"""Odds for the compiled `casual`, and its burdens and exits: a twin of `volte.bots.odds`.

**Odds**: how likely a seat is to hold certain cards. The readable twin asks card by card. Nearly
always all the unseen cards of a suit can lie in the same places, and so have the same chance to be
with a seat: call the suit *even*. The result of a walk over some of them then depends on that
chance and on their number, and is looked up. A suit that is not even (a seat has proved that it has
no queen) is walked card by card.

**Burden**: how much lighter a hand is without each of its cards. The readable twin adds up the
burden of a holding with a card, and again without it. A card weighs by itself, but for its guards:
the cards of its suit that the hand has below it, for a dear card also those above it. Without a
card, the ones below weigh the same, each one above has one guard less, and so has a dear one. So
one walk down a suit, with two weights for each card, gives the relief of all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from volte.kernel.compiler import (
    NONE,
    ONE,
    U,
    apart,
    count,
    highest_index,
    index_of,
    inlined,
    lowest,
    size,
)
from volte.kernel.layout import MOST_CARDS, MOST_SEATS, MOST_TRICKS, SCATTERED, Record
from volte.kernel.play import QUEEN, played, points_in, seat_after

WHOLE: Final = cast(int, np.int64(1024))
"""One: chances and points are in 1024ths.

Numba would take a plain 1024 for another type, and compile once more for it.
"""

SUITS: Final = 5
"""Number of suits: four, and the jokers."""

SUIT_SIZE: Final = 13
"""Places of a suit in a mask."""

_SUIT: Final = U((1 << SUIT_SIZE) - 1)

UNEVEN: Final = -1

MOST_GIVEN: Final = MOST_SEATS - 1
"""Most cards that a seat passes: in a scatter, one to each other seat (W1)."""

MIND: Final = np.dtype(
    [
        ("seat", np.int64),  # the seat that looks
        ("others", np.int64),  # number of other seats
        ("unseen", np.uint64),  # mask of the cards that the seat has not seen
        ("given", np.uint64),  # unseen cards that the seat has passed
        ("kitty_room", np.int64),  # number of unseen cards in the kitty
        ("room", np.int64, MOST_SEATS),  # by seat, number of cards in its hand
        ("could", np.uint64, MOST_SEATS),  # by seat, mask of the cards that it may hold
        # Chance that a seat holds a card of the suit which it may hold, and was not passed;
        # `UNEVEN` where that differs from card to card. Only for the suits asked for
        ("chance", np.int64, (MOST_SEATS, SUITS)),
        ("void", np.int64),  # weight of a void
        ("threat", np.int64),  # points that a seat which cannot follow throws on a trick
        ("relief", np.int64, MOST_CARDS),  # by card, how much lighter the hand is without it
        ("later", np.int64),  # number of seats that play to the trick after this one
        ("table", np.int64),  # points on the table
        ("dirty", np.int64),  # 1 if a penalty card is on the table
        ("urge", np.int64),  # chance that a seat which need not beat the trick does
        ("kitty", np.int64),  # points that the kitty is likely to bring with this trick
        ("shooter", np.int64),  # the other seat that may take everything; -1 where there is none
        ("fear", np.int64),  # how much that moon is to be feared
        ("forfeit", np.int64),  # cost of giving away a penalty card that the shooter may take
        ("left", np.int64),  # points between the taker of the trick as it lies and the end of the
        # match, the trick counted; very many where that does not matter
        ("stopper", np.int64),  # worth of a card that could still stop the shooter
        ("shared", np.int64),  # 1 if another seat has penalty cards
        ("may_shoot", np.int64),  # 1 if no other seat has a card that its moon needs
        ("hoped", np.int64),  # points that full hope for that moon is worth
        # The hand if a card of one suit is played: the suits beside it, as in `outlook`
        ("drawn", np.uint64),  # the unseen card that has to be played to the trick, if it is sure
        ("exits", np.int64),  # sum of the exits in these suits
        ("keeps", np.int64),  # chance that none of them loses the lead
        ("followers", np.int64),  # number of unseen cards in those that the hand holds
        ("safe", np.int64),  # number of the hand's cards in those that nobody else has
        ("leaves", np.int64),  # 1 if the lowest card of one of them is a sure exit
        ("hidden", np.int64),  # number of all unseen cards
        ("out", np.int64),  # penalty points that are unseen or in the hand
        # Sets of the suits looked at before, and with the next one: by number of cards to pass,
        # their cost and their mask
        ("costs", np.int64, (2, MOST_GIVEN + 1)),
        ("sets", np.uint64, (2, MOST_GIVEN + 1)),
    ]
)
"""Notes of a seat while it chooses: scratch for one choice."""

Chances = NDArray[np.int64]


def _shares() -> Chances:
    room, all_room = np.ogrid[: MOST_TRICKS + 1, : MOST_CARDS + 1]
    shares: Chances = room * WHOLE // np.maximum(all_room, 1) * (all_room > 0)
    return shares


def _after_each_card(step: Callable[[Chances, Chances], Chances]) -> NDArray[np.int16]:
    """`[chance][cards]`: the part of the whole that is left after so many cards of that chance.

    Args:
        step: the part left after one more card, by the part left before and the chance.
    """
    chance = np.arange(WHOLE + 1)
    left = [np.full_like(chance, WHOLE)]
    for _ in range(SUIT_SIZE):
        left.append(step(left[-1], chance))
    return np.stack(left, axis=1).astype(np.int16)


SHARE: Final = _shares()
"""`[room][all room]`: the chance that a card lies in a place of that room."""

NONE_OF: Final = _after_each_card(lambda left, chance: left * (WHOLE - chance) >> 10)
"""`[chance][cards]`: the chance that none of the cards is held; rounded down card by card."""

LEFT: Final = _after_each_card(lambda left, chance: left - (left * chance >> 10))
"""`[chance][cards]`: `NONE_OF` rounded up card by card, which `dearest` needs."""


@inlined
def suit_mask(suit: int) -> U:
    """Mask of a suit; the one of the jokers has places to spare."""
    return _SUIT << U(SUIT_SIZE * suit)


@apart
def look(rules: Record, deal: Record, seat: int, wanted: U, mind: Record) -> None:
    """Note the seat's knowledge, from its own hand and from the open cards.

    Args:
        wanted: mask; chances are worked out for its suits, and for suits with penalty cards.
    """
    mind.seat = seat
    mind.others = rules.players - 1
    mind.unseen = rules.deck & ~seen_by(rules, deal, seat)
    mind.given = deal.given[seat] & mind.unseen
    mind.kitty_room = 0 if deal.kitty_taker == seat else rules.kitty_size
    for other in range(rules.players):
        mind.room[other] = rules.hand_size - deal.gathered
    for place in range(deal.count):
        mind.room[seat_after(rules, deal.leader, place)] -= 1
    for other in range(rules.players):
        mind.could[other] = mind.unseen & ~mind.given & ~deal.excluded[other]
    if deal.step == SCATTERED:
        for other in range(rules.players):
            mind.could[other] |= mind.given & deal.coming[other]
    else:
        mind.could[seat_after(rules, seat, deal.step)] |= mind.given
    if deal.led & QUEEN != NONE:
        guess_queen(rules, deal, mind)
    for suit in range(SUITS):
        if suit_mask(suit) & (wanted | rules.penalties):
            weigh_chances(rules, mind, suit)


@inlined
def guess_queen(rules: Record, deal: Record, mind: Record) -> None:
    """Take whoever has led spades not to hold the unseen queen, unless nobody else can."""
    queen = QUEEN & rules.penalties & ~mind.given
    elsewhere = False
    for seat in range(rules.players):
        if seat != mind.seat and seat != deal.leader and mind.room[seat]:
            elsewhere = elsewhere or mind.could[seat] & queen != NONE
    if elsewhere:
        mind.could[deal.leader] &= ~queen


@inlined
def seen_by(rules: Record, deal: Record, seat: int) -> U:
    """Mask of the cards that the seat sees: its hand, its kitty, and all cards played."""
    kitty = deal.kitty if deal.kitty_taker == seat else NONE
    return deal.hands[seat] | kitty | played(rules, deal)  # type: ignore[no-any-return]


@inlined
def weigh_chances(rules: Record, mind: Record, suit: int) -> None:
    """Note each seat's chance to hold one card of the suit, or that the suit is not even."""
    cards = mind.unseen & ~mind.given & suit_mask(suit)
    even = True
    room = mind.kitty_room
    for seat in range(rules.players):
        could = mind.could[seat] & cards
        if seat != mind.seat and could != NONE:
            room += mind.room[seat]
            even = even and could == cards
    for seat in range(rules.players):
        chance = 0
        if seat != mind.seat and mind.could[seat] & cards != NONE:
            chance = SHARE[mind.room[seat], room] if even else UNEVEN
        mind.chance[seat, suit] = chance


@inlined
def holds(rules: Record, mind: Record, seat: int, bit: U) -> int:
    """The chance that the seat holds the unseen card, which it may hold and was not passed."""
    room = mind.kitty_room
    for other in range(rules.players):
        if other != mind.seat and mind.could[other] & bit != NONE:
            room += mind.room[other]
    return SHARE[mind.room[seat], room]  # type: ignore[no-any-return]


@inlined
def none_of(rules: Record, mind: Record, seat: int, suit: int, mask: U) -> int:
    """The chance that the seat holds no card of the mask, all of that suit."""
    mask &= mind.could[seat]
    chance = mind.chance[seat, suit]
    if mask & mind.given != NONE:
        return 0
    if chance != UNEVEN:
        return np.int64(NONE_OF[chance, count(mask)])  # type: ignore[return-value]
    return none_by_card(rules, mind, seat, mask)


@apart
def none_by_card(rules: Record, mind: Record, seat: int, mask: U) -> int:
    """`none_of` in a suit that is not even."""
    chance = WHOLE
    while mask != NONE:
        bit = lowest(mask)
        mask ^= bit
        chance = chance * (WHOLE - holds(rules, mind, seat, bit)) >> 10
    return chance


@apart
def dearest(rules: Record, mind: Record, seat: int, mask: U) -> int:
    """Expected points of the mask's dearest penalty card in the seat's hand, in 1024ths."""
    mask &= mind.could[seat]
    left = WHOLE
    cost = 0
    for kind in range(rules.dear):
        cards = mask & rules.dear_masks[kind]
        if cards != NONE:
            after = left_after(rules, mind, seat, rules.dear_suits[kind], cards, left)
            cost += rules.dear_values[kind] * (left - after)
            left = after
    return cost


@inlined
def left_after(rules: Record, mind: Record, seat: int, suit: int, cards: U, left: int) -> int:
    """Remaining chance that the seat holds nothing dearer, after cards of one suit."""
    chance = mind.chance[seat, suit]
    if cards & mind.given != NONE:
        return 0
    if chance == UNEVEN:
        return left_by_card(rules, mind, seat, cards, left)
    if left == WHOLE:
        return np.int64(LEFT[chance, count(cards)])  # type: ignore[return-value]
    for _ in range(count(cards)):
        left -= left * chance >> 10
    return left


@apart
def left_by_card(rules: Record, mind: Record, seat: int, cards: U, left: int) -> int:
    """`left_after` in a suit that is not even."""
    while cards != NONE:
        bit = lowest(cards)
        cards ^= bit
        left -= left * holds(rules, mind, seat, bit) >> 10
    return left


# Burden

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
"""`[others][unseen cards of the suit][guards]`: the chance that somebody is void by then."""


WINS: Final = _where_some_are_unseen(
    (_guards * _guards * WHOLE // np.maximum(_unseen * _unseen, 1))[0], WHOLE
)
"""`[unseen cards of the suit][those of them below]`: the chance that a card takes its trick."""


@inlined
def weigh_threat(rules: Record, mind: Record) -> None:
    """Note the points that a seat which cannot follow throws on a trick, on average."""
    threat = 0
    for seat in range(rules.players):
        if seat != mind.seat:
            threat += dearest(rules, mind, seat, mind.unseen)
    mind.threat = threat // mind.others


@inlined
def weigh_hand(rules: Record, mind: Record, weights: Record, hand: U, wanted: U) -> None:
    """Note the relief of each card of a hand, in the suits of another mask."""
    for suit in range(_JOKERS):
        if wanted & suit_mask(suit) != NONE:
            weigh_suit(rules, mind, weights, hand & suit_mask(suit), suit)
    if wanted & suit_mask(_JOKERS) != NONE:
        mind.relief[SUIT_SIZE * _JOKERS :] = -weights.joker


@apart
def weigh_suit(rules: Record, mind: Record, weights: Record, held: U, suit: int) -> None:
    """Note the relief of each card of a suit in the hand, from the highest down."""
    unseen = mind.unseen & suit_mask(suit)
    number = size(unseen)
    others = guards = size(held) - 1
    lighter = 0 if guards else -(-mind.void * number // mind.others)
    above = NONE
    while held != NONE:
        index = highest_index(held)
        held ^= ONE << index
        below = unseen & ((ONE << index) - ONE)
        own = rules.values[index]
        wins = WINS[number, count(below)]
        price = own * WHOLE + falling(rules, mind, weights, below)
        dear = 4 * own >= rules.total and own > 0
        guarded = others if dear else guards
        weight = weigh_card(mind, weights, number, guarded, wins, price)
        mind.relief[index] = weight + min(own, 0) * weights.bonus + lighter
        if guarded > 0:
            bared = weight - weigh_card(mind, weights, number, guarded - 1, wins, price)
            lighter += bared
            if dear:
                bare(mind, above, bared)
        guards -= 1
        above |= ONE << index


@inlined
def bare(mind: Record, cards: U, bared: int) -> None:
    """Add to the relief of some cards what it changes that a dear card has a guard less."""
    while cards != NONE:
        bit = lowest(cards)
        cards ^= bit
        mind.relief[index_of(bit)] += bared


@inlined
def weigh_card(
    mind: Record, weights: Record, number: int, guards: int, wins: int, price: int
) -> int:
    """The weight of a card with so many guards and so many unseen cards of its suit.

    Args:
        wins: the chance that it takes its trick.
        price: points of that trick, without discards.
    """
    forced = max(FORCED[mind.others, number, guards], weights.least if number else 0)
    cost = price + (mind.threat * VOIDS[mind.others, number, guards] >> 10)
    return (forced * wins >> 10) * cost >> 10  # type: ignore[no-any-return]


@inlined
def falling(rules: Record, mind: Record, weights: Record, below: U) -> int:
    """Points that unseen penalty cards below a card may add to its trick, in 1024ths."""
    if below & rules.penalties == NONE:
        return 0
    total = 0
    number = 0
    for kind in range(rules.dear):
        fall = size(below & rules.dear_masks[kind])
        total += rules.dear_values[kind] * fall
        number += fall
    return total * min(number, mind.others) * weights.falls // number  # type: ignore[no-any-return]


# Exits


@inlined
def exit_in(held: U, hidden: U) -> tuple[int, int, int]:
    """The worth of a suit's lowest card as an exit, the chance that it keeps the lead, and the
    number of unseen cards of the suit, where the hand holds some."""
    if held == NONE or hidden == NONE:
        return 0, WHOLE, 0
    number = size(hidden)
    below = size(hidden & (lowest(held) - ONE))
    return WINS[number, number - below], WINS[number, below], number


@inlined
def kept_in(held: U, hidden: U) -> tuple[int, int]:
    """The number of a suit's cards that are safe, as nobody else has one; and 1 if its lowest is a
    sure exit, else 0."""
    if held == NONE:
        return 0, 0
    if hidden == NONE:
        return size(held), 0
    return 0, 1 if hidden & (lowest(held) - ONE) == NONE else 0


@apart
def outlook(rules: Record, deal: Record, mind: Record, suit: int) -> None:
    """Note the other suits of the hand, and what is out, if a card of one suit is played.

    The last unseen card of the trick's suit has to be played to it.
    """
    hand = deal.hands[mind.seat]
    last = NONE
    if deal.led != NONE:
        last = mind.unseen & deal.led
    elif suit < _JOKERS:
        last = mind.unseen & suit_mask(suit)
    mind.drawn = last if mind.later > 0 and last & (last - ONE) == NONE else NONE
    unseen = mind.unseen & ~mind.drawn
    mind.exits = mind.followers = mind.safe = mind.leaves = 0
    mind.keeps = WHOLE
    for other in range(_JOKERS):
        if other != suit:
            held, hidden = hand & suit_mask(other), unseen & suit_mask(other)
            exit, keeps, number = exit_in(held, hidden)
            mind.exits += exit
            mind.keeps = min(mind.keeps, keeps)
            mind.followers += number
            safe, leave = kept_in(held, hidden)
            mind.safe += safe
            mind.leaves = max(mind.leaves, leave)
    mind.hidden = size(unseen)
    mind.out = points_in(rules, (unseen | hand) & rules.penalties)
