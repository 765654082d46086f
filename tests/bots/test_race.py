"""Candidates, and how they are compared until it is clear which is best."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.bots import choices, one_deal
from kit.deals import deal_of, dealt, match, view_of
from kit.kernels import Result, every_play
from kit.stanzas import read_stanza, stanzas
from kit.strategies import few, recounted, rulesets, seeds
from msgspec.structs import replace
from numpy.typing import NDArray

from volte.bots import Clock
from volte.bots.casual import Casual
from volte.bots.race import ALIKE, CARE, GREAT_CARE, Care, Race, passes, unlike
from volte.bots.worlds import worlds
from volte.cards import mask_of
from volte.game import DealState, MatchState, Pass, Phase
from volte.rules import Ruleset

Points = NDArray[np.float64]

tables = st.tuples(st.integers(2, 8), st.integers(3, 7), st.integers(0, 2**32 - 1))
sizes = st.lists(st.integers(1, 60), min_size=1, max_size=6)


class Kept(Race):
    """A race of which all is kept."""

    def __init__(self, candidates: int, seat: int, care: Care = CARE) -> None:
        super().__init__(candidates, seat, care=care)
        self.seat = seat
        # by candidate, its margin in every world that it was played in
        self.margins_of: list[list[float]] = [[] for _ in range(candidates)]
        # the same of the seat's points
        self.points_of: list[list[float]] = [[] for _ in range(candidates)]

    def add(self, points: Points, costs: Points | None = None, worth: Points | None = None) -> None:
        super().add(points, costs, worth)
        others = np.delete(points, self.seat, axis=2).mean(axis=2)
        for place, number in enumerate(self.running):
            own = points[:, place, self.seat]
            self.points_of[number] += own.tolist()
            self.margins_of[number] += (own - others[:, place]).tolist()


def whole_points(draws: np.random.Generator, worlds: int, candidates: int, players: int) -> Points:
    """Points as deals bring them, some candidates being worse than others."""
    harm = np.arange(candidates)[:, None] * (np.arange(players) == 0)
    points: Points = draws.integers(0, 27, (worlds, candidates, players)) + 1.0 * harm
    return points


@given(tables, sizes)
def test_means_and_errors_are_those_of_all_worlds(
    table: tuple[int, int, int], sizes: list[int]
) -> None:
    candidates, players, seed = table
    draws = np.random.default_rng(seed)
    race = Kept(candidates, seat=seed % players)
    for size in sizes:
        race.add(whole_points(draws, size, len(race.running), players))
        race.rule_out()
    assert race.simulations == sum(map(len, race.points_of))
    assert race.worlds == sum(sizes)
    for number in range(candidates):
        margins = np.array(race.margins_of[number])
        assert np.isclose(race.points[number], np.mean(race.points_of[number]))
        assert np.isclose(race.margins[number], margins.mean(), atol=1e-9)
        assert np.isclose(race.errors[number], margins.std() / len(margins) ** 0.5, atol=1e-6)


def paired(race: Kept, best: int, number: int) -> tuple[float, float]:
    """By how much a candidate is worse than the best in the same worlds, and its standard error."""
    apart = np.array(race.margins_of[number]) - np.array(race.margins_of[best])
    return float(apart.mean()), float(apart.std() / len(apart) ** 0.5)


@given(tables, sizes)
def test_only_what_is_surely_worse_is_ruled_out_and_never_the_best(
    table: tuple[int, int, int], sizes: list[int]
) -> None:
    candidates, players, seed = table
    draws = np.random.default_rng(seed)
    race = Kept(candidates, seat=0)
    for size in sizes:
        race.add(whole_points(draws, size, len(race.running), players))
        before, best = set(race.running.tolist()), race.order[0]
        assert race.margins[best] == min(race.margins[number] for number in before)
        race.rule_out()
        after = set(race.running.tolist())
        assert best in after <= before
        assert race.worlds >= CARE.worlds or after == before
        for number in before if race.worlds >= CARE.worlds else ():
            behind, error = paired(race, best, number)
            if abs(behind - CARE.errors * error) > 1e-6:
                assert (number in after) == (behind < CARE.errors * error)


@given(tables, sizes, st.sampled_from([CARE, GREAT_CARE]), st.booleans())
def test_it_is_settled_when_nothing_that_is_left_matters(
    table: tuple[int, int, int], sizes: list[int], care: Care, leaves_out: bool
) -> None:
    """Whatever is not surely worse than the best is surely as good, or all but that."""
    candidates, players, seed = table
    draws = np.random.default_rng(seed)
    race = Kept(candidates, 0, care)
    for size in sizes:
        points = whole_points(draws, size, len(race.running), players)
        if seed % 2:
            points[:] = points[:, :1]  # whatever is played, it comes to the same
        race.add(points)
        if leaves_out:
            race.rule_out()
        found = [paired(race, race.order[0], int(number)) for number in race.running]
        doubts = [(behind, care.errors * error) for behind, error in found]
        clear = all(behind > doubt or behind + doubt <= ALIKE for behind, doubt in doubts)
        enough = race.worlds >= care.worlds and clear
        assert race.settled == (len(race.running) == 1 or enough)


@given(tables, sizes)
def test_the_best_come_first_and_those_ruled_out_last(
    table: tuple[int, int, int], sizes: list[int]
) -> None:
    candidates, players, seed = table
    draws = np.random.default_rng(seed)
    race = Race(candidates, seat=1)
    for size in sizes:
        race.add(whole_points(draws, size, len(race.running), players))
        race.rule_out()
    count = len(race.running)
    first, last = race.order[:count], race.order[count:]
    assert sorted(race.order) == list(range(candidates))
    assert set(first) == set(race.running.tolist())
    for part in (first, last):
        assert [race.margins[number] for number in part] == sorted(race.margins[part])


def test_what_is_surely_better_wins() -> None:
    """Though the luck of the worlds is far greater than what is between the candidates."""
    draws = np.random.default_rng(3)
    race = Race(3, seat=2)
    while not race.settled:
        luck = draws.normal(0, 20, (50, 1, 4))
        points = luck + draws.normal(0, 1, (50, len(race.running), 4))
        points[:, :, 2] += np.array([1.0, 0.0, 2.0])[race.running]
        race.add(points)
        race.rule_out()
    assert race.running.tolist() == [1]
    assert race.worlds < 200


def test_a_moon_of_ones_own_is_worth_its_price() -> None:
    race = Race(2, seat=0)
    race.add(np.array([[[0.0, 26, 26, 26], [5.0, 7, 7, 7]]] * 30))
    assert race.margins.tolist() == [-26, -2]
    assert race.order == [0, 1]


MOST_WAYS = 3000

small_rulesets = st.sampled_from([(3, 15), (4, 12), (5, 15), (6, 13), (7, 15)]).flatmap(
    lambda size: rulesets(st.just(size[0]), most_cards=size[1])
)


# Cards


@given(rulesets() | recounted(rulesets()), seeds)
def test_every_legal_card_is_in_one_group_and_those_together_count_the_same(
    rules: Ruleset, seed: int
) -> None:
    for moment in choices(one_deal(rules), seed, 5):
        view = moment.view
        sets = unlike(view)
        assert [card for cards in sets.values() for card in cards] == list(view.legal)
        for bit, cards in sets.items():
            assert bit == cards[0].bit
            assert len({rules.values.get(card, 0) for card in cards}) == 1
            assert len({card.suit for card in cards}) == 1


@given(small_rulesets | recounted(small_rulesets), seeds)
@settings(max_examples=few(12, 150))
def test_with_cards_that_are_alike_the_same_can_come_of_a_deal(rules: Ruleset, seed: int) -> None:
    """As often, of all ways to play on: in the world as it is, and in others that may be."""
    for deal in endings(rules, seed):
        state = replace(last_state(rules, seed), deal=deal)
        view = view_of(state, deal.turn)
        alike = [cards for cards in unlike(view).values() if len(cards) > 1]
        for world in worlds(view, 2, seed).tolist() if alike else ():
            other = replace(deal, hands=tuple(world[:-1]), kitty=world[-1])
            results = results_by_card(other)
            for first, *others in alike:
                assert all(results[card.index] == results[first.index] for card in others)


def last_state(rules: Ruleset, seed: int) -> MatchState:
    return [step.after for step in match(rules, seed) if step.after.phase is Phase.PLAYING][-1]


def endings(rules: Ruleset, seed: int) -> list[DealState]:
    """Positions near the end of a deal, from which there are not too many ways to play on."""
    steps = match(one_deal(rules), seed)
    states = [step.before for step in steps if step.before.phase is Phase.PLAYING]
    deals = [deal_of(state) for state in states if len(deal_of(state).trick) < rules.players]
    few = [deal for deal in deals if sum(hand.bit_count() for hand in deal.hands) <= 8]
    return random.Random(seed).sample(few, min(3, len(few)))


def results_by_card(deal: DealState) -> dict[int, Counter[Result]]:
    """How the deal may end, by the index of the card that is played first."""
    results: dict[int, Counter[Result]] = {}
    for plays, result in every_play(deal).items():
        results.setdefault(plays[0], Counter())[result] += 1
    return results


@pytest.mark.parametrize("text", stanzas(__file__, "alike.txt"))
def test_which_cards_are_alike(text: str) -> None:
    stanza = read_stanza(text)
    sets = unlike(view_of(stanza.state, deal_of(stanza.state).turn)).values()
    groups = " | ".join(" ".join(card.text for card in cards) for cards in sets)
    assert [f"alike {groups}"] == stanza.lines


# Passes


@given(rulesets() | recounted(rulesets()), seeds, st.integers(0, 400))
def test_sets_are_of_the_hand_and_not_too_many(rules: Ruleset, seed: int, most: int) -> None:
    for moment in choices(one_deal(rules), seed, 12):
        if moment.state.phase is Phase.PASSING:
            view = moment.view
            count = rules.passing.count
            sets = passes(view, most)
            assert len(set(sets)) == len(sets) <= max(most, 1) + count + 2
            assert all(each.bit_count() == count for each in sets)
            assert all(not each & ~view.hand.mask for each in sets)
            assert len(sets) >= min(most, comb(len(view.hand), count)) / 20


@given(rulesets() | recounted(rulesets()), seeds, st.integers(0, 400))
def test_what_casual_passes_is_one_of_them(rules: Ruleset, seed: int, most: int) -> None:
    for moment in choices(one_deal(rules), seed, 12):
        if moment.state.phase is Phase.PASSING:
            view = moment.view
            action = Casual().choose(view, Clock())
            assert isinstance(action, Pass)
            assert mask_of(action.cards) in passes(view, most)


def test_with_room_for_all_every_set_is_looked_at() -> None:
    state = dealt("coeurs", "S: A2 C: 5 H: 3", "S: 34 C: 2 H: 2", "D: 2345", pass_count=2)
    view = view_of(state, 1)
    every = {mask_of(pair) for pair in combinations(view.hand, 2)}
    assert set(passes(view, 6)) == every
    assert set(passes(view, 1000)) == every
