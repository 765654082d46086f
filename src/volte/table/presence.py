"""Who is at a table by a connection, since when the others are gone, and how all like to play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final

from volte.table.pacing import Manner

MOST_KNOWN: Final = 100
"""People of whom it is known since when they are gone, or how they like to play."""


class Presence:
    """Who is here. A person may have several connections.

    Attributes:
        here: ids of those who are here.
        gone: since when those are gone who were here.
        began: since when whoever was never here counts as gone.
        empty: since when nobody at all is here; None while somebody is.
        manners: by person.
    """

    def __init__(self, now: float) -> None:
        self.gone: dict[str, float] = {}
        self.began = now
        self.empty: float | None = now
        self.manners: dict[str, Manner] = {}
        self.here: frozenset[str] = frozenset()
        self._here: Counter[str] = Counter()

    def come(self, person: str) -> None:
        """One more connection of that person."""
        self._here[person] += 1
        self.here = frozenset(self._here)
        self.empty = None
        self.gone.pop(person, None)

    def go(self, person: str, now: float) -> None:
        """One less."""
        self._here[person] -= 1
        if self._here[person]:
            return
        del self._here[person]
        self.here = frozenset(self._here)
        self.gone[person] = now
        if not self._here:
            self.empty = now

    def begin_anew(self, now: float) -> None:
        """Whoever is gone is so from now on: a pause is over, or a match begins."""
        self.gone.clear()
        self.began = now

    def keep_in_mind(self, concerned: Collection[str]) -> None:
        """Forgets people without whom everything goes on, once there are many."""
        for known in (self.gone, self.manners):
            if len(known) > MOST_KNOWN:
                for person in set(known).difference(concerned, self._here):
                    del known[person]
