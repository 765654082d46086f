"""The kinds of news, and what a piece of news is."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, Self

import msgspec

from volte.store import Person

MINUTE: Final = 60.0


class NewsKind(StrEnum):
    """A kind of news. Each has a setting of its own, which is off until somebody asks for it."""

    TURN = "turn"  # it is somebody's turn
    FULL = "full"  # the last free seat of their table is taken
    FRIEND = "friend"  # a friend of theirs has come
    INVITED = "invited"  # a friend invites them to a table
    EVENING = "evening"  # their evening begins

    @property
    def setting(self) -> str:
        """The name of the setting that asks for it."""
        return f"notify_{self}"


NAMES: Final = "notify_names"
"""The setting that lets names stand in news outside of the page."""

LASTS: Final[Mapping[NewsKind, float]] = {
    NewsKind.TURN: 10 * MINUTE,
    NewsKind.FULL: 5 * MINUTE,
    NewsKind.FRIEND: 10 * MINUTE,
    NewsKind.INVITED: 15 * MINUTE,
    NewsKind.EVENING: 15 * MINUTE,
}
"""Seconds for which news is true at most, unless something ends it before."""


class News(msgspec.Struct, frozen=True):
    """A piece of news for one person. For one person, there is one of a kind about one thing."""

    person: str  # id
    kind: NewsKind
    about: str  # id of the table, the evening, the friend, or whoever invites
    path: str  # of the page to go to, from its slash on; empty for none
    name: str  # of the table, the evening, the friend, or whoever invites
    at: float  # seconds since 1970
    until: float  # seconds since 1970, after which it is no longer true

    @classmethod
    def of(cls, person: str, kind: NewsKind, about: str, path: str, name: str, now: float) -> Self:
        """News from now on, for as long as its kind lasts."""
        return cls(person, kind, about, path, name, now, now + LASTS[kind])


class NewsWishes(msgspec.Struct, frozen=True):
    """The news that somebody wants outside of the page."""

    kinds: frozenset[NewsKind]
    names: bool  # whether names may stand in it

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """The wishes in the settings of a person; the usual ones ask for nothing."""
        asked = (kind for kind in NewsKind if settings.get(kind.setting, False))
        return cls(frozenset(asked), bool(settings.get(NAMES, False)))


def wishes_of(person: Person) -> NewsWishes:
    """The news that a person has asked for outside of pages, and whether with names."""
    return NewsWishes.of(person.settings)
