"""The form in which an evening is planned: from fields to a `Plan`, and back."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from functools import cache, partial
from typing import Any, Final
from zoneinfo import available_timezones

from volte.bots import OFFERED
from volte.cards import VolteError
from volte.evenings.evening import LONGEST_BREAK, MOST_DEALS, MOST_ROUNDS, Plan, check_plan
from volte.evenings.shown import PLAIN, zone_title
from volte.forms.fields import Amount, Choice, Field, FilledForm, Switch, Wrong, declared
from volte.names import LONGEST_NAME, clean_name, name_order
from volte.rules import DEFAULT, PRESETS, described, make_ruleset
from volte.rules.groups import EndKind
from volte.say import N_, Words
from volte.say.formats import zone_of
from volte.say.levels import OFFERED_WORDS
from volte.say.rulesheet.options import preset_title
from volte.table.setup import LONGEST_CLOCK

GAMES: Final = tuple(
    name for name, each in PRESETS.items() if each.settings()["irregularities"] != "refereed"
)
"""Presets for evenings: not those with a referee, whose rulings differ from table to table."""

USUAL_HOUR: Final = clock(20)

EARLIEST: Final = -3600
LATEST: Final = 2 * 366 * 86_400
"""Limits of an evening's planned beginning, in seconds from now."""

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


def _day(typed: str) -> date:
    day = _DATE.fullmatch(typed.strip())
    if day is not None:
        with suppress(ValueError):
            return date(int(day[1]), int(day[2]), int(day[3]))
    raise Wrong("date", N_("Please write the day as year, month and day, such as 2027-01-31."))


def _hour(typed: str) -> clock:
    hour = _TIME.fullmatch(typed.strip())
    if hour is None or int(hour[1]) > 23 or int(hour[2]) > 59:
        raise Wrong("time", N_("Please write the time as hours and minutes, such as 20:30."))
    return clock(int(hour[1]), int(hour[2]))


FIELDS: Final = declared(
    Field("name", meant=partial(clean_name, reason="bad_evening_name")),
    Field("date", meant=_day),
    Field("time", meant=_hour, written="{:%H:%M}".format),
    Choice("zone", values=(PLAIN, *ZONES)),
    Switch("by_itself"),
    Choice("preset", values=GAMES),
    Amount("players", least=3, most=10),
    Amount("rounds", least=1, most=MOST_ROUNDS),
    Amount("deals", least=1, most=MOST_DEALS),
    Amount("pause", least=0, most=LONGEST_BREAK // 60, unit=60),
    Amount("clock", least=0, most=LONGEST_CLOCK),
    Choice("level", values=OFFERED),
    Switch("alone"),
)


def new_plan(words: Words, club: str, zone: str = "", now: float | None = None) -> Plan:
    """A plan to begin with, for a club of that name.

    Args:
        now: the time in seconds since 1970; None for the present time.
    """
    # Translators: as the tz database names it.
    zone = zone or words.p("the time zone of most who speak this language", "UTC")
    there = datetime.fromtimestamp(time.time() if now is None else now, zone_of(zone))
    day = there.date() + timedelta(days=there.time() >= USUAL_HOUR)
    starts = datetime.combine(day, USUAL_HOUR, zone_of(zone)).timestamp()
    rules = make_ruleset(DEFAULT, {"players": 4, "match_end": "deals:4", "ties": "share"})
    return Plan(club[:LONGEST_NAME], "", starts, zone, rules, 2, clock=60)


def values_of(plan: Plan) -> dict[str, Any]:
    """The values of the form's fields for a plan."""
    there = datetime.fromtimestamp(plan.starts, zone_of(plan.zone))
    own = {name: getattr(plan, name) for name in FIELDS if hasattr(plan, name)}
    rules = {"preset": described(plan.rules)[0], "players": plan.rules.players}
    return own | rules | {"date": there.date(), "time": there}


def plan_of(form: FilledForm, club: str, now: float | None = None) -> Plan:
    """The evening that the form describes. Raises `Wrong`."""
    read = form.read()
    there = datetime.combine(read.pop("date"), read.pop("time"), zone_of(read["zone"]))
    starts = _starts(there, time.time() if now is None else now)
    ending = {"match_end": f"{EndKind.DEALS}:{read.pop('deals')}", "ties": "share"}
    try:
        rules = make_ruleset(read.pop("preset"), {"players": read.pop("players"), **ending})
        plan = Plan(club=club, starts=starts, rules=rules, **read)
        check_plan(plan)
    except VolteError as fault:
        raise Wrong(fault.field if fault.field in FIELDS else "players", fault) from None
    return plan


def _starts(there: datetime, now: float) -> float:
    """Seconds since 1970 of a time in its zone. Raises `Wrong`."""
    starts, second = (there.replace(fold=fold).timestamp() for fold in (0, 1))
    if datetime.fromtimestamp(starts, there.tzinfo) != there:
        raise Wrong("time", N_("Clocks there go forward over that time: please write another."))
    if starts - now < EARLIEST:  # where clocks go back, an hour comes twice
        starts = second
    if not EARLIEST <= starts - now <= LATEST:
        raise Wrong("date", N_("That time is over, or more than two years away."))
    return starts


MEANINGS: Final = {"preset": "presets", "zone": "zones", "level": "levels"}
"""Fields of `FIELDS`, with the keys of `form_choices` that name their values."""


def form_choices(words: Words) -> dict[str, Any]:
    """The choices in the form, by the names that its template uses."""
    return {
        "presets": [(name, preset_title(words, name)) for name in GAMES],
        "player_numbers": [(str(number), str(number)) for number in range(3, 11)],
        "levels": [(level, words.t(each.asked)) for level, each in OFFERED_WORDS.items()],
        "zones": zones_shown(words),
        "most_deals": MOST_DEALS,
        "most_rounds": MOST_ROUNDS,
    }


def zones_shown(words: Words) -> list[tuple[str, str]]:
    """The places that can be chosen as a time zone, by name, with their present offset from UTC."""
    now, found = datetime.now(UTC), []
    for zone in _known():
        offset = now.astimezone(zone_of(zone)).strftime("%z")
        city = zone_title(words, zone)
        found.append((zone, f"{city} (UTC{offset[:3]}:{offset[3:]})".replace("-", "−")))
    return [(PLAIN, PLAIN), *sorted(found, key=lambda each: name_order(each[1]))]


@cache
def _known() -> tuple[str, ...]:
    """The time zones that this machine knows."""
    known = available_timezones()
    return tuple(zone for zone in ZONES if zone in known)
