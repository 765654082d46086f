"""The steps of a match as an attendee of a review sees and hears them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from volte.cards import Card
from volte.game import Refusal
from volte.history.match_page import Log, sent
from volte.history.moments import Eyes, FaceSettings, Moment, retold
from volte.say import Verbosity, Words
from volte.scene.cards import card_laid
from volte.studies.line import line_from
from volte.studies.sight import Seats, shown
from volte.wire.messages import LaidCard


class Eye(NamedTuple):
    """The way in which an attendee sees and hears a match."""

    words: Words
    verbosity: Verbosity
    seats: Seats  # those that are open to them
    own: int | None = None  # their own seat; None without one
    faces: FaceSettings = FaceSettings()

    def log(self, log: Log) -> Log:
        """The log without the names and cards that are closed to them."""
        return shown(log, self.seats, self.called)

    def called(self, seat: int) -> str:
        """The name of a closed seat."""
        return self.words.t("Seat {number}", number=seat + 1)

    @property
    def open_faces(self) -> FaceSettings:
        """The faces of people at seats that are open."""
        people, settings = self.faces
        if self.seats is None:
            return self.faces
        seats = enumerate(people)
        return FaceSettings(
            tuple(each if seat in self.seats else "" for seat, each in seats), settings
        )


class LineShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line as an attendee sees it."""

    first: int  # number of steps of the match before it
    moments: list[dict[str, Any]]  # its steps, as `history.match_page.sent` makes them
    turn: int | None = None  # the seat that has to play; None where the attendee cannot play for it
    legal: tuple[LaidCard, ...] = ()  # cards that it may play
    more: bool = False  # whether it goes on with cards of seats that are closed to the attendee


def steps(eye: Eye, log: Log, number: int) -> list[dict[str, Any]]:
    """The steps of a deal; empty where there is none of that number."""
    return list(sent(_moments(eye, eye.log(log), number)))


def _moments(eye: Eye, seen: Log, number: int) -> list[Moment]:
    found = retold(*(eye.words, seen, number, eye.own, Eyes.OPEN, eye.verbosity, eye.open_faces))
    return found.moments


def line(eye: Eye, log: Log, number: int, step: int, cards: Sequence[Card]) -> LineShown | Refusal:
    """The line of these cards from a step, or why there is none."""
    tried = line_from(log, number, step, cards)
    if isinstance(tried, Refusal):
        return tried
    seen, more = tried.seen(eye.seats)
    known = _moments(eye, eye.log(seen), number) if cards else []
    moments = list(sent(known[tried.steps :]))
    turn = tried.turn
    if turn is None or more or (eye.seats is not None and turn not in eye.seats):
        return LineShown(tried.steps, moments, more=more)
    legal = tuple(card_laid(eye.words.lang, turn, card) for card in tried.legal)
    return LineShown(tried.steps, moments, turn, legal)
