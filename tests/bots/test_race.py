"""Races between candidates, run until the best one is clear."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from volte.bots.candidates import ALIKE, CARE, GREAT_CARE, Care
from volte.bots.race import Race
from volte.bots.rough import SmallRace, mean_and_error

Points = NDArray[np.float64]

tables = st.tuples(st.integers(2, 8), st.integers(3, 7), st.integers(0, 2**32 - 1))
sizes = st.lists(st.integers(1, 60), min_size=1, max_size=6)


class Kept(Race):
    """A race that also records the result of every candidate in every world."""

    def __init__(self, candidates: int, seat: int, care: Care = CARE) -> None:
        super().__init__(candidates, seat, care=care)
        self.seat = seat
        # by candidate, its margins in the worlds that it was played in
        self.margins_of: list[list[float]] = [[] for _ in range(candidates)]
        # by candidate, the seat's points in those worlds
        self.points_of: list[list[float]] = [[] for _ in range(candidates)]

    def add(self, points: Points, costs: Points | None = None, worth: Points | None = None) -> None:
        super().add(points, costs, worth)
        others = np.delete(points, self.seat, axis=2).mean(axis=2)
        for place, number in enumerate(self.running):
            own = points[:, place, self.seat]
            self.points_of[number] += own.tolist()
            self.margins_of[number] += (own - others[:, place]).tolist()


def whole_points(draws: np.random.Generator, worlds: int, candidates: int, players: int) -> Points:
    """Draw points (worlds, candidates, players); each candidate costs seat 0 one point more."""
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
    """Mean margin of a candidate behind the best in the same worlds, and its standard error."""
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
            most = ALIKE + CARE.errors * error
            if abs(behind - most) > 1e-6:
                assert (number in after) == (behind < most)


@given(tables, sizes, st.sampled_from([CARE, GREAT_CARE]), st.booleans())
def test_it_is_settled_when_nothing_that_is_left_matters(
    table: tuple[int, int, int], sizes: list[int], care: Care, leaves_out: bool
) -> None:
    """Every candidate left is surely worse than the best, or surely within `ALIKE` of it."""
    candidates, players, seed = table
    draws = np.random.default_rng(seed)
    race = Kept(candidates, 0, care)
    for size in sizes:
        points = whole_points(draws, size, len(race.running), players)
        if seed % 2:
            points[:] = points[:, :1]  # all candidates have the same result
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
    """Even though worlds differ far more in luck than the candidates do in worth."""
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


@given(tables, sizes)
def test_a_small_race_finds_what_a_large_one_does(
    table: tuple[int, int, int], sizes: list[int]
) -> None:
    candidates, _, seed = table
    draws = np.random.default_rng(seed)
    large, small = Race(candidates, seat=2), SmallRace(candidates, 2, (0, 1, 3, 4))
    for size in sizes:
        points = draws.integers(0, 27, (size, len(small.running), 5))
        large.add(points.astype(float))
        for world in points.tolist():
            small.add(world)
        for number in range(candidates):
            found = mean_and_error(small.margins[number])
            assert np.allclose(found, (large.margins[number], large.errors[number]))
        assert small.order == large.order
        large.rule_out()
        small.rule_out()
        assert small.running == large.running.tolist()
        assert small.settled == large.settled
    assert (small.worlds, small.simulations) == (large.worlds, large.simulations)
