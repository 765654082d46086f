"""The words of a line, read one by one: what commands and answers are made of."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from volte.bots import Estimate
from volte.cards import Card, CardFault, read_cards
from volte.engine.language import EngineFault
from volte.game import ChooseMoon, Pass, Play

_NUMBER: Final = re.compile("[0-9]{1,20}")
_SIGNED: Final = re.compile(r"[-+−]?[0-9]{1,6}")
_DECIMAL: Final = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?")

MOST_SAID: Final = 10.0**12
"""The largest number that is taken from an outside program; larger ones are capped."""


class Malformed(Exception):
    """The line is not written as such lines are."""


class LineWords:
    """The words of a line after the first, taken one by one."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)
        self._place = 0

    @property
    def left(self) -> int:
        return len(self._words) - self._place

    @property
    def next(self) -> str:
        """The word that comes next; empty at the end."""
        return self._words[self._place] if self.left else ""

    def take(self) -> str:
        if not self.left:
            raise Malformed
        self._place += 1
        return self._words[self._place - 1]

    def accept(self, word: str) -> bool:
        """Takes the next word if it is that one; whether it was."""
        found = self.next == word
        self._place += found
        return found

    def rest(self) -> list[str]:
        words, self._place = self._words[self._place :], len(self._words)
        return words

    def end(self) -> None:
        if self.left:
            raise Malformed

    def number(self, least: int, most: int) -> int:
        """A whole number. Raises `EngineFault` where it is out of range."""
        word = self.take()
        if not _NUMBER.fullmatch(word):
            raise Malformed
        if not least <= int(word) <= most:
            raise EngineFault("number_out_of_range", value=word, least=least, most=most)
        return int(word)

    def signed(self) -> int:
        word = self.take()
        if not _SIGNED.fullmatch(word):
            raise Malformed
        return int(word.replace("−", "-"))

    def decimal(self) -> float:
        """A number as any program may write it; one that is too large is capped."""
        word = self.take()
        if not _DECIMAL.fullmatch(word):
            raise Malformed
        return max(-MOST_SAID, min(float(word), MOST_SAID))

    def seat(self, players: int) -> int:
        """A seat, which is counted from 1."""
        word = self.take()
        if not _NUMBER.fullmatch(word):
            raise Malformed
        if not 1 <= int(word) <= players:
            raise EngineFault("seat_unknown", seat=word, players=players)
        return int(word) - 1

    def minus(self) -> bool:
        """How a moon counts: `minus`, or `plus`."""
        word = self.take()
        if word not in ("plus", "minus"):
            raise Malformed
        return word == "minus"

    def card(self) -> Card:
        return card_of(self.take())

    def cards(self) -> tuple[Card, ...]:
        """All cards that are left, at least one. Raises `EngineFault`."""
        if not self.left:
            raise Malformed
        try:
            return read_cards(" ".join(self.rest()))
        except CardFault as fault:
            raise EngineFault(fault.reason, **fault.params) from None


@lru_cache(1024)
def card_of(word: str) -> Card:
    """The card of that word. Raises `EngineFault`."""
    try:
        return Card(word)
    except CardFault as fault:
        raise EngineFault(fault.reason, **fault.params) from None


# Answers


Choice = Play | Pass | ChooseMoon
"""What an engine may be asked to choose."""

ESTIMATED: Final = ("points", "margin", "error")
INFORMED: Final = ("worlds", "simulations", "milliseconds")
"""The names that `estimate` and `info` have."""


def read_choice(words: LineWords, seat: int) -> Choice:
    """`play QS`, `pass QS AS KS` or `moon minus`, as an action of that seat.

    Raises `Malformed`.
    """
    action = _read_action(words, seat)
    words.end()
    return action


def _read_action(words: LineWords, seat: int) -> Choice:
    kind, cards = words.take(), []
    if kind == "moon":
        return ChooseMoon(seat, words.minus())
    while words.left and words.next not in ESTIMATED:
        try:
            cards.append(words.card())
        except EngineFault:
            raise Malformed from None
    if kind == "play" and len(cards) == 1:
        return Play(seat, cards[0])
    if kind == "pass" and cards:
        return Pass(seat, tuple(cards))
    raise Malformed


def read_estimate(words: LineWords, seat: int) -> Estimate:
    """`play QS points 3.2 margin -1.0 error 0.3`, as written by `language`. Raises `Malformed`."""
    action = _read_action(words, seat)
    numbers = _numbers(words, ESTIMATED)
    if "points" not in numbers or "margin" not in numbers:
        raise Malformed
    return Estimate(action, numbers["points"], numbers["margin"], numbers.get("error"))


def read_info(words: LineWords) -> tuple[int, int]:
    """Worlds and simulations of `worlds 10 simulations 500`. Raises `Malformed`."""
    numbers = _numbers(words, INFORMED)
    return int(numbers.get("worlds", 0)), int(numbers.get("simulations", 0))


def _numbers(words: LineWords, known: Collection[str]) -> dict[str, float]:
    """The numbers that follow known names, to the end of the line, or to `string` and its text.

    Other programs may say more: an unknown name and what follows it, up to a known one, is skipped.
    """
    numbers = {}
    while words.left and (name := words.take()) != "string":
        if name in known:
            numbers[name] = words.decimal()
    return numbers
