"""Sheets for spreadsheets and for other programs (docs/score.md)."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any, Final

import msgspec

from volte.game.codec import encode
from volte.referee.scores import Row
from volte.rules import described
from volte.scorekeeper.model.paying import who_pays, worth
from volte.scorekeeper.model.sheet import Sheet, coming, standings

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
"""What stands over the columns; `{name}` is a player's."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins so is a formula to a spreadsheet."""


def to_csv(sheet: Sheet, headings: Mapping[str, str] = HEADINGS) -> str:
    """A row for each line of the sheet, and one for the settlement: points, totals, stakes.

    Args:
        headings: the same keys as `HEADINGS`, in another language.
    """
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(map(_cell, _headings(sheet, headings)))
    for row in sheet.table.rows:
        writer.writerow(map(_cell, _row(sheet, row)))
    if sheet.table.payment is not None:
        table = sheet.table
        blank = [""] * len(sheet.names)
        writer.writerow(
            map(_cell, ["", "", "settlement", "", *blank, *table.totals, *(table.net or blank), ""])
        )
    return out.getvalue()


def _headings(sheet: Sheet, headings: Mapping[str, str]) -> Iterator[str]:
    for key, text in headings.items():
        if key in ("points", "total", "stakes"):
            yield from (text.replace("{name}", name) for name in sheet.names)
        else:
            yield text


def _row(sheet: Sheet, row: Row) -> Iterator[object]:
    blank = [""] * len(sheet.names)
    yield row.line
    yield "" if row.number is None else row.number
    yield "beyond" if row.beyond else row.kind.value
    yield "" if row.dealer is None else sheet.names[row.dealer]
    yield from row.points or blank
    yield from row.totals
    yield from row.stakes or blank
    yield row.pot


def _cell(value: object) -> object:
    """A text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def to_json(sheet: Sheet) -> bytes:
    """The sheet as it stands, and all its entries; seats are numbers from 0."""
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
