"""Results of an evening: standings among people who played the same cards, and files.

All pairs of tables are compared, deal by deal and seat by seat. Standings and deals can be taken
away as CSV, everything as JSON, the date as ICS.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from operator import add
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import asdict, replace

from volte.evenings.evening import DealResult, Evening, Stage, digest_of
from volte.files.spreadsheet import csv_text
from volte.names import name_order
from volte.rules import described

LONGEST_LINE: Final = 73
"""Bytes of a line in a calendar, without the blank that begins a folded line (RFC 5545)."""

MINUTES_A_DEAL: Final = 6  # estimate, for the end of an evening in calendars


class SeatResult(NamedTuple):
    """The result of a deal that counts, at one seat."""

    table: int  # place of the table in the round, from 0
    seat: int
    person: str  # id of the person for whom it counts; empty for nobody
    points: int
    # points more than with the same cards elsewhere, for every other table that played the deal
    differences: tuple[int, ...]


class Compared(msgspec.Struct, frozen=True):
    """A deal that counts, with its results at every table that has played it."""

    round: int  # number of the round, from 1
    deal: int  # number of the deal in the round, from 1
    results: tuple[DealResult | None, ...]  # by table; None where it was not played to the end

    def seats(self) -> Iterator[SeatResult]:
        """The results at every seat of every table that has played the deal."""
        known = {table: each for table, each in enumerate(self.results) if each is not None}
        for table, own in known.items():
            others = [each.points for place, each in known.items() if place != table]
            for seat, (person, points) in enumerate(zip(own.people, own.points, strict=True)):
                differences = tuple(points - each[seat] for each in others)
                yield SeatResult(table, seat, person, points, differences)


class EveningStanding(msgspec.Struct, frozen=True):
    """A person's line in the standings. Less is better."""

    place: int | None  # from 1; equal averages share it. None for somebody not compared yet
    person: str
    name: str  # name of the person at the evening
    difference: int  # points more than others had with the same cards, added up
    comparisons: int  # number of other results with which theirs were compared
    points: int
    deals: int  # number of deals that count for the person

    @property
    def average(self) -> Fraction | None:
        """Difference per comparison, in points, by which people are ranked; None without any."""
        return Fraction(self.difference, self.comparisons) if self.comparisons else None


def compared(evening: Evening) -> tuple[Compared, ...]:
    """The deals that count, in their order.

    While a round is played, a deal counts once it is over at every table: results elsewhere would
    tell something about its cards.
    """
    found: list[Compared] = []
    for number, each in enumerate(evening.rounds, start=1):
        counts = [len(sitting.results) for sitting in each.tables]
        for deal in range(min(counts) if each.over is None else max(counts)):
            results = tuple(
                sitting.results[deal] if deal < len(sitting.results) else None
                for sitting in each.tables
            )
            found.append(Compared(number, deal + 1, results))
    return tuple(found)


def standings(evening: Evening) -> tuple[EveningStanding, ...]:
    """Everybody who comes or has played, the best first; people without a comparison last."""
    sums: dict[str, tuple[int, ...]]
    sums = {comer.person: (0, 0, 0, 0) for comer in evening.coming}
    for deal in compared(evening):
        for each in deal.seats():
            if each.person:
                more = (sum(each.differences), len(each.differences), each.points, 1)
                before = sums.get(each.person, (0, 0, 0, 0))
                sums[each.person] = tuple(map(add, before, more))
    found = [
        EveningStanding(None, person, evening.name_of(person), *row) for person, row in sums.items()
    ]
    found.sort(key=lambda each: (each.average is None, each.average or 0, name_order(each.name)))
    averages = [each.average for each in found if each.average is not None]
    return tuple(
        replace(each, place=1 + bisect_left(averages, each.average))
        if each.average is not None
        else each
        for each in found
    )


# Files


def standings_csv(evening: Evening) -> str:
    """The standings as CSV, a line for each person."""
    head = ("place", "name", "difference", "comparisons", "average", "points", "deals")
    rows = (
        (
            *(each.place or "", each.name, each.difference, each.comparisons),
            "" if each.average is None else float(round(each.average, 3)),
            *(each.points, each.deals),
        )
        for each in standings(evening)
    )
    return csv_text([head, *rows])


