"""Features of a card in its moment, as places in a table: the input of instinct.

A seat looks at the moment and at each card in it (`EYE`). Everything is put in small numbers that
mean the same at every table: how many unseen cards are higher, how much of the deal is over, the
kind of the card by the penalty table. Nothing is read but the hand of the seat on turn and the open
cards.

Every legal card is then described by `FEATURES` places, one in each block of the table; the weights
at these places (`volte.kernel.instinct`) say how much the card is liked. Each of the four moments
has blocks of its own.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types
from numpy.typing import NDArray

from volte.kernel.casual_odds import SUIT_SIZE, seen_by, suit_mask
from volte.kernel.compiler import (
    DEALS,
    NONE,
    ONE,
    TABLE,
    U,
    entry,
    highest_index,
    hold,
    index_of,
    inlined,
    lowest,
    scratch,
    size,
)
from volte.kernel.layout import MOST_CARDS, Record, Records
from volte.kernel.play import brings_kitty, on_table, points_in, seat_after

# The four moments
LEADING: Final = 0
FOLLOWING: Final = 1
CLOSING: Final = 2
"""Moment of the last seat of a trick that follows suit."""
DISCARDING: Final = 3
MOMENTS: Final = 4

CLEAN, SMALL, DEAR, PAYING = range(4)
"""Penalties on the table: none; less than a quarter of all points, or a kitty that comes with the
trick; more; below zero."""
TABLES: Final = 4

NOBODY, MINE, MINE_LARGE, MINE_MOST, THEIRS, THEIRS_LARGE, THEIRS_MOST, SHARED = range(8)
"""Holders of penalty cards: nobody; one seat alone, with less than a third of the points, less than
two thirds, or more; or several, which also stands for tables where nobody can shoot the moon."""
MOONS: Final = 8

NO_FALL, ELSEWHERE, MAY_HOLD, MAY_FALL = range(4)
"""Place of an unseen dear card: there is none; with none of the later seats; with one of them,
perhaps; perhaps with one that has shown a void in the suit."""
DANGERS: Final = 4

EXITS: Final = 4

STAGES: Final = 5
"""Parts into which the tricks of a deal are divided."""

# The places of a card
KINDS: Final = 10
"""Kinds of card: plain; penalty; dear penalty; below zero; above an unseen dear card; below one;
beside a held one; joker; above an unseen card that counts below zero; below one."""
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
"""Number of places in each block."""

FEATURES: Final = len(BLOCKS)
_STARTS: Final = tuple(int(start) for start in np.cumsum((0, *BLOCKS)))
MOMENT_SIZE: Final = _STARTS[-1]
PLACES: Final = MOMENTS * MOMENT_SIZE
"""Number of weights: the places of all blocks, once for each moment of a deal."""

_A, _B, _C, _D, _E, _F, _G, _H, _I, _J = _STARTS[:-1]


def _steps(*steps: int) -> NDArray[np.int64]:
    """A table that tells small numbers apart and lumps large ones: 54 entries."""
    return np.array([*steps, *[steps[-1]] * (54 - len(steps))], np.int64)


LOWER_STEP: Final = _steps(0, 1, 2, 3, 3, 4, 4, 5)
HIGHER_STEP: Final = _steps(0, 1, 2, 3, 3, 4)
LENGTH_STEP: Final = _steps(0, 0, 1, 2, 3, 4)

EYE: Final = np.dtype(
    [
        ("moment", np.int64),  # `LEADING`, `FOLLOWING`, `CLOSING` or `DISCARDING`
        ("hand", np.uint64),
        ("unseen", np.uint64),
        ("later", np.int64),  # seats that still play to the trick, at most 3
        ("table", np.int64),  # `CLEAN` to `PAYING`
        ("stage", np.int64),
        ("moon", np.int64),  # `NOBODY` to `SHARED`
        ("threat", np.int64),  # 1 where another seat alone has penalty cards, and is winning
        ("queen", np.int64),  # a penalty card of a quarter of the points is held (0), unseen (1) or
        # gone (2)
        ("tops", np.int64),  # held cards that no unseen one of their suit beats, at most 5; 0 where
        # nobody can shoot the moon any more
        ("dear", np.uint64),  # cards of a quarter of all points in the ruleset
        ("paying", np.uint64),  # cards below zero
        ("dear_unseen", np.uint64),
        ("dear_held", np.uint64),
        ("paying_unseen", np.uint64),  # also counting those on the table
        ("under", np.uint64),  # legal cards of the suit led below the one that wins
        ("over", np.uint64),  # legal cards of the suit led above it
        ("voids", np.int64, 5),  # by suit that may be played, later seats that have shown they
        # hold no unseen card of it, at most 2; 0 where the seat discards
        ("falls", np.int64, 5),  # by suit that may be played, whether a dear card may come on it:
        # `NO_FALL` to `MAY_FALL`; 0 where the seat discards
        ("exits", np.int64),  # suits whose lowest held card has at most one unseen card below it,
        # and some above; at most 3
        ("places", np.int64, FEATURES),  # of a card
        ("odds", np.float64, MOST_CARDS),  # result of `card_odds`
    ]
)
"""Scratch of one choice: the moment, and a card in it. Cards are masks."""


# The moment


@inlined
def look_at_rules(rules: Record, eye: Record) -> None:
    """Note the features that stay the same while a ruleset is played."""
    eye.dear = NONE
    for kind in range(rules.dear):
        if rules.dear_values[kind] * 4 >= rules.total:
            eye.dear |= rules.dear_masks[kind]
    eye.paying = NONE
    for kind in range(rules.kinds):
        if rules.kind_values[kind] < 0:
            eye.paying |= rules.kind_masks[kind]


@inlined
def look_around(rules: Record, deal: Record, legal: U, eye: Record) -> None:
    """Note the moment of the seat on turn."""
    seat = deal.turn
    hand = deal.hands[seat]
    table = on_table(deal)
    eye.hand = hand
    eye.unseen = rules.deck & ~seen_by(rules, deal, seat)
    later = rules.players - 1 - deal.count
    eye.later = min(later, 3)
    eye.stage = deal.gathered * STAGES // rules.hand_size
    look_at_table(rules, deal, table, eye)
    look_for_moment(deal, hand, legal, later, eye)
    look_for_dear(table, eye)
    look_for_moon(rules, deal, eye)
    look_for_tops(eye)
    look_for_exits(eye)
    look_for_voids(rules, deal, later, eye)


@inlined
def look_at_table(rules: Record, deal: Record, table: U, eye: Record) -> None:
    """Note the cards on the table, and whether the kitty comes with them (D6, W4)."""
    eye.table = CLEAN
    if rules.kitty_size:
        whole = rules.kitty_for & rules.deck == rules.deck
        if brings_kitty(rules, deal, table, whole or deal.gathered + 1 == rules.hand_size):
            eye.table = SMALL
    if table & (rules.penalties | eye.paying) != NONE:
        points = points_in(rules, table)
        if points < 0:
            eye.table = PAYING
        elif points * 4 >= rules.total:
            eye.table = DEAR
        elif table & rules.penalties != NONE:
            eye.table = SMALL


@inlined
def look_for_moment(deal: Record, hand: U, legal: U, later: int, eye: Record) -> None:
    """Note whether the seat leads, follows or discards."""
    eye.under = NONE
    eye.over = NONE
    if deal.led == NONE:
        eye.moment = LEADING
    elif hand & deal.led == NONE:
        eye.moment = DISCARDING
    else:
        eye.moment = FOLLOWING if later else CLOSING
        eye.under = legal & (deal.best - ONE)
        eye.over = legal & ~(deal.best | deal.best - ONE)


@inlined
def look_for_dear(table: U, eye: Record) -> None:
    """Note the places of the cards that count most."""
    eye.dear_unseen = eye.dear & eye.unseen
    eye.dear_held = eye.dear & eye.hand
    eye.paying_unseen = eye.paying & (eye.unseen | table)
    if eye.dear_held != NONE:
        eye.queen = 0
    else:
        eye.queen = 1 if eye.dear_unseen != NONE else 2


@inlined
def look_for_moon(rules: Record, deal: Record, eye: Record) -> None:
    """Note the possible shooters of the moon (S3)."""
    eye.moon = SHARED
    eye.threat = 0
    if not rules.moon:
        return
    holders = 0
    holder = -1
    for seat in range(rules.players):
        if deal.taken[seat] & rules.penalties != NONE:
            holders += 1
            holder = seat
    if holders == 0:
        eye.moon = NOBODY
    elif holders == 1:
        points = points_in(rules, deal.taken[holder] & rules.penalties)
        thirds = min(2, points * 3 // rules.total)
        eye.moon = (MINE if holder == deal.turn else THEIRS) + thirds
        eye.threat = 1 if holder != deal.turn and deal.winner == holder else 0


@inlined
def look_for_tops(eye: Record) -> None:
    """Count cards that nothing beats, for a seat that may shoot the moon, or stop it."""
    tops = 0
    if eye.moon != SHARED:
        for suit in range(4):
            unseen = eye.unseen & suit_mask(suit)
            held = eye.hand & suit_mask(suit)
            tops += size(held if unseen == NONE else held >> highest_index(unseen))
    eye.tops = min(tops, 5)


@inlined
def look_for_exits(eye: Record) -> None:
    """Count suits in which the lead can be lost."""
    exits = 0
    for suit in range(4):
        held = eye.hand & suit_mask(suit)
        unseen = eye.unseen & suit_mask(suit)
        if held != NONE and unseen > lowest(held) and size(unseen & (lowest(held) - ONE)) <= 1:
            exits += 1
    eye.exits = min(exits, EXITS - 1)


@inlined
def look_for_voids(rules: Record, deal: Record, later: int, eye: Record) -> None:
    """Note shown voids in suits that may be played, and whether a dear card may fall on them."""
    for suit in range(5):
        eye.voids[suit] = 0
        eye.falls[suit] = NO_FALL
    if eye.moment == DISCARDING:
        return
    for suit in range(4):
        if deal.led != NONE and deal.led != suit_mask(suit):
            continue
        unseen = eye.unseen & suit_mask(suit)
        voids = 0
        falls = NO_FALL if eye.dear_unseen == NONE else ELSEWHERE
        for steps in range(1, later + 1):
            seat = seat_after(rules, deal.turn, steps)
            void = unseen & ~deal.excluded[seat] == NONE
            if void and unseen != NONE:
                voids += 1
            if eye.dear_unseen & ~deal.excluded[seat] != NONE:
                falls = max(falls, MAY_FALL if void else MAY_HOLD)
        eye.voids[suit] = min(voids, 2)
        eye.falls[suit] = falls


# The card


@inlined
def kind_of(rules: Record, eye: Record, bit: U, suit: U, value: int) -> int:
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
    """Place of the card among those that could be played instead."""
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
    """Write the places of one card, after `look_around`."""
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


@entry(types.void(TABLE, DEALS, types.uint64, types.int64[:, ::1]))
def describe_cards(table: Records, deals: Records, legal: U, places: Record) -> None:
    """Write the places of every legal card of the seat on turn, from the lowest on.

    Args:
        deals: one deal; other hands are not read.
        places: `int64[cards, FEATURES]`.
    """
    rules = table[0]
    eyes = scratch(1, EYE)
    eye = eyes[0]
    look_at_rules(rules, eye)
    look_around(rules, deals[0], legal, eye)
    row = 0
    while legal != NONE:
        bit = lowest(legal)
        legal ^= bit
        describe(rules, eye, bit, eye.places)
        for feature in range(FEATURES):
            places[row, feature] = eye.places[feature]
        row += 1
    hold(eyes)
