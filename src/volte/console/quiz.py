"""A position that somebody at the terminal is asked about: what they answer changes nothing."""

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
    """Whoever is asked for the best card, or the best pass."""

    keys: ClassVar[Sequence[str]] = (
        CARD_LINE,
        *(KEY_LINES[key] for key in (Key.TABLE, Key.TURN, Key.HAND, Key.LAST)),
        N_("G: all tricks of this deal so far."),
        *(KEY_LINES[key] for key in (Key.POINTS, Key.SCORES, Key.RULES)),
    )
    """What `?` tells, a line for each."""

    def __init__(self, view: View, words: Words, console: Console, keys_told: bool) -> None:
        super().__init__(view.seat, words, console)
        self._view = view
        self._keys_told = keys_told

    def _chosen(self, line: str) -> Play | Pass | None:
        """What a typed line chooses; None for one that is a key, or is told to be no answer."""
        action = self._typed(line)
        if action is None or isinstance(action, Play | Pass):
            return action
        self.say(ONLY_CARDS)
        return None

    def _hand(self) -> tuple[str, ...]:
        """All of it: what is best often hangs on what is kept."""
        return self.words.hand(self.view)

    def _asked(self, question: str) -> str:
        """The question, with how to learn of the keys before the first one."""
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
