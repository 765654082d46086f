"""`volte puzzle`: puzzles, one after the other, and a record of the ones solved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from itertools import chain, repeat
from pathlib import Path
from typing import Final

import msgspec

from volte.console.files import Shelf
from volte.console.options import words_for
from volte.console.quiz import ONLY_CARDS, QuizPlayer
from volte.console.terminal import Console, Dialogue, Misuse, TerminalFault
from volte.files import read_file, replace_file
from volte.game import Play, Refusal
from volte.lessons import puzzles
from volte.lessons.puzzles import Grade, Puzzle
from volte.referee import SeatAction, decide
from volte.say import N_, Words
from volte.say.keys import Key, bare


def solve(
    lang: str,
    daily: bool = False,
    number: int | None = None,
    grade: str | None = None,
    seed: int | None = None,
    plain: bool = False,
    width: int | None = None,
) -> None:
    """Give puzzles at this terminal. Raises `Quit`, or `VolteError` for wrong options."""
    options = {"--daily": daily or None, "--number": number, "--grade": grade, "--seed": seed}
    named = [option for option, value in options.items() if value is not None]
    if len(named) > 1 and named[0] in ("--daily", "--number"):
        raise Misuse("puzzle_options", option=named[0], other=named[1])
    console = Console.here(width, plain)
    words = words_for(lang, console.plain)
    sitting = PuzzleSession(words, console, PuzzleProgress(Shelf().folder), date.today())
    graded = Grade(int(grade)) if grade is not None else None
    if number is not None:
        sitting.run(in_order(puzzles.puzzle(number)))
    elif seed is not None:
        sitting.run(chain.from_iterable(repeat(puzzles.in_turn(seed, graded))))
    elif graded is not None:
        sitting.run(sitting.unsolved(graded))
    else:
        sitting.run_daily()


def in_order(first: Puzzle) -> Iterator[Puzzle]:
    """Puzzles by number, beginning with `first`, round and round."""
    while True:
        yield first
        first = puzzles.following(first)


class PuzzleSession(Dialogue):
    """A person at the terminal who solves puzzles."""

    def __init__(
        self, words: Words, console: Console, progress: PuzzleProgress, today: date
    ) -> None:
        super().__init__(words, console)
        self._progress: PuzzleProgress | None = progress
        self._today = today
        self._keys_told = False
        self._solved = Solved()
        try:
            self._solved = progress.read()
        except TerminalFault as fault:
            self._keep_nothing(fault)

    def run_daily(self) -> None:
        """Give the puzzle of the day, then others of its grade. Raises `Quit`."""
        first = puzzles.daily(self._today)
        self._give(first, self._today)
        self.run(self.unsolved(first.grade))

    def run(self, puzzles: Iterable[Puzzle]) -> None:
        """Give the puzzles, one after the other. Raises `Quit`."""
        for each in puzzles:
            self._give(each)

    def unsolved(self, grade: Grade) -> Iterator[Puzzle]:
        """Puzzles of a grade that are not solved yet, by number; then all of the grade again."""
        while True:
            every = puzzles.of_grade(grade)
            left = [each for each in every if each.number not in self._solved.numbers]
            yield from left or every

    def _give(self, each: Puzzle, day: date | None = None) -> None:
        self.console.say(puzzles.heading(self.words, each, day))
        me = self.words.t(N_("South"))
        solver = Solver(each, me, self.words, self.console, self._keys_told)
        self._keys_told = True
        try:
            if solver.solves():
                self._count(each, day)
            else:
                self.say(N_("You have seen the answer, so this puzzle does not count as solved."))
            solver.pause()
        except AnotherPuzzle:
            pass
        self.console.say("")

    def _count(self, each: Puzzle, day: date | None) -> None:
        """Record a puzzle as solved, and print the number solved so far."""
        self._solved = self._solved.and_also(each.number, day)
        try:
            if self._progress is not None:
                self._solved = self._progress.add(each.number, day)
        except TerminalFault as fault:
            self._keep_nothing(fault)
        count, most = len(self._solved.numbers), len(puzzles.collection())
        self.say(N_("You have solved {count} of {most} puzzles."), count=count, most=most)
        streak = self._solved.streak(self._today)
        if day is not None and streak > 1:
            self.say(N_("Puzzles of the day solved {count} days in a row."), count=streak)

    def _keep_nothing(self, fault: TerminalFault) -> None:
        self._progress = None
        self.complain(fault)


ONWARD: Final = frozenset({"+", "next", "suite", "suivant"})


ONWARD_MOVED: Final = N_("N now goes forward through the messages. Press + for another puzzle.")


class AnotherPuzzle(Exception):
    """The person wants another puzzle."""


class Solver(QuizPlayer):
    """A person who solves one puzzle; told the state of the match like a player who comes back.

    Methods raise `AnotherPuzzle` as well as `Quit`.
    """

    keys = (
        N_("I: first a clue, then the answer."),
        N_("+: another puzzle."),
        N_("Q: leave the puzzles. The ones you have solved are saved."),
    )

    def __init__(
        self, puzzle: Puzzle, me: str, words: Words, console: Console, keys_told: bool = False
    ) -> None:
        view = puzzles.named(puzzle, me)
        super().__init__(view, words, console, keys_told)
        self._puzzle = puzzle
        self._clued = False
        self._shown = False

    def solves(self) -> bool:
        """Ask until the best card is found or the answer was shown; return whether it was found."""
        self.console.say(*self.words.newcomer(self.view), *self.words.table(self.view))
        while True:
            action = self.ask()
            if self._shown:
                return False
            if self._found(action):
                return True

    def pause(self) -> None:
        """Wait until the person goes on; they may ask for the cost of other cards."""
        while line := self.ask_line(N_("Press Enter for the next puzzle, or type Q to leave.")):
            action = self._typed(line)
            if action is not None:
                self._found(action, over=True)

    def _found(self, action: SeatAction, over: bool = False) -> bool:
        """Print the verdict on an action; return whether it is the answer.

        Args:
            over: whether the puzzle has been solved or its answer shown.
        """
        if not isinstance(action, Play):
            self.say(
                N_(
                    "Press Enter for the next puzzle, type a card to hear what it would cost, "
                    "or type ? for the keys."
                )
                if over
                else ONLY_CARDS
            )
            return False
        refusal = decide(self.view.state, action)
        if isinstance(refusal, Refusal):
            self.refused(refusal)
            return False
        self.console.say(*puzzles.verdict(self.words, self._puzzle, action.card))
        found = self._puzzle.solved_by(action.card)
        if not found and not over:
            self.say(N_("Try again, or type I for a clue."))
        return found

    def ask(self) -> SeatAction:
        """The action that is typed; the best card once the answer has been shown."""
        self._introduce()
        while not self._shown:
            action = self._answer(self._prompt())
            if action is not None:
                return action
        return Play(self._me, self._puzzle.best[0])

    def _prompt(self) -> str:
        return self._asked(N_("The best card?") if self.view.deal.trick else N_("The best lead?"))

    def _typed(self, line: str) -> SeatAction | None:
        if bare(line) in ONWARD:
            raise AnotherPuzzle
        return super()._typed(line)

    @property
    def moved(self) -> Mapping[Key, str]:
        return {**super().moved, Key.AFTER: ONWARD_MOVED}

    def _press(self, key: Key | int | None) -> bool:
        if key is not Key.HINT:
            return super()._press(key)
        self._clue()
        return True

    def _clue(self) -> None:
        """Print a clue; the second time the answer."""
        if self._clued:
            self._shown = True
            self.console.say(*puzzles.solution(self.words, self._puzzle))
        else:
            self._clued = True
            self.console.say(puzzles.clue(self.words, self._puzzle))


NAME: Final = "puzzles.json"

MOST_BYTES: Final = 2**20


class Solved(msgspec.Struct, frozen=True):
    """The puzzles that a person has solved, and the days whose puzzle they solved."""

    numbers: frozenset[int] = frozenset()  # of the puzzles
    days: frozenset[date] = frozenset()  # days whose puzzle of the day was solved

    def and_also(self, number: int, day: date | None = None) -> Solved:
        """A copy with one more puzzle, and with the day if it was the puzzle of the day."""
        return Solved(self.numbers | {number}, self.days | ({day} if day is not None else set()))

    def streak(self, today: date) -> int:
        """Number of days in a row up to today, or to yesterday while today's is unsolved."""
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
        """Read the puzzles solved so far. Raises `TerminalFault` for an unreadable file."""
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
        """Record a puzzle as solved, perhaps as that of a day. Raises `TerminalFault`."""
        solved = self.read().and_also(number, day)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self.path, msgspec.json.encode(solved, order="sorted"))
        except OSError as error:
            raise self._fault("progress_not_kept", error.strerror or str(error)) from None
        return solved

    def _fault(self, reason: str, why: str) -> TerminalFault:
        return TerminalFault(reason, path=self.path, why=why)
