"""Evenings to take away: standings and deals as CSV, everything as JSON, the date as ICS."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from volte.evenings.evening import Evening, Stage, digest_of
from volte.evenings.shown import moment
from volte.evenings.standings import Standing, compared, standings
from volte.rules import described

FORMULAS: Final = ("=", "+", "-", "@", "\t")
"""What a spreadsheet would take for a formula at the beginning of a name."""

LONGEST_LINE: Final = 73
"""Bytes of a line in a calendar, beside the blank that a folded one begins with (RFC 5545)."""

MINUTES_A_DEAL: Final = 6


def standings_csv(evening: Evening) -> str:
    """A line for each person."""
    head = ("place", "name", "difference", "comparisons", "average", "points", "deals")
    rows = (
        (
            *(each.place or "", each.name, each.difference, each.comparisons),
            *(_decimal(each.difference, each.comparisons), each.points, each.deals),
        )
        for each in standings(evening)
    )
    return _csv(head, rows)


def deals_csv(evening: Evening) -> str:
    """A line for each seat of each deal that counts; no name for a bot."""
    head = ("round", "deal", "table", "seat", "name", "points", "difference", "comparisons")
    rows = []
    for each in compared(evening):
        for table, result in enumerate(each.results):
            for seat, person in enumerate(result.people if result is not None else ()):
                assert result is not None
                more = each.differences(table, seat)
                place = (each.round, each.deal, table + 1, seat + 1)
                told = (evening.name_of(person), result.points[seat], sum(more), len(more))
                rows.append((*place, *told))
    return _csv(head, rows)


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    for row in rows:
        writer.writerow([_harmless(cell) for cell in row])
    return text.getvalue()


def _harmless(cell: object) -> object:
    """Names are whatever people like; none of them is a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


def _decimal(total: int, count: int) -> str:
    return f"{total / count:.3f}" if count else ""


def everything(evening: Evening) -> bytes:
    """All that may be known of an evening, as JSON. Bots have no name."""
    plan = evening.plan
    preset, changes = described(plan.rules)
    told: dict[str, Any] = {
        "name": plan.name,
        "starts": moment(plan.starts),
        "zone": plan.zone,
        "state": evening.stage.value,
        "preset": preset,
        "options": changes,
        "rounds": plan.rounds,
        "deals": plan.deals,
        "digest": digest_of(evening.secret).hex(),
        "standings": [_standing(each) for each in standings(evening)],
        "results": [
            {
                "round": each.round,
                "deal": each.deal,
                "tables": [
                    None
                    if result is None
                    else {
                        "points": result.points,
                        "names": [evening.name_of(person) for person in result.people],
                    }
                    for result in each.results
                ],
            }
            for each in compared(evening)
        ],
    }
    if evening.stage is Stage.OVER:
        told["secret"] = evening.secret.hex()
    return msgspec.json.format(msgspec.json.encode(told), indent=1)


def own_part(evening: Evening, person: str) -> bytes:
    """What an evening has about one person, as JSON: no line of anybody else."""
    plan, comer = evening.plan, evening.comer(person)
    told = {
        "name": plan.name,
        "starts": moment(plan.starts),
        "zone": plan.zone,
        "state": evening.stage.value,
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
                "round": each.round,
                "deal": each.deal,
                "points": result.points[seat],
                "differences": each.differences(table, seat),
            }
            for each in compared(evening)
            for table, result in enumerate(each.results)
            if result is not None
            for seat, whose in enumerate(result.people)
            if whose == person
        ],
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=1)


def _standing(each: Standing) -> dict[str, object]:
    return {
        "place": each.place,
        "name": each.name,
        "difference": each.difference,
        "comparisons": each.comparisons,
        "points": each.points,
        "deals": each.deals,
    }


# The calendar


def calendar(evening: Evening, key: str, address: str, now: float) -> str:
    """The date for a calendar (RFC 5545).

    Args:
        key: the id of the evening.
        address: of its page.
    """
    plan = evening.plan
    deals = plan.rounds * plan.deals
    ends = plan.starts + deals * MINUTES_A_DEAL * 60 + (plan.rounds - 1) * plan.pause
    cancelled = evening.stage is Stage.CANCELLED
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
        f"SUMMARY:{_escaped(plan.name)}",
        f"URL:{address}",
        f"STATUS:{'CANCELLED' if cancelled else 'CONFIRMED'}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line))


def _stamp(at: float) -> str:
    return (datetime.fromtimestamp(0, UTC) + timedelta(seconds=at)).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return text


def _folded(line: str) -> list[str]:
    """A long line in pieces, none of which cuts a letter in two."""
    pieces = [""]
    for letter in line:
        if len((pieces[-1] + letter).encode()) > LONGEST_LINE:
            pieces.append("")
        pieces[-1] += letter
    return [pieces[0], *(f" {piece}" for piece in pieces[1:])]
