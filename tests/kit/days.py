"""Days for tests of what is planned, whenever they are run."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

COMING_DAY: Final = date.today() + timedelta(60)
"""A day on which evenings can be planned."""


def later(days: int) -> str:
    """The day so many days after `COMING_DAY`, as forms send it."""
    return (COMING_DAY + timedelta(days)).isoformat()


def moment(clock: str, zone: str) -> datetime:
    """The moment in UTC when clocks of a time zone show that time on `COMING_DAY`."""
    return datetime.combine(COMING_DAY, time.fromisoformat(clock), ZoneInfo(zone)).astimezone(UTC)
