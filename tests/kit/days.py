"""Days for tests of what is planned, whenever they are run."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

AHEAD: Final = date.today() + timedelta(60)
"""A day on which evenings can be planned."""


def later(days: int) -> str:
    """The day so many days after `AHEAD`, as forms send it."""
    return (AHEAD + timedelta(days)).isoformat()


def moment(clock: str, zone: str) -> datetime:
    """The moment in UTC at which a clock of that time zone shows that time on the day `AHEAD`."""
    return datetime.combine(AHEAD, time.fromisoformat(clock), ZoneInfo(zone)).astimezone(UTC)
