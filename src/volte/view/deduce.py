"""Where the unseen cards can be: exact reasoning over places with limited room."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

Place = TypeVar("Place", bound=Hashable)


def possible_places(could: Mapping[Place, int], room: Mapping[Place, int]) -> dict[Place, int]:
    """Which cards each place can hold in at least one way of placing all cards.

    Args:
        could: mask of the cards that nothing forbids to a place, for every place.
        room: how many cards each place holds; together, just the cards that are unseen.

    By Hall's theorem (1935) a group of places is full when as many cards can be nowhere else as
    it has room for: then nothing else fits in. Taking every full group away is exact, as long as
    some way of placing all cards exists.
    """
    places = list(could)
    unions, rooms = [0], [0]  # of every group of places; bit k of its number is for places[k]
    for place in places:
        unions += [union | could[place] for union in unions]
        rooms += [total + room[place] for total in rooms]
    left = dict(could)
    for group, (elsewhere, size) in enumerate(zip(reversed(unions), rooms, strict=True)):
        confined = unions[-1] & ~elsewhere
        if confined.bit_count() == size:
            for number, place in enumerate(places):
                if group >> number & 1:
                    left[place] &= confined
    return left


def placeable(cards: int, could: Mapping[Place, int], room: Mapping[Place, int]) -> bool:
    """Whether the cards of a mask can be placed at all, with no room left over.

    By Hall's theorem they can when no group of places has to take more cards than it has room for.
    """
    unions, rooms = [0], [0]
    for place, mask in could.items():
        unions += [union | mask for union in unions]
        rooms += [total + room[place] for total in rooms]
    if cards.bit_count() != rooms[-1]:
        return False
    return all(
        (cards & ~elsewhere).bit_count() <= size
        for elsewhere, size in zip(reversed(unions), rooms, strict=True)
    )
