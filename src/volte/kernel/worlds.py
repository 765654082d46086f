"""Hidden hands drawn at random, each consistent deal as likely as any other.

Two calls make a plan (`volte.kernel.layout.PLAN`): `lay_out` says how many values it needs,
`count_ways` fills them in. `draw` makes worlds from it, in any number of calls; world number `i` of
a seed has a generator of its own, so it does not matter how they are cut into calls.

The number of cards of a sort that go to a class is drawn by the ways in which the rest can go after
it, from 53 random bits; the choice of the cards, and of the places in a class, is even.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import from_dtype, types

from volte.kernel.compiler import (
    NONE,
    ONE,
    STEP,
    U,
    below,
    count,
    either,
    entry,
    index_of,
    inlined,
    lowest,
    mix,
    nth,
    scratch,
    size,
    split,
)
from volte.kernel.layout import (
    CLASS_ENDS,
    CONTRADICTION,
    MOST_CARDS,
    MOST_NODES,
    MOST_PLACES,
    MOST_SORTS,
    MOST_VALUES,
    NO_ROOM,
    PLAN,
    SORT_ENDS,
    Record,
    Records,
)

_PLAN = types.Array(from_dtype(PLAN), 1, "C")

_S11: Final = U(11)
_UNIT: Final = 2.0**-53

CHOOSE: Final = np.zeros((MOST_CARDS + 1, MOST_CARDS + 1), np.float64)
"""`[n, k]`: number of ways to choose `k` of `n` cards; every number is exact."""
CHOOSE[0, 0] = 1
for _n in range(1, MOST_CARDS + 1):
    CHOOSE[_n, 0] = 1
    CHOOSE[_n, 1:] = CHOOSE[_n - 1, 1:] + CHOOSE[_n - 1, :-1]


# Sorts of cards and classes of places


@inlined
def settle(plan: Record, room: Record, could: Record, columns: Record) -> U:
    """Put the cards that only one place can hold there; returns the others."""
    several, unseen = NONE, NONE
    for place in range(len(room)):
        several |= unseen & could[place]
        unseen |= could[place]
    for place in range(len(room)):
        sure = could[place] & ~several
        plan.fixed[columns[place]] |= sure
        room[place] -= size(sure)
    return several


@inlined
def part_cards(plan: Record, could: Record, cards: U) -> bool:
    """Divide cards into sorts; returns whether there is room for so many."""
    plan.sorts = 0
    if cards:
        plan.cards[0] = cards
        plan.sorts = 1
    for place in range(len(could)):
        for sort in range(plan.sorts):
            inside = plan.cards[sort] & could[place]
            outside = plan.cards[sort] & ~could[place]
            if inside and outside:
                if plan.sorts == MOST_SORTS:
                    return False
                plan.cards[sort] = inside
                plan.cards[plan.sorts] = outside
                plan.sorts += 1
    return True


@inlined
def group_places(
    plan: Record, room: Record, could: Record, columns: Record, accepts: Record
) -> None:
    """Group places that can hold the same sorts; `accepts` gets these, by class."""
    plan.classes = 0
    for place in range(len(room)):
        if room[place] == 0:
            continue
        held = NONE
        for sort in range(plan.sorts):
            if plan.cards[sort] & could[place]:
                held |= ONE << U(sort)
        group = 0
        while group < plan.classes and accepts[group] != held:
            group += 1
        if group == plan.classes:
            plan.classes += 1
            accepts[group] = held
            plan.members[group] = 0
            plan.capacity[group] = 0
        member = plan.members[group]
        plan.member_column[group, member] = columns[place]
        plan.member_room[group, member] = room[place]
        plan.capacity[group] += room[place]
        plan.members[group] += 1


@inlined
def connect(plan: Record, accepts: Record) -> bool:
    """Connect the nodes that meet; returns whether each one meets another."""
    classes = plan.classes
    whole = True
    for sort in range(plan.sorts):
        plan.capacity[classes + sort] = size(plan.cards[sort])
        plan.adjacent[classes + sort] = NONE
    for group in range(classes):
        plan.adjacent[group] = accepts[group] << U(classes)
        for sort in range(plan.sorts):
            plan.adjacent[classes + sort] |= (accepts[group] >> U(sort) & ONE) << U(group)
    for node in range(classes + plan.sorts):
        whole = whole and plan.adjacent[node] != NONE
    return whole


@inlined
def sort_out(plan: Record, room: Record, could: Record, columns: Record, accepts: Record) -> int:
    """Fill in the nodes; returns 0, or the reason why it cannot be done."""
    cards = settle(plan, room, could, columns)
    spare = np.int64(0)
    for place in range(len(room)):
        if room[place] < 0:
            return CONTRADICTION
        spare += room[place]
    if spare != size(cards):
        return CONTRADICTION
    if not part_cards(plan, could, cards):
        return NO_ROOM
    group_places(plan, room, could, columns, accepts)
    return 0 if connect(plan, accepts) else CONTRADICTION


# The order of the stages only affects time and memory. Nodes are ended one after the other, each by
# all its remaining stages; next comes the node that leaves the fewest positions.


@inlined
def ended_with(plan: Record, node: int, ended: U) -> U:
    """The nodes whose last stage is the one with that node."""
    me = ONE << U(node)
    left = plan.adjacent[node] & ~ended
    last = NONE
    while left:
        bit = lowest(left)
        left ^= bit
        if plan.adjacent[index_of(bit)] & ~ended == me:
            last |= bit
    return last


@inlined
def positions(plan: Record, begun: U) -> float:
    """Number of positions with those nodes begun."""
    product, most = 1.0, 1.0
    while begun:
        bit = lowest(begun)
        begun ^= bit
        numbers = plan.capacity[index_of(bit)] + 1.0
        product *= numbers
        most = max(most, numbers)
    return product / most


@inlined
def cheapest(plan: Record, begun: U, ended: U) -> int:
    """The node that is ended next, as that costs least."""
    best, least = -1, np.inf
    for node in range(plan.classes + plan.sorts):
        me = ONE << U(node)
        if ended & me:
            continue
        nodes = begun | me | plan.adjacent[node] & ~ended
        last = ended_with(plan, node, ended)
        cost = positions(plan, nodes & ~last) + positions(plan, nodes & ~last & ~me)
        if cost < least:
            best, least = node, cost
    return best


@inlined
def write_positions(plan: Record, at: int, begun: U, ended: U) -> int:
    """Number the positions before the next stage; returns how many there are."""
    stage = plan.stages
    implied = -1
    plan.digits[stage] = 0
    plan.balance[stage] = 0
    for node in range(plan.classes + plan.sorts):
        bit = ONE << U(node)
        if begun & bit and (implied < 0 or plan.capacity[node] > plan.capacity[implied]):
            implied = node
        if not (begun | ended) & bit:
            sign = 1 if node < plan.classes else -1
            plan.balance[stage] -= sign * plan.capacity[node]
    size = 1
    for node in range(plan.classes + plan.sorts):
        if begun >> U(node) & ONE and node != implied:
            digit = plan.digits[stage]
            plan.digit[stage, digit] = node
            plan.stride[stage, digit] = size
            plan.digits[stage] += 1
            size *= plan.capacity[node] + 1
    plan.implied[stage] = implied
    plan.span[stage] = size
    plan.at[stage] = at
    return size


@inlined
def nearest(plan: Record, left: U, last: U, begun: U) -> U:
    """The best node still to meet: one that ends, or else one begun, or else a small one."""
    left = either(left & last != NONE, left & last, left)
    left = either(left & begun != NONE, left & begun, left)
    best = lowest(left)
    while left:
        bit = lowest(left)
        left ^= bit
        if plan.capacity[index_of(bit)] < plan.capacity[index_of(best)]:
            best = bit
    return best


@inlined
def write_stage(plan: Record, stage: int, node: int, other: int, ending: U) -> None:
    """Write the stage of two nodes, and which of them end with it."""
    group, sort = min(node, other), max(node, other)
    plan.stage_class[stage] = group
    plan.stage_sort[stage] = sort - plan.classes
    plan.stage_ends[stage] = SORT_ENDS if ending >> U(sort) & ONE else 0
    plan.stage_ends[stage] += CLASS_ENDS if ending >> U(group) & ONE else 0


@inlined
def arrange(plan: Record) -> int:
    """Write the stages; returns the number of values, or `NO_ROOM`."""
    everything = (ONE << U(plan.classes + plan.sorts)) - ONE
    begun, ended = NONE, NONE
    plan.stages = 0
    values = write_positions(plan, 0, begun, ended)
    while ended != everything:
        node = cheapest(plan, begun, ended)
        last = ended_with(plan, node, ended)
        left = plan.adjacent[node] & ~ended
        while left:
            bit = nearest(plan, left, last, begun)
            left ^= bit
            ending = bit & last | (NONE if left else ONE << U(node))
            write_stage(plan, plan.stages, node, index_of(bit), ending)
            ended |= ending
            begun = (begun | bit | ONE << U(node)) & ~ended
            plan.stages += 1
            values += write_positions(plan, values, begun, ended)
            if values > MOST_VALUES:
                return NO_ROOM
    return values


@inlined
def write_slopes(plan: Record) -> None:
    """Write how far cards lead back, once all stages are written."""
    for stage in range(plan.stages):
        plan.slope[stage] = 0
        for digit in range(plan.digits[stage + 1]):
            node = plan.digit[stage + 1, digit]
            if node == plan.stage_class[stage] or node == plan.classes + plan.stage_sort[stage]:
                plan.slope[stage] += plan.stride[stage + 1, digit]


# The counts of ways


@inlined
def place_of(plan: Record, stage: int, left: Record) -> int:
    """Place of the value of a position before a stage; `left` are the cards left, by node."""
    place = plan.at[stage]
    for digit in range(plan.digits[stage]):
        place += left[plan.digit[stage, digit]] * plan.stride[stage, digit]
    return place  # type: ignore[no-any-return]


@inlined
def balanced(plan: Record, stage: int, left: Record) -> bool:
    """Work out the cards left of the implied node; returns whether that number is possible."""
    implied = plan.implied[stage]
    if implied < 0:
        return True
    rest = plan.balance[stage]
    for digit in range(plan.digits[stage]):
        node = plan.digit[stage, digit]
        rest += -left[node] if node < plan.classes else left[node]
    left[implied] = rest if implied < plan.classes else -rest
    return 0 <= left[implied] <= plan.capacity[implied]  # type: ignore[no-any-return]


@inlined
def next_position(plan: Record, stage: int, left: Record) -> None:
    """Count the number of the position up by one."""
    for digit in range(plan.digits[stage]):
        node = plan.digit[stage, digit]
        left[node] += 1
        if left[node] <= plan.capacity[node]:
            return
        left[node] = 0


@inlined
def ways_from(plan: Record, stage: int, left: Record, values: Record) -> float:
    """Number of ways for the rest, from a position before a stage."""
    in_class = left[plan.stage_class[stage]]
    in_sort = left[plan.classes + plan.stage_sort[stage]]
    ends = plan.stage_ends[stage]
    fewest = in_sort if ends & SORT_ENDS else in_class if ends & CLASS_ENDS else 0
    most = min(in_sort, in_class)
    if fewest > most or (ends == SORT_ENDS + CLASS_ENDS and in_sort != in_class):
        return 0.0
    slope = plan.slope[stage]
    place = place_of(plan, stage + 1, left) - fewest * slope
    if ends:
        return CHOOSE[in_sort, fewest] * values[place]  # type: ignore[no-any-return]
    total = 0.0
    for cards in range(most + 1):
        total += CHOOSE[in_sort, cards] * values[place - cards * slope]
    return total


@inlined
def count_stage(plan: Record, stage: int, left: Record, values: Record) -> None:
    """Write the values of all positions before a stage; those after it are there."""
    for node in range(plan.classes + plan.sorts):
        left[node] = plan.capacity[node]
    for digit in range(plan.digits[stage]):
        left[plan.digit[stage, digit]] = 0
    for place in range(plan.at[stage], plan.at[stage] + plan.span[stage]):
        fits = balanced(plan, stage, left)
        values[place] = ways_from(plan, stage, left, values) if fits else 0.0
        next_position(plan, stage, left)


@inlined
def ways_within(plan: Record) -> float:
    """Number of ways in which the places of each class can share its cards."""
    ways = 1.0
    for group in range(plan.classes):
        cards = plan.capacity[group]
        for member in range(plan.members[group]):
            ways *= CHOOSE[cards, plan.member_room[group, member]]
            cards -= plan.member_room[group, member]
    return ways


@entry(types.int64(types.int64[::1], types.uint64[::1], types.int64[::1], _PLAN))
def lay_out(room: Record, could: Record, columns: Record, plans: Records) -> int:
    """Prepare a plan, whose `columns` and `fixed` are filled in.

    Args:
        room: by place, the cards that it holds; used up.
        could: by place, mask of the cards that it can hold.
        columns: by place, its column in a world.
        plans: one plan.

    Returns the number of values it needs, or `CONTRADICTION` or `NO_ROOM`.
    """
    plan = plans[0]
    verdict = sort_out(plan, room, could, columns, scratch(MOST_PLACES, U))
    if verdict:
        return verdict
    values = arrange(plan)
    write_slopes(plan)
    return values


@entry(types.void(_PLAN, types.float64[::1]))
def count_ways(plans: Records, values: Record) -> None:
    """Fill in the values, and `ways`."""
    plan = plans[0]
    left = scratch(MOST_NODES, np.int64)
    values[plan.at[plan.stages]] = 1.0
    for stage in range(plan.stages - 1, -1, -1):
        count_stage(plan, stage, left, values)
    plan.ways = values[0] * ways_within(plan)


# Worlds


@inlined
def part(plan: Record, values: Record, stage: int, left: Record, chance: U) -> int:
    """Draw the number of cards of the sort that go to the class, by the ways for the rest."""
    in_class = left[plan.stage_class[stage]]
    in_sort = left[plan.classes + plan.stage_sort[stage]]
    place, slope = place_of(plan, stage + 1, left), plan.slope[stage]
    rest = np.float64(mix(chance) >> _S11) * _UNIT * values[place_of(plan, stage, left)]
    chosen = 0
    for cards in range(min(in_class, in_sort) + 1):
        ways = CHOOSE[in_sort, cards] * values[place - cards * slope]
        if ways > 0.0:  # or a rounded sum could end on an impossible number
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
    """Give each class its cards, as `piles`; returns the state after."""
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
    """Give the places of each class their cards."""
    for group in range(plan.classes):
        pile = piles[group]
        for member in range(plan.members[group]):
            chance, taken = some(chance, pile, plan.member_room[group, member])
            pile ^= taken
            world[plan.member_column[group, member]] |= taken


@entry(types.void(_PLAN, types.float64[::1], types.uint64, types.uint64, types.uint64[:, ::1]))
def draw(plans: Records, values: Record, seed: U, first: U, worlds: Record) -> None:
    """Draw worlds from number `first` (from 0) on: by row, a mask for each seat and the kitty."""
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
