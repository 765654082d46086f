"""Data of the search for the last tricks: a line of play, choices, and results to remember.

`volte.kernel.endgame` is the search.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, cast

import numpy as np

from volte.kernel.compiler import NONE, U, index_of, inlined
from volte.kernel.layout import MOST_LEFT, MOST_SEATS, Record

_ROWS: Final = MOST_LEFT + 1
"""Rows of a line: a choice for every card, and the end behind the last one."""
LANES: Final = MOST_SEATS + 1
SUM: Final = MOST_SEATS
"""Lane behind the points of the seats: the final points of all of them together."""
_BITS: Final = 10
_PLACES: Final = 1 << _BITS
"""Remembered positions: more help only where there are five tricks to come, or more."""

ROOM: Final = np.dtype(
    [
        ("choices", np.int64),  # number of choices in all searches
        ("search", np.int64),  # number of this search, which marks its results
        ("voids", np.int64),  # bit per seat, for seats whose voids count (T6)
        ("counting", np.uint64),  # mask of the cards with any value
        ("bonus", np.uint64),  # mask of the cards below zero
        ("key", np.uint64),  # with `mark` the position behind the last full trick; 0 after a choice
        ("mark", np.int64),
        ("dealt", np.uint64, MOST_SEATS),  # the hands that the search began with
        ("hands", np.uint64, MOST_SEATS),  # up to date only for the seat on turn
        ("points", np.int64, MOST_SEATS),  # per seat, the value of the position
        # For each choice, in the order of play
        ("untried", np.uint64, _ROWS),  # the cards still to be tried
        ("unplayed", np.uint64, _ROWS),  # from here on the line, as in `LineOfPlay`
        ("table", np.uint64, _ROWS),
        ("led", np.uint64, _ROWS),
        ("best", np.uint64, _ROWS),
        ("winner", np.int64, _ROWS),
        ("turn", np.int64, _ROWS),
        ("count", np.int64, _ROWS),
        ("gathered", np.int64, _ROWS),
        ("broken", np.int64, _ROWS),
        ("voided", np.int64, _ROWS),
        ("shooter", np.int64, _ROWS),
        ("slammer", np.int64, _ROWS),
        ("cost", np.int64, _ROWS),  # the best margin so far, times the other seats
        ("least", np.int64, _ROWS),  # lower bound of the cost
        ("keys", np.uint64, _ROWS),  # with `marks` the position, where a trick began just before
        ("marks", np.int64, _ROWS),
        ("gained", np.int32, (_ROWS, LANES)),  # per seat, the points when that choice came up
        ("value", np.int32, (_ROWS, LANES)),  # final points on the best line so far
        # Positions found so far, by a hash of the key, and the points gained from there
        ("known", np.uint64, _PLACES),
        ("known_marks", np.int64, _PLACES),
        ("known_gains", np.int32, (_PLACES, LANES)),
    ]
)
"""Memory of a search: scratch, all zero before the first one, and good for any number."""

ANYBODY: Final = cast(int, np.int64(8))
"""Stands for the seat while every seat may still make it."""
NO_SEAT: Final = cast(int, np.int64(7))
"""Stands for no seat: greater than every seat."""

ZERO: Final = cast(int, np.int64(0))
UNIT: Final = cast(int, np.int64(1))
"""Constants of the type that a line counts in."""

_SPREAD: Final = U(0x9E3779B97F4A7C15)
_SHIFT: Final = U(64 - _BITS)
_LEADER: Final = U(54)
_SHOOTER: Final = U(57)
_SLAMMER: Final = U(60)
_THREE_BITS: Final = U(7)


class LineOfPlay(NamedTuple):
    """The state of a line of play. Fields without a comment are as in `DEAL`."""

    hands: Any
    unplayed: U  # the cards in all hands
    opening: U
    table: U  # the cards on the table, and the kitty before the first trick is taken
    led: U
    best: U
    winner: int
    turn: int
    count: int  # type: ignore[assignment]
    gathered: int
    broken: int
    voided: int
    shooter: int  # the seat that has all penalty cards so far (S3)
    slammer: int  # the seat that has all tricks so far (S4)


@inlined
def with_card(rules: Record, line: LineOfPlay, bit: U) -> LineOfPlay:
    """The line with one more card: `play_card`."""
    led, best, winner = line.led, line.best, line.winner
    broken, voided = line.broken, line.voided
    if led == NONE:
        led = rules.suits[index_of(bit)]
    elif bit & led == NONE:
        voided |= UNIT << line.turn
    if bit & led > best:
        best = bit
        winner = line.turn
    if bit & rules.breaking != NONE:
        broken = UNIT
    turn = line.turn + UNIT
    return LineOfPlay(
        line.hands,
        line.unplayed ^ bit,
        NONE,
        line.table | bit,
        led,
        best,
        winner,
        turn if turn < rules.players else ZERO,
        line.count + UNIT,
        line.gathered,
        broken,
        voided,
        line.shooter,
        line.slammer,
    )


# Choices


@inlined
def keep(room: Record, row: int, line: LineOfPlay) -> None:
    """Write down the line before a choice."""
    room.unplayed[row] = line.unplayed
    room.table[row] = line.table
    room.led[row] = line.led
    room.best[row] = line.best
    room.winner[row] = line.winner
    room.turn[row] = line.turn
    room.count[row] = line.count
    room.gathered[row] = line.gathered
    room.broken[row] = line.broken
    room.voided[row] = line.voided
    room.shooter[row] = line.shooter
    room.slammer[row] = line.slammer


@inlined
def line_of(room: Record, row: int) -> LineOfPlay:
    """Rebuild the line of play before the choice in a row of the search."""
    return LineOfPlay(
        room.hands,
        room.unplayed[row],
        NONE,
        room.table[row],
        room.led[row],
        room.best[row],
        room.winner[row],
        room.turn[row],
        room.count[row],
        room.gathered[row],
        room.broken[row],
        room.voided[row],
        room.shooter[row],
        room.slammer[row],
    )


# Positions


@inlined
def find(
    room: Record, row: int, unplayed: U, leader: int, shooter: int, slammer: int, voided: int
) -> bool:
    """Add the points gained from a position on, if they are known.

    Broken hearts, and whether no penalty card has been taken, follow from the cards.
    """
    key = unplayed | U(leader) << _LEADER
    key |= (U(shooter) & _THREE_BITS) << _SHOOTER | (U(slammer) & _THREE_BITS) << _SLAMMER
    room.key = key
    room.mark = room.search << MOST_SEATS | voided & room.voids
    place = key * _SPREAD >> _SHIFT
    if room.known[place] != key or room.known_marks[place] != room.mark:
        return False
    for lane in range(LANES):
        room.gained[row, lane] += room.known_gains[place, lane]
    return True


@inlined
def remember(room: Record, row: int) -> None:
    """Keep the result of a choice, if a trick began just before."""
    key = room.keys[row]
    if key == NONE:
        return
    place = key * _SPREAD >> _SHIFT
    room.known[place] = key
    room.known_marks[place] = room.marks[row]
    for lane in range(LANES):
        room.known_gains[place, lane] = room.value[row, lane] - room.gained[row, lane]
