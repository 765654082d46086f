"""A puzzle: what one seat knows, the cards it may play, and what each of them costs."""

from __future__ import annotations

from enum import IntEnum

import msgspec

from volte.bots import Reason
from volte.bots.reasons import reason_of
from volte.cards import Card
from volte.game import Play
from volte.lessons.puzzles.position import read_position


class Grade(IntEnum):
    """How hard a puzzle is."""

    EASY = 1
    MEDIUM = 2
    HARD = 3


class Alternative(msgspec.Struct, frozen=True):
    """Cards that may be played, and between which it makes no difference."""

    cards: tuple[Card, ...]  # the lowest first
    # expected loss against the opponents, in points of the deal, beside the best card; 0 for that
    points: float = 0.0
    error: float = 0.0  # two standard errors of these points


class Puzzle(msgspec.Struct, frozen=True):
    """A question with one answer."""

    number: int  # from 1; the same puzzle keeps its number
    grade: Grade
    position: str  # what the seat knows, as `volte.lessons.puzzles.position` reads it
    options: tuple[Alternative, ...]  # all that may be played, the best first

    @property
    def best(self) -> tuple[Card, ...]:
        """The answer: any of these cards."""
        return self.options[0].cards

    @property
    def reason(self) -> Reason:
        """Why the best is best, as a hint would say it."""
        view = read_position(self.position)
        assert view.seat is not None
        return reason_of(view, Play(view.seat, self.best[0]))

    def solved_by(self, card: Card) -> bool:
        """Whether that card is the answer."""
        return card in self.best

    def option(self, card: Card) -> Alternative | None:
        """The option that a card belongs to; None for a card that may not be played."""
        return next((each for each in self.options if card in each.cards), None)
