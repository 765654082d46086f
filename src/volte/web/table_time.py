"""The time of a table in its form: now, or a day and a time of day in a time zone."""

from __future__ import annotations

from datetime import datetime, timedelta
from datetime import time as clock
from typing import Final

from volte.forms.fields import CHOICE, Choice, Field, FilledForm, Wrong
from volte.forms.when import moment_of, read_day, read_hour, time_zones
from volte.say import N_
from volte.say.formats import zone_of
from volte.table.setup import DAY, LONGEST_AHEAD

NOW: Final = "now"
LATER: Final = "later"

USUAL_HOUR: Final = clock(20, 30)
SOON: Final = 1800.0  # seconds ahead of it for which that hour is not proposed any more


def _zone(text: str) -> str:
    if text and text not in time_zones():
        raise Wrong("zone", CHOICE)
    return text


TIME_FIELDS: Final = (
    Choice("when", NOW, lambda text: text or NOW, values=(NOW, LATER)),
    Field("date"),
    Field("time"),
    Field("zone", meant=_zone),
)


def time_values(planned: float | None, zone: str) -> dict[str, str]:
    """The texts of `TIME_FIELDS` for a time in seconds since 1970; for None without day and time.

    >>> time_values(0.0, "Asia/Tokyo")
    {'when': 'later', 'date': '1970-01-01', 'time': '09:00', 'zone': 'Asia/Tokyo'}
    """
    if planned is None:
        return {"when": NOW, "date": "", "time": "", "zone": zone}
    there = datetime.fromtimestamp(planned, zone_of(zone))
    return {"when": LATER, "date": f"{there:%Y-%m-%d}", "time": f"{there:%H:%M}", "zone": zone}


def proposed_time(zone: str, now: float) -> dict[str, str]:
    """The day and time of day that the form proposes: this evening, or else tomorrow's.

    >>> proposed_time("UTC", 0.0), proposed_time("UTC", 20.25 * 3600)["date"]
    ({'date': '1970-01-01', 'time': '20:30'}, '1970-01-02')
    """
    there = datetime.fromtimestamp(now + SOON, zone_of(zone))
    day = there.date() + timedelta(days=there.time() > USUAL_HOUR)
    return {"date": day.isoformat(), "time": f"{USUAL_HOUR:%H:%M}"}


def planned_for(form: FilledForm, before: float | None, now: float) -> float | None:
    """The time that a form says, in seconds since 1970; None for now. Raises `Wrong`.

    Args:
        before: the time for which the table is planned already; None if it is not.
        now: the present time, in seconds since 1970.
    """
    if form["when"] != LATER:
        return None
    if before is not None and time_values(before, form["zone"]).items() <= form.fields.items():
        return before  # to the second, and even if it is over
    there = datetime.combine(read_day(form["date"]), read_hour(form["time"]), zone_of(form["zone"]))
    planned = moment_of(there, now)
    if planned < now:
        raise Wrong("time", N_("That time has passed: please choose a later one."))
    if planned > now + LONGEST_AHEAD * DAY:
        raise Wrong(
            "date",
            N_("A table can be planned at most {most} days ahead: please choose an earlier day."),
            most=LONGEST_AHEAD,
        )
    return planned
