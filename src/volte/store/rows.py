"""Rows of a store, whatever it stores them in."""

from __future__ import annotations

from typing import Any, Final

import msgspec

OPEN: Final = ("waiting", "playing", "paused")  # the states of tables that are not closed

AT_TABLES: Final = (*OPEN, "closed")  # all states of tables; other things are listed in others

LISTED: Final = ("public", "password")  # the access of tables that the lobby lists


class Person(msgspec.Struct, frozen=True):
    """A person who plays in this playroom."""

    id: str
    name: str
    lang: str
    settings: dict[str, Any]  # speech, keys, pace and the like
    created: float  # seconds since 1970


class Entry(msgspec.Struct, frozen=True):
    """An entry of a stream, as it is read."""

    version: int  # place in the stream, from 1 and without gaps
    data: bytes
    cause: str  # the message behind it, `PERSON:MESSAGE`; or empty
    at: float  # seconds since 1970


class Listing(msgspec.Struct, frozen=True):
    """A table as the lobby shows it, or a score sheet as its owner finds it."""

    table: str  # id of the table, which is also the name of its stream
    name: str
    host: str  # id of the host, or of the sheet's owner
    access: str  # a `volte.table.Access`; of a score sheet `private`
    state: str  # `waiting`, `playing`, `paused` or `closed`; of a score sheet always `sheet`
    summary: bytes = b"{}"  # further facts for the lobby, as JSON
    password: str = ""  # argon2 hash of the table's password; empty where there is none
    updated: float = 0.0  # in seconds since 1970
    planned: float | None = None
    """Time for which the table is planned, in seconds since 1970; None once a match has begun, and
    where the table is of now or closed."""


class MatchRow(msgspec.Struct, frozen=True):
    """The row of a match: its place in the stream of its table, its people, its dealer's secret."""

    id: str
    table: str
    first: int  # number of its `MatchStarted`
    master: bytes  # the 32 bytes of its `House`, never shown to anybody
    begun: float  # in seconds since 1970
    # By seat, the id of the person, empty for a bot; a person who has given up the seat stays here
    # until another one takes it
    players: tuple[str, ...]
    last: int = 0  # number of its last happening; 0 while the match goes on
    ended: float | None = None  # in seconds since 1970; None while the match goes on
    # By seat, the id of the person there when the match began; empty where that is not known
    began: tuple[str, ...] = ()
    rated: bool = False  # whether it counts for the ratings

    @property
    def beginners(self) -> tuple[str, ...]:
        """The people by seat when the match began, as far as that is known."""
        return self.began or self.players

    def played(self, person: str) -> bool:
        """Whether a person has had a seat in the match."""
        return bool(person) and (person in self.players or person in self.began)
