"""The form in which an evening is planned: from fields to a `Plan`, and back."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from datetime import time as clock
from functools import partial
from typing import Any, Final

from volte.bots import OFFERED
from volte.cards import VolteError
from volte.evenings.evening import LONGEST_BREAK, MOST_DEALS, MOST_ROUNDS, Plan, check_plan
from volte.forms.fields import Amount, Choice, Field, FilledForm, Switch, Wrong, declared
from volte.forms.when import (
    PLAIN,
    ZONES,
    moment_of,
    read_day,
    read_hour,
    usual_zone,
    zones_shown,
)
from volte.names import LONGEST_NAME, clean_name
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

FIELDS: Final = declared(
    Field("name", meant=partial(clean_name, reason="bad_evening_name")),
    Field("date", meant=read_day),
    Field("time", meant=read_hour, written="{:%H:%M}".format),
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
    zone = zone or usual_zone(words)
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
    starts = moment_of(there, now + EARLIEST)
    if not EARLIEST <= starts - now <= LATEST:
        raise Wrong("date", N_("Choose a time within the next two years."))
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
