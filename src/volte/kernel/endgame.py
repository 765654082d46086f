"""The last tricks of a deal played out exactly, all cards known: max^n in compiled code.

Every seat plays for the lowest *margin*, its points less the mean of the others'. Of cards with the
same margin it plays the first in this order: leading, from the lowest up; following suit, cards
below the trick from the highest down, then cards above it from the lowest up; discarding, from the
highest down. So there is one best line of play, and its points are the value of the position.

The search goes from choice to choice; a forced card takes no place in it. It passes over a card
that has the same effect as another, and stops at a card that leaves the seat the lowest margin
possible. A full trick is awarded at once, and of the moon (S3) and the slam (S4) only the seat that
may still make them is kept. The points of the tricks to come then depend on the cards in the hands,
on the leader, on those two seats and on the voids that count; known results are looked up.

The rules are those of `volte.kernel.play`, but for `with_card`, `award` and `last_winner`, which
repeat them: there a deal is changed in place, and would have to be copied for every card.
"""

from __future__ import annotations

from typing import Final, cast

import numpy as np
from numba import from_dtype, types

from volte.kernel.compiler import (
    DEAL_ROW,
    DEALS,
    NONE,
    ONE,
    RULES_ROW,
    TABLE,
    U,
    apart,
    entry,
    highest_index,
    hold,
    index_of,
    inlined,
    lowest,
    scratch,
    shared,
)
from volte.kernel.endgame_line import (
    ANYBODY,
    LANES,
    NO_SEAT,
    ROOM,
    SUM,
    UNIT,
    ZERO,
    LineOfPlay,
    find,
    keep,
    line_of,
    remember,
    with_card,
)
from volte.kernel.layout import DEAL, DISCARD_DUTIES, MOST_SEATS, Record, Records
from volte.kernel.play import QUEEN, captured, legal_cards, on_table, play_card, points_in

_MOON: Final = cast(int, np.int64(2))
_SLAM: Final = cast(int, np.int64(3))

_FAR: Final = cast(int, np.int64(1 << 62))
_TOPS: Final = U(1 << 12 | 1 << 25 | 1 << 38 | 1 << 51)
"""Mask of the aces, the highest cards of their suits."""

_ROOM: Final = from_dtype(ROOM)


# The cards that are tried


@inlined
def unlike(rules: Record, legal: U, live: U) -> U:
    """The legal cards without those that have the same effect as the next lower one.

    Two cards are alike if they are of one suit and count the same, and no card that is still to be
    played or beaten lies between them: no duty and no trick tells them apart. Only the queen has
    duties of her own. The sum moves every card up to the next live one: it carries over dead ones.
    """
    above = ((legal & ~_TOPS) << ONE) + (~live & ~_TOPS) & live & legal
    while above != NONE:
        bit = lowest(above)
        above ^= bit
        below = ONE << highest_index(live & (bit - ONE))
        alike = rules.values[index_of(bit)] == rules.values[index_of(below)]
        if alike and (bit | below) & QUEEN == NONE:
            legal ^= bit
    return legal


@inlined
def to_try(rules: Record, room: Record, line: LineOfPlay) -> U:
    """Mask of the legal cards of the seat on turn, one of each kind."""
    room.hands[line.turn] = room.dealt[line.turn] & line.unplayed
    legal = legal_cards(rules, line)
    if legal & (legal - ONE) != NONE:
        legal = unlike(rules, legal, line.unplayed | line.best)
    return legal


@inlined
def next_card(room: Record, row: int) -> U:
    """Take the first of the untried cards."""
    untried = room.untried[row]
    led = room.led[row]
    bit = lowest(untried)
    if led != NONE:
        losing = untried
        if untried & led != NONE:
            losing &= room.best[row] - ONE
        if losing != NONE:
            bit = ONE << highest_index(losing)
    room.untried[row] = untried ^ bit
    return bit


# Points


@apart
def turn_over(rules: Record, room: Record, row: int, seat: int, times: int) -> None:
    """Score the moon (S3) or the slam (S4) of a seat that has all penalty cards.

    Args:
        times: `_MOON` or `_SLAM`, the number of totals that the seat is spared.
    """
    up = np.int32(rules.moon_up if times == _MOON else rules.slam_up)
    spared = np.int32(rules.total * times)
    for other in range(rules.players):
        room.gained[row, other] += up
    room.gained[row, seat] -= spared
    room.gained[row, SUM] += up * np.int32(rules.players) - spared


@inlined
def award(
    rules: Record,
    room: Record,
    row: int,
    winner: int,
    table: U,
    unplayed: U,
    shooter: int,
    slam: int,
) -> tuple[int, int]:
    """Give a trick to its winner; returns who may still shoot the moon, and make the slam."""
    room.gained[row, winner] += np.int32(points_in(rules, table))
    if shooter == NO_SEAT and slam == NO_SEAT:
        return shooter, slam
    if shooter != NO_SEAT and table & rules.needed != NONE:
        shooter = winner if shooter in (ANYBODY, winner) else NO_SEAT
    if slam != winner:
        slam = winner if slam == ANYBODY else NO_SEAT
    if slam != NO_SEAT:
        if unplayed == NONE:
            turn_over(rules, room, row, slam, _SLAM)
    elif shooter < NO_SEAT and unplayed & rules.needed == NONE:
        turn_over(rules, room, row, shooter, _MOON)
        shooter = NO_SEAT
    return shooter, slam


