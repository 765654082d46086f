"""Hidden hands drawn at random, each consistent deal as likely as any other.

Two calls make a plan: `lay_out` says how many values it needs, `count_ways` fills them in. `draw`
makes worlds from it, as many and as often as one likes; world number `i` of a seed has a generator
of its own, so it does not matter how they are cut into calls.

How many cards of a sort go to a class is drawn by the ways in which the rest can go after it, from
53 random bits; which cards they are, and how the places of a class share theirs, is even.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import from_dtype, types

from volte.kernel.bits import NONE, ONE, STEP, U, below, count, mix, nth, split
from volte.kernel.compiler import compiled, inlined, scratch
from volte.kernel.layout import Record, Records
from volte.kernel.worlds_layout import (
    CHOOSE,
    CLASS_ENDS,
    MOST_NODES,
    MOST_PLACES,
    MOST_SORTS,
    PLAN,
    SORT_ENDS,
)
from volte.kernel.worlds_plan import (
    arrange,
    count_stage,
    place_of,
    sort_out,
    ways_within,
    write_slopes,
)

_PLAN = types.Array(from_dtype(PLAN), 1, "C")

_S11: Final = U(11)
_UNIT: Final = 2.0**-53


@compiled(types.int64(types.int64[::1], types.uint64[::1], types.int64[::1], _PLAN))
def lay_out(room: Record, could: Record, columns: Record, plans: Records) -> int:
    """Prepares a plan, whose `columns` and `fixed` are filled in.

    Args:
        room: by place, the cards that it holds; used up.
        could: by place, mask of the cards that it can hold.
        columns: by place, its column in a world.
        plans: one plan.

    Returns how many values it needs, or `CONTRADICTION` or `NO_ROOM`.
    """
    plan = plans[0]
    verdict = sort_out(plan, room, could, columns, scratch(MOST_PLACES, U))
    if verdict:
        return verdict
    values = arrange(plan)
    write_slopes(plan)
    return values


@compiled(types.void(_PLAN, types.float64[::1]))
def count_ways(plans: Records, values: Record) -> None:
    """Fills in the values, and `ways`."""
    plan = plans[0]
    left = scratch(MOST_NODES, np.int64)
    values[plan.at[plan.stages]] = 1.0
    for stage in range(plan.stages - 1, -1, -1):
        count_stage(plan, stage, left, values)
    plan.ways = values[0] * ways_within(plan)


@inlined
def part(plan: Record, values: Record, stage: int, left: Record, chance: U) -> int:
    """How many cards of the sort go to the class, by the ways in which the rest can go."""
    in_class = left[plan.stage_class[stage]]
    in_sort = left[plan.classes + plan.stage_sort[stage]]
    place, slope = place_of(plan, stage + 1, left), plan.slope[stage]
    rest = np.float64(mix(chance) >> _S11) * _UNIT * values[place_of(plan, stage, left)]
    chosen = 0
    for cards in range(min(in_class, in_sort) + 1):
        ways = CHOOSE[in_sort, cards] * values[place - cards * slope]
        if ways > 0.0:  # or a rounded sum could end on what is impossible
            chosen = cards
            rest -= ways
            if rest < 0.0:
                break
    return chosen


@inlined
def some(chance: U, mask: U, cards: int) -> tuple[U, U]:
    """The state after, and so many cards of a mask; all sets of them are equally likely."""
    left, wanted = count(mask), U(cards)
    most = wanted + wanted > left
    times = left - wanted if most else wanted
    kept = mask
    for _ in range(times):
        chance, number = below(chance, left)
        kept ^= nth(kept, number)
        left -= ONE
    return chance, kept if most else mask ^ kept


@inlined
def part_sorts(
    plan: Record, values: Record, chance: U, left: Record, cards: Record, piles: Record
) -> U:
    """Gives each class its cards, as `piles`; returns the state after."""
    for node in range(plan.classes + plan.sorts):
        left[node] = plan.capacity[node]
    for sort in range(plan.sorts):
        cards[sort] = plan.cards[sort]
    for group in range(plan.classes):
        piles[group] = NONE
    for stage in range(plan.stages):
        group, sort = plan.stage_class[stage], plan.stage_sort[stage]
        if plan.stage_ends[stage] & SORT_ENDS:
            given = left[plan.classes + sort]
        elif plan.stage_ends[stage] & CLASS_ENDS:
            given = left[group]
        else:
            chance += STEP
            given = part(plan, values, stage, left, chance)
        left[group] -= given
        left[plan.classes + sort] -= given
        chance, taken = some(chance, cards[sort], given)
        cards[sort] ^= taken
        piles[group] |= taken
    return chance


@inlined
def part_piles(plan: Record, chance: U, piles: Record, world: Record) -> None:
    """Gives the places of each class their cards."""
    for group in range(plan.classes):
        pile = piles[group]
        for member in range(plan.members[group]):
            chance, taken = some(chance, pile, plan.member_room[group, member])
            pile ^= taken
            world[plan.member_column[group, member]] |= taken


@compiled(types.void(_PLAN, types.float64[::1], types.uint64, types.uint64, types.uint64[:, ::1]))
def draw(plans: Records, values: Record, seed: U, first: U, worlds: Record) -> None:
    """Worlds number `first` (from 0) and on: by row, the mask of each seat, and of the kitty."""
    plan = plans[0]
    left = scratch(MOST_NODES, np.int64)
    cards = scratch(MOST_SORTS, U)
    piles = scratch(MOST_PLACES, U)
    for row in range(len(worlds)):
        for column in range(plan.columns):
            worlds[row, column] = plan.fixed[column]
        chance = split(seed, first + U(row))
        chance = part_sorts(plan, values, chance, left, cards, piles)
        part_piles(plan, chance, piles, worlds[row])
