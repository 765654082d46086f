"""The deal of the day: the same cards for everybody on one day."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from volte.boards.fixed import DealTerm, day_at, in_week
from volte.rules import Ruleset, make_ruleset

WEEK: Final = (
    *("dame-de-pique", "coeurs", "salon", "omnibus"),
    *("spot-hearts", "scatter", "salon-valet"),
)
"""Presets of the deals of the day, from Monday on."""

AHEAD: Final = 7
"""Days before its day on which the digest and the rules of a deal are told, at least."""


def term_of_day(day: date) -> DealTerm:
    """The time of the deal of a day."""
    return DealTerm(day.isoformat(), "", day)


def days_told(now: float) -> list[date]:
    """The days of which digest and rules are told: today, and a week from then on."""
    return [day_at(now) + timedelta(days) for days in range(AHEAD + 1)]


def rules_of_day(day: date) -> Ruleset:
    """The rules of a day: the preset of its weekday."""
    return in_week(make_ruleset(WEEK[day.weekday()]), day)