@inlined
def least_cost(rules: Record, room: Record, row: int, line: LineOfPlay) -> int:
    """Lower bound of the margin, times the other seats, for the seat on turn.

    Points that a moon or a slam puts on everybody, or does not (W7, W8), change no margin.
    """
    seat, cards = line.turn, line.unplayed | line.table
    own, total = np.int64(room.gained[row, seat]), np.int64(room.gained[row, SUM])
    if cards & room.bonus != NONE:
        own += points_in(rules, cards & room.bonus)
    if line.shooter != NO_SEAT or line.slammer != NO_SEAT:
        taken = rules.total - points_in(rules, cards & rules.penalties)
        if line.slammer == seat or line.slammer == ANYBODY:
            own -= rules.total + taken
            total += (rules.players - 3) * rules.total
        elif line.shooter == seat or line.shooter == ANYBODY:
            own -= taken
            total += (rules.players - 2) * rules.total
    return own * rules.players - total  # type: ignore[no-any-return]


# Tricks


@inlined
def last_winner(rules: Record, room: Record, leader: int, unplayed: U) -> int:
    """The taker of the last trick (T2, D7)."""
    turn = winner = leader
    led = best = NONE
    for _ in range(rules.players):
        bit = room.dealt[turn] & unplayed
        if led == NONE:
            led = rules.suits[index_of(bit)]
        if bit & led > best:
            best = bit
            winner = turn
        turn += UNIT
        if turn == rules.players:
            turn = ZERO
    return winner


@inlined
def with_trick(rules: Record, room: Record, row: int, line: LineOfPlay) -> LineOfPlay:
    """The line behind a full trick; it counts as over once nothing is left to find out."""
    winner, table, unplayed = line.winner, line.table, line.unplayed
    shooter, slammer, gathered = line.shooter, line.slammer, line.gathered
    while True:
        gathered += UNIT
        shooter, slammer = award(rules, room, row, winner, table, unplayed, shooter, slammer)
        if shooter == NO_SEAT and slammer == NO_SEAT and unplayed & room.counting == NONE:
            gathered = rules.hand_size
        if gathered + UNIT != rules.hand_size:
            break
        winner = last_winner(rules, room, winner, unplayed)
        table, unplayed = unplayed, NONE
    if gathered < rules.hand_size and find(
        room, row, unplayed, winner, shooter, slammer, line.voided
    ):
        gathered = rules.hand_size
    return LineOfPlay(
        line.hands,
        unplayed,
        NONE,
        NONE,
        NONE,
        NONE,
        winner,
        winner,
        ZERO,
        gathered,
        line.broken,
        line.voided,
        shooter,
        slammer,
    )


# Choices


@inlined
def open_choice(rules: Record, room: Record, row: int, line: LineOfPlay, legal: U) -> None:
    """Begin a choice of the seat on turn between the legal cards."""
    room.choices += 1
    room.untried[row] = legal
    keep(room, row, line)
    room.cost[row] = _FAR
    room.least[row] = least_cost(rules, room, row, line)
    room.keys[row] = room.key
    room.marks[row] = room.mark


@inlined
def try_next(room: Record, row: int) -> U:
    """Take the next card of a choice; the line goes on from the points gained so far."""
    for lane in range(LANES):
        room.gained[row + 1, lane] = room.gained[row, lane]
    room.key = NONE
    return next_card(room, row)


@inlined
def weigh(rules: Record, room: Record, row: int) -> None:
    """Keep the card just tried, whose value lies in the next row, if it is the best so far."""
    seat = room.turn[row]
    cost = room.value[row + 1, seat] * rules.players - room.value[row + 1, SUM]
    if cost < room.cost[row]:
        room.cost[row] = cost
        for lane in range(LANES):
            room.value[row, lane] = room.value[row + 1, lane]
        if cost == room.least[row]:
            room.untried[row] = NONE


@inlined
def go_back(rules: Record, room: Record, row: int) -> int:
    """The last choice that is still open, seen from the end of a line; -1 if there is none."""
    for lane in range(LANES):
        room.value[row + 1, lane] = room.gained[row + 1, lane]
    while row >= 0:
        weigh(rules, room, row)
        if room.untried[row] != NONE:
            break
        remember(room, row)
        row -= UNIT
    return row


@inlined
def search(rules: Record, room: Record, line: LineOfPlay) -> None:
    """Find the value of a position, into the first row; its points so far lie there."""
    room.key = NONE
    row = ZERO - UNIT
    while True:
        bit = to_try(rules, room, line)
        if row < 0 or bit & (bit - ONE) != NONE:
            row += UNIT
            open_choice(rules, room, row, line, bit)
            bit = try_next(room, row)
        while True:
            line = with_card(rules, line, bit)
            if line.count == rules.players:
                line = with_trick(rules, room, row + UNIT, line)
            if line.gathered < rules.hand_size:
                break
            row = go_back(rules, room, row)
            if row < 0:
                return
            line = line_of(room, row)
            bit = try_next(room, row)


