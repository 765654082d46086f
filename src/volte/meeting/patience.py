"""Patience: for how long this node has seen somebody away, waiting, or without a table.

It goes by the monotonic clock and is in nobody's row, so a node that takes over begins anew.
"""

from __future__ import annotations

from collections.abc import Container
from time import monotonic
from typing import Final

from volte.meeting.seeks import Seek
from volte.table.live import LiveTable

# Seconds:
GRACE: Final = 30.0  # for which somebody may be away from their table before their seek ends
PATIENCE: Final = 900.0  # for which somebody waits for the end of a deal, before they go elsewhere


class Patience:
    """The times since which people are away, wait for the end of a deal, or have no table."""

    def __init__(self) -> None:
        self._away: dict[str, float] = {}
        self._asking: dict[str, tuple[str, float]] = {}  # with the id of the table
        self._unsettled: dict[str, tuple[int, float]] = {}  # with the version of the seek

    def is_away(self, person: str, live: LiveTable) -> bool:
        """Whether somebody has not been at their table for long."""
        if person in live.present:
            self._away.pop(person, None)
            return False
        now = monotonic()
        return now - self._away.setdefault(person, now) > GRACE

    def has_waited_long(self, seek: Seek) -> bool:
        """Whether somebody has waited for the end of a deal for so long that nobody plays there."""
        now = monotonic()
        table, since = self._asking.get(seek.person, ("", now))
        if table != seek.joins:
            self._asking[seek.person] = seek.joins, now
        return table == seek.joins and now - since > PATIENCE

    def is_lost(self, seek: Seek) -> bool:
        """Whether nothing has become of a seek without a table for long, as its node has died."""
        now = monotonic()
        version, since = self._unsettled.get(seek.person, (seek.version, now))
        if version != seek.version:
            since = now
        self._unsettled[seek.person] = seek.version, since
        return now - since > GRACE

    def is_settled(self, person: str) -> None:
        """Note that somebody has a table."""
        self._unsettled.pop(person, None)

    def forget_others(self, people: Container[str]) -> None:
        """Forget all but the given people, who seek."""
        for person in {*self._away, *self._asking, *self._unsettled}:
            if person not in people:
                for known in (self._away, self._asking, self._unsettled):
                    known.pop(person, None)
