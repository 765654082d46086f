"""Questions about a position at the terminal: the answer does not go on with the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from volte.console.keys import CARD_LINE, digit_lines
from volte.console.person import TerminalPlayer
from volte.console.terminal import Console
from volte.game import Claim, Pass, Play
from volte.say import N_, Words
from volte.say.keys import MOVED, OF_COMPANY, Key, Keys, keys_of, listed
from volte.view import View

ONLY_CARDS: Final = N_("Only a card is needed here: type one, or ? for the keys.")


class QuizPlayer(TerminalPlayer):
    """A person who is asked for the best card, or the best pass, of a position."""

    place = "puzzle"
    keys: ClassVar[Sequence[str]] = ()
    """The lines that `?` tells beside those of every table."""

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

    def claim(self) -> Claim:
        return Claim(self._me)  # is told to be out of place, so there is nothing to be sure of

    @property
    def moved(self) -> Mapping[Key, str]:
        return {Key.SITUATION: MOVED[Key.SITUATION]}

    def _help(self) -> tuple[str, ...]:
        words = self.words
        left_out = (Key.HINT, *OF_COMPANY)
        keys = [key for key in keys_of(Keys.ASKING, Keys.HEARING) if key not in left_out]
        cards = words.t(CARD_LINE), *digit_lines(words, self.view.state.rules.players)
        return (*cards, *listed(words, keys), *map(words.t, self.keys))
