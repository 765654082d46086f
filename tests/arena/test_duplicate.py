"""Decks played in many seatings: the same everywhere, and fair to both sides."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import combinations
from operator import add
from random import Random

import msgspec
import pytest
from arena.by_hand import by_hand
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rulesets import rulesets

from volte.cards import Fault
from volte.lab.arena import (
    Choices,
    Contestant,
    Duel,
    DuelStanding,
    EngineKind,
    Piece,
    Request,
    play_deck,
    play_piece,
)
from volte.rules import Ruleset, make_ruleset

BEGINNER, CASUAL, RANDOM = (Contestant.of(level) for level in ("beginner", "casual", "random"))
SALON = make_ruleset("salon", {})
DUEL = Duel(SALON, (CASUAL, BEGINNER), seed=7, decks=10)
seeds = st.integers(0, 2**64 - 1)
contestants = st.sampled_from([BEGINNER, CASUAL, RANDOM])


def without_choices(standing: DuelStanding) -> DuelStanding:
    sides = [msgspec.structs.replace(side, choices=Choices()) for side in standing.sides]
    return DuelStanding(standing.whole, tuple(sides), standing.scores)


# What is played


@pytest.mark.parametrize("matches", [False, True])
@pytest.mark.parametrize("sides", [(CASUAL, BEGINNER), (RANDOM, CASUAL)])
def test_each_seating_is_the_deal_or_match_that_simulate_plays(
    sides: tuple[Contestant, Contestant], matches: bool
) -> None:
    """Points, queens, moons and wins, counted again from the records."""
    rules = make_ruleset("salon", {"match_end": "limit:30"})
    duel = Duel(rules, sides, seed=3, decks=3, matches=matches, seatings=8)
    standing = play_piece(duel, Piece(0, 3))
    margin, deals = Fraction(0), 0
    counted: list[list[tuple[int, ...]]] = [[], []]
    for seating in duel.lineup:
        levels = tuple(sides[side].level for side in seating)
        length = (None, 3) if matches else (3, None)
        told = by_hand(Request(rules, levels, 3, *length))
        deals += told.deals
        for side, sign in ((0, -1), (1, 1)):
            seats = [told.seats[seat] for seat, who in enumerate(seating) if who == side]
            margin += sign * Fraction(sum(seat.points.sum for seat in seats), len(seats))
            counted[side] += [
                (seat.points.sum, seat.queens, seat.moons, seat.slams, seat.wins.sum)
                for seat in seats
            ]
    assert standing.deals == deals
    assert standing.margin().value == pytest.approx(float(margin / deals))
    for came, seats_of_side in zip(standing.sides, counted, strict=True):
        sums = tuple(map(sum, zip(*seats_of_side, strict=True)))
        assert (came.points, came.queens, came.moons, came.slams, came.wins) == sums


@settings(max_examples=15)
@given(rulesets(), seeds, st.booleans(), st.data())
def test_the_kernel_finds_the_same(
    rules: Ruleset, seed: int, matches: bool, data: st.DataObject
) -> None:
    sides = tuple(data.draw(st.sampled_from([CASUAL, RANDOM])) for _ in range(2))
    duel = Duel(rules, sides, seed, 2, 4, matches)
    number = data.draw(st.integers(0, 2**20))
    assume(duel.served().engine is EngineKind.KERNEL)  # it has no room for some rules
    compiled = play_deck(replace(duel, engine=EngineKind.KERNEL), number)
    readable = play_deck(replace(duel, engine=EngineKind.READABLE), number)
    assert without_choices(readable) == compiled
    assert all(side.choices == Choices() for side in compiled.sides)


def test_an_engine_that_cannot_play_is_refused() -> None:
    with pytest.raises(Fault) as caught:
        replace(DUEL, engine=EngineKind.KERNEL).served()
    assert caught.value.reason == "no_compiled_twin"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_table_of_many_sides_counts_each(players: int) -> None:
    sides = (CASUAL, BEGINNER, RANDOM, *map(Contestant.of, ("casual@1", "casual@2")))[:players]
    duel = Duel(make_ruleset("salon", {"players": players}), sides, 3, 2, players)
    standing = play_deck(duel, 1)
    assert [side.seats for side in standing.sides] == [players] * players
    assert [side.points for side in standing.sides] == [
        score // standing.whole for score in standing.scores[1].points
    ]
    for first, second in combinations(range(players), 2):
        difference = standing.points(second).value - standing.points(first).value
        assert standing.margin(first, second).value == pytest.approx(difference)


# Laws


@settings(max_examples=8)
@given(rulesets(), seeds, contestants, contestants, st.booleans())
def test_sides_that_change_places_change_the_sign(
    rules: Ruleset, seed: int, one: Contestant, other: Contestant, matches: bool
) -> None:
    forth = play_deck(Duel(rules, (one, other), seed, 1, 4, matches), 0)
    back = play_deck(Duel(rules, (other, one), seed, 1, 4, matches), 0)
    assert back.untimed().sides == forth.untimed().sides[::-1]
    assert {
        number: score.points[::-1] + score.wins[::-1] for number, score in back.scores.items()
    } == {number: score.points + score.wins for number, score in forth.scores.items()}
    assert back.margin().value == -forth.margin().value


@settings(max_examples=8)
@given(rulesets(), seeds, contestants, st.booleans())
def test_a_player_against_itself_is_even(
    rules: Ruleset, seed: int, player: Contestant, matches: bool
) -> None:
    standing = play_deck(Duel(rules, (player, player), seed, 1, None, matches), 0)
    one, other = standing.untimed().sides
    assert one == other
    assert standing.margin().value == 0
    if matches:
        assert standing.lead().value == 0


@settings(max_examples=20)
@given(st.randoms(use_true_random=False), st.booleans())
def test_parts_add_up_in_any_order(random: Random, matches: bool) -> None:
    duel = Duel(SALON, (RANDOM, CASUAL), 7, 6, 6, matches)
    whole = play_piece(duel, Piece(0, 6))
    pieces = [Piece(0, 2), Piece(5, 6), *(Piece(2, 5, seating) for seating in range(6))]
    random.shuffle(pieces)
    parts = [play_piece(duel, piece) for piece in pieces]
    assert reduce(add, parts) == whole
    assert whole.decks == 6
    assert whole.games == 36


def test_a_deck_does_not_depend_on_those_before() -> None:
    both = play_piece(DUEL, Piece(3, 5)).untimed()
    assert (play_deck(DUEL, 4) + play_deck(DUEL, 3)).untimed() == both


# What it takes


def test_choices_count_those_with_a_choice_and_the_others_apart() -> None:
    standing = play_deck(Duel(make_ruleset("microsoft"), (CASUAL, BEGINNER), 7, 10), 1)
    for side in standing.sides:
        choices = side.choices
        assert choices.number + choices.forced == 14 * side.seats  # 13 cards and a pass
        assert 0 < choices.forced < choices.number
        assert sum(choices.times.values()) == choices.number
        assert 0 < choices.mean <= choices.longest / 1000
        assert choices.slowest_but(0.5) <= choices.slowest_but(0.99) <= choices.longest / 1000


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"seed": -1}, "kernel_range"),
        ({"decks": 0}, "kernel_range"),
        ({"seatings": 5}, "no_such_seatings"),
        ({"sides": (CASUAL,) * 3}, "sides_differ"),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(Fault) as caught:
        replace(DUEL, **changes)  # type: ignore[arg-type]
    assert caught.value.reason == reason
