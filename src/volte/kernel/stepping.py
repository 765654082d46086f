"""Many deals, one action each at a time, decided outside of compiled code; and the views of seats.

`observe` makes the arrays of `volte.lab.env.observation`, for many deals at once.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from volte.kernel.compiler import (
    DEALS,
    INTERPRETED,
    NONE,
    ONE,
    OUTCOMES,
    TABLE,
    U,
    entry,
    index_of,
    inlined,
    lowest,
    size,
    split,
)
from volte.kernel.layout import MOST_CARDS, OVER, PASSING, PLAYING, SCATTERED, Record, Records
from volte.kernel.play import (
    begin_deal,
    deal_cards,
    exchange,
    give,
    legal_cards,
    pass_size,
    play_card,
    points_in,
    proved,
    score,
    seat_after,
    start_play,
)


@inlined
def choices(rules: Record, deal: Record) -> U:
    """Mask of the cards that the seat on turn may pick to pass, or play."""
    if deal.phase == PLAYING:
        return legal_cards(rules, deal)
    if deal.phase == PASSING:
        return deal.hands[deal.turn] & ~deal.given[deal.turn]  # type: ignore[no-any-return]
    return NONE


@inlined
def act(rules: Record, deal: Record, bit: U) -> None:
    if deal.phase == PASSING:
        give(rules, deal, deal.turn, bit)
        go_on_passing(rules, deal)
    else:
        deal.excluded[deal.turn] |= proved(rules, deal, bit)
        play_card(rules, deal, bit)


@inlined
def go_on_passing(rules: Record, deal: Record) -> None:
    """Put the next seat that still has to pick on turn; behind the last one, start the play."""
    while size(deal.given[deal.turn]) == pass_size(rules, deal):
        deal.turn += 1
        if deal.turn == rules.players:
            exchange(rules, deal)
            start_play(rules, deal)
            return


@entry(types.void(TABLE, types.uint64[::1], DEALS, types.boolean[::1], types.uint64[::1]))
def deal_rows(table: Records, seeds: Record, deals: Records, rows: Record, legal: Record) -> None:
    """Deal in those rows, up to the first action of a seat; `number` is that of the deal, from 1.

    A row's seed and number give the deal that `deals.play_deals` plays.
    """
    rules = table[0]
    order = np.empty(MOST_CARDS, np.uint64)
    for row in range(len(deals)):
        if not rows[row]:
            continue
        deal = deals[row]
        index = deal.number - 1
        begin_deal(rules, deal, deal.number, index % rules.players, split(seeds[row], U(index)))
        deal_cards(rules, deal, order)
        if deal.step == 0:
            start_play(rules, deal)
        legal[row] = choices(rules, deal)


@entry(types.void(TABLE, DEALS, types.uint64[::1]))
def resume(table: Records, deals: Records, legal: Record) -> None:
    """Write the legal cards of deals in any state."""
    rules = table[0]
    for row in range(len(deals)):
        legal[row] = choices(rules, deals[row])


@entry(types.int64(types.uint64[::1], types.int64[::1]))
def first_refused(legal: Record, cards: Record) -> int:
    """The first row whose card is not legal, or -1."""
    for row in range(len(cards)):
        card = cards[row]
        if legal[row] != NONE and not (0 <= card < MOST_CARDS and legal[row] >> U(card) & ONE):
            return row
    return -1


@entry(types.void(TABLE, DEALS, types.int64[::1], types.uint64[::1], OUTCOMES, types.boolean[::1]))
def step(
    table: Records,
    deals: Records,
    cards: Record,
    legal: Record,
    outcomes: Records,
    finished: Record,
) -> None:
    """Play or pick one card in each unfinished deal.

    Args:
        cards: index of the card, by row; `first_refused` has passed them.
        legal: result of `choices` before; replaced by that after.
        outcomes: written where a deal ends, which `finished` marks.
    """
    rules = table[0]
    for row in range(len(deals)):
        finished[row] = False
        if legal[row] == NONE:
            continue
        deal = deals[row]
        act(rules, deal, ONE << U(cards[row]))
        legal[row] = choices(rules, deal)
        if deal.phase == OVER:
            finished[row] = True
            score(rules, deal, outcomes[row])


@entry(types.void(TABLE, DEALS, types.int64[::1]))
def count_plays(table: Records, deals: Records, ways: Record) -> None:
    """Count the ways to play the next cards of a deal, by number of cards.

    Args:
        deals: as many rows as `ways` has; the deal, in play, in row 0, the others for scratch.
        ways: `int64[depth]`, zeros; place `n` gets the ways to play `n + 1` cards.
    """
    rules = table[0]
    depth = len(ways)
    untried = np.empty(depth, np.uint64)
    untried[0] = legal_cards(rules, deals[0])
    ways[0] += size(untried[0])
    level = 0
    while level >= 0:
        bits = untried[level]
        if bits == NONE or level + 1 == depth:
            level -= 1
            continue
        bit = lowest(bits)
        untried[level] = bits ^ bit
        deals[level + 1] = deals[level]
        play_card(rules, deals[level + 1], bit)
        if deals[level + 1].phase == PLAYING:
            level += 1
            untried[level] = legal_cards(rules, deals[level])
            ways[level] += size(untried[level])


MOST_NUMBER: Final = 2**15 - 1
"""Number of all deals from that one on, as in `volte.lab.env.observation`."""


# Views of seats

HALF: Final = 32
"""Cards that are written at a time; a plane of 54 is two halves that overlap."""


if INTERPRETED:

    def spread(cells: Record, at: int, mask: U) -> None:
        for card in range(MOST_CARDS):
            cells[at + card] = mask >> U(card) & ONE

else:

    @intrinsic
    def spread(context: Any, cells: Any, at: Any, mask: Any) -> Any:
        """Write a mask as 54 bytes of 0 or 1 from place `at` on; the caller has made room.

        Every octet of the mask is copied into eight bytes, and each of these looks at one bit: a
        few vector instructions for 32 cards, on any processor.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            cells, at, mask = arguments
            array = context.make_array(signature.args[0])(context, builder, cells)
            for first in (0, MOST_CARDS - HALF):
                octets = builder.lshr(mask, ir.Constant(ir.IntType(64), first))
                place = builder.add(at, ir.Constant(at.type, first))
                _write_half(builder, builder.gep(array.data, [place]), octets)
            return context.get_dummy_value()

        return types.void(cells, types.intp, types.uint64), generate


