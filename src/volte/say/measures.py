"""Means with their margins, shares and times, in one person's digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from math import floor, log10
from typing import Final

from volte.say.formats import HOUR, MINUTE, date_text, number_text, time_text, zone_of
from volte.say.scores import GAP
from volte.say.telling import Lines
from volte.say.words import Words


def decimal(words: Words, value: float, places: int) -> str:
    """A number with that many decimals, in the digits of the language."""
    return number_text(words.lang, round(value, places), places)


def shortest(words: Words, value: float) -> str:
    """A number with as few decimals as it needs."""
    places = next(
        places for places in range(7) if places == 6 or abs(value - round(value, places)) < 1e-9
    )
    return decimal(words, value, places)


def percent(words: Words, share: float, places: int = 1) -> str:
    """A share, from 0 to 1, as a percentage."""
    return words.t("{number}%", number=decimal(words, 100 * share, places))


def magnitude(value: float) -> int:
    """The place of the first digit: 0 for ones, −2 for hundredths."""
    return floor(log10(abs(value)))


def duration(words: Words, seconds: float) -> str:
    """A time as people say it: "0.4 seconds", "12 seconds", "5 minutes", "2 hours"."""
    if seconds < 10:
        return words.n(
            "{count} second", "{count} seconds", Fraction(max(1, round(seconds * 10)), 10)
        )
    if seconds < 2 * MINUTE:
        return words.n("{count} second", "{count} seconds", round(seconds))
    if seconds < 2 * HOUR:
        return words.n("{count} minute", "{count} minutes", round(seconds / MINUTE))
    return words.n("{count} hour", "{count} hours", round(seconds / HOUR))


Row = Sequence[str]


def in_columns(rows: Iterable[Row], left: int) -> Lines:
    """The rows one below the other; the first `left` cells begin at their left."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return tuple(
        GAP.join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def fits(lines: Lines, width: int | None) -> bool:
    """Whether a table has room; never in a width of 0."""
    return width is None or max(map(len, lines)) <= width


def day_and_time(words: Words, seconds: float) -> str:
    """A moment, in seconds since 1970, in the person's time zone: "21 Nov 2026, 20:05"; in UTC if
    the zone is not known: "21 Nov 2026, 19:05 UTC".
    """
    moment = datetime.fromtimestamp(seconds, zone_of(words.zone))
    return f"{date_text(words.lang, moment, 'medium')}, {time_told(words, seconds)}"


def time_told(words: Words, seconds: float) -> str:
    """The time of day of a moment, in seconds since 1970, in the person's time zone: "20:05"; in
    UTC if the zone is not known: "19:05 UTC"."""
    told = time_text(words.lang, datetime.fromtimestamp(seconds, zone_of(words.zone)))
    return told if words.zone else f"{told} UTC"


EVENING: Final = 18  # the hour from which a time of today is called tonight


def planned_told(words: Words, seconds: float, now: float) -> str:
    """A time to come as people say it: "Tonight at 8:30 PM", "Tomorrow at …", else with the date.

    Args:
        seconds: the time, and `now` the present one, in seconds since 1970.
    """
    zone, time = zone_of(words.zone), time_told(words, seconds)
    moment, today = (datetime.fromtimestamp(each, zone) for each in (seconds, now))
    days = (moment.date() - today.date()).days
    if days == 0 and moment.hour >= EVENING:
        return words.t("Tonight at {time}", time=time)
    if days == 0:
        return words.t("Today at {time}", time=time)
    if days == 1:
        return words.t("Tomorrow at {time}", time=time)
    day = date_text(words.lang, moment, "full")
    return words.sentence(words.t("{day} at {time}", day=day, time=time))
