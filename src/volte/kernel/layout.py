"""Layout of rulesets, deals and outcomes in memory: the records that compiled code works on.

Cards keep the indices and masks of `volte.cards`, so a mask here is a mask there. A record is a row
of a NumPy structured array; the kernel changes rows in place and allocates nothing.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from volte.cards import VolteError


class KernelFault(VolteError):
    """A ruleset or argument that the kernel cannot play, or does not accept."""


Records = NDArray[np.void]
"""An array of records of one of the types below."""

Record = Any
"""One row, as compiled code sees it: its fields are attributes."""

MOST_SEATS: Final = 7
MOST_TRICKS: Final = 18
"""Tricks of the longest deal: three seats, 54 cards."""
MOST_CARDS: Final = 54
MOST_STEPS: Final = 64
"""Most directions in an encoded cycle of passes."""
LEADER_DUTIES: Final = 2
DISCARD_DUTIES: Final = 3

SCATTERED: Final = -1
"""Step of a pass in which every other seat gets a card (W1)."""

RULES: Final = np.dtype(
    [
        ("players", np.int64),
        ("cards", np.int64),
        ("hand_size", np.int64),
        ("kitty_size", np.int64),
        ("pass_count", np.int64),
        ("cycle_length", np.int64),
        ("opens_low", np.int64),  # 1 if the holder of the lowest club leads first (L2, W2)
        ("moon", np.int64),  # 1 where the rules have it (S3)
        ("moon_up", np.int64),  # points for each of the others; 0 where it is taken off the
        # shooter, who then has `total` less than the others (S3, W7)
        ("slam", np.int64),  # 1 where the rules have it (S4)
        ("slam_up", np.int64),  # as `moon_up`; or taken off `2 * total` (S4, W8)
        ("adds_up", np.int64),  # 1 where, but for a moon or a slam of one seat, cards alone count
        ("no_tricks", np.int64),  # points for taking no trick (W6)
        ("sides", np.int64),  # number of sides; as many as seats where everybody plays alone (W10)
        ("by_side", np.int64),  # 1 where a side may shoot the moon or make the slam together
        ("number_by_number", np.uint64),  # 1 where `random` has to draw as `play` does (W1, W3)
        ("kinds", np.int64),
        ("dear", np.int64),
        ("total", np.int64),
        ("deck", np.uint64),
        ("penalties", np.uint64),
        ("needed", np.uint64),  # mask of the cards that the moon takes (S3, W7)
        ("breaking", np.uint64),
        ("openers", np.uint64),  # mask of the legal first leads besides the lowest club (W2)
        ("kitty_for", np.uint64),  # a trick with one of these cards brings the kitty, and the last
        # trick does at the latest (D6, W4)
        ("plain", np.int64, MOST_TRICKS),  # 1 where a discard in that trick is bound by no duty
        ("steps", np.int64, MOST_STEPS),  # by deal, seats to the left that a pass goes; 0 is no
        # pass, `SCATTERED` is to everybody
        ("order", np.uint64, MOST_CARDS),  # the deck in canonical order, each card as a mask
        ("values", np.int64, MOST_CARDS),
        ("kind_masks", np.uint64, MOST_CARDS),  # the penalty table: cards of one value together
        ("kind_values", np.int64, MOST_CARDS),
        ("dear_masks", np.uint64, MOST_CARDS),  # the penalty cards, grouped by suit and value;
        ("dear_values", np.int64, MOST_CARDS),  # the dearest first, then suit by suit
        ("dear_suits", np.int64, MOST_CARDS),  # jokers are a fifth suit
        ("suits", np.uint64, 64),  # mask of the suit of each card, by index; 0 for a joker
        ("leader", np.uint64, (MOST_TRICKS, 2, LEADER_DUTIES)),
        ("discard", np.uint64, (MOST_TRICKS, 4, 2, 2, DISCARD_DUTIES)),
        ("allowed", np.uint64, (MOST_TRICKS, 4, 2, 2)),
    ]
)
"""A ruleset (`volte.kernel.encoding.encode`). Times are in tricks gathered, from 0.