# The beginning


@inlined
def can_solve(rules: Record) -> bool:
    """Whether the search knows the rules: every seat alone (W10), the kitty with the first trick
    (W4), and no points for taking no trick (W6)."""
    alone = rules.sides == rules.players and rules.no_tricks == 0
    return alone and (rules.kitty_size == 0 or rules.kitty_for & rules.deck == rules.deck)  # type: ignore[no-any-return]


@inlined
def prepare(rules: Record, room: Record, gathered: int) -> None:
    """Set the fields that are the same for all lines of play."""
    room.search += 1
    room.counting = NONE
    room.bonus = NONE
    for kind in range(rules.kinds):
        room.counting |= rules.kind_masks[kind]
        if rules.kind_values[kind] < 0:
            room.bonus |= rules.kind_masks[kind]
    room.voids = 0
    for suit in range(4):
        for duty in range(DISCARD_DUTIES):
            for broken in range(2):
                before = rules.discard[gathered, suit, broken, 0, duty]
                if before != rules.discard[gathered, suit, broken, 1, duty]:
                    room.voids = (1 << MOST_SEATS) - 1


@inlined
def first_line(rules: Record, deal: Record, room: Record) -> LineOfPlay:
    """The line so far; its points are put into the first row."""
    shooter = ANYBODY if rules.moon else NO_SEAT
    slammer = ANYBODY if rules.slam and deal.gathered == 0 else NO_SEAT
    unplayed = NONE
    for seat in range(rules.players):
        taken = captured(deal, seat)
        if taken & rules.needed != NONE and shooter != NO_SEAT:
            shooter = seat if shooter == ANYBODY else NO_SEAT
        if rules.slam and deal.gathered and deal.won[seat] == deal.gathered:
            slammer = seat
        room.gained[0, seat] = points_in(rules, taken)
        room.dealt[seat] = deal.hands[seat]
        unplayed |= deal.hands[seat]
    room.gained[0, SUM] = points_in(rules, rules.deck)
    table = on_table(deal) | (deal.kitty if deal.gathered == 0 else NONE)
    if slammer != NO_SEAT:
        if deal.gathered == rules.hand_size:
            turn_over(rules, room, ZERO, slammer, _SLAM)
    elif shooter < NO_SEAT and (unplayed | table) & rules.needed == NONE:
        turn_over(rules, room, ZERO, shooter, _MOON)
        shooter = NO_SEAT
    return LineOfPlay(
        room.hands,
        unplayed,
        deal.opening,
        table,
        deal.led,
        deal.best,
        deal.winner,
        deal.turn,
        deal.count,
        deal.gathered,
        deal.broken,
        deal.voided,
        shooter,
        slammer,
    )


@shared(types.void(RULES_ROW, DEAL_ROW, _ROOM))
def solve(rules: Record, deal: Record, room: Record) -> None:
    """Put the value of a position into `room.points`; other compiled code may call it.

    The deal must be in play, with no more than `MOST_LEFT` cards in its hands, or over; it stays
    as it is. The search must know its rules (`can_solve`).
    """
    prepare(rules, room, min(deal.gathered, rules.hand_size - 1))
    line = first_line(rules, deal, room)
    if line.gathered < rules.hand_size:
        search(rules, room, line)
    else:
        go_back(rules, room, ZERO - UNIT)
    for seat in range(rules.players):
        room.points[seat] = room.value[0, seat]


@entry(types.int64(TABLE, DEALS, types.int64[:, ::1]))
def solve_many(table: Records, deals: Records, points: Record) -> int:
    """Write the value of each position; returns the number of choices searched.

    Args:
        points: `int64[len(deals), players]`.
    """
    rules = table[0]
    rooms = scratch(1, ROOM)
    room = rooms[0]
    for row in range(len(deals)):
        solve(rules, deals[row], room)
        for seat in range(rules.players):
            points[row, seat] = room.points[seat]
    choices = room.choices
    hold(rooms)
    return choices  # type: ignore[no-any-return]


@entry(types.uint64(TABLE, DEALS, types.int64[:, ::1]))
def solve_cards(table: Records, deals: Records, points: Record) -> U:
    """Write the value of a position behind each legal card; returns the mask of those cards.

    Args:
        deals: one row, in play.
        points: `int64[54, players]`; the rows of other cards stay as they are.
    """
    rules = table[0]
    rooms = scratch(1, ROOM)
    room = rooms[0]
    after = scratch(1, DEAL)
    legal = legal_cards(rules, deals[0])
    untried = legal
    while untried != NONE:
        bit = lowest(untried)
        untried ^= bit
        after[0] = deals[0]
        play_card(rules, after[0], bit)
        solve(rules, after[0], room)
        for seat in range(rules.players):
            points[index_of(bit), seat] = room.points[seat]
    hold(rooms)
    return legal
