"""`volte puzzle`: the choice of puzzles, and their stored results.

The sentences about a puzzle, solved or given up, are in the transcripts `puzzle.*`.
"""

from __future__ import annotations

import os
from datetime import date, timedelta
from io import StringIO
from pathlib import Path

import pytest
from kit.terminals import Keyboard, Script, Volte

from volte.console.terminal import Console, Quit
from volte.lessons.puzzle_command import NAME, PuzzleProgress, PuzzleSession, Solved, in_order
from volte.lessons.puzzles import Grade, collection, daily, of_grade, puzzle
from volte.say import Words

TODAY = date(2026, 11, 22)
FIRST = puzzle(1)
RIGHT = FIRST.best[0].text


class Sitting(PuzzleSession):
    """Somebody who types those lines and goes."""

    def __init__(self, folder: Path, *lines: str) -> None:
        self.screen = StringIO()
        console = Console(Keyboard(Script(lines), self.screen), self.screen, plain=True)
        super().__init__(Words("en"), console, PuzzleProgress(folder), TODAY)

    @property
    def said(self) -> str:
        return self.screen.getvalue()


def said_at(folder: Path, *lines: str, first: int = 1) -> str:
    """Type some lines at the puzzles, from the puzzle of that number; return the output."""
    sitting = Sitting(folder, *lines)
    with pytest.raises(Quit):
        sitting.run(in_order(puzzle(first)))
    return sitting.said


def test_every_card_of_the_answer_is_right(folder: Path) -> None:
    several = next(each for each in collection() if len(each.best) > 1)
    for card in several.best:
        said = said_at(folder, card.text, first=several.number)
        assert f"Right, {Words('en').the_card(card)}" in said


def test_the_puzzle_of_the_day_comes_first_and_makes_a_streak(folder: Path) -> None:
    for day in (TODAY - timedelta(days=1), TODAY - timedelta(days=2)):
        PuzzleProgress(folder).add(daily(day).number, day)
    today = daily(TODAY)
    sitting = Sitting(folder, today.best[0].text, "")
    with pytest.raises(Quit):
        sitting.run_daily()
    assert sitting.said.startswith("The puzzle for November 22, 2026: number ")
    assert "3 days in a row" in sitting.said
    [following] = [line for line in sitting.said.splitlines() if line.startswith("Puzzle ")]
    assert following.endswith(", hard.")  # it is a Sunday
    assert f" {today.number}," not in following
    assert PuzzleProgress(folder).read().streak(TODAY) == 3


def test_those_solved_do_not_come_again_before_all_are(folder: Path) -> None:
    numbers = [each.number for each in of_grade(Grade.HARD)]
    for number in numbers[:-1]:
        PuzzleProgress(folder).add(number)
    sitting = Sitting(folder, "+", "+")
    with pytest.raises(Quit):
        sitting.run(sitting.unsolved(Grade.HARD))
    assert sitting.said.startswith(f"Puzzle {numbers[-1]}, ")


def test_a_streak_is_days_in_a_row() -> None:
    days = frozenset(TODAY - timedelta(days=back) for back in (1, 2, 3, 5))
    assert Solved(days=days).streak(TODAY) == 3
    assert Solved(days=days | {TODAY}).streak(TODAY) == 4
    assert Solved(days=days).streak(TODAY + timedelta(days=1)) == 0


def test_what_cannot_be_read_is_left_alone_and_told_once(folder: Path) -> None:
    (folder / NAME).write_bytes(b"[1, 2")
    said = said_at(folder, RIGHT, "", "q")
    assert said.count("Cannot read") == 1
    assert "You have solved 1 of" in said
    assert (folder / NAME).read_bytes() == b"[1, 2"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX")
def test_what_cannot_be_kept_is_told_in_one_sentence(folder: Path) -> None:
    (folder / "file").write_text("")
    said = said_at(folder / "file", RIGHT)
    assert said.count(str(folder / "file")) == 1
    assert "You have solved 1 of" in said


@pytest.mark.parametrize(
    ("args", "first"),
    [
        ([], "The puzzle for "),
        (["--daily"], "The puzzle for "),
        (["--number", "3"], "Puzzle 3, "),
        (["--grade", "3"], f"Puzzle {of_grade(Grade.HARD)[0].number}, hard."),
        (["--seed", "4", "--grade", "1"], "Puzzle "),
        (["--lang", "fr"], "Le problème du "),
    ],
)
def test_the_command_begins_and_ends_with_its_input(
    args: list[str], first: str, volte: Volte
) -> None:
    done = volte("puzzle", *args)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(first)


def test_the_same_seed_begins_with_the_same_puzzle(volte: Volte) -> None:
    first, again, other = (volte("puzzle", "--seed", seed).out for seed in "778")
    assert first == again != other
