"""How rulesets, deals and outcomes lie in memory: the records that compiled code works on.

Cards keep the indices and masks of `volte.cards`, so a mask here is a mask there. A record is a row
of a NumPy structured array; the kernel changes rows in place and allocates nothing.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MOST_SEATS: Final = 7
MOST_TRICKS: Final = 18
"""Tricks of the longest deal: three seats, 54 cards."""
MOST_CARDS: Final = 54
MOST_STEPS: Final = 64
"""Directions that the longest encoded cycle of passes has."""
LEADER_DUTIES: Final = 2
DISCARD_DUTIES: Final = 3

SCATTERED: Final = -1
"""The step of a pass of which every other seat gets a card (W1)."""

UNDEALT: Final = 0
PASSING: Final = 1
PLAYING: Final = 2
OVER: Final = 3

RULES: Final = np.dtype(
    [
        ("players", np.int64),
        ("cards", np.int64),
        ("hand_size", np.int64),
        ("kitty_size", np.int64),
        ("pass_count", np.int64),
        ("cycle_length", np.int64),
        ("opens_low", np.int64),
        ("moon", np.int64),
        ("moon_up", np.int64),
        ("slam", np.int64),
        ("slam_up", np.int64),
        ("adds_up", np.int64),
        ("no_tricks", np.int64),
        ("sides", np.int64),
        ("by_side", np.int64),
        ("number_by_number", np.uint64),
        ("kinds", np.int64),
        ("dear", np.int64),
        ("total", np.int64),
        ("deck", np.uint64),
        ("penalties", np.uint64),
        ("needed", np.uint64),
        ("breaking", np.uint64),
        ("openers", np.uint64),
        ("kitty_for", np.uint64),
        ("plain", np.int64, MOST_TRICKS),
        ("steps", np.int64, MOST_STEPS),
        ("order", np.uint64, MOST_CARDS),
        ("values", np.int64, MOST_CARDS),
        ("kind_masks", np.uint64, MOST_CARDS),
        ("kind_values", np.int64, MOST_CARDS),
        ("dear_masks", np.uint64, MOST_CARDS),
        ("dear_values", np.int64, MOST_CARDS),
        ("dear_suits", np.int64, MOST_CARDS),
        ("suits", np.uint64, 64),
        ("leader", np.uint64, (MOST_TRICKS, 2, LEADER_DUTIES)),
        ("discard", np.uint64, (MOST_TRICKS, 4, 2, 2, DISCARD_DUTIES)),
        ("allowed", np.uint64, (MOST_TRICKS, 4, 2, 2)),
    ]
)
"""A ruleset (`volte.kernel.table.encode`). Times are in tricks gathered, from 0.

Fields:
    opens_low: 1 where whoever holds the lowest club leads first (L2, W2).
    openers: mask of what that seat may lead besides (W2).
    moon, slam: 1 where the rules have them (S3, S4).
    moon_up, slam_up: what either counts for each of the others: 0 where it is taken off whoever has
        done it, who counts `total`, or `2 * total`, less than they do (S3, S4, W7, W8).
    adds_up: 1 where, but for a moon or a slam of one seat, a seat has what its cards count.
    no_tricks: what taking no trick counts (W6).
    sides: how many sides there are, as many as seats where everybody plays alone (W10).
    by_side: 1 where a side may shoot the moon or make the slam together.
    number_by_number: 1 where `volte.kernel.random` has to draw and play as `play` does (W1, W3).
    needed: mask of the cards that the moon takes (S3, W7).
    kitty_for: mask of the cards of which a trick has one that brings the kitty (D6, W4); the last
        trick brings it at the latest.
    kinds, kind_masks, kind_values: the penalty table, cards that count the same together.
    dear, dear_masks, dear_values, dear_suits: the penalty cards, those of one suit that count the
        same together; the dearest first, then suit by suit. Jokers are a fifth suit.
    plain: 1 where a discard in that trick is bound by no duty.
    steps: seats to the left that a pass goes, by deal; 0 is no pass, `SCATTERED` is to everybody.
    order: the deck in canonical order, each card as a mask.
    suits: mask of the suit of each card, by index; 0 for a joker.
    leader: `[gathered][broken]`, the duties of whoever sets the suit, as in `volte.rules.legality`.
    discard: `[gathered][suit led][broken][had a chance]`, those of whoever cannot follow.
    allowed: the same, what T3, W3, T6 and T7 together leave to whoever cannot follow.
