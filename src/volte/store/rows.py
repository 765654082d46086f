"""What the store keeps, as callers give it and get it back."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

OPEN: Final = ("waiting", "playing", "paused")
LISTED: Final = ("public", "password")
"""The access of tables that stand in the lobby."""

"""The states of tables that are not closed."""


class Entry(msgspec.Struct, frozen=True):
    """One entry of a stream.

    Attributes:
        version: its place in the stream, from 1 and without gaps.
        data: what was kept, as it was given.
        cause: what brought it about: empty, or the person and the message, `PERSON:MESSAGE`.
        at: when it was kept, in seconds since 1970.
    """

    version: int
    data: bytes
    cause: str
    at: float


class Listing(msgspec.Struct, frozen=True):
    """A table, as the lobby shows it; or a score sheet, as its owner finds it.

    Attributes:
        table: its id, which is also the name of its stream.
        host: id of a person.
        access: who may come: `public`, `link`, `password`, or for a sheet `private`.
        state: `waiting`, `playing`, `paused` or `closed`; of a score sheet always `sheet`.
        summary: what else the lobby shows, as JSON.
        password: the argon2 hash of the word for coming in; empty where there is none.
        updated: in seconds since 1970.
    """

    table: str
    name: str
    host: str
    access: str
    state: str
    summary: bytes = b"{}"
    password: str = ""
    updated: float = 0.0


class MatchRow(msgspec.Struct, frozen=True):
    """Where a match stands in the stream of its table.

    Attributes:
        first: number of its `MatchStarted`.
        last: number of its last happening; 0 while it goes on.
        master: the 32 bytes of its `House`: never shown to anybody.
        begun: in seconds since 1970.
        ended: the same; None while it goes on.
        players: by seat, the id of the person, empty for a bot; somebody who has given their seat
            up is there as long as no other person takes it.
        began: likewise, who sat there when it began; empty where that is not known.
        rated: whether it counts for the ratings.
    """

    id: str
    table: str
    first: int
    master: bytes
    begun: float
    players: tuple[str, ...]
    last: int = 0
    ended: float | None = None
    began: tuple[str, ...] = ()
    rated: bool = False

    @property
    def beginners(self) -> tuple[str, ...]:
        """Who sat there when it began, as far as that is known."""
        return self.began or self.players

    def played(self, person: str) -> bool:
        """Whether that person has had a seat in it."""
        return bool(person) and (person in self.players or person in self.began)


class Person(msgspec.Struct, frozen=True):
    """Somebody who plays.

    Attributes:
        settings: how they want things: speech, keys, pace.
        created: in seconds since 1970.
    """

    id: str
    name: str
    lang: str
    settings: dict[str, Any]
    created: float


def storable(text: str) -> bool:
    """Whether every database takes the text: no zero byte, and no half of a surrogate pair."""
    return _NEVER_STORED.search(text) is None


_NEVER_STORED: Final = re.compile("[\0\ud800-\udfff]")
