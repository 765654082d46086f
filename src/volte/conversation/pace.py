"""A person's pace at a table, and the waits of bots for somebody who listens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import monotonic
from typing import Any, Final

from msgspec.structs import replace

from volte.table import Someone
from volte.table.live import LiveTable
from volte.table.pacing import Pace

# Usual paces of a person
USUAL_BOT_PACE: Final = 800  # milliseconds
USUAL_TRICK_PACE: Final = 1500
USUAL_READER_RATE: Final = 200  # words that a screen reader speaks in a minute

LEAST_TO_TELL: Final = 0.25
"""Least seconds before each card of a bot, if bots wait until the last card has been heard."""

LONGEST_TO_HEAR: Final = 15.0
"""Longest wait of bots until somebody has heard the last sentences, in seconds."""

PACES: Final = ("bot_pace", "trick_pace", "auto_forced")
"""The settings of a person that a live table respects."""


def pace_of(settings: Mapping[str, Any]) -> Pace:
    """The pace of a person, in seconds, from their settings, which are in milliseconds."""
    bot_pace = whole(settings.get("bot_pace"), USUAL_BOT_PACE)
    trick_pace = whole(settings.get("trick_pace"), USUAL_TRICK_PACE)
    return Pace(bot_pace / 1000, trick_pace / 1000, bool(settings.get("auto_forced", False)))


def whole(value: Any, usual: int) -> int:
    """The value of a setting if it is a whole number, or else the usual one."""
    return value if isinstance(value, int) and not isinstance(value, bool) else usual


class PersonalPace:
    """Sets a table's pace for one person, and makes bots wait while they listen."""

    def __init__(self, who: Someone, live: LiveTable) -> None:
        self._who = who
        self._live = live
        self._reader_rate = USUAL_READER_RATE  # words in a minute
        self._hears_until = 0.0

    def apply(self, settings: Mapping[str, Any]) -> None:
        """Apply the settings of the person."""
        self._reader_rate = whole(settings.get("reader_rate"), USUAL_READER_RATE)
        if not settings.keys().isdisjoint(PACES):
            pace = pace_of(settings)
            least = LEAST_TO_TELL if settings.get("bots_wait") else 0.0
            self._live.set_pace(self._who, replace(pace, bot_pace=max(pace.bot_pace, least)))

    def tell(self, lines: Iterable[str]) -> None:
        """Make bots wait until a screen reader has spoken those lines as well."""
        now = monotonic()
        words = sum(any(map(str.isalnum, word)) for line in lines for word in line.split())
        until = max(now, self._hears_until) + words * 60 / self._reader_rate
        self._wait(min(until, now + LONGEST_TO_HEAR))

    def hear(self) -> None:
        """Let bots go on: the person has heard everything."""
        self._wait(0.0)

    def _wait(self, until: float) -> None:
        self._hears_until = until
        self._live.wait_for_listener(self._who, until)
