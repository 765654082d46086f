"""Questions about a position at the terminal: the answer does not go on with the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from volte.console.keys import CARD_LINE, KEY_LINES, Key, bare
from volte.console.person import TerminalPlayer
from volte.console.terminal import Console
from volte.game import Pass, Play
from volte.referee import SeatAction
from volte.say import N_, Words
from volte.say.answers import tricks
from volte.view import View

TRICKS: Final = frozenset({"g", "tricks", "levees", "plis"})

ONLY_CARDS: Final = N_("Here only a card is looked for: type one, or ? for the keys.")


class QuizPlayer(TerminalPlayer):
    """A person who is asked for the best card, or the best pass, of a position."""

    keys: ClassVar[Sequence[str]] = (
        CARD_LINE,
        *(KEY_LINES[key] for key in (Key.TABLE, Key.TURN, Key.HAND, Key.LAST)),
        N_("G: all tricks of this deal so far."),
        *(KEY_LINES[key] for key in (Key.POINTS, Key.SCORES, Key.RULES)),
    )
    """The lines that `?` tells."""

    def __init__(self, view: View, words: Words, console: Console, keys_told: bool) -> None:
        super().__init__(view.seat, words, console)
        self._view = view
        self._keys_told = keys_told

    def _chosen(self, line: str) -> Play | Pass | None:
        """The play or pass that a line means; None if it is a key or no answer, which is told."""
        action = self._typed(line)
        if action is None or isinstance(action, Play | Pass):
            return action
        self.say(ONLY_CARDS)
        return None

    def _hand(self) -> tuple[str, ...]:
        """The whole hand: the best choice often depends on the cards that are kept."""
        return self.words.hand(self.view)

    def _asked(self, question: str) -> str:
        """The question; before the first one, say how to learn the keys."""
        if not self._keys_told:
            self._keys_told = True
            self.say(N_("Type ? for the keys."))
        return self.words.t(question)

    def _typed(self, line: str) -> SeatAction | None:
        if bare(line) in TRICKS:
            self.console.say(*tricks(self.words, self.view))
            return None
        return super()._typed(line)

    def _press(self, key: Key | int | None) -> bool:
        if key is not Key.KEYS:
            return super()._press(key)
        for line in self.keys:
            self.say(line, players=self.view.state.rules.players)
        return True
