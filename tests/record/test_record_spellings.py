"""Records and sheets as people type and paste them: other blanks, other signs for the suits."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from volte.notation import parse_record
from volte.scorekeeper.model import parse_sheet
from volte.scorekeeper.model.read import is_sheet

TESTS: Final = Path(__file__).parents[1]
GOLDENS: Final = sorted(TESTS.glob("*/goldens/*.volte"))

BLANKS: Final = ("  ", "\t", "\u00a0", " \u202f")
SUITS: Final = ("♣♦♠♥", "♧♢♤♡", "♣\ufe0f♦\ufe0f♠\ufe0f♥\ufe0f", "♣\ufe0e♦\ufe0e♠\ufe0e♥\ufe0e")

SHEET: Final = """Volte sheet 1
Rules: coeurs card_points=[KS=10]
Seat 1: "Anne"
Seat 2: "Bob"
Seat 3: "Cléo"
Seat 4: "Zoé"
Lots: 1 KS, 2 4D, 3 4H, 4 2C

Deal 1: hearts 3 4 6 0, queen 2, KS 1
"""


def spaced(text: str, blank: str) -> str:
    """The text with that blank for each of its own, but for those in names."""
    return re.sub(r'("(?:[^"\\\\]|\\\\.)*")| ', lambda found: found[1] or blank, text)


def drawn(text: str, suits: str) -> str:
    """The text with those signs for the letters of the suits."""
    signs = dict(zip("CDSH", re.findall(r".[\ufe0e\ufe0f]?", suits), strict=True))
    by_card = r"\b([2-9TJQKA])([CDSH])(?!\w)"
    text = re.sub(by_card, lambda found: found[1] + signs[found[2]], text)
    return re.sub(r"\b([CDSH])(?='?:)", lambda found: signs[found[1]], text)


SPELLINGS: Final[list[Callable[[str], str]]] = [
    *(lambda text, blank=blank: spaced(text, blank) for blank in BLANKS),
    *(lambda text, suits=suits: drawn(text, suits) for suits in SUITS),
]


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_a_record_may_be_written_in_any_of_these_ways(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = parse_record(text)
    for spelling in SPELLINGS:
        assert spelling(text) != text
        assert parse_record(spelling(text)) == record


def test_so_may_a_sheet() -> None:
    sheet = parse_sheet(SHEET)
    for spelling in SPELLINGS:
        assert spelling(SHEET) != SHEET
        assert parse_sheet(spelling(SHEET)) == sheet
        assert is_sheet(f"\n{spelling(SHEET)}".encode())
