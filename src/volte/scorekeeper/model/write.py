"""Sheets written down: as text, where every entry is a line, as CSV and as JSON (docs/score.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from volte.cards import JACK, QUEEN
from volte.files.spreadsheet import csv_text
from volte.game.codec import encode
from volte.notation.lines import (
    NOBODY,
    PASSED_ON,
    cards_text,
    numbers_text,
    quoted,
    rounds_text,
    rules_statement,
    score_parts,
    seat_text,
    seats_text,
    stakes_text,
)
from volte.rules import Settlement, described
from volte.scorekeeper.model import entries
from volte.scorekeeper.model.paying import who_pays, worth
from volte.scorekeeper.model.sheet import Sheet, coming, evolve, standings
from volte.scorekeeper.model.table import next_number
from volte.sheet import Purpose, SheetRow, Table

TITLE = "Volte sheet"
VERSION = 1


def to_record(sheet: Sheet) -> str:
    """The text of a sheet with all entries on record; `parse_sheet` reads it back."""
    lines, state = [f"{TITLE} {VERSION}"], None
    for entry in sheet.entries:
        before, state = state, evolve(state, entry)
        lines += _lines(entry, before)
        lines += [f"{word}: {rest}" for word, rest in consequences(entry, state)]
    return "\n".join([*lines, ""])


def consequences(entry: entries.Entry, sheet: Sheet) -> list[tuple[str, str]]:
    """The lines (word, rest) that state the results of an entry: points, totals, stakes.

    They are for people. A program that reads them compares them with its own result; they may be
    left out.

    Args:
        sheet: its state just after the entry.
    """
    match entry:
        case entries.Drawn(purpose=Purpose.DEALER):
            return [("Deals", str(entry.order[-1] + 1))]
        case entries.Enter():
            return [*_points(sheet.table, len(sheet.lines)), *_standing(sheet)]
        case entries.Correct():
            return [*_points(sheet.table, entry.line), *_standing(sheet)]
        case entries.Undone() | entries.Drawn():
            return _standing(sheet)
    return []


def _points(table: Table, line: int) -> list[tuple[str, str]]:
    row = table.rows[line - 1]
    if row.number is None:
        return []
    return [("Points", ", ".join(score_parts(row.score)))]


def _standing(sheet: Sheet) -> list[tuple[str, str]]:
    table, by_pot = sheet.table, sheet.rules.stakes.settlement is Settlement.POT
    found = [("Totals", numbers_text(table.totals))]
    if table.over:
        found.append(("Winners", seats_text(table.winners)))
    if table.net is not None and (by_pot or table.payment is not None):
        found.append(("Stakes", stakes_text(table.net, table.pot if by_pot else None)))
    return found


def _lines(entry: entries.Entry, before: Sheet | None) -> list[str]:
    match entry:
        case entries.Open():
            return _head(entry)
        case entries.Amend():
            return [f"Amend: {', '.join(_amended(entry))}"]
        case entries.NameFirstDealer():
            return [f"Dealer: {entry.dealer + 1}"]
        case entries.Enter(report=entries.LostDeal() as misdeal):
            return ["", f"Misdeal: {misdeal.cause}"]
        case entries.Enter():
            assert before is not None
            return ["", f"Deal {next_number(before.table)}: {deal_text(entry.report)}"]
        case entries.Correct():
            what = "struck" if entry.report is None else deal_text(entry.report)
            return ["", f"Correct {entry.line}: {what}{_remark(entry.by, entry.why)}"]
        case entries.Undone():
            return [f"Undo: {entry.number}"]
        case entries.Seal():
            return ["", f"Seal {entry.number}: {entry.digest.hex()}"]
        case entries.Share():
            return [f"Share {entry.seat + 1}: {entry.data.hex()}"]
        case entries.Drawn():
            rounds = rounds_text(entry.rounds)
            return [f"Lots {entry.seal}: {rounds}"] if entry.seal else ["", f"Lots: {rounds}"]
        case entries.Unseal():
            return [f"Secret {entry.number}: {entry.secret.hex()}"]
        case entries.Settle():
            return ["", "Settlement: accepted"]
        case entries.Reopen():
            return [f"Settlement: reopened{_remark(entry.by, entry.why)}"]


def _head(entry: entries.Open) -> list[str]:
    lines = [rules_statement(entry.rules)]
    lines += [f"Seat {seat}: {quoted(name)}" for seat, name in enumerate(entry.names, start=1)]
    lines += [f"Title: {quoted(entry.title)}"] if entry.title else []
    lines += [f"Date: {entry.date}"] if entry.date else []
    lines += [f"Stake: {entry.stake}"] if entry.stake else []
    lines += [f"Currency: {quoted(entry.currency)}"] if entry.currency else []
    lines += [f"Pot: {entry.pot}"] if entry.pot else []
    lines += [f"Dealer: {entry.dealer + 1}{PASSED_ON}"] if entry.dealer is not None else []
    return lines


def _amended(entry: entries.Amend) -> Iterable[str]:
    if entry.names is not None:
        yield f"names {' '.join(map(quoted, entry.names))}"
    for name in ("title", "stake", "currency", "date"):
        value = getattr(entry, name)
        if value is not None:
            yield f"{name} {quoted(value)}"


def deal_text(deal: entries.DealReport) -> str:
    """The report of a deal as the text writes it."""
    match deal:
        case entries.LostDeal():
            return f"misdeal {deal.cause}"
        case entries.StoppedDeal():
            parts = [("revoked", deal.revoked), ("mixed", deal.mixed)]
            return ", ".join(f"{word} {seats_text(seats)}" for word, seats in parts if seats)
        case entries.Taken():
            takers = {"queen": deal.queen, "jack": deal.jack, "slam": deal.all_tricks}
            counts = f"hearts {numbers_text(count or 0 for count in deal.hearts)}"
        case entries.Counted():
            takers = {"jack": deal.jack, "slam": deal.all_tricks}
            counts = f"points {numbers_text(count or 0 for count in deal.points)}"
    return ", ".join((counts, *_behind(deal, takers)))


def _behind(
    deal: entries.Taken | entries.Counted, takers: Mapping[str, int | None]
) -> Iterator[str]:
    """The parts after the counts: takers, trickless seats, the moon's way, missing cards."""
    yield from (f"{word} {seat_text(seat)}" for word, seat in takers.items() if seat is not None)
    for took in deal.others:
        yield f"{_OTHERS.get(took.card, took.card)} {seats_text(took.seats)}"
    if deal.trickless is not None:
        yield f"trickless {seats_text(deal.trickless) or NOBODY}"
    if deal.minus is not None:
        yield "minus" if deal.minus else "plus"
    if deal.missing:
        yield f"missing {cards_text(deal.missing)}"


