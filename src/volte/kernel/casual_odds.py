"""`volte.bots.odds` in compiled code: how likely it is that a seat holds this or that.

The readable one asks card by card. Nearly always all the unseen cards of a suit can lie in the same
places, and so have the same chance to be with a seat: call the suit *even*. What a walk over some
of them comes to then depends on that chance and on how many they are, and is looked up. A suit
that is not even (a seat has proved that it has no queen) is walked card by card.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from volte.kernel.bits import NONE, U, count, lowest
from volte.kernel.compiler import apart, inlined
from volte.kernel.layout import MOST_CARDS, MOST_SEATS, MOST_TRICKS, SCATTERED, Record

WHOLE: Final = cast(int, np.int64(1024))
"""Chances and points are told in 1024ths.

Numba takes a plain 1024 for a type of its own, and would compile for it once more.
"""

SUITS: Final = 5
"""The four suits, and the jokers."""

SUIT_SIZE: Final = 13
"""Places that a suit takes in a mask."""

_SUIT: Final = U((1 << SUIT_SIZE) - 1)

UNEVEN: Final = -1

ODDS: Final[list[Any]] = [
    ("seat", np.int64),
    ("others", np.int64),
    ("unseen", np.uint64),
    ("given", np.uint64),
    ("kitty_room", np.int64),
    ("room", np.int64, MOST_SEATS),
    ("could", np.uint64, MOST_SEATS),
    ("chance", np.int64, (MOST_SEATS, SUITS)),
]
"""What a seat knows of the hidden hands, as fields of `volte.kernel.casual.MIND`.

Fields:
    seat: who looks.
    others: how many seats there are besides.
    unseen: mask of the cards that the seat has not seen.
    given: those of them that it has passed.
    kitty_room: how many unseen cards the kitty holds.
    room: by seat, how many cards it holds.
    could: by seat, mask of the cards that nothing forbids to it.
    chance: `[seat][suit]`, that it holds one of the cards of the suit which it could hold and was
        not given; `UNEVEN` where that is not the same for all. Only of the suits asked for.
"""


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
"""The same, rounded up card by card: what `dearest` has left."""


@inlined
def suit_mask(suit: int) -> U:
    """Mask of a suit; the jokers' has places to spare."""
    return _SUIT << U(SUIT_SIZE * suit)


@inlined
def size(mask: U) -> int:
    """How many cards a mask has, as a number with a sign."""
    return np.int64(count(mask))  # type: ignore[return-value]


@inlined
def seat_after(rules: Record, seat: int, steps: int) -> int:
    """The seat so many steps to the left, fewer than there are seats."""
    place = seat + steps
    return place if place < rules.players else place - rules.players


@apart
def look(rules: Record, deal: Record, seat: int, wanted: U, mind: Record) -> None:
    """What that seat knows, from its own hand and from what lies open.

    Args:
        wanted: mask; chances are told for the suits in it, and for those that have penalty cards.
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
    seen = deal.hands[seat]
    if deal.kitty_taker == seat:
        seen |= deal.kitty
    for other in range(rules.players):
        seen |= deal.taken[other]
    for place in range(deal.count):
        seen |= deal.trick[place]
    return seen  # type: ignore[no-any-return]


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
