"""The worth of a deal: chances to win the match, or stakes (E1, E2, M1, M5, M6, W7)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from volte.bots.prospects import Prospects
from volte.rules import Ruleset, make_ruleset

LIMIT = make_ruleset("microsoft")
FOUR = st.lists(st.integers(0, 99), min_size=4, max_size=4)


def worth(
    rules: Ruleset, before: tuple[int, ...], points: list[int], deals: int = 3
) -> list[float]:
    found = Prospects(rules, deals, before).worth(np.array([points], np.float64))
    return [float(each) for each in found[0]]


def test_a_match_that_is_over_is_won_or_lost() -> None:
    assert worth(LIMIT, (80, 40, 60, 70), [20, 6, 0, 0]) == [0, 1, 0, 0]


def test_a_tie_is_shared() -> None:
    assert worth(LIMIT, (80, 40, 46, 70), [20, 6, 0, 0]) == [0, 0.5, 0.5, 0]


@given(before=FOUR)
def test_the_parts_of_a_win_add_up_to_one(before: list[int]) -> None:
    assert sum(worth(LIMIT, tuple(before), [13, 4, 9, 0])) == pytest.approx(1)


@given(before=FOUR, turn=st.integers(1, 3))
def test_no_seat_is_worth_more_for_where_it_sits(before: list[int], turn: int) -> None:
    turned = tuple(before[turn:] + before[:turn])
    here = worth(LIMIT, tuple(before), [0, 0, 0, 0])
    there = worth(LIMIT, turned, [0, 0, 0, 0])
    assert there == pytest.approx(here[turn:] + here[:turn])


def test_where_everybody_has_as_much_all_have_the_same_chance() -> None:
    assert worth(LIMIT, (50, 50, 50, 50), [0, 0, 0, 0]) == pytest.approx([0.25] * 4)


def test_who_is_in_front_has_the_better_chance() -> None:
    chances = worth(LIMIT, (70, 30, 45, 60), [0, 0, 0, 0])
    assert sorted(chances) == [chances[0], chances[3], chances[2], chances[1]]
    assert chances[1] > 0.5


def test_on_the_last_deal_the_leader_must_be_made_to_take_points() -> None:
    """The third seat loses the match if neither it nor the first seat takes a point."""
    match = Prospects(make_ruleset("microsoft", {"match_end": "deals:4"}), 3, (10, 60, 20, 60))
    ends = np.array([[[0, 26, 0, 0], [13, 0, 2, 11]]], np.float64)
    costs, chances = match.costs(ends, 2)
    assert chances.tolist() == [[0, 1]]
    assert costs[0, 1] < costs[0, 0]


def test_where_the_match_is_lost_anyhow_points_count() -> None:
    match = Prospects(make_ruleset("microsoft", {"match_end": "deals:4"}), 3, (0, 90, 20, 60))
    costs, chances = match.costs(np.array([[[0, 26, 0, 0], [0, 0, 13, 13]]], np.float64), 1)
    assert chances.tolist() == [[0, 0]]
    assert costs[0, 1] < costs[0, 0]


def test_a_moon_may_count_as_its_shooter_has_more_of_it() -> None:
    """A shooter who would lose by charging the others takes the points off instead (W7)."""
    rules = make_ruleset("microsoft", {"moon": "shooter_chooses"})
    won = worth(rules, (40, 20, 95, 95), [0, 26, 26, 26])
    assert won[0] == 1
    chosen = worth(rules, (60, 20, 95, 50), [0, 26, 26, 26])
    assert 0 < chosen[0] < 0.5  # it goes on at 34, 20, 95, 50; charging the others would lose it


def test_the_pot_is_drawn_by_whoever_has_nothing() -> None:
    rules = make_ruleset("coeurs", {"settlement": "pot"})
    found = Prospects(rules, 0, (0, 0, 0, 0), pot=10).worth(
        np.array([[0, 25, 0, 0], [5, 10, 5, 5]], np.float64)
    )
    assert found[0].tolist() == pytest.approx([35 / 3, -25, 35 / 3, 35 / 3])
    assert found[1].sum() == pytest.approx(10)


def test_what_is_asked_again_is_the_same() -> None:
    match = Prospects(LIMIT, 3, (40, 30, 20, 10))
    rows = np.array([[13, 4, 9, 0], [0, 0, 26, 0], [13, 4, 9, 0], [26, 26, 0, 26]], np.float64)
    once = match.worth(rows)
    assert (once[0] == once[2]).all()
    assert (match.worth(rows[::-1]) == once[::-1]).all()
    assert (Prospects(LIMIT, 3, (40, 30, 20, 10)).worth(rows[1:2]) == once[1]).all()
