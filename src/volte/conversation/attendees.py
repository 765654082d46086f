"""The people at a table, as they are told of in one conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from volte.say import Words
from volte.table import Someone, TableState
from volte.table.live import LiveTable
from volte.table.telling import (
    seat_lines,
    who_comes,
    who_is_back,
    who_is_here,
    who_is_lost,
    who_watches,
)
from volte.wire.messages import Notice, Question


class Surroundings(Protocol):
    """People and talk around a table, as far as one person there knows of them."""

    @property
    def talked(self) -> int:
        """The number of the last saying that was sent to the person."""

    def watching(self) -> tuple[list[str], int]:
        """The names of people without a seat, and how many more there are."""

    def newcomers(self, met: set[str]) -> list[str]:
        """Names of people who have begun to watch; adds their ids to `met`."""

    def sits(self, seated: bool) -> None:
        """Note whether the person has a seat now."""

    def seeking(self, words: Words) -> str:
        """The sentence about the people whom the person looks for; empty if they look for none."""

    def revealed(self, deal: int) -> None:
        """Note that the secret of a deal has just been revealed."""


class Alone:
    """Nobody around the table, and no talk."""

    talked = 0

    def watching(self) -> tuple[list[str], int]:
        return [], 0

    def newcomers(self, met: set[str]) -> list[str]:
        return []

    def sits(self, seated: bool) -> None:
        pass

    def seeking(self, words: Words) -> str:
        return ""

    def revealed(self, deal: int) -> None:
        pass


class Attendees:
    """Answers who is at a table, and notices who comes, is lost and is back; each is told once."""

    def __init__(self, who: Someone, table: LiveTable, around: Surroundings) -> None:
        self._me = who.id
        self._table = table
        self._around = around
        self._met = {who.id}  # ids of people whose coming has been told
        self._lost: frozenset[str] = frozenset()  # ids of players whose lost line has been told

    def answer(self, words: Words, asked: Question, state: TableState) -> tuple[str, ...]:
        """The people at the table, or in the room."""
        if asked is Question.WHO:
            return seat_lines(words, state.seats, state.seat_of(self._me))
        return who_is_here(words, state.seats, self._table.present, self.watching(words))

    def watching(self, words: Words) -> str:
        """The sentence about people without a seat."""
        return who_watches(words, *self._around.watching())

    def notices(self, words: Words, state: TableState) -> Iterator[Notice]:
        """Notices of people who have come, are lost or are back since the last call."""
        yield from self._arrivals(words, state)
        yield from self._losses(words, state)

    def _arrivals(self, words: Words, state: TableState) -> Iterator[Notice]:
        """Notices about new people without a seat, for the host of a table between matches."""
        if state.host != self._me or state.under_way:
            return
        self._met.update(seat.person for seat in state.seats)
        for name in self._around.newcomers(self._met):
            yield Notice("came", who_comes(words, name))

    def _losses(self, words: Words, state: TableState) -> Iterator[Notice]:
        """Notices about other players of a match whose connection is lost, or is there again."""
        before = self._lost
        there = {seat.person: seat for seat in state.seats if seat.person and seat.stand_in is None}
        self._lost = self._table.lost & there.keys() if state.under_way else frozenset()
        for person in sorted(self._lost - before - {self._me}):
            yield Notice("person_lost", who_is_lost(words, there[person].name))
        for person in sorted(before - self._lost):
            if person in self._table.present and person in there:
                yield Notice("person_back", who_is_back(words, there[person].name))
