"""Higher and lower, of one pack or two, as masks: equal cards of two packs are neither (W11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from volte.cards import BY_BIT, CARDS, PACK_SIZE, SUIT_MASKS, Card, Suit, mask_of, twin

_ONE_PACK: Final = 1 << PACK_SIZE

SUIT_OF: Final = {card.bit: 0 if card.suit is None else SUIT_MASKS[card.suit] for card in CARDS}
"""By bit, the mask of the suit around a card; 0 for a joker."""

BELOW: Final = {
    card.bit: mask_of(
        other
        for other in CARDS
        if card.rank and other.suit is card.suit and other.rank and other.rank < card.rank
    )
    for card in CARDS
}
"""By bit, the mask of the lower cards of its suit; 0 for a joker."""

TWIN: Final = {card.bit: twin(card).bit for card in CARDS}
"""By bit, the equal card of the other pack."""

ABOVE: Final = {
    bit: suit and suit & ~(BELOW[bit] | bit | TWIN[bit]) for bit, suit in SUIT_OF.items()
}
"""By bit, the mask of the higher cards of its suit; 0 for a joker."""


def ascending(mask: int) -> list[int]:
    """The bits of some cards of one suit, the lowest rank first."""
    bits = []
    held = mask
    while held:
        bit = held & -held
        held ^= bit
        bits.append(bit)
    if mask >= _ONE_PACK:
        bits.sort(key=height)
    return bits


def highest(mask: int) -> int:
    """The bit of the highest card of some of one suit; 0 of none."""
    if mask < _ONE_PACK:
        return mask and 1 << mask.bit_length() - 1
    return ascending(mask)[-1]


def height(bit: int) -> int:
    """The rank of a card, 0 of a joker."""
    return BY_BIT[bit].rank or 0


def winning_place(cards: Sequence[Card], led: Suit | None) -> int:
    """The place of the card that wins a trick as it lies; -1 where none does (T2, W11)."""
    found = -1
    best = 0
    for place, card in enumerate(cards):
        rank = card.rank or 0
        if led is not None and card.suit is led and rank > best and twin(card) not in cards:
            best, found = rank, place
    return found
