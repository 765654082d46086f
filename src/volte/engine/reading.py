"""The words of a line, read: what commands and answers are made of."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from volte.bots import Estimate
from volte.cards import Card, CardFault, read_cards
from volte.engine.fault import EngineFault
from volte.game import ChooseMoon, Pass, Play

_NUMBER: Final = re.compile("[0-9]{1,20}")
_SIGNED: Final = re.compile(r"[-+−]?[0-9]{1,6}")
_DECIMAL: Final = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?")

MOST_SAID: Final = 10.0**12
"""The largest number that an outside program is taken at its word for; larger ones count as it."""


class Malformed(Exception):
    """The line is not written as such lines are."""


class Words:
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

    def taken(self, word: str) -> bool:
        """Whether that word came next; if so, it is taken."""
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
"""What an engine may be asked for."""

ESTIMATED: Final = ("points", "margin", "error")
INFORMED: Final = ("worlds", "simulations", "milliseconds")
"""The names that `estimate` and `info` have."""


def read_choice(words: Words, seat: int) -> Choice:
    """`play QS`, `pass QS AS KS` or `moon minus`, as an action of that seat.

    Raises `Malformed`.
    """
    action = _read_action(words, seat)
    words.end()
    return action


def _read_action(words: Words, seat: int) -> Choice:
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


def read_estimate(words: Words, seat: int) -> Estimate:
    """`play QS points 3.2 margin -1.0 error 0.3`, as written by `language`. Raises `Malformed`."""
    action = _read_action(words, seat)
    said = _said(words, ESTIMATED)
    if "points" not in said or "margin" not in said:
        raise Malformed
    return Estimate(action, said["points"], said["margin"], said.get("error"))


def read_info(words: Words) -> tuple[int, int]:
    """Worlds and simulations of `worlds 10 simulations 500`. Raises `Malformed`."""
    said = _said(words, INFORMED)
    return int(said.get("worlds", 0)), int(said.get("simulations", 0))


def _said(words: Words, known: Collection[str]) -> dict[str, float]:
    """The numbers that follow known names, to the end of the line, or to `string` and its text.

    Other programs may say more: an unknown name and what follows it, up to a known one, is skipped.
    """
    said = {}
    while words.left and (name := words.take()) != "string":
        if name in known:
            said[name] = words.decimal()
    return said
