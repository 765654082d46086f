"""Where the unseen cards can be: exact reasoning over places with limited room."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import combinations
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
    everything = 0
    for mask in could.values():
        everything |= mask
    left = dict(could)
    for size in range(1, len(places)):
        for group in combinations(places, size):
            elsewhere = 0
            for place in places:
                if place not in group:
                    elsewhere |= could[place]
            confined = everything & ~elsewhere
            if confined.bit_count() == sum(room[place] for place in group):
                for place in group:
                    left[place] &= confined
    return left
