"""Evenings in words: when they are, who sits where, who stands where, deal by deal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from fractions import Fraction
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from babel.dates import format_date, format_time, get_timezone_location

from volte.evenings.conducting import read_line
from volte.evenings.evening import Evening, Result, Round
from volte.evenings.standings import Compared, compared, standings
from volte.evenings.store import EveningRow
from volte.say import N_, Words

PLAIN: str = "UTC"


class RowTold(msgspec.Struct, frozen=True):
    """An evening in a list."""

    id: str
    name: str
    when: str
    state: str
    coming: int


class SittingTold(msgspec.Struct, frozen=True):
    """A table of the round that is played.

    Attributes:
        people: bots among them.
        own: whether whoever asks belongs there.
    """

    number: int
    people: str
    deals: str
    own: bool


class StandingTold(msgspec.Struct, frozen=True):
    """A line of the standings."""

    place: str
    name: str
    average: str
    comparisons: str
    points: str
    deals: str
    own: bool


class CellTold(msgspec.Struct, frozen=True):
    """What a deal brought at a seat."""

    name: str
    points: str


class DealTold(msgspec.Struct, frozen=True):
    """A deal at all its tables; None for one that has not played it to the end."""

    title: str
    tables: tuple[tuple[str, tuple[CellTold, ...] | None], ...]


# Time


def zone_of(name: str) -> tzinfo:
    """The time zone of that name; UTC where this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def zone_told(words: Words, name: str) -> str:
    """The place whose time it is."""
    known = zone_of(name) is not UTC and name != PLAIN
    return get_timezone_location(name, locale=words.lang, return_city=True) if known else PLAIN


def time_told(words: Words, at: float, zone: str) -> str:
    """Day and time, and of which place."""
    there = datetime.fromtimestamp(at, zone_of(zone))
    day = words.sentence(format_date(there, "full", locale=words.lang))
    hour = format_time(there, "short", locale=words.lang)
    return f"{day}, {hour} ({zone_told(words, zone)})"


def hour_told(words: Words, at: float, zone: str) -> str:
    """The time of day alone."""
    there = datetime.fromtimestamp(at, zone_of(zone))
    return format_time(there, "short", locale=words.lang, tzinfo=zone_of(zone))


def moment(at: float) -> str:
    """For programs."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


# Lists

STATES: Final = {
    "planned": N_("planned"),
    "running": N_("under way"),
    "over": N_("over"),
    "cancelled": N_("cancelled"),
}


def row_told(words: Words, row: EveningRow) -> RowTold:
    """An evening in a list."""
    line = read_line(row)
    return RowTold(
        row.id,
        line.name,
        time_told(words, row.starts, line.zone),
        words.t(STATES[row.state]),
        line.coming,
    )


# The round


def sittings(words: Words, evening: Evening, going: Round, person: str) -> list[SittingTold]:
    """The tables of a round."""
    found = []
    for number, sitting in enumerate(going.tables, start=1):
        bots = sitting.seats.count("")
        names = [evening.name_of(each) for each in sitting.seats if each]
        names += [words.n("{count} bot", "{count} bots", bots)] if bots else []
        deals = words.t(
            "deals over: {count} of {deals}", count=len(sitting.results), deals=evening.plan.deals
        )
        found.append(SittingTold(number, words.listed(names), deals, person in sitting.seats))
    return found


# Standings


def signed(words: Words, value: int | Fraction) -> str:
    """A difference: more has its plus."""
    return f"+{words.number(value)}" if value > 0 else words.number(value)


def standings_told(words: Words, evening: Evening, person: str) -> list[StandingTold]:
    """The standings; nothing where nobody has been compared."""
    found = standings(evening)
    if not any(each.comparisons for each in found):
        return []
    return [
        StandingTold(
            str(each.place or "–"),
            each.name,
            signed(words, each.average) if each.average is not None else "–",
            words.number(each.comparisons),
            words.number(each.points),
            words.number(each.deals),
            each.person == person,
        )
        for each in found
    ]


# Deal by deal


def deals_told(words: Words, evening: Evening, number: int) -> list[DealTold]:
    """The deals of a round that count."""
    return [_deal(words, evening, each) for each in compared(evening) if each.round == number]


def _deal(words: Words, evening: Evening, deal: Compared) -> DealTold:
    tables = tuple(
        (
            words.t("Table {number}", number=table + 1),
            _cells(words, evening, deal, table, result) if result is not None else None,
        )
        for table, result in enumerate(deal.results)
    )
    return DealTold(words.t("Deal {number}", number=deal.deal), tables)


def _cells(
    words: Words, evening: Evening, deal: Compared, table: int, result: Result
) -> tuple[CellTold, ...]:
    bot = words.t("bot")
    cells = []
    for seat, person in enumerate(result.people):
        more = deal.differences(table, seat)
        average = f" ({signed(words, Fraction(sum(more), len(more)))})" if more else ""
        points = words.number(result.points[seat]) + average
        cells.append(CellTold(evening.name_of(person) or bot, points))
    return tuple(cells)


def people_told(words: Words, evening: Evening) -> tuple[Sequence[str], str]:
    """Who comes, and who has not answered."""
    asked = [comer.name for comer in evening.comers if comer.comes is None]
    told = (
        words.t("Invited, without an answer yet: {names}", names=words.listed(asked))
        if asked
        else ""
    )
    return [comer.name for comer in evening.coming], told