def _write_half(builder: Any, where: Any, mask: Any) -> None:
    """Write the low 32 bits of a mask as 32 bytes."""
    octet, octets = ir.IntType(8), ir.VectorType(ir.IntType(8), HALF)
    places = ir.VectorType(ir.IntType(32), HALF)
    eight = builder.bitcast(mask, ir.VectorType(octet, 8))
    copies = builder.shuffle_vector(
        eight,
        ir.Constant(eight.type, ir.Undefined),
        ir.Constant(places, [place // 8 for place in range(HALF)]),
    )
    bits = ir.Constant(octets, [1 << place % 8 for place in range(HALF)])
    held = builder.icmp_unsigned("==", builder.and_(copies, bits), bits)
    builder.store(builder.zext(held, octets), builder.bitcast(where, octets.as_pointer()), align=1)


@inlined
def seen_from(rules: Record, observer: int, seat: int) -> int:
    """Number of places from the observer to the left to that seat."""
    place = seat - observer
    return place if place >= 0 else place + rules.players


@inlined
def table_card(rules: Record, deal: Record, seat: int) -> U:
    """The card that a seat has in the present trick; empty if it has none."""
    place = seen_from(rules, deal.leader, seat)
    return deal.trick[place] if place < deal.count else NONE


@inlined
def got(rules: Record, deal: Record, seat: int) -> U:
    """Mask of the cards passed to a seat; empty before the exchange."""
    if deal.phase == PASSING:
        return NONE
    if deal.step == SCATTERED:
        return deal.coming[seat]  # type: ignore[no-any-return]
    return deal.given[seen_from(rules, deal.step, seat)]  # type: ignore[no-any-return]


@inlined
def put_planes(rules: Record, deal: Record, observer: int, cells: Record, at: int) -> int:
    """Write the planes, in the order of `card_planes`, from place `at` on; returns the next."""
    players = rules.players
    own_kitty = deal.kitty if deal.kitty_taker == observer else NONE
    seen = deal.hands[observer] | own_kitty
    spread(cells, at, deal.hands[observer])
    spread(cells, at + MOST_CARDS, deal.led)
    at += 2 * MOST_CARDS
    for place in range(players):
        on_table = table_card(rules, deal, seat_after(rules, observer, place))
        seen |= on_table
        spread(cells, at, on_table)
        at += MOST_CARDS
    for place in range(players):
        taken = deal.taken[seat_after(rules, observer, place)]
        seen |= taken
        spread(cells, at, taken if place else taken | own_kitty)
        at += MOST_CARDS
    for place in range(1, players):
        spread(cells, at, deal.excluded[seat_after(rules, observer, place)])
        at += MOST_CARDS
    spread(cells, at, deal.given[observer])
    spread(cells, at + MOST_CARDS, got(rules, deal, observer))
    spread(cells, at + 2 * MOST_CARDS, own_kitty)
    spread(cells, at + 3 * MOST_CARDS, rules.deck & ~seen)
    return at + 4 * MOST_CARDS


@inlined
def put_situation(rules: Record, deal: Record, observer: int, numbers: Record) -> None:
    """Write the numbers, in the order of `situation_fields`."""
    players = rules.players
    numbers[0] = deal.phase == PASSING
    numbers[1] = deal.step
    numbers[2] = min(deal.number, MOST_NUMBER)
    numbers[3] = deal.gathered
    numbers[4] = deal.count
    numbers[5] = deal.broken
    numbers[6] = seen_from(rules, observer, deal.dealer)
    numbers[7] = -1 if deal.phase == PASSING else seen_from(rules, observer, deal.leader)
    numbers[8] = -1 if deal.phase == OVER else seen_from(rules, observer, deal.turn)
    numbers[9] = -1 if deal.opening == NONE else index_of(deal.opening)
    own_kitty = deal.kitty if deal.kitty_taker == observer else NONE
    for place in range(players):
        seat = seat_after(rules, observer, place)
        taken = deal.taken[seat] if place else deal.taken[seat] | own_kitty
        numbers[10 + place] = points_in(rules, taken)
        numbers[10 + players + place] = deal.won[seat]
        numbers[10 + 2 * players + place] = deal.voided >> seat & 1


@entry(
    types.void(
        TABLE,
        DEALS,
        types.uint64[::1],
        types.int64[::1],
        types.uint8[::1],
        types.int16[:, ::1],
        types.uint8[::1],
    )
)
def observe(
    table: Records,
    deals: Records,
    legal: Record,
    seats: Record,
    cards: Record,
    situation: Record,
    mask: Record,
) -> None:
    """Write the observations of one seat of each deal.

    Args:
        legal: by row, mask of the legal cards of the seat on turn; 0 once the deal is over.
        seats: the seat that looks, by row.
        cards: one row after the other, every plane 54 bytes.
        situation: a row for each deal.
        mask: 54 bytes a row.
    """
    rules = table[0]
    at = 0
    for row in range(len(deals)):
        deal = deals[row]
        seat = seats[row]
        at = put_planes(rules, deal, seat, cards, at)
        put_situation(rules, deal, seat, situation[row])
        spread(mask, row * MOST_CARDS, legal[row] if seat == deal.turn else NONE)