"""

DEAL: Final = np.dtype(
    [
        ("chance", np.uint64),
        ("number", np.int64),
        ("dealer", np.int64),
        ("step", np.int64),
        ("phase", np.int64),
        ("turn", np.int64),
        ("leader", np.int64),
        ("count", np.int64),
        ("gathered", np.int64),
        ("winner", np.int64),
        ("broken", np.int64),
        ("voided", np.int64),
        ("kitty_taker", np.int64),
        ("led", np.uint64),
        ("best", np.uint64),
        ("opening", np.uint64),
        ("kitty", np.uint64),
        ("hands", np.uint64, MOST_SEATS),
        ("given", np.uint64, MOST_SEATS),
        ("coming", np.uint64, MOST_SEATS),
        ("taken", np.uint64, MOST_SEATS),
        ("excluded", np.uint64, MOST_SEATS),
        ("won", np.int64, MOST_SEATS),
        ("trick", np.uint64, MOST_SEATS),
    ]
)
"""A deal as it lies: `volte.game.DealState`, word for word, but for

Fields:
    chance: the state of the deal's generator.
    step: seats to the left that the pass goes; 0 where nothing is passed, `SCATTERED`.
    phase: `UNDEALT`, `PASSING`, `PLAYING` or `OVER`.
    turn: the seat to pass or to play.
    count: cards on the table; `trick` holds them, as masks, from the leader on.
    led: mask of the suit to follow; 0 before a suit is set.
    best, winner: the card that takes the trick as it lies, and its seat; 0 and the leader before a
        suit is set.
    opening: the card that must be led first (L2), or whose holder leads (W2); 0 where any may.
    given: the cards each seat has passed, or picked so far to pass.
    coming: of a scatter, the cards that each seat has been passed, or will be (W1).
    kitty_taker: -1 before it is taken.
"""

OUTCOME: Final = np.dtype(
    [
        ("points", np.int32, MOST_SEATS),
        ("moon", np.int8),
        ("slam", np.int8),
        ("queen", np.int8),
        ("dealer", np.int8),
        ("step", np.int8),
        ("minus", np.int8),
        ("trickless", np.uint8),
    ]
)
"""A scored deal: `points` per seat; the seat that shot the moon or made the slam (S3, S4) and the
seat that took the queen, -1 where nobody; who dealt; seats to the left that the pass went, as in
`DEAL`; whether a moon is taken off the shooter (W7); a bit for each seat that took no trick, where
that counts (W6)."""

MOST_DRAWS: Final = 56
MOST_PASSED: Final = 28
"""Cards that seven seats pass together, four each."""

DRAWS: Final = np.dtype(
    [
        ("again", np.uint64),
        ("order", np.uint64, MOST_DRAWS),
        ("others", np.uint64, MOST_DRAWS),
        ("passes", np.uint64, MOST_PASSED),
        ("plays", np.uint64, MOST_DRAWS),
    ]
)
"""What the generator gives to one deal of `volte.kernel.random`, all drawn beforehand.

Fields:
    again: 1 where the generator may have to draw a number once more, so that all this is void.
    order: the deck while it is shuffled, each card as a mask.
    others: by place, the place that its card is taken from.
    passes, plays: 32 bits for each card that is passed or played.
"""

SEAT: Final = np.dtype(
    [("policy", np.int64)]
    + [
        (name, np.int64)
        for name in (
            "relief",
            "lead",
            "eager",
            "greedy",
            "falls",
            "least",
            "void",
            "bonus",
            "joker",
            "flush",
            "gift",
            "give",
        )
    ]
)
"""Who plays for a seat: the policy, and the weights of `casual` (`volte.bots.Weights`)."""

RANDOM: Final = 0
CASUAL: Final = 1
INSTINCT: Final = 2
OUTSIDE: Final = -1
"""No policy: the seat is played from outside of compiled code."""

Records = NDArray[np.void]
"""An array of one of these."""

Record = Any
"""A row of one, as compiled code sees it: its fields are attributes."""
