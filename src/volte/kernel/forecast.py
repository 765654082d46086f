"""Matches played on from many totals, by deals that have been played already."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import from_dtype, types

from volte.kernel import compiler
from volte.kernel.compiler import compiled, hold, inlined
from volte.kernel.layout import MOST_SEATS, Record, Records

WINNING: Final = 0
DIFFERENCE: Final = 1
AVERAGE: Final = 2
"""What counts at the end: a part of the win (E1, E2), or stakes (M1, M5)."""

MOST_DEALS: Final = 400
"""After which a match that will not end is taken to be over."""

ENDING: Final = np.dtype(
    [
        ("players", np.int64),
        ("partners", np.int64),
        ("limited", np.bool_),
        ("number", np.int64),
        ("halves", np.bool_),
        ("plays_on", np.bool_),
        ("counts", np.int64),
    ]
)
"""How a match ends: seats; seats to a side; whether by a limit, and which, or after how many deals;
whether whoever hits it falls back to half (W9); whether a tie is played on; what counts then."""

STANDS: Final = np.dtype([("totals", np.int64, MOST_SEATS), ("winners", np.int64)])
"""A match as it stands: totals, and how many have the lowest."""


@inlined
def add(ending: Record, stands: Record, futures: Record, future: int, deal: int) -> None:
    """One more deal, and whoever hits the limit falls back."""
    for seat in range(ending.players):
        stands.totals[seat] += futures[future, deal, seat]
        if ending.halves and stands.totals[seat] == ending.number:
            stands.totals[seat] = ending.number // 2


@inlined
def is_over(ending: Record, stands: Record, deals: int) -> bool:
    """Whether the match is over, and how many are in front then."""
    if ending.limited:
        highest = stands.totals[0]
        for seat in range(1, ending.players):
            highest = max(highest, stands.totals[seat])
        if highest < ending.number:
            return False
    elif deals < ending.number:
        return False
    lowest, winners = stands.totals[0], 0
    for seat in range(ending.players):
        total = stands.totals[seat]
        if total < lowest:
            lowest, winners = total, 0
        if total == lowest:
            winners += 1
    stands.winners = winners
    return winners == ending.partners or not ending.plays_on


@inlined
def pay(ending: Record, stands: Record, row: int, worth: Record) -> None:
    """What the end brings every seat, besides what it has."""
    lowest, sums = stands.totals[0], 0
    for seat in range(ending.players):
        lowest = min(lowest, stands.totals[seat])
        sums += stands.totals[seat]
    for seat in range(ending.players):
        behind = stands.totals[seat] - lowest
        if ending.counts == AVERAGE:
            worth[row, seat] += sums / ending.players - stands.totals[seat]
        elif ending.counts == DIFFERENCE:
            won = (sums - lowest * ending.players) / stands.winners
            worth[row, seat] += won if behind == 0 else -behind
        elif behind == 0:
            worth[row, seat] += ending.partners / stands.winners


@compiled(
    types.void(
        types.Array(from_dtype(ENDING), 1, "C", readonly=True),
        types.int64,
        types.int64[:, ::1],
        types.Array(types.int64, 3, "C", readonly=True),
        types.float64[:, ::1],
    )
)
def forecast(endings: Records, deals: int, totals: Record, futures: Record, worth: Record) -> None:
    """What each of these totals is worth to every seat, as the mean of the futures.

    Args:
        endings: one row of `ENDING`.
        deals: how many have been played.
        totals: `int64[rows, players]`, with all that has been played.
        futures: `int64[futures, deals, players]`, the points of the deals to come, which begin
            anew where they do not suffice. The same for every row, so that rows compare well.
        worth: `float64[rows, players]`.
    """
    ending = endings[0]
    rooms = compiler.scratch(1, STANDS)
    stands = rooms[0]
    for row in range(len(totals)):
        for seat in range(ending.players):
            worth[row, seat] = 0.0
        for future in range(len(futures)):
            for seat in range(ending.players):
                stands.totals[seat] = totals[row, seat]
            played = 0
            while not is_over(ending, stands, deals + played) and played < MOST_DEALS:
                add(ending, stands, futures, future, played % futures.shape[1])
                played += 1
            pay(ending, stands, row, worth)
        for seat in range(ending.players):
            worth[row, seat] /= len(futures)
    hold(rooms)
