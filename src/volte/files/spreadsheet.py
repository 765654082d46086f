"""Files for spreadsheets."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from io import StringIO
from typing import Final

_FORMULA: Final = re.compile(
    r"(?:\A|(?<=[,;\t\r\n]))(?=[\s\"]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])"
    r"|(?<=[;\t\r\n])(?=[\s\"]*\Z)"
)
"""Place before a text that a spreadsheet would take for a formula, whatever its separator."""


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """The rows as a CSV file in which no text is a formula, even for a spreadsheet that takes `;`
    or a tab for the separator. The mark at its beginning tells spreadsheets that it is UTF-8.

    Args:
        rows: cells are texts and numbers; no row begins with a number below 0.

    >>> csv_text([("name", "points"), ("Paul;=1+1", -3)])
    '\\ufeff"name","points"\\r\\n"Paul;\\'=1+1","-3"\\r\\n'
    """
    text = StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(map(_harmless, row) for row in rows)
    return f"\ufeff{text.getvalue()}"


def _harmless(cell: object) -> object:
    return _FORMULA.sub("'", cell) if isinstance(cell, str) else cell
