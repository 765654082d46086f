"""A day and a time of day that somebody types, in a time zone: reading them, and the zones."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime
from datetime import time as clock
from functools import cache
from typing import Final
from zoneinfo import available_timezones

from volte.forms.fields import Wrong
from volte.names import name_order
from volte.say import N_, Words
from volte.say.formats import city_text, zone_of

PLAIN: Final = "UTC"

ZONES: Final = (
    *("Europe/Paris", "Europe/Brussels", "Europe/Zurich", "Europe/Luxembourg", "Europe/London"),
    *("Europe/Dublin", "Europe/Lisbon", "Europe/Madrid", "Europe/Rome", "Europe/Berlin"),
    *("Europe/Vienna", "Europe/Amsterdam", "Europe/Copenhagen", "Europe/Oslo", "Europe/Stockholm"),
    *("Europe/Helsinki", "Europe/Warsaw", "Europe/Prague", "Europe/Budapest", "Europe/Athens"),
    *("Europe/Bucharest", "Europe/Kyiv", "Europe/Istanbul", "Europe/Moscow"),
    *("Africa/Casablanca", "Africa/Algiers", "Africa/Tunis", "Africa/Cairo", "Africa/Dakar"),
    *("Africa/Abidjan", "Africa/Lagos", "Africa/Kinshasa", "Africa/Nairobi", "Africa/Johannesburg"),
    *("Atlantic/Reykjavik", "Atlantic/Azores", "America/St_Johns", "America/Halifax"),
    *("America/Toronto", "America/New_York", "America/Chicago", "America/Denver"),
    *("America/Phoenix", "America/Los_Angeles", "America/Vancouver", "America/Anchorage"),
    *("America/Mexico_City", "America/Bogota", "America/Lima", "America/Guadeloupe"),
    *("America/Martinique", "America/Cayenne", "America/Sao_Paulo", "America/Santiago"),
    *("America/Argentina/Buenos_Aires", "Pacific/Honolulu", "Pacific/Tahiti", "Pacific/Noumea"),
    *("Pacific/Auckland", "Australia/Sydney", "Australia/Brisbane", "Australia/Adelaide"),
    *("Australia/Perth", "Asia/Tokyo", "Asia/Seoul", "Asia/Shanghai", "Asia/Taipei"),
    *("Asia/Singapore", "Asia/Manila", "Asia/Bangkok", "Asia/Ho_Chi_Minh", "Asia/Jakarta"),
    *("Asia/Dhaka", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Karachi", "Asia/Dubai"),
    *("Asia/Tehran", "Asia/Beirut", "Asia/Jerusalem", "Indian/Reunion", "Indian/Mauritius"),
)
"""Time zones to choose from: one of each time, and the larger ones where Volte's languages are
spoken."""

_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_TIME: Final = re.compile(r"([0-9]{1,2})\s*[:.hH]\s*([0-9]{2})(?::[0-9]{2})?")


def read_day(typed: str) -> date:
    """The day that is typed into a field `date`. Raises `Wrong`."""
    day = _DATE.fullmatch(typed.strip())
    if day is not None:
        with suppress(ValueError):
            return date(int(day[1]), int(day[2]), int(day[3]))
    raise Wrong("date", N_("Please write the date as year, month and day, such as 2027-01-31."))


def read_hour(typed: str) -> clock:
    """The time of day that is typed into a field `time`. Raises `Wrong`."""
    hour = _TIME.fullmatch(typed.strip())
    if hour is None or int(hour[1]) > 23 or int(hour[2]) > 59:
        raise Wrong("time", N_("Please write the time as hours and minutes, such as 20:30."))
    return clock(int(hour[1]), int(hour[2]))


def moment_of(there: datetime, earliest: float) -> float:
    """Seconds since 1970 of a time in its zone. Raises `Wrong` where clocks go forward over it.

    Args:
        earliest: where clocks go back, an hour comes twice; it is the first of those that is not
            before this time, in seconds since 1970.
    """
    first, second = (there.replace(fold=fold).timestamp() for fold in (0, 1))
    try:
        again = datetime.fromtimestamp(first, there.tzinfo)
    except ValueError:  # at an end of the calendar
        return first
    if again != there:
        raise Wrong(
            "time",
            N_(
                "That time does not exist on that day, because the clocks go forward: please "
                "choose another."
            ),
        )
    return second if first < earliest else first


def usual_zone(words: Words) -> str:
    """The time zone of most who speak the language."""
    # Translators: as the tz database names it.
    return words.p("the time zone of most who speak this language", "UTC")


def zone_title(words: Words, name: str) -> str:
    """The name of a time zone's place, or UTC."""
    known = zone_of(name) is not UTC and name != PLAIN
    return city_text(words.lang, name) if known else PLAIN


@cache
def time_zones() -> frozenset[str]:
    """The names of all time zones that this machine knows."""
    return frozenset(available_timezones())


def zones_shown(words: Words) -> list[tuple[str, str]]:
    """The places that can be chosen as a time zone, by name, with their present offset from UTC."""
    now, found = datetime.now(UTC), []
    for zone in (zone for zone in ZONES if zone in time_zones()):
        offset = now.astimezone(zone_of(zone)).strftime("%z")
        city = zone_title(words, zone)
        found.append((zone, f"{city} (UTC{offset[:3]}:{offset[3:]})".replace("-", "−")))
    return [(PLAIN, PLAIN), *sorted(found, key=lambda each: name_order(each[1]))]
