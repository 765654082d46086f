"""Aces and number cards: the signs where they have always stood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scripts.drawing.shapes import HEIGHT, sign
from volte.cards import Rank, Suit

LEFT, MIDDLE, RIGHT = 97, 125, 153
TOP, UPPER, HIGH, CENTRE = 58, 97, 136, 175
SIZE: Final = 0.45

_TWO: Final = ((MIDDLE, TOP),)
_FOUR: Final = ((LEFT, TOP), (RIGHT, TOP))
_SIX: Final = (*_FOUR, (LEFT, CENTRE), (RIGHT, CENTRE))
_EIGHT: Final = (*_FOUR, (LEFT, HIGH), (RIGHT, HIGH))
_BETWEEN: Final = (MIDDLE, (TOP + CENTRE) // 2)

PLACES: Final = {
    Rank.TWO: _TWO,
    Rank.THREE: (*_TWO, (MIDDLE, CENTRE)),
    Rank.FOUR: _FOUR,
    Rank.FIVE: (*_FOUR, (MIDDLE, CENTRE)),
    Rank.SIX: _SIX,
    Rank.SEVEN: (*_SIX, _BETWEEN),
    Rank.EIGHT: (*_SIX, _BETWEEN),
    Rank.NINE: (*_EIGHT, (MIDDLE, CENTRE)),
    Rank.TEN: (*_EIGHT, (MIDDLE, UPPER)),
}
"""The signs of the upper half and of the middle, all upright."""


def pips(rank: Rank, suit: Suit) -> str:
    """The signs of a card that has no figure."""
    if rank is Rank.ACE:
        return sign(suit, MIDDLE, CENTRE, 1.5 if suit is Suit.SPADES else 1.2)
    return "".join(_both_halves(rank, suit))


def _both_halves(rank: Rank, suit: Suit) -> Iterator[str]:
    for x, y in PLACES[rank]:
        yield sign(suit, x, y, SIZE)
        odd_one = rank is Rank.SEVEN and x == MIDDLE
        if y != CENTRE and not odd_one:
            yield sign(suit, x, HEIGHT - y, -SIZE)