def deals_csv(evening: Evening) -> str:
    """The results as CSV, a line for each seat of each deal that counts; no name for a bot."""
    head = ("round", "deal", "table", "seat", "name", "points", "difference", "comparisons")
    rows = (
        (
            *(deal.round, deal.deal, each.table + 1, each.seat + 1),
            *(evening.name_of(each.person), each.points),
            *(sum(each.differences), len(each.differences)),
        )
        for deal in compared(evening)
        for each in deal.seats()
    )
    return csv_text([head, *rows])


def everything(evening: Evening) -> bytes:
    """The public facts of an evening as JSON, with standings and results. Bots have no name."""
    plan = evening.plan
    preset, changes = described(plan.rules)
    content: dict[str, Any] = {
        **_head(evening),
        "preset": preset,
        "options": changes,
        "rounds": plan.rounds,
        "deals": plan.deals,
        "digest": digest_of(evening.secret).hex(),
        "standings": [_standing(each) for each in standings(evening)],
        "results": [
            {
                "round": deal.round,
                "deal": deal.deal,
                "tables": [
                    {"points": result.points, "names": [*map(evening.name_of, result.people)]}
                    if result is not None
                    else None
                    for result in deal.results
                ],
            }
            for deal in compared(evening)
        ],
    }
    if evening.stage is Stage.OVER:
        content["secret"] = evening.secret.hex()
    return _json(content)


def own_part(evening: Evening, person: str) -> bytes:
    """The data of an evening about one person as JSON, without a line of anybody else."""
    comer = evening.comer(person)
    content = {
        **_head(evening),
        "planned_by_you": evening.host == person,
        "called": comer.name if comer is not None else "",
        "comes": comer.comes if comer is not None else None,
        "seats": [
            {"round": number, "table": each.tables[place[0]].table, "seat": place[1] + 1}
            for number, each in enumerate(evening.rounds, start=1)
            if (place := each.place_of(person)) is not None
        ],
        "standing": [_standing(each) for each in standings(evening) if each.person == person],
        "results": [
            {
                "round": deal.round,
                "deal": deal.deal,
                "points": each.points,
                "differences": each.differences,
            }
            for deal in compared(evening)
            for each in deal.seats()
            if each.person == person
        ],
    }
    return _json(content)


def _head(evening: Evening) -> dict[str, object]:
    plan = evening.plan
    return {
        "name": plan.name,
        "starts": iso_time(plan.starts),
        "zone": plan.zone,
        "state": evening.stage.value,
    }


def _standing(each: EveningStanding) -> dict[str, object]:
    """A line of the standings for export, without the id of the person."""
    return {name: value for name, value in asdict(each).items() if name != "person"}


def _json(content: dict[str, object]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content), indent=1)


def iso_time(at: float) -> str:
    """A time for programs, in UTC; `at` is in seconds since 1970."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def calendar(evening: Evening, key: str, address: str, now: float) -> str:
    """The date of an evening for a calendar (RFC 5545).

    Args:
        key: the id of the evening.
        address: the address of its page.
    """
    plan = evening.plan
    deals = plan.rounds * plan.deals
    ends = plan.starts + deals * MINUTES_A_DEAL * 60 + (plan.rounds - 1) * plan.pause
    name = re.sub(r"([\\;,])", r"\\\1", plan.name)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Volte//Evenings//EN",
        "BEGIN:VEVENT",
        f"UID:{key}@volte",
        f"SEQUENCE:{evening.version}",
        f"DTSTAMP:{_stamp(now)}",
        f"DTSTART:{_stamp(plan.starts)}",
        f"DTEND:{_stamp(ends)}",
        f"SUMMARY:{name}",
        f"URL:{address}",
        f"STATUS:{'CANCELLED' if evening.stage is Stage.CANCELLED else 'CONFIRMED'}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line))


def _stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y%m%dT%H%M%SZ")


def _folded(line: str) -> list[str]:
    """A long line in pieces, each with whole letters."""
    pieces = [""]
    for letter in line:
        if len((pieces[-1] + letter).encode()) > LONGEST_LINE:
            pieces.append("")
        pieces[-1] += letter
    return [pieces[0], *(f" {piece}" for piece in pieces[1:])]
