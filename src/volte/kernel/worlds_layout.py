"""How a plan of hidden hands lies in memory (`volte.kernel.worlds`).

Places are the other seats and a hidden kitty. Cards that the same places can hold are of one
**sort**; places that can hold the same sorts are of one **class**. Both are **nodes**: the classes
first, then the sorts. What is counted and drawn is how many cards of each sort go to each class,
one pair of them after the other: a **stage**.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from volte.kernel.layout import MOST_CARDS, MOST_SEATS

MOST_PLACES: Final = MOST_SEATS + 1
"""All seats of whoever holds no cards, and the kitty."""
MOST_COLUMNS: Final = MOST_SEATS + 1
MOST_SORTS: Final = 16
"""More than the 13 that the duties can tell apart: spades, hearts, diamonds, clubs and jokers, each
of them with points or without, the queen, and the clubs below the one that opens."""
MOST_NODES: Final = MOST_PLACES + MOST_SORTS
MOST_STAGES: Final = MOST_PLACES * MOST_SORTS

MOST_VALUES: Final = 2**22
"""That a plan may need: 32 MiB. Of 600,000 positions made to be hard none needed 20,000."""

CONTRADICTION: Final = -1
"""No deal is consistent with what is seen."""
NO_ROOM: Final = -2
"""The plan would be too large."""

SORT_ENDS: Final = 1
CLASS_ENDS: Final = 2

PLAN: Final = np.dtype(
    [
        ("ways", np.float64),
        ("columns", np.int64),
        ("classes", np.int64),
        ("sorts", np.int64),
        ("stages", np.int64),
        ("fixed", np.uint64, MOST_COLUMNS),
        ("members", np.int64, MOST_PLACES),
        ("member_column", np.int64, (MOST_PLACES, MOST_PLACES)),
        ("member_room", np.int64, (MOST_PLACES, MOST_PLACES)),
        ("cards", np.uint64, MOST_SORTS),
        ("capacity", np.int64, MOST_NODES),
        ("adjacent", np.uint64, MOST_NODES),
        ("stage_class", np.int64, MOST_STAGES),
        ("stage_sort", np.int64, MOST_STAGES),
        ("stage_ends", np.int64, MOST_STAGES),
        ("slope", np.int64, MOST_STAGES),
        ("at", np.int64, MOST_STAGES + 1),
        ("span", np.int64, MOST_STAGES + 1),
        ("balance", np.int64, MOST_STAGES + 1),
        ("implied", np.int64, MOST_STAGES + 1),
        ("digits", np.int64, MOST_STAGES + 1),
        ("digit", np.int64, (MOST_STAGES + 1, MOST_NODES)),
        ("stride", np.int64, (MOST_STAGES + 1, MOST_NODES)),
    ]
)
"""Everything that worlds are drawn from, but for the counts of ways.

Fields:
    ways: how many deals are consistent.
    columns: of a world: the seats and the kitty.
    fixed: by column, the cards that are known to lie there.
    members, member_column, member_room: by class, its places.
    cards: by sort, the cards.
    capacity: by node, the cards that a class has room for, or that a sort has.
    adjacent: by node, the nodes that share a stage with it, as bits.
    stage_ends: `SORT_ENDS`, `CLASS_ENDS` or both, where the last card of it goes in that stage.
    slope: how far one card that goes in that stage leads back among the positions after it.

Before each stage, and after the last, a position is how many cards are left of each node that is
begun and not ended. That of one node, the `implied` one, follows from the others, since classes and
sorts have as many cards left (`balance`); the others are the digits of a number below `span`. From
place `at` of the values on, there stands for each of these numbers in how many ways the rest can
go. Where no node is begun, none is implied, which is -1.
"""

CHOOSE: Final = np.zeros((MOST_CARDS + 1, MOST_CARDS + 1), np.float64)
"""`[n, k]`: in how many ways `k` of `n` cards can be chosen; every number is exact."""
CHOOSE[0, 0] = 1
for _n in range(1, MOST_CARDS + 1):
    CHOOSE[_n, 0] = 1
    CHOOSE[_n, 1:] = CHOOSE[_n - 1, 1:] + CHOOSE[_n - 1, :-1]
