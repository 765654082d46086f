"""The making of puzzles; and the shipped puzzles keep their answer when judged anew."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

import pytest
from kit.strategies import few

from volte.bots import Beginner, Casual, Clock
from volte.game import Play
from volte.lessons.puzzles import Alternative, Grade, Puzzle, collection, position_of, read_position
from volte.rules import make_ruleset

SCRIPT: Final = Path(__file__).resolve().parents[2] / "scripts/puzzles.py"


def script() -> Any:
    """The script as a module; as `Any`, since `scripts` is no package."""
    spec = spec_from_file_location("puzzle_making", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


making: Final = script()

SMALL = make_ruleset("coeurs", {"players": 4})
LOG = making.played(SMALL, ["casual"] * 4, 3)
HANDFUL = collection()[:: max(1, len(collection()) // 6)][:6]


@pytest.mark.parametrize("one", HANDFUL[: few(2, 6)], ids=lambda one: str(one.number))
def test_a_third_judge_finds_the_same_answer(one: Puzzle) -> None:
    """It draws its own worlds; the costs of other cards are roughly the stored ones."""
    view = read_position(one.position)
    options = making.options_of(view, 2026, Clock(simulations=12_000))
    assert options is not None
    assert options[0].cards == one.best
    again = {option.cards: option for option in options}
    for option in one.options:
        assert abs(again[option.cards].points - option.points) <= 1 + option.points / 2


@pytest.mark.parametrize("one", HANDFUL, ids=lambda one: str(one.number))
def test_no_puzzle_is_everybodys_first_thought(one: Puzzle) -> None:
    """The two levels without search do not both find the answer."""
    view = read_position(one.position)
    chose = [Beginner(seed).choose(view, Clock()) for seed in range(10)]
    found = [isinstance(each, Play) and one.solved_by(each.card) for each in chose]
    usual = Casual().choose(view, Clock())
    assert sum(found) <= 5 or (isinstance(usual, Play) and not one.solved_by(usual.card))


def test_choices_are_views_of_who_plays_next() -> None:
    views = list(making.choices(LOG))
    assert len(views) > 10
    for view in views:
        assert view.my_turn
        assert len(view.legal) > 1
        assert len(view.hand) >= making.FEWEST_CARDS


def test_a_position_is_all_that_the_view_knows() -> None:
    for view in making.choices(LOG):
        again = read_position(position_of(view))
        assert again.deal == view.deal
        assert again.seat == view.seat
        assert again.state.deals == view.state.deals
        assert again.unseen == view.unseen


def test_the_same_match_has_the_same_puzzles() -> None:
    view = next(making.choices(LOG))
    assert making.weighed(view) == making.weighed(view)
    assert making.played(SMALL, ["casual"] * 4, 3) == LOG


def test_options_cost_nothing_for_the_best_and_more_for_each_after_it() -> None:
    judged = [making.options_of(view, 1, making.FIRST) for view in list(making.choices(LOG))[:5]]
    for options in filter(None, judged):
        points = [option.points for option in options]
        assert points == sorted(points)
        assert points[0] == 0


def found(
    casual: bool, beginner: float, strong: float, ahead: float, theme: Any = making.Theme.LEAD
) -> Any:
    one = HANDFUL[0]
    options = (Alternative(one.best), Alternative(one.options[1].cards, ahead))
    return making.Found(0, one.position, options, theme, beginner, casual, strong)


def test_what_plain_players_find_is_easier() -> None:
    assert found(True, 0, 1, 3).grade is Grade.EASY
    assert found(True, 0, 0.5, 3).grade is Grade.MEDIUM
    assert found(True, 0, 1, 1.1).grade is Grade.MEDIUM
    assert found(False, 0.8, 0.2, 1.1).grade is Grade.MEDIUM
    assert found(False, 0, 0.5, 1.1).grade is Grade.HARD


def test_those_chosen_differ_in_what_they_are_about() -> None:
    many = [found(True, 0, 1, 3)] * 10 + [found(True, 0, 1, 3, making.Theme.MOON)] * 2
    taken = making.chosen(many, {Grade.EASY: 4})
    assert [each.theme for each in taken].count(making.Theme.MOON) == 2
