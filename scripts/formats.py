"""Writes the data of dates, numbers and money that `volte.say.formats` needs, from the data of
Unicode (CLDR) in Babel:

    python scripts/formats.py
"""

from __future__ import annotations

import json
from datetime import time
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from babel import Locale
from babel.dates import format_time, get_timezone_location
from babel.numbers import get_currency_precision, list_currencies

from volte.say.catalogue import LANGUAGES, chain
from volte.say.formats import city_of, path_of


def made(lang: str) -> str:
    """The data file of one language, as text: of a country, only what differs there."""
    found = data(lang)
    if others := chain(lang)[1:]:
        found = differing(found, data(others[0]))
    lines = (f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def differing(here: dict[str, Any], there: dict[str, Any]) -> dict[str, Any]:
    """The entries of some data that others do not have, of tables within them too: empty for what
    only the others have."""
    found = {name: value for name, value in here.items() if value != there[name]}
    for name, value in found.items():
        if isinstance(value, dict):
            every = dict.fromkeys(there[name], "") | value
            found[name] = {k: v for k, v in sorted(every.items()) if v != there[name].get(k)}
    return found


def data(lang: str) -> dict[str, Any]:
    """The data of one language."""
    locale = Locale.parse(lang, sep="-")
    numbers = locale.number_symbols[locale.default_numbering_system]
    months, days = locale.months["format"], locale.days["format"]["wide"]
    return {
        "dates": {length: pattern.pattern for length, pattern in locale.date_formats.items()},
        "time": locale.time_formats["short"].pattern,
        "date and time": locale.datetime_formats["short"],
        "days": [days[day] for day in range(7)],
        "months": [months["wide"][month] for month in range(1, 13)],
        "short months": [months["abbreviated"][month] for month in range(1, 13)],
        "halves": [format_time(time(hour), "a", locale=locale) for hour in (0, 12)],
        "decimal": numbers["decimal"],
        "group": numbers["group"],
        "money": locale.currency_formats["standard"].pattern,
        "currencies": {
            code: [locale.currency_symbols.get(code, code), get_currency_precision(code)]
            for code in sorted(list_currencies())
        },
        "cities": {
            zone: city
            for zone in sorted(available_timezones())
            if (city := city_of(get_timezone_location(zone, locale=locale, return_city=True)))
            != city_of(zone)
        },
    }


if __name__ == "__main__":
    for each in LANGUAGES:
        path = Path(path_of(each))
        path.parent.mkdir(exist_ok=True)
        path.write_text(made(each), encoding="utf-8")
