"""Dates, numbers and money as a language writes them, by the data of Unicode (CLDR).

`scripts/formats.py` writes that data; Babel, from which it comes, would bring 33 MB.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from volte.say.catalogue import chain, folder

MINUS: Final = "−"

MINUTE: Final = 60  # seconds
HOUR: Final = 3600


def path_of(lang: str) -> Path:
    """Path of a language's data."""
    return folder(lang) / "formats.json"


@cache
def _formats(lang: str) -> Mapping[str, Any]:
    """The data of a language: its own, and for the rest that of its chain."""
    own: dict[str, Any] = json.loads(path_of(lang).read_text(encoding="utf-8"))
    _, *others = chain(lang)
    if not others:
        return own
    found = dict(_formats(others[0]))
    for name, value in own.items():
        found[name] = found[name] | value if isinstance(value, dict) else value
    return found


# Dates


LOCAL: Final = "local"
"""Name of the time zone in which this machine is."""


class LocalZone(tzinfo):
    """The time zone in which this machine is, whose clock knows it without any data of zones."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return moment.replace(tzinfo=None).astimezone().utcoffset() if moment else None

    def dst(self, moment: datetime | None) -> None:
        return None

    def tzname(self, moment: datetime | None) -> str:
        return LOCAL

    def fromutc(self, moment: datetime) -> datetime:
        return moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)


def zone_of(name: str) -> tzinfo:
    """The time zone of that name; UTC where this machine does not know it."""
    if name == LOCAL:
        return LocalZone()
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def date_text(lang: str, day: date, length: str) -> str:
    """A day, `full` with its name, `long`, `medium` or `short`: "26 novembre 2026".

    >>> date_text("en", date(2026, 11, 26), "full")
    'Thursday, November 26, 2026'
    """
    formats = _formats(lang)
    return _filled(formats, formats["dates"][length], day)


def month_text(lang: str, day: date) -> str:
    """A month with its year: "novembre 2026".

    >>> month_text("en", date(2026, 11, 26))
    'November 2026'
    """
    return _filled(_formats(lang), "MMMM y", day)


def time_text(lang: str, moment: datetime, zone: tzinfo | None = None) -> str:
    """The time of day, in the moment's own zone or in another: "20:05", "8:05 PM"."""
    formats = _formats(lang)
    return _filled(formats, formats["time"], moment.astimezone(zone) if zone else moment)


def moment_text(lang: str, moment: datetime) -> str:
    """Day and time of day, in digits."""
    pattern: str = _formats(lang)["date and time"]
    return pattern.format(time_text(lang, moment), date_text(lang, moment, "short"))


def _filled(formats: Mapping[str, Any], pattern: str, moment: Any) -> str:
    def field(found: re.Match[str]) -> str:
        if found[0].startswith("'"):
            return found[0][1:-1] or "'"
        match found[0]:
            case "EEEE":
                return str(formats["days"][moment.weekday()])
            case "MMMM":
                return str(formats["months"][moment.month - 1])
            case "MMM":
                return str(formats["short months"][moment.month - 1])
            case "a":
                return str(formats["halves"][moment.hour >= 12])
            case "y":
                return str(moment.year)
            case "yy":
                return f"{moment.year % 100:02}"
        numbers = {"M": "month", "d": "day", "H": "hour", "h": "hour", "m": "minute"}
        number = getattr(moment, numbers[found[0][0]])
        if found[0] == "h":
            number = number % 12 or 12
        return f"{number:0{len(found[0])}}"

    return re.sub(r"'[^']*'|([A-Za-z])\1*", field, pattern)


def city_text(lang: str, zone: str) -> str:
    """The town that a time zone is called after: "Londres" for "Europe/London"."""
    return str(_formats(lang)["cities"].get(zone) or city_of(zone))


def city_of(zone: str) -> str:
    """The town in the English name of a zone."""
    return zone.rpartition("/")[2].replace("_", " ")


# Numbers


def number_text(lang: str, value: Decimal | float, places: int | None = None) -> str:
    """A number in the language's digits: "−1 234,5".

    Args:
        places: the number of decimals; None for those that a `Decimal` has.
    """
    formats = _formats(lang)
    value += 0  # no −0
    text = f"{value:,f}" if places is None else f"{value:,.{places}f}"
    signs = {",": formats["group"], ".": formats["decimal"], "-": MINUS}
    return text.translate(str.maketrans(signs))


# Money


def is_currency(code: str) -> bool:
    """Whether ISO 4217 knows a code, such as "EUR"."""
    return code in _formats("en")["currencies"]


def smallest_coin(code: str) -> int:
    """Number of decimals of amounts in a currency."""
    return int(_formats("en")["currencies"][code][1])


def money_text(lang: str, amount: Decimal, code: str) -> str:
    """An amount with all its digits, and the sign of its currency: "0,25 €", "€0.25".

    >>> money_text("en", Decimal("-1.50"), "GBP"), money_text("en", Decimal("0.25"), "CHF")
    ('−£1.50', 'CHF\xa00.25')
    """
    formats = _formats(lang)
    sign, pattern = str(formats["currencies"][code][0]), str(formats["money"])
    if sign == code:  # letters keep their distance
        pattern = pattern.replace("¤#", "¤\u00a0#")
    minus, number = MINUS if amount < 0 else "", number_text(lang, amount.copy_abs())
    return minus + pattern.replace("#,##0.00", number).replace("¤", sign)
