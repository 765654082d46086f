"""Names that people really have, texts that are no names, and readers of CSV."""

import csv
from io import StringIO
from typing import Final

FLAG: Final = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
"""The flag of Wales."""

REAL: Final = {
    "Persian, with a non-joiner": "\u0645\u06cc\u200c\u062a\u0631\u0627",
    "Hindi, with a joiner": "\u0932\u0915\u094d\u200d\u0937\u094d\u092e\u0940",
    "Sinhala, with a joiner": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "Malayalam, a joiner at the end": "\u0d05\u0d35\u0d28\u0d4d\u200d",
    "Thai": "สมชาย ใจดี",
    "Arabic": "محمد علي",
    "Hebrew": "יוסף",
    "Vietnamese": "Nguyễn Thị Hạnh",
    "decomposed": "Zoe\u0308",
    "apostrophe": "O’Brien",
    "a family": "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "a skin": "\U0001f469\U0001f3fd\u200d\U0001f680",
    "a heart": "\u2764\ufe0f",
    "a key": "1\ufe0f\u20e3",
    "a flag": FLAG,
    "digits": "007",
}

NOTHING_TO_SEE: Final = {
    "nothing": "",
    "blanks": " \t\u00a0\u3000",
    "Hangul filler": "\u3164",
    "Hangul choseong filler": "\u115f",
    "half-width filler": "\uffa0",
    "Braille blank": "\u2800",
    "a selector": "\ufe0f",
    "marks alone": "\u0301\u0308",
    "zero-width space": "\u200b",
    "a joiner": "\u200d",
    "a non-joiner": "\u200c",
    "tags without a flag": "\U000e0067\U000e0062",
    "a null note head": "\U0001d159",
    "all of these": "\u3164 \u2800\ufe0f\u0301\u200d\u00ad",
}

UNFIT: Final = {
    "U+0007": "An\x07ne",
    "U+E000": "Anne\ue000",
}
"""Code point that is not allowed → a name with it."""

PILED: Final = "e" + 5 * "\u0301"
"""A letter with more marks than it may have; the first melts into it."""

CYRILLIC: Final = "\u0410nne"
"""Looks like Anne."""


def cells(text: str, separator: str = ",") -> list[list[str]]:
    """Rows of a CSV file as a spreadsheet reads them."""
    return list(csv.reader(StringIO(text.removeprefix("\ufeff"), ""), delimiter=separator))


def records(text: str) -> list[dict[str, str]]:
    """Rows of a CSV file, as dictionaries by the headings in its first row."""
    head, *rows = cells(text)
    return [dict(zip(head, row, strict=True)) for row in rows]
