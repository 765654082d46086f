"""`volte puzzle`: puzzles, one after the other, and a record of those solved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import chain, repeat
from pathlib import Path
from typing import Final

import msgspec

from volte.console.files import Shelf
from volte.console.options import words_for
from volte.console.terminal import Console, Misuse, TerminalFault
from volte.lessons.puzzle_typed import Onward, Solver
from volte.lessons.puzzles import Grade, Puzzle, collection, following, heading, in_turn, of_grade
from volte.lessons.puzzles import daily as daily_puzzle
from volte.lessons.puzzles import puzzle as numbered
from volte.rules.file import read_file, replace_file
from volte.say import N_, Words


def solve(
    lang: str,
    daily: bool = False,
    number: int | None = None,
    grade: str | None = None,
    seed: int | None = None,
    plain: bool = False,
    width: int | None = None,
) -> None:
    """Gives puzzles to whoever sits at this terminal. Raises `Left`, and a `Fault` for misuse."""
    options = {"--daily": daily or None, "--number": number, "--grade": grade, "--seed": seed}
    named = [option for option, value in options.items() if value is not None]
    if len(named) > 1 and named[0] in ("--daily", "--number"):
        raise Misuse("puzzle_options", option=named[0], other=named[1])
    console = Console.here(width, plain)
    words = words_for(lang, console.plain)
    sitting = PuzzleSession(words, console, PuzzleProgress(Shelf().folder), date.today())
    graded = Grade(int(grade)) if grade is not None else None
    if number is not None:
        sitting.run(in_order(numbered(number)))
    elif seed is not None:
        sitting.run(chain.from_iterable(repeat(in_turn(seed, graded))))
    elif graded is not None:
        sitting.run(sitting.unsolved(graded))
    else:
        sitting.run_daily()


def in_order(first: Puzzle) -> Iterator[Puzzle]:
    """From that one on by number, round and round."""
    while True:
        yield first
        first = following(first)


class PuzzleSession:
    """Somebody who solves puzzles."""

    def __init__(
        self, words: Words, console: Console, progress: PuzzleProgress, today: date
    ) -> None:
        self._words = words
        self._console = console
        self._progress: PuzzleProgress | None = progress
        self._today = today
        self._keys_told = False
        self._solved = Solved()
        try:
            self._solved = progress.read()
        except TerminalFault as fault:
            self._keep_nothing(fault)

    def run_daily(self) -> None:
        """The puzzle of the day, then others as hard. Raises `Left`."""
        first = daily_puzzle(self._today)
        self._give(first, self._today)
        self.run(self.unsolved(first.grade))

    def run(self, puzzles: Iterable[Puzzle]) -> None:
        """Gives those puzzles, one after the other. Raises `Left`."""
        for each in puzzles:
            self._give(each)

    def unsolved(self, grade: Grade) -> Iterator[Puzzle]:
        """Those of a grade that are still to be solved, by number; then all of them again."""
        while True:
            all_of_them = of_grade(grade)
            left = [each for each in all_of_them if each.number not in self._solved.numbers]
            yield from left or all_of_them

    def _give(self, each: Puzzle, day: date | None = None) -> None:
        self._console.say(heading(self._words, each, day))
        me = self._words.t(N_("South"))
        solver = Solver(each, me, self._words, self._console, self._keys_told)
        self._keys_told = True
        try:
            if solver.solves():
                self._count(each, day)
            else:
                self._say(N_("You have seen the answer to this one: it does not count as solved."))
            solver.pause()
        except Onward:
            pass
        self._console.say("")

    def _count(self, each: Puzzle, day: date | None) -> None:
        """Records that a puzzle has been solved, and says how many have."""
        self._solved = self._solved.and_also(each.number, day)
        try:
            if self._progress is not None:
                self._solved = self._progress.add(each.number, day)
        except TerminalFault as fault:
            self._keep_nothing(fault)
        self._say(
            N_("You have solved {count} of {most} puzzles."),
            count=len(self._solved.numbers),
            most=len(collection()),
        )
        streak = self._solved.streak(self._today)
        if day is not None and streak > 1:
            self._say(N_("Puzzles of the day solved on {count} days in a row."), count=streak)

    def _keep_nothing(self, fault: TerminalFault) -> None:
        self._progress = None
        self._console.say(self._words.fault(fault))

    def _say(self, message: str, **params: object) -> None:
        self._console.say(self._words.t(message, **params))


NAME: Final = "puzzles.json"

MOST_BYTES: Final = 2**20


class Solved(msgspec.Struct, frozen=True):
    """Which puzzles somebody has solved, and on which days the daily one."""

    numbers: frozenset[int] = frozenset()  # of puzzles
    days: frozenset[date] = frozenset()  # on which the puzzle of the day was

    def and_also(self, number: int, day: date | None = None) -> Solved:
        """The same with that puzzle, as the one of that day."""
        return Solved(self.numbers | {number}, self.days | ({day} if day is not None else set()))

    def streak(self, today: date) -> int:
        """Days in a row up to today; or up to yesterday, while today's is still to be solved."""
        day = today if today in self.days else today - timedelta(days=1)
        count = 0
        while day in self.days:
            count, day = count + 1, day - timedelta(days=1)
        return count


class PuzzleProgress:
    """The file of solved puzzles, in the folder where matches are saved."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def read(self) -> Solved:
        """What has been solved so far. Raises `TerminalFault` for a file that tells nothing."""
        try:
            content = read_file(self.path, MOST_BYTES)
        except FileNotFoundError:
            return Solved()
        except OSError as error:
            raise self._fault("progress_not_read", error.strerror or str(error)) from None
        try:
            return msgspec.json.decode(content, type=Solved)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._fault("progress_not_read", str(error)) from None

    def add(self, number: int, day: date | None = None) -> Solved:
        """Records that puzzle as solved, as the one of that day. Raises `TerminalFault`."""
        solved = self.read().and_also(number, day)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self.path, msgspec.json.encode(solved, order="sorted"))
        except OSError as error:
            raise self._fault("progress_not_kept", error.strerror or str(error)) from None
        return solved

    def _fault(self, reason: str, why: str) -> TerminalFault:
        return TerminalFault(reason, path=self.path, why=why)
