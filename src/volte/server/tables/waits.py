"""The match that waits for somebody, told on every page."""

from __future__ import annotations

from time import time
from typing import Final

from volte.store.recent import Recent
from volte.store.store import PLAYING, Store
from volte.table.stored import read_summary
from volte.web.visit import WaitingMatch

REMEMBERED: Final = 100_000  # people of whom it is remembered that they have no match

LASTING: Final = 7 * 24 * 3600.0
"""Seconds since the last change at its table for which a match is told; then it is left to the list
of the person's tables."""


class WaitingMatches:
    """The matches that go on and in which people have a seat.

    For whoever has none, the database is asked once, and again only after a hint that they have
    sat down: pages cost them nothing.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._without = Recent[str, bool](REMEMBERED)  # False while the database is being asked

    def begin(self) -> None:
        """Listen for people who take seats, at any node."""
        self._store.bus.subscribe(PLAYING, self._hear)

    def _hear(self, person: str) -> None:
        if person:
            self._without.pop(person, None)
        else:  # hints may have been missed
            self._without.clear()

    async def of(self, person: str) -> WaitingMatch | None:
        """The match in which somebody has a seat, of several the one that has changed last; None
        where they have none. Raises `Unavailable`.
        """
        if self._without.get(person):
            return None
        self._without[person] = False
        seats = await self._store.seats_in_play(person)
        if seats:
            self._without.pop(person, None)
        elif person in self._without:  # no hint has come meanwhile
            self._without[person] = True
        since = time() - LASTING
        for listing, seat in seats:
            if listing.updated >= since and read_summary(listing).seats[seat].person:
                return WaitingMatch(f"/tables/{listing.table}", listing.name)
        return None
