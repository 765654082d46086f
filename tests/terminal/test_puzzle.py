"""`volte puzzle`: solved by keys, astray, given up, and left."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date, timedelta
from io import StringIO
from pathlib import Path

import pytest
from terminal.people import Answer, Keyboard, Script

from volte.cards import Card
from volte.cli import volte
from volte.console.command import run
from volte.console.terminal import Console, Left
from volte.lessons.puzzle_sitting import NAME, PuzzleProgress, PuzzleSession, Solved, in_order
from volte.lessons.puzzles import Grade, Puzzle, collection, daily, of_grade, puzzle, read_position
from volte.say import Words

LANGUAGES = pytest.mark.parametrize("lang", ["fr", "en"])
TODAY = date(2026, 11, 22)
FIRST = puzzle(1)


def at(
    folder: Path, answer: Answer, lang: str = "en", plain: bool = True
) -> tuple[PuzzleSession, StringIO]:
    screen = StringIO()
    console = Console(Keyboard(answer, screen), screen, plain=plain)
    return PuzzleSession(Words(lang), console, PuzzleProgress(folder), TODAY), screen


def said_at(folder: Path, lines: Sequence[str], lang: str = "en", first: Puzzle = FIRST) -> str:
    """All that is said from that puzzle on, to somebody who types those lines and goes."""
    sitting, screen = at(folder, Script(lines), lang)
    with pytest.raises(Left):
        sitting.run(in_order(first))
    return screen.getvalue()


def wrong(one: Puzzle) -> Card:
    return one.options[-1].cards[-1]


def illegal(one: Puzzle) -> Card:
    view = read_position(one.position)
    return next(card for card in view.hand if card not in view.legal)


def follows() -> Puzzle:
    """One in which some cards of the hand may not be played."""
    return next(
        each
        for each in collection()
        if len(read_position(each.position).hand) > len(read_position(each.position).legal)
    )


@LANGUAGES
def test_the_right_card_is_told_to_be_right_and_why(folder: Path, lang: str) -> None:
    words = Words(lang)
    said = said_at(folder, [words.card(FIRST.best[0])], lang)
    assert ("Right, " if lang == "en" else "Oui, ") + words.the_card(FIRST.best[0]) in said
    assert f"1 {'of' if lang == 'en' else 'sur'} {len(collection())}" in said
    assert "Puzzle 2" not in said
    assert PuzzleProgress(folder).read() == Solved(frozenset({1}))


def test_every_card_of_the_answer_is_right(folder: Path) -> None:
    several = next(each for each in collection() if len(each.best) > 1)
    for card in several.best:
        assert f"Right, {Words('en').the_card(card)}" in said_at(folder, [card.text], first=several)


def test_a_wrong_card_costs_and_one_may_try_again(folder: Path) -> None:
    said = said_at(folder, [wrong(FIRST).text, FIRST.best[0].text])
    before, _, after = said.partition("Right, ")
    assert f"{Words('en').the_card(wrong(FIRST))} would cost about" in before
    assert "Try again" in before
    assert after
    assert PuzzleProgress(folder).read().numbers == {1}


def test_an_illegal_card_is_refused_as_at_the_table(folder: Path) -> None:
    one = follows()
    said = said_at(folder, [illegal(one).text], first=one)
    assert "You may play" in said or "you must" in said.lower()
    assert "Right" not in said
    assert not PuzzleProgress(folder).read().numbers


def test_the_hand_can_be_played_by_its_places(folder: Path) -> None:
    order = Words("en").hand_order(read_position(FIRST.position))
    place = order.index(FIRST.best[0]) + 1
    assert "Right, " in said_at(folder, [f".{place}"])


def test_the_first_hint_is_a_clue_and_the_second_the_answer(folder: Path) -> None:
    once = said_at(folder, ["i"])
    assert "A clue" in once
    assert "next best" not in once
    twice = said_at(folder, ["i", "i"])
    assert "The next best" in twice
    assert "does not count" in twice
    assert not PuzzleProgress(folder).read().numbers


def test_the_usual_keys_are_answered(folder: Path) -> None:
    late = next(each for each in collection() if read_position(each.position).deal.tricks)
    view = read_position(late.position)
    for key in "csthlpfr?g":
        assert len(said_at(folder, [key], first=late)) > len(said_at(folder, [], first=late)), key
    told = said_at(folder, ["g"], first=late)
    assert told.count("\nTrick ") == len(view.deal.tricks)


def test_nothing_but_a_card_solves_it(folder: Path) -> None:
    for line in ("e", "u", "", "3h 4h", "nonsense", "12"):
        said = said_at(folder, [line, "t"])
        assert "It is your turn" in said, line
        assert "Right, " not in said


def test_another_puzzle_may_be_had_before_it_is_solved(folder: Path) -> None:
    said = said_at(folder, ["n", "n"])
    assert [f"Puzzle {number}, " in said for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert not PuzzleProgress(folder).read().numbers


def test_once_it_is_solved_other_cards_may_be_asked_about(folder: Path) -> None:
    said = said_at(folder, [FIRST.best[0].text, wrong(FIRST).text, "h", "e", ""])
    after = said.partition("Right, ")[2]
    assert f"{Words('en').the_card(wrong(FIRST))} would cost about" in after
    assert "Try again" not in after
    assert "Puzzle 2, " in after


def test_the_puzzle_of_the_day_comes_first_and_makes_a_streak(folder: Path) -> None:
    for day in (1, 2):
        PuzzleProgress(folder).add(
            daily(TODAY - timedelta(days=day)).number, TODAY - timedelta(days=day)
        )
    today = daily(TODAY)
    sitting, screen = at(folder, Script([today.best[0].text, ""]))
    with pytest.raises(Left):
        sitting.run_daily()
    said = screen.getvalue()
    assert said.startswith("The puzzle of November 22, 2026: number ")
    assert "3 days in a row" in said
    [following] = [line for line in said.splitlines() if line.startswith("Puzzle ")]
    assert following.endswith(", hard.")  # it is a Sunday
    assert f" {today.number}," not in following
    assert PuzzleProgress(folder).read().streak(TODAY) == 3


def test_those_solved_do_not_come_again_before_all_are(folder: Path) -> None:
    numbers = [each.number for each in of_grade(Grade.HARD)]
    for number in numbers[:-1]:
        PuzzleProgress(folder).add(number)
    sitting, screen = at(folder, Script(["n", "n"]))
    with pytest.raises(Left):
        sitting.run(sitting.unsolved(Grade.HARD))
    assert screen.getvalue().startswith(f"Puzzle {numbers[-1]}, ")


def test_a_streak_is_days_in_a_row() -> None:
    days = frozenset(TODAY - timedelta(days=back) for back in (1, 2, 3, 5))
    assert Solved(days=days).streak(TODAY) == 3
    assert Solved(days=days | {TODAY}).streak(TODAY) == 4
    assert Solved(days=days).streak(TODAY + timedelta(days=1)) == 0


def test_what_cannot_be_read_is_left_alone_and_told_once(folder: Path) -> None:
    (folder / NAME).write_bytes(b"[1, 2")
    said = said_at(folder, [FIRST.best[0].text, "", "q"])
    assert said.count("cannot be read") == 1
    assert "You have solved 1 of" in said
    assert (folder / NAME).read_bytes() == b"[1, 2"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX")
def test_what_cannot_be_kept_is_told_in_one_sentence(folder: Path) -> None:
    (folder / "file").write_text("")
    said = said_at(folder / "file", [FIRST.best[0].text])
    assert said.count(str(folder / "file")) == 1
    assert "You have solved 1 of" in said


# The command


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr("sys.stdin", None)
    return folder


@pytest.mark.parametrize(
    ("args", "first"),
    [
        ([], "The puzzle of "),
        (["--daily"], "The puzzle of "),
        (["--number", "3"], "Puzzle 3, "),
        (["--grade", "3"], f"Puzzle {of_grade(Grade.HARD)[0].number}, hard."),
        (["--seed", "4", "--grade", "1"], "Puzzle "),
        (["--lang", "fr"], "Le problème du "),
    ],
)
def test_the_command_begins_and_ends_with_its_input(
    home: Path, capsys: pytest.CaptureFixture[str], args: list[str], first: str
) -> None:
    assert run(volte, ["puzzle", *args]) == 0
    told = capsys.readouterr()
    assert told.out.startswith(first)
    assert told.err == ""


def test_the_same_seed_begins_with_the_same_puzzle(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for seed in ("7", "7", "8"):
        run(volte, ["puzzle", "--seed", seed])
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != said[2]


@pytest.mark.parametrize(
    "args",
    [
        ["--number", "0"],
        ["--number", "99999"],
        ["--number", "x"],
        ["--grade", "4"],
        ["--seed", "-1"],
        ["--daily", "--number", "3"],
        ["--number", "3", "--seed", "3"],
        ["--number", "3", "--grade", "1"],
        ["again"],
    ],
)
def test_misuse_is_one_sentence(
    home: Path, capsys: pytest.CaptureFixture[str], args: list[str]
) -> None:
    assert run(volte, ["puzzle", *args]) in (1, 2)
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
