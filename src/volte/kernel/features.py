"""A card in its moment, told as places in a table: what instinct is learned by.

Every card that may be played is described by `FEATURES` places, one in each block of the table;
what stands there (`volte.kernel.instinct`) says how much it is liked. Each of the four moments
(leading, following, following last, discarding) has blocks of its own.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.kernel.bits import NONE, ONE, U, index_of
from volte.kernel.casual_odds import SUIT_SIZE, size
from volte.kernel.compiler import inlined
from volte.kernel.layout import Record
from volte.kernel.situation import (
    DANGERS,
    DISCARDING,
    EXITS,
    LEADING,
    MOMENTS,
    MOONS,
    STAGES,
    TABLES,
)

KINDS: Final = 10
"""Plain; penalty; dear penalty; below zero; above an unseen dear card; below one; beside a held
one; joker; above an unseen card that counts below zero; below one."""
LOWER: Final = 6
HIGHER: Final = 5
LENGTHS: Final = 5
BELOW: Final = 4
LATER: Final = 4
SPANS: Final = 4
ROLES: Final = 5

BLOCKS: Final = (
    KINDS * LOWER * HIGHER,
    LENGTHS * BELOW * 3,
    2 * TABLES * LATER * SPANS,
    EXITS * STAGES * KINDS,
    MOONS * 3 * ROLES,
    3 * HIGHER * SPANS,
    MOONS * 6 * 3,
    3 * 2 * LENGTHS * BELOW,
    2 * HIGHER * LATER * 4,
    DANGERS * 2 * 2 * HIGHER,
)
"""How many places each block has."""

FEATURES: Final = len(BLOCKS)
_STARTS: Final = tuple(int(start) for start in np.cumsum((0, *BLOCKS)))
MOMENT_SIZE: Final = _STARTS[-1]
PLACES: Final = MOMENTS * MOMENT_SIZE
"""How many places there are."""

_A, _B, _C, _D, _E, _F, _G, _H, _I, _J = _STARTS[:-1]


def _steps(*steps: int) -> NDArray[np.int64]:
    """A table that tells small numbers apart and lumps large ones: 54 entries."""
    return np.array([*steps, *[steps[-1]] * (54 - len(steps))], np.int64)


LOWER_STEP: Final = _steps(0, 1, 2, 3, 3, 4, 4, 5)
HIGHER_STEP: Final = _steps(0, 1, 2, 3, 3, 4)
LENGTH_STEP: Final = _steps(0, 0, 1, 2, 3, 4)


@inlined
def kind_of(rules: Record, eye: Record, bit: U, suit: U, value: int) -> int:
    """What kind of card it is."""
    if value > 0:
        return 2 if value * 4 >= rules.total else 1
    if value < 0:
        return 3
    if suit == NONE:
        return 7
    if eye.dear_unseen & suit != NONE:
        return 4 if eye.dear_unseen & suit < bit else 5
    if eye.dear_held & suit != NONE:
        return 6
    if eye.paying_unseen & suit != NONE:
        return 8 if eye.paying_unseen & suit < bit else 9
    return 0


@inlined
def span_of(eye: Record, bit: U, own: U, unseen: int) -> int:
    """Where the card stands among those that could be played instead."""
    below = bit - ONE
    if eye.moment == LEADING:
        return min(3, unseen // 3)
    if eye.moment == DISCARDING:
        if own == bit:
            return 1
        return 2 if own & ~(below | bit) == NONE else 0
    some = eye.over if bit & eye.over != NONE else eye.under
    highest = some & ~(below | bit) == NONE
    lowest = some & below == NONE
    if bit & eye.over != NONE and eye.under == NONE and highest and lowest:
        return 3
    return 0 if highest else (1 if lowest else 2)


@inlined
def describe(rules: Record, eye: Record, bit: U, places: Record) -> None:
    """The places of one card, after `look_around`."""
    index = index_of(bit)
    number = index // SUIT_SIZE
    suit = rules.suits[index]
    below = bit - ONE
    own = eye.hand & suit
    unseen = eye.unseen & suit
    lower = size(unseen & below)
    higher = size(unseen & ~(below | bit))
    length = LENGTH_STEP[size(own)]
    under = min(size(own & below), BELOW - 1)
    value = rules.values[index]
    kind = kind_of(rules, eye, bit, suit, value)
    high = HIGHER_STEP[higher]
    low = LOWER_STEP[lower]
    edge = 0 if higher == 0 else (1 if lower == 0 else 2)
    wins = 1 if (bit & eye.over if eye.moment else unseen >> U(index)) != NONE else 0
    if eye.moment == LEADING:
        wins = 1 - wins
    span = span_of(eye, bit, own, lower + higher)
    sort = 1 if value > 0 else (2 if value < 0 else 0)
    role = 0 if eye.moment == LEADING else 1 + 2 * wins + eye.threat
    queen_suit = 1 if (eye.dear_held | eye.dear_unseen) & suit != NONE else 0
    base = eye.moment * MOMENT_SIZE
    places[0] = base + _A + (kind * LOWER + low) * HIGHER + high
    places[1] = base + _B + (length * BELOW + under) * 3 + edge
    places[2] = base + _C + ((wins * TABLES + eye.table) * LATER + eye.later) * SPANS + span
    places[3] = base + _D + (eye.exits * STAGES + eye.stage) * KINDS + kind
    places[4] = base + _E + (eye.moon * 3 + sort) * ROLES + role
    places[5] = (
        base
        + _F
        + (eye.voids[number] * HIGHER + high) * SPANS
        + (min(3, size(own)) if eye.moment == LEADING else eye.table)
    )
    places[6] = base + _G + (eye.moon * 6 + eye.tops) * 3 + (0 if edge == 0 else min(2, high))
    places[7] = base + _H + ((eye.queen * 2 + queen_suit) * LENGTHS + length) * BELOW + under
    places[8] = (
        base
        + _I
        + ((wins * HIGHER + high) * LATER + eye.later) * 4
        + (min(3, low) if eye.moment == LEADING or eye.moment == DISCARDING else eye.table)
    )
    places[9] = base + _J + ((eye.falls[number] * 2 + queen_suit) * 2 + wins) * HIGHER + high