_OTHERS = {QUEEN: "queen", JACK: "jack"}


def _remark(by: str, why: str) -> str:
    return (f", by {quoted(by)}" if by else "") + (f", because {quoted(why)}" if why else "")


# For spreadsheets and other programs

HEADINGS: Final = {
    "line": "line",
    "deal": "deal",
    "kind": "kind",
    "dealer": "dealer",
    "points": "points {name}",
    "total": "total {name}",
    "stakes": "stakes {name}",
    "pot": "pot",
}
"""Headings of the CSV columns; `{name}` stands for a player's name."""


def to_csv(sheet: Sheet, headings: Mapping[str, str] = HEADINGS) -> str:
    """A row for each line of the sheet, and one for the settlement: points, totals, stakes.

    Args:
        headings: the keys of `HEADINGS`, with the texts of another language.
    """
    table, blank = sheet.table, [""] * len(sheet.names)
    rows = [_headings(sheet, headings), *(_row(sheet, row) for row in table.rows)]
    if table.payment is not None:
        settled = ("", "", "settlement", "", *blank, *table.totals, *(table.net or blank), "")
        rows.append(iter(settled))
    return csv_text(rows)


def _headings(sheet: Sheet, headings: Mapping[str, str]) -> Iterator[str]:
    for key, text in headings.items():
        if key in ("points", "total", "stakes"):
            yield from (text.replace("{name}", name) for name in sheet.names)
        else:
            yield text


def _row(sheet: Sheet, row: SheetRow) -> Iterator[object]:
    blank = [""] * len(sheet.names)
    yield row.line
    yield "" if row.number is None else row.number
    yield "beyond" if row.beyond else row.kind.value
    yield "" if row.dealer is None else sheet.names[row.dealer]
    yield from row.points or blank
    yield from row.totals
    yield from row.stakes or blank
    yield row.pot


def to_json(sheet: Sheet) -> bytes:
    """The present state of the sheet and all its entries; seats are numbers from 0."""
    preset, differences = described(sheet.rules)
    table = sheet.table
    content: dict[str, Any] = {
        "format": "volte-sheet",
        "version": 1,
        "title": sheet.title,
        "date": sheet.date,
        "names": sheet.names,
        "preset": preset,
        "settings": differences,
        "stake": sheet.stake or None,
        "currency": sheet.currency,
        "first_dealer": sheet.first_dealer,
        "accepted": sheet.accepted,
        "table": table,
        "coming": coming(sheet),
        "standings": standings(sheet.rules, table),
        "payments": who_pays(sheet),
        "money": None if table.net is None else [worth(sheet, stakes) for stakes in table.net],
        "entries": sheet.entries,
    }
    return msgspec.json.format(encode(content), indent=1)
