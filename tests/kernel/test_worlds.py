"""Hidden hands: every deal that fits is counted once, and drawn as often as any other."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from kit import because, few

from volte.bots.worlds import Sight, WorldPlan, Worlds
from volte.cards import CardSet
from volte.kernel import KernelFault
from volte.kernel.compiler import INTERPRETED
from volte.view import KITTY, possible_places

Hands = tuple[frozenset[int], ...]
"""The cards (as indices) that each place holds."""

seeds = st.integers(0, 2**64 - 1)


# Sights


def sight_of(room: Sequence[int], could: Sequence[int], kitty: bool = False) -> Sight:
    """The sight of seat 0 with such other seats, and a kitty if it is the last place."""
    seats = len(room) - kitty
    places = (*range(1, seats + 1), KITTY) if kitty else tuple(range(1, seats + 1))
    return Sight((0,) * (seats + 2), places, tuple(room), tuple(could))


@st.composite
def sights(draw: st.DrawFn, most_places: int = 6, most_room: int = 3, most_cards: int = 8) -> Sight:
    """Places that could hold some cards, such that some deal fits."""
    size = st.integers(0, most_room)
    room = draw(st.lists(size, min_size=1, max_size=most_places))
    assume(sum(room) <= most_cards)
    places = st.integers(0, 53)
    cards = draw(st.lists(places, min_size=sum(room), max_size=sum(room), unique=True))
    sorts = draw(st.lists(st.sampled_from(range(4)), min_size=len(cards), max_size=len(cards)))
    could = []
    for held in dealt(room, cards):
        mine = {sort for card, sort in zip(cards, sorts, strict=True) if card in held}
        mine |= draw(st.sets(st.sampled_from(range(4))))
        could.append(mask(card for card, sort in zip(cards, sorts, strict=True) if sort in mine))
    kitty = bool(room) and (len(room) == 7 or draw(st.booleans()))
    return sight_of(room, could, kitty)


def dealt(room: Sequence[int], cards: Sequence[int]) -> Iterator[frozenset[int]]:
    """Yield the cards in order, to one place after the other."""
    at = 0
    for size in room:
        yield frozenset(cards[at : at + size])
        at += size


def mask(cards: Iterator[int] | Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def indices(cards: int) -> frozenset[int]:
    return frozenset(card for card in range(54) if cards >> card & 1)


# The worlds by hand


def fitting(sight: Sight) -> list[Hands]:
    """Every deal that fits, found by trying all sets of cards in one place after the other."""
    cards = frozenset().union(*map(indices, sight.could))
    return [hands for hands in filled(sight, 0, cards) if frozenset().union(*hands) == cards]


def filled(sight: Sight, place: int, left: frozenset[int]) -> Iterator[Hands]:
    if place == len(sight.room):
        yield ()
        return
    for cards in combinations(sorted(left & indices(sight.could[place])), sight.room[place]):
        for rest in filled(sight, place + 1, left - frozenset(cards)):
            yield (frozenset(cards), *rest)


def counted(sight: Sight) -> int:
    """Number of deals that fit: card after card goes to any place that still has room."""
    ways = Counter({sight.room: 1})
    for card in sorted(frozenset().union(*map(indices, sight.could))):
        after: Counter[tuple[int, ...]] = Counter()
        for room, number in ways.items():
            for place, cards in enumerate(sight.could):
                if cards >> card & 1 and room[place]:
                    after[(*room[:place], room[place] - 1, *room[place + 1 :])] += number
        ways = after
    return ways[(0,) * len(sight.room)]


# Drawing


def drawn(plan: WorldPlan, seed: int, count: int, first: int = 0) -> Worlds:
    worlds = np.zeros((count, len(plan.sight.known)), np.uint64)
    plan.draw(seed, first, worlds)
    return worlds


def hands_of(sight: Sight, world: Sequence[int]) -> Hands:
    return tuple(indices(int(world[place])) for place in sight.places)


def check_even(sight: Sight, seed: int) -> None:
    """Check that every deal that fits is drawn, equally often but for chance (chi-square)."""
    fits = fitting(sight)
    plan = WorldPlan(sight)
    each = 40 if INTERPRETED else 400
    found = Counter(hands_of(sight, world) for world in drawn(plan, seed, each * len(fits)))
    assert set(found) == set(fits)
    surplus = sum((found[hands] - each) ** 2 / each for hands in fits)
    free = len(fits) - 1
    assert free - 5 * math.sqrt(2 * free) <= surplus <= free + 5 * math.sqrt(2 * free) + 5


# Counting


@given(sights())
@example(sight_of([], []))
@example(sight_of([0, 0], [0, 0]))
def test_ways_are_the_deals_that_fit(sight: Sight) -> None:
    assert WorldPlan(sight).ways == len(fitting(sight))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**6 - 1)), min_size=1, max_size=5))
@example([(1, 0b111), (1, 0b111), (2, 0b11000), (1, 0b11000)])
@example([(1, 0b1011), (3, 0b1100)])
@example([(0, 0b11), (0, 0b11), (2, 0b00)])
@example([(1, 0b010100), (1, 0b100111), (2, 0b000001), (2, 0b011010)])
def test_where_no_deal_fits_there_is_no_plan(places: list[tuple[int, int]]) -> None:
    sight = sight_of([room for room, _ in places], [cards for _, cards in places])
    fits = fitting(sight)
    if fits:
        assert WorldPlan(sight).ways == len(fits)
    else:
        with pytest.raises(KernelFault, check=because("kernel_no_world")):
            WorldPlan(sight)


@given(sights(most_places=7, most_room=9, most_cards=22 if INTERPRETED else 32))
def test_many_ways_are_counted_as_well(sight: Sight) -> None:
    assert math.isclose(WorldPlan(sight).ways, counted(sight), rel_tol=1e-12)


def test_nothing_known_is_a_multinomial() -> None:
    fourth = WorldPlan(sight_of([13] * 3, [2**39 - 1] * 3))
    fact = math.factorial
    assert math.isclose(fourth.ways, fact(39) / fact(13) ** 3, rel_tol=1e-14)
    seventh = WorldPlan(sight_of([7] * 6 + [5], [2**47 - 1] * 7, kitty=True))
    assert math.isclose(seventh.ways, fact(47) / fact(7) ** 6 / fact(5), rel_tol=1e-14)


# Drawing evenly


EVEN: Final = {
    "nothing is known": ([2, 2, 1], ["S: 23456"] * 3),
    "a void": ([2, 2, 2], ["S: 23 D: 2345", "D: 2345", "S: 23 D: 2345"]),
    "a queen excluded": ([2, 2, 1], ["S: Q H: 2345", "H: 2345", "S: Q H: 2345"]),
    "a queen that one of two holds": ([1, 1, 2], ["S: Q H: 23", "S: Q H: 23", "H: 234"]),
    "a card that was passed": ([2, 2], ["C: A D: 234", "D: 234"]),
    "every place has a void": ([2, 2, 2], ["S: 23 H: 23", "S: 23 D: 23", "H: 23 D: 23"]),
    "two tables of two": ([2, 1, 1, 1], ["S: 234", "S: 234", "D: 56", "D: 56"]),
    "a chain": ([1, 2, 1, 1], ["S: 2 H: 3", "H: 3 D: 45", "D: 45 C: 6", "C: 6 S: 2"]),
    "rooms that differ": ([3, 1, 2], ["S: 2345 H: 67", "S: 2345", "S: 2345 H: 67"]),
    "many places": ([1, 1, 1, 1, 1], ["S: 23 H: 2", "S: 23", "S: 2 D: 34", "H: 2 D: 34", "D: 34"]),
}


@pytest.mark.parametrize("name", EVEN)
@pytest.mark.parametrize("kitty", few([True], [False, True]))
def test_every_deal_is_as_likely_as_any_other(name: str, kitty: bool) -> None:
    room, could = EVEN[name]
    check_even(sight_of(room, [CardSet(cards).mask for cards in could], kitty), seed=7)


@pytest.mark.parametrize("seed", range(3 if INTERPRETED else few(2, 12)))
def test_so_is_every_place_of_a_card_where_deals_are_too_many_to_list(seed: int) -> None:
    """A card lies with a place in as many of the worlds as the count of deals says."""
    rng = random.Random(seed)
    sight = large_sight(rng)
    worlds = 1000 if INTERPRETED else 20_000
    found = drawn(WorldPlan(sight), seed, worlds)
    for card in rng.sample(sorted(frozenset().union(*map(indices, sight.could))), 6):
        for at, place in enumerate(sight.places):
            there = [cards & ~(1 << card) for cards in sight.could]
            there[at] |= sight.could[at] & 1 << card
            share = counted(sight._replace(could=tuple(there))) / counted(sight)
            times = int(np.count_nonzero(found[:, place] >> np.uint64(card) & np.uint64(1)))
            spread = math.sqrt(worlds * share * (1 - share))
            assert abs(times - worlds * share) <= 4.5 * spread


def large_sight(rng: random.Random) -> Sight:
    """Four places with 24 cards of five sorts, about a third of the sorts being out of a place."""
    cards = rng.sample(range(54), 24)
    sorts = [rng.randrange(5) for _ in cards]
    could = []
    for held in dealt([6] * 4, cards):
        mine = {sort for card, sort in zip(cards, sorts, strict=True) if card in held}
        mine |= {sort for sort in range(5) if rng.random() < 0.4}
        could.append(mask([card for card, sort in zip(cards, sorts, strict=True) if sort in mine]))
    tight = possible_places(dict(enumerate(could)), dict.fromkeys(range(4), 6))
    return sight_of([6] * 4, list(tight.values()))


@given(sights(most_places=7, most_room=9, most_cards=32), seeds)
def test_every_world_fits(sight: Sight, seed: int) -> None:
    own, taken = 2**53, 2**52
    cards = tuple(each & ~own & ~taken for each in sight.could)
    assume(cards == sight.could)
    known = (own, *sight.known[1:-1], 0 if KITTY in sight.places else taken)
    for world in drawn(WorldPlan(sight._replace(known=known)), seed, 5).tolist():
        assert world[0] == own
        if KITTY not in sight.places:
            assert world[-1] == taken
        hands = [world[place] for place in sight.places]
        assert [hand.bit_count() for hand in hands] == list(sight.room)
        assert all(not hand & ~each for hand, each in zip(hands, cards, strict=True))
        assert sum(hands) == mask(sorted(frozenset().union(*map(indices, cards))))


# Seeds


@given(sights(), seeds, st.integers(0, 2**62), st.lists(st.integers(0, 5), max_size=4))
def test_worlds_may_be_cut_anyhow(sight: Sight, seed: int, first: int, sizes: list[int]) -> None:
    plan = WorldPlan(sight)
    whole = drawn(plan, seed, sum(sizes), first)
    starts = [first + sum(sizes[:number]) for number in range(len(sizes))]
    parts = [
        drawn(WorldPlan(sight), seed, size, at) for at, size in zip(starts, sizes, strict=True)
    ]
    assert (whole == np.concatenate([whole[:0], *parts])).all()


def test_a_seed_means_the_same_wherever_it_is_drawn() -> None:
    """It does in compiled code, with or without special instructions, and in plain Python."""
    could = ["S: 2345 H: 234", "S: 2345 D: 234", "S: Q H: 234 D: 234", "S: 2345Q D: 234"]
    sight = sight_of([2, 3, 3, 3], [CardSet(cards).mask for cards in could])
    plan = WorldPlan(sight)
    assert plan.ways == counted(sight)
    texts = [[str(CardSet(int(hand))) for hand in world[1:5]] for world in drawn(plan, 2026, 3)]
    assert texts == [
        ["H: 43", "S: 52 D: 2", "H: 2 D: 43", "S: Q43"],
        ["S: 5 H: 3", "D: 432", "S: Q H: 42", "S: 432"],
        ["S: 2 H: 2", "S: 3 D: 42", "S: Q H: 43", "S: 54 D: 3"],
    ]


# The door


def test_what_no_ruleset_brings_about_is_refused() -> None:
    singles = [sum(1 << card for card in range(18) if card >> place & 1) for place in range(5)]
    twice = [(2**18 - 1) & ~each for each in singles]
    with pytest.raises(KernelFault, check=because("kernel_worlds_room")):
        WorldPlan(sight_of([3] * 5 + [3], [*twice, 2**18 - 1]))
    with pytest.raises(KernelFault, check=because("kernel_packs")):
        WorldPlan(sight_of([1], [1 << 54]))
    with pytest.raises(KernelFault, check=because("kernel_seats")):
        WorldPlan(sight_of([1] * 9, [2**9 - 1] * 9))


def test_a_plan_that_would_fill_the_memory_is_refused() -> None:
    rng = random.Random(6)
    sorts = [mask([card for card in range(48) if card % 12 == sort]) for sort in range(12)]
    could = [sum(sort for sort in sorts if rng.random() < 0.7) for _ in range(6)]
    with pytest.raises(KernelFault, check=because("kernel_worlds_room")):
        WorldPlan(sight_of([8] * 6, could))


@pytest.mark.parametrize(
    "worlds",
    [
        np.zeros((2, 3), np.uint64),
        np.zeros(4, np.uint64),
        np.zeros((2, 4), np.int64),
        np.zeros((4, 2), np.uint64).T,
    ],
)
def test_worlds_go_into_an_array_of_the_right_form(worlds: Worlds) -> None:
    plan = WorldPlan(sight_of([1, 1], [3, 3]))
    with pytest.raises(KernelFault, check=because("kernel_array")):
        plan.draw(0, 0, worlds)
