"""Who sits where in a duel: every deck is played in many seatings, so that the luck cancels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations, product
from math import factorial

from volte.cards import Fault

Seating = tuple[int, ...]
"""The side, from 0, of each seat."""


@lru_cache(maxsize=64)
def seatings(
    players: int, sides: int = 2, count: int | None = None, partners: int = 1
) -> tuple[Seating, ...]:
    """The seatings in which every deck is played.

    Two sides: every mixed one, `2 ** players - 2` of them: 14 at four seats. They come in pairs, a
    seating and the one with the sides exchanged, so that in each pair both have had every hand.
    The most balanced pairs come first, and among these the ones in which the sides alternate most:
    `A B A B` before `A A B B` before `A A A B`. As many sides as seats: every permutation, turn
    after turn of the same order round the table. Partners at the table are the same player (W10):
    what is said of seats holds for its sides then.

    Args:
        count: the first so many of them, in whole pairs or turns; without, all.
        partners: seats to a side of the table.

    Raises `Fault` `no_such_seatings` for another count, and where neither two sides nor one for
    each seat are asked for, `sides_differ`, or `sides_of_partners` at a table with partners.
    """
    places = players // partners
    if sides not in (2, places):
        if partners > 1:
            raise Fault("sides_of_partners", sides=sides, teams=places, partners=partners)
        raise Fault("sides_differ", sides=sides, players=places)
    most, step = _most(places, sides), unit(places, sides)
    count = most if count is None else count
    if not 0 < count <= most or count % step:
        raise Fault("no_such_seatings", count=count, step=step, most=most)
    every = _pairs(places) if sides == 2 else _turns(places)
    return tuple(seating * partners for seating, _ in zip(every, range(count), strict=False))


def few(players: int, sides: int = 2, partners: int = 1) -> int:
    """A small count that is balanced: rotations of `A B A B …`, with the sides exchanged too.

    2 with an even number of seats, two for each seat with an odd one; one turn of many sides. With
    partners what counts is how many sides the table has.
    """
    places = players // partners
    return 2 * places if sides == 2 and places % 2 else unit(places, sides)


def unit(players: int, sides: int = 2) -> int:
    """The fewest seatings that give every side every hand."""
    return 2 if sides == 2 else players


def _most(players: int, sides: int) -> int:
    return 2**players - 2 if sides == 2 else factorial(players)


def _pairs(players: int) -> Iterator[Seating]:
    mixed = (seating for seating in product((0, 1), repeat=players) if 0 < sum(seating) < players)
    for seating in sorted((each for each in mixed if each[0] == 0), key=_unevenness):
        yield seating
        yield tuple(1 - side for side in seating)


def _unevenness(seating: Seating) -> tuple[int, int, Seating]:
    players = len(seating)
    changes = sum(seating[seat] != seating[seat - 1] for seat in range(players))
    return abs(2 * sum(seating) - players), -changes, seating


def _turns(players: int) -> Iterator[Seating]:
    for rest in permutations(range(1, players)):
        order = (0, *rest)
        for seat in range(players):
            yield order[-seat:] + order[:-seat]
