"""Somebody who comes to a table as it lies in a puzzle, and looks for the best card."""

from __future__ import annotations

from typing import Final

from volte.console.keys import KEY_LINES, Key, bare
from volte.console.person import TerminalPlayer
from volte.console.terminal import Console
from volte.game import Play, Refusal
from volte.lessons.puzzles import Puzzle, clue, read_position, seated, situation, solution, verdict
from volte.referee import SeatAction, decide
from volte.say import N_, Words
from volte.say.answers import tricks

ONWARD: Final = frozenset({"n", "next", "suite", "suivant"})
TRICKS: Final = frozenset({"g", "tricks", "levees", "plis"})

KEYS: Final = (
    N_("A card: its name (qs, queen of spades, ♠Q), or its place in your hand (.3)."),
    KEY_LINES[Key.TABLE],
    KEY_LINES[Key.TURN],
    KEY_LINES[Key.HAND],
    KEY_LINES[Key.LAST],
    N_("G: all tricks of this deal so far."),
    KEY_LINES[Key.POINTS],
    KEY_LINES[Key.SCORES],
    KEY_LINES[Key.RULES],
    N_("I: a clue; once more, the answer."),
    N_("N: another puzzle."),
    N_("Q: leaves the puzzles. What you have solved is kept."),
)


class Onward(Exception):
    """The person wants another puzzle."""


class Solver(TerminalPlayer):
    """Whoever solves a puzzle: told how the match stands as one who comes back to it.

    Raises `Onward` as well as `Left`.
    """

    def __init__(
        self, puzzle: Puzzle, me: str, words: Words, console: Console, keys_told: bool = False
    ) -> None:
        view = seated(read_position(puzzle.position), me)
        assert view.seat is not None
        super().__init__(view.seat, words, console)
        self._puzzle = puzzle
        self._view = view
        self._keys_told = keys_told
        self._clued = False
        self._shown = False

    def solves(self) -> bool:
        """Asks until the best card is found, or the answer was told; whether it was found."""
        self.console.say(*situation(self.words, self.view), *self.words.table(self.view))
        while True:
            action = self.ask()
            if self._shown:
                return False
            if self._found(action):
                return True

    def pause(self) -> None:
        """Waits until the person goes on; what other cards would have cost can be asked."""
        while line := self._line(self.words.t("Enter for the next puzzle, Q to leave?")):
            action = self._typed(line)
            if action is not None:
                self._found(action, over=True)

    def _found(self, action: SeatAction, over: bool = False) -> bool:
        """Whether that is the answer, which is told either way.

        Args:
            over: whether nobody is asked any more.
        """
        if not isinstance(action, Play):
            self.say(
                N_(
                    "Press Enter for the next puzzle, or type a key, or a card to hear what it"
                    " would cost."
                )
                if over
                else N_("Here only a card is looked for: type one, or ? for the keys.")
            )
            return False
        refusal = decide(self.view.state, action)
        if isinstance(refusal, Refusal):
            self.refused(refusal)
            return False
        self.console.say(*verdict(self.words, self._puzzle, action.card))
        found = self._puzzle.solved_by(action.card)
        if not found and not over:
            self.say(N_("Try again, or type I for a clue."))
        return found

    def ask(self) -> SeatAction:
        """What is typed; the answer itself once it has been told."""
        self._introduce()
        while not self._shown:
            action = self._answer(self._prompt())
            if action is not None:
                return action
        return Play(self._me, self._puzzle.best[0])

    def _hand(self) -> tuple[str, ...]:
        """All of it: what is best often hangs on what is kept."""
        return self.words.hand(self.view)

    def _prompt(self) -> str:
        if not self._keys_told:
            self._keys_told = True
            self.say(N_("Type ? for the keys."))
        return self.words.t(N_("The best card?") if self.view.deal.trick else N_("The best lead?"))

    def _typed(self, line: str) -> SeatAction | None:
        word = bare(line)
        if word in ONWARD:
            raise Onward
        if word in TRICKS:
            self.console.say(*tricks(self.words, self.view))
            return None
        return super()._typed(line)

    def _press(self, key: Key | int | None) -> bool:
        if key is Key.KEYS:
            players = self.view.state.rules.players
            for name in KEYS:
                self.say(name, players=players)
        elif key is Key.HINT:
            self._help()
        else:
            return super()._press(key)
        return True

    def _help(self) -> None:
        """A clue, and from the second time on the answer."""
        if self._clued:
            self._shown = True
            self.console.say(*solution(self.words, self._puzzle))
        else:
            self._clued = True
            self.console.say(clue(self.words, self._puzzle))