The duties are those of `volte.rules.legality`: `leader[gathered][broken]` binds the seat that sets
the suit, `discard[gathered][suit led][broken][had a chance]` a seat that cannot follow. `allowed`,
with the indices of `discard`, masks the cards that T3, W3, T6 and T7 together leave to the latter.
"""

UNDEALT: Final = 0
PASSING: Final = 1
PLAYING: Final = 2
OVER: Final = 3

DEAL: Final = np.dtype(
    [
        ("chance", np.uint64),  # the state of the deal's generator
        ("number", np.int64),
        ("dealer", np.int64),
        ("step", np.int64),  # seats to the left that the pass goes; 0 is no pass, or `SCATTERED`
        ("phase", np.int64),  # `UNDEALT`, `PASSING`, `PLAYING` or `OVER`
        ("turn", np.int64),  # the seat to pass or to play
        ("leader", np.int64),
        ("count", np.int64),  # cards on the table
        ("gathered", np.int64),
        ("winner", np.int64),  # the seat of `best`; the leader before a suit is set
        ("broken", np.int64),
        ("voided", np.int64),
        ("kitty_taker", np.int64),  # -1 before it is taken
        ("led", np.uint64),  # mask of the suit to follow; 0 before a suit is set
        ("best", np.uint64),  # the card that takes the trick as it lies; 0 before a suit is set
        ("opening", np.uint64),  # the card that must be led first (L2), or whose holder leads (W2);
        # 0 where any may
        ("kitty", np.uint64),
        ("hands", np.uint64, MOST_SEATS),
        ("given", np.uint64, MOST_SEATS),  # the cards each seat has passed, or picked so far
        ("coming", np.uint64, MOST_SEATS),  # the cards each seat is passed in a scatter (W1)
        ("taken", np.uint64, MOST_SEATS),
        ("excluded", np.uint64, MOST_SEATS),
        ("won", np.int64, MOST_SEATS),
        ("trick", np.uint64, MOST_SEATS),  # the cards on the table, as masks, from the leader on
        ("totals", np.int64, MOST_SEATS),  # of the match, without this deal
        ("ending_total", np.int64),  # see `Ruleset`; 0 as well where the deal stands alone
    ]
)
"""A deal. Fields without a comment are as in `volte.game.DealState`."""

OUTCOME: Final = np.dtype(
    [
        ("points", np.int32, MOST_SEATS),
        ("moon", np.int8),  # the seat that shot the moon (S3); -1 where nobody did
        ("slam", np.int8),  # the seat that made the slam (S4); -1
        ("queen", np.int8),  # the seat that took the queen; -1
        ("dealer", np.int8),
        ("step", np.int8),  # as in `DEAL`
        ("minus", np.int8),  # 1 if the moon or slam is taken off its maker (W7)
        ("trickless", np.uint8),  # a bit for each seat that took no trick, where that counts (W6)
    ]
)
"""A scored deal."""

MOST_DRAWS: Final = 56
MOST_PASSED: Final = 28
"""Cards that seven seats pass together, four each."""

DRAWS: Final = np.dtype(
    [
        ("again", np.uint64),  # 1 where a number may have to be drawn again, which makes this void
        ("order", np.uint64, MOST_DRAWS),  # the deck while it is shuffled, each card as a mask
        ("others", np.uint64, MOST_DRAWS),  # by place, the place that its card is taken from
        ("passes", np.uint64, MOST_PASSED),  # 32 bits for each card that is passed
        ("plays", np.uint64, MOST_DRAWS),  # 32 bits for each card that is played
    ]
)
"""All numbers that one deal of `volte.kernel.random` draws, drawn beforehand."""

_WEIGHTS: Final = (
    *("relief", "lead", "eager", "greedy", "falls", "least"),
    *("void", "bonus", "joker", "flush", "gift", "give", "whim", "guards"),
    *("cover", "exit", "stuck", "back", "caught", "safe", "keep", "moon", "press"),
    "decisive",
)
PASSING_WEIGHTS: Final = 64
SEAT: Final = np.dtype(
    [
        ("policy", np.int64),
        ("seed", np.uint64),
        *((name, np.int64) for name in _WEIGHTS),
        ("passing", np.int64, PASSING_WEIGHTS),
    ]
)
"""Player of a seat: the policy, and the seed and weights of `casual` (`volte.bots.Weights`)."""

RANDOM: Final = 0
CASUAL: Final = 1
INSTINCT: Final = 2
OUTSIDE: Final = -1
"""No policy: the cards of the seat come from outside of compiled code."""

MOST_LEFT: Final = 21
"""Most cards in all hands together for a deal to be solved: more may take seconds."""

# The rest of a match

WINNING: Final = 0
DIFFERENCE: Final = 1
AVERAGE: Final = 2

ENDING: Final = np.dtype(
    [
        ("players", np.int64),
        ("partners", np.int64),  # seats to a side
        ("limited", np.bool_),  # whether the match ends by a limit of points
        ("number", np.int64),  # the limit of points, or the number of deals
        ("halves", np.bool_),  # whether a total that hits the limit falls back to half (W9)
        ("plays_on", np.bool_),  # whether a tie is played on
        ("counts", np.int64),  # what is at stake: part of the win, `WINNING` (E1, E2); or
        # the stakes, `DIFFERENCE` or `AVERAGE` (M1, M5)
    ]
)
"""End of a match, and the value of its result."""

# Hidden hands

MOST_PLACES: Final = MOST_SEATS + 1
"""Every seat, for an observer without cards, and the kitty."""
MOST_COLUMNS: Final = MOST_SEATS + 1
MOST_SORTS: Final = 16
"""More than the 13 that the duties can tell apart: spades, hearts, diamonds, clubs and jokers, each
of them with points or without, the queen, and the clubs below the one that opens."""
MOST_NODES: Final = MOST_PLACES + MOST_SORTS
MOST_STAGES: Final = MOST_PLACES * MOST_SORTS

MOST_VALUES: Final = 2**22
"""Most values in a plan: 32 MiB. Of 600,000 hard positions none needed 20,000."""

CONTRADICTION: Final = -1
"""Result if no deal is consistent with the view."""
NO_ROOM: Final = -2
"""Result if the plan would be too large."""

SORT_ENDS: Final = 1
CLASS_ENDS: Final = 2

PLAN: Final = np.dtype(
    [
        ("ways", np.float64),  # number of consistent deals
        ("columns", np.int64),  # columns of a world: the seats and the kitty
        ("classes", np.int64),
        ("sorts", np.int64),
        ("stages", np.int64),
        ("fixed", np.uint64, MOST_COLUMNS),  # by column, the cards known to lie there
        ("members", np.int64, MOST_PLACES),  # by class, number of its places
        ("member_column", np.int64, (MOST_PLACES, MOST_PLACES)),  # by class and place
        ("member_room", np.int64, (MOST_PLACES, MOST_PLACES)),
        ("cards", np.uint64, MOST_SORTS),  # by sort
        ("capacity", np.int64, MOST_NODES),  # room in a class, or cards in a sort
        ("adjacent", np.uint64, MOST_NODES),  # the nodes that share a stage with it, as bits
        ("stage_class", np.int64, MOST_STAGES),
        ("stage_sort", np.int64, MOST_STAGES),
        ("stage_ends", np.int64, MOST_STAGES),  # `SORT_ENDS`, `CLASS_ENDS` or both, where its last
        # card goes in that stage
        ("slope", np.int64, MOST_STAGES),  # how far one card that goes in that stage leads back
        # among the positions after it
        ("at", np.int64, MOST_STAGES + 1),
        ("span", np.int64, MOST_STAGES + 1),
        ("balance", np.int64, MOST_STAGES + 1),
        ("implied", np.int64, MOST_STAGES + 1),
        ("digits", np.int64, MOST_STAGES + 1),
        ("digit", np.int64, (MOST_STAGES + 1, MOST_NODES)),
        ("stride", np.int64, (MOST_STAGES + 1, MOST_NODES)),
    ]
)
"""A plan of hidden hands: the whole input of `volte.kernel.worlds` for drawing, except the counts
of ways.

Places are the other seats and a hidden kitty. Cards that the same places can hold are of one
**sort**; places that can hold the same sorts are of one **class**. Both are **nodes**: the classes
first, then the sorts. Counted and drawn is the number of cards of each sort that go to each class,
one pair of them after the other: a **stage**.

Before each stage, and after the last, a position is the number of cards left of each node that is
begun and not ended. The number for one node, the `implied` one, follows from the others, since
classes and sorts have as many cards left (`balance`); the others are the digits of a number below
`span`. The values from place `at` on hold, for each of these numbers, how many ways the rest can
go. Where no node is begun, none is implied, which is -1.
"""
