"""What a seat goes by when it plays by instinct: the moment, and where each card stands in it.

Everything is told in small numbers that mean the same at every table: how many unseen cards are
higher, what part of the deal is over, what kind of card it is by the penalty table. Nothing is read
but the hand of the seat on turn and what lies open; `features` makes a description of it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from volte.kernel.bits import NONE, ONE, U, highest_index, lowest
from volte.kernel.casual_odds import seat_after, seen_by, size, suit_mask
from volte.kernel.compiler import inlined
from volte.kernel.layout import Record
from volte.kernel.play import brings_kitty, points_in

LEADING: Final = 0
FOLLOWING: Final = 1
CLOSING: Final = 2
"""Follows suit, as the last to play."""
DISCARDING: Final = 3
MOMENTS: Final = 4

CLEAN, SMALL, DEAR, PAYING = range(4)
"""What lies on the table: no penalty card; less than a quarter of all points, or a kitty that comes
with the trick; more; below zero."""
TABLES: Final = 4

NOBODY, MINE, MINE_LARGE, MINE_MOST, THEIRS, THEIRS_LARGE, THEIRS_MOST, SHARED = range(8)
"""Who has penalty cards: nobody; one seat alone, and whether a third of the points or more, or two
thirds; or several, which is also what is told where nobody can shoot the moon."""
MOONS: Final = 8

NO_FALL, ELSEWHERE, MAY_HOLD, MAY_FALL = range(4)
"""Where a dear card is that has not been seen: there is none; with none of the later seats; with
one of them, perhaps; perhaps with one that has shown a void in the suit."""
DANGERS: Final = 4

EXITS: Final = 4

STAGES: Final = 5
"""Into which the tricks of a deal are divided."""

SITUATION: Final[list[Any]] = [
    ("moment", np.int64),
    ("hand", np.uint64),
    ("unseen", np.uint64),
    ("later", np.int64),
    ("table", np.int64),
    ("stage", np.int64),
    ("moon", np.int64),
    ("threat", np.int64),
    ("queen", np.int64),
    ("tops", np.int64),
    ("dear", np.uint64),
    ("paying", np.uint64),
    ("dear_unseen", np.uint64),
    ("dear_held", np.uint64),
    ("paying_unseen", np.uint64),
    ("under", np.uint64),
    ("over", np.uint64),
    ("voids", np.int64, 5),
    ("falls", np.int64, 5),
    ("exits", np.int64),
]
"""The moment of one choice.

Fields:
    moment: `LEADING`, `FOLLOWING`, `CLOSING` or `DISCARDING`.
    hand, unseen: masks.
    later: seats that still play to the trick, at most 3.
    table, moon: see above.
    threat: whether one other seat alone has penalty cards, and is winning the trick.
    queen: a penalty card of a quarter of the points is held (0), unseen (1) or gone (2).
    tops: held cards that no unseen one of their suit beats, at most 5; 0 where nobody can shoot
        the moon any more.
    dear, paying: of the ruleset, the cards of a quarter of the points, and those below zero.
    dear_unseen, dear_held, paying_unseen: masks; `paying_unseen` with those on the table.
    under, over: legal cards of the suit led that are below, or above, the one that wins.
    voids: by suit that may be played, later seats that have shown they hold none of what is
        unseen of it, at most 2; nothing where the seat discards.
    falls: by suit that may be played, whether a dear card may come on it: see above; nothing where
        the seat discards.
    exits: suits of which the lowest held card is one that hardly anything is under, at most 3.
"""


@inlined
def look_at_rules(rules: Record, eye: Record) -> None:
    """What does not change while a ruleset is played."""
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
    """The moment of the seat on turn."""
    seat = deal.turn
    hand = deal.hands[seat]
    table = NONE
    for place in range(deal.count):
        table |= deal.trick[place]
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
    """What lies there, and whether the kitty comes with it (D6, W4)."""
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
    """Whether the seat leads, follows or discards."""
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
    """Where the cards are that count most."""
    eye.dear_unseen = eye.dear & eye.unseen
    eye.dear_held = eye.dear & eye.hand
    eye.paying_unseen = eye.paying & (eye.unseen | table)
    if eye.dear_held != NONE:
        eye.queen = 0
    else:
        eye.queen = 1 if eye.dear_unseen != NONE else 2


@inlined
def look_for_moon(rules: Record, deal: Record, eye: Record) -> None:
    """Who may be shooting the moon (S3)."""
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
    """Cards that nothing beats: for whoever may be shooting the moon, or stopping it."""
    tops = 0
    if eye.moon != SHARED:
        for suit in range(4):
            unseen = eye.unseen & suit_mask(suit)
            held = eye.hand & suit_mask(suit)
            tops += size(held if unseen == NONE else held >> highest_index(unseen))
    eye.tops = min(tops, 5)


@inlined
def look_for_exits(eye: Record) -> None:
    """Suits by which the lead can be lost."""
    exits = 0
    for suit in range(4):
        held = eye.hand & suit_mask(suit)
        unseen = eye.unseen & suit_mask(suit)
        if held != NONE and unseen > lowest(held) and size(unseen & (lowest(held) - ONE)) <= 1:
            exits += 1
    eye.exits = min(exits, EXITS - 1)


@inlined
def look_for_voids(rules: Record, deal: Record, later: int, eye: Record) -> None:
    """Who has shown a void in a suit that may be played, and what can still be discarded on it."""
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
