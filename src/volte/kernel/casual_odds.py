"""What the compiled `casual` reckons with: `volte.bots.odds`, `burden` and `moon` in compiled code.

**Odds**: how likely it is that a seat holds this or that. The readable one asks card by card.
Nearly always all the unseen cards of a suit can lie in the same places, and so have the same chance
to be with a seat: call the suit *even*. What a walk over some of them comes to then depends on that
chance and on how many they are, and is looked up. A suit that is not even (a seat has proved that
it has no queen) is walked card by card.

**Burden**: how much lighter a hand is without each of its cards. The readable one adds up the
burden of a holding with a card, and again without it. A card weighs by itself, but for its guards:
how many cards of the suit the hand has below it. Without a card, those below weigh the same, and
each of those above has one guard less. So one walk down a suit, with two weights for each card,
gives the relief of all of them.

**Moon**: who may be shooting it, and whether this hand can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from volte.kernel.compiler import NONE, ONE, U, apart, count, highest_index, inlined, lowest, size
from volte.kernel.layout import MOST_CARDS, MOST_SEATS, MOST_TRICKS, SCATTERED, Record
from volte.kernel.play import played, seat_after

WHOLE: Final = cast(int, np.int64(1024))
"""Chances and points are in 1024ths.

Numba takes a plain 1024 for a type of its own, and would compile for it once more.
"""

SUITS: Final = 5
"""The four suits, and the jokers."""

SUIT_SIZE: Final = 13
"""Places that a suit takes in a mask."""

_SUIT: Final = U((1 << SUIT_SIZE) - 1)

UNEVEN: Final = -1

MOST_GIVEN: Final = MOST_SEATS - 1
"""Cards that a seat passes at most: in a scatter, one to each of the others (W1)."""

MIND: Final = np.dtype(
    [
        ("seat", np.int64),  # who looks
        ("others", np.int64),  # how many seats there are besides
        ("unseen", np.uint64),  # mask of the cards that the seat has not seen
        ("given", np.uint64),  # those of them that it has passed
        ("kitty_room", np.int64),  # how many unseen cards the kitty holds
        ("room", np.int64, MOST_SEATS),  # by seat, how many cards it holds
        ("could", np.uint64, MOST_SEATS),  # by seat, mask of the cards that nothing forbids to it
        # That a seat holds one of the cards of the suit which it could hold and was not given;
        # `UNEVEN` where that is not the same for all. Only of the suits asked for
        ("chance", np.int64, (MOST_SEATS, SUITS)),
        ("void", np.int64),  # what a void is worth
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
        ("left", np.int64),  # points until the end of the match of whoever takes the trick as it
        # lies, with what is on it; very many where that does not matter
        ("stopper", np.int64),  # what a card is worth that could still stop the shooter
        # Of the suits looked at before, and with the next: by number of cards to pass, what they
        # cost, and their mask
        ("costs", np.int64, (2, MOST_GIVEN + 1)),
        ("sets", np.uint64, (2, MOST_GIVEN + 1)),
    ]
)
"""What a seat has in mind while it chooses: scratch, of one choice."""

Chances = NDArray[np.int64]


def _shares() -> Chances:
    room, all_room = np.ogrid[: MOST_TRICKS + 1, : MOST_CARDS + 1]
    shares: Chances = room * WHOLE // np.maximum(all_room, 1) * (all_room > 0)
    return shares


def _after_each_card(step: Callable[[Chances, Chances], Chances]) -> NDArray[np.int16]:
    """`[chance][cards]`: what is left of the whole after so many cards, each with that chance.

    Args:
        step: what one more card leaves, of what was left and that chance.
    """
    chance = np.arange(WHOLE + 1)
    left = [np.full_like(chance, WHOLE)]
    for _ in range(SUIT_SIZE):
        left.append(step(left[-1], chance))
    return np.stack(left, axis=1).astype(np.int16)


SHARE: Final = _shares()
"""`[room][all room]`: the chance that a card lies in a place of that room."""

NONE_OF: Final = _after_each_card(lambda left, chance: left * (WHOLE - chance) >> 10)
"""That none of so many cards is held; rounded down card by card."""

LEFT: Final = _after_each_card(lambda left, chance: left - (left * chance >> 10))
"""`[chance][cards]`: `NONE_OF` rounded up card by card, which `dearest` needs."""


@inlined
def suit_mask(suit: int) -> U:
    """Mask of a suit; the jokers' has places to spare."""
    return _SUIT << U(SUIT_SIZE * suit)


@apart
def look(rules: Record, deal: Record, seat: int, wanted: U, mind: Record) -> None:
    """What that seat knows, from its own hand and from what lies open.

    Args:
        wanted: mask; chances are reckoned for the suits in it, and those with penalty cards.
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
    for suit in range(SUITS):
        if suit_mask(suit) & (wanted | rules.penalties):
            weigh_chances(rules, mind, suit)


@inlined
def seen_by(rules: Record, deal: Record, seat: int) -> U:
    """Mask of the cards whose place that seat knows from having seen them."""
    kitty = deal.kitty if deal.kitty_taker == seat else NONE
    return deal.hands[seat] | kitty | played(rules, deal)  # type: ignore[no-any-return]


@inlined
def weigh_chances(rules: Record, mind: Record, suit: int) -> None:
    """Whether the suit is even, and each seat's chance to hold one of its cards."""
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
    """The chance that the seat holds that unseen card, which it could hold and was not given."""
    room = mind.kitty_room
    for other in range(rules.players):
        if other != mind.seat and mind.could[other] & bit != NONE:
            room += mind.room[other]
    return SHARE[mind.room[seat], room]  # type: ignore[no-any-return]


@inlined
def none_of(rules: Record, mind: Record, seat: int, suit: int, mask: U) -> int:
    """The chance that the seat holds no card of the mask, which is of that suit."""
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
    """What the dearest penalty card of the mask that the seat holds costs, on average."""
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
    """What is left of the chance that the seat holds nothing dearer, after cards of one suit."""
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


# Moon


@inlined
def weigh_fear(rules: Record, deal: Record, mind: Record) -> None:
    """The other seat that may take everything, and how much that is to be feared."""
    mind.shooter = alone_in_front(rules, deal)
    mind.fear = 0
    if mind.shooter >= 0 and mind.shooter != mind.seat:
        mind.fear = share_of(rules, deal, mind.shooter)


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
    """How much a moon of that seat is to be feared, by its shares of penalty cards and tricks."""
    tricks = deal.won[seat]
    whole, have = rules.hand_size, tricks
    if rules.moon:
        whole, have = size(rules.penalties), size(deal.taken[seat] & rules.penalties)
    share = 3 * have * tricks * WHOLE // (2 * whole * rules.hand_size)
    return WHOLE if share > WHOLE else share


@apart
def shoots(rules: Record, deal: Record, mind: Record) -> bool:
    """Whether a hand goes for the moon: it is likely to take every trick but one at most."""
    if not rules.moon or deal.kitty_taker not in (-1, mind.seat):
        return False
    for seat in range(rules.players):
        if seat != mind.seat and deal.taken[seat] & rules.penalties != NONE:
            return False
    left = deal.hands[mind.seat]
    lost = 0
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
                lost += 1
            drawn += 1
    return lost + size(left) <= 1
