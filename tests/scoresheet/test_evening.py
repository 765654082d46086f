"""A whole evening: five deals with a revoke, a misdeal and a moon, settled by the average."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from scoresheet.sheets import EXPOSED, hearts, lots, points, revoked, rules_of

from volte.scorekeeper.model import (
    Act,
    Correct,
    Draw,
    Enter,
    Open,
    Settle,
    Sheet,
    SheetFile,
    StakeTransfer,
    parse_sheet,
    read_sheet,
    to_record,
    who_pays,
    worth,
)

GOLDEN = Path(__file__).parent / "goldens" / "evening.txt"
DOCUMENT = Path(__file__).parents[2] / "docs" / "score.md"

OPEN = Open(
    rules_of("coeurs-moyenne"),
    ("Anne", "Bruno", "Chloé", "David"),
    title="Dimanche chez Anne",
    stake="0,25",
    currency="EUR",
    date="2026-11-21",
)
ACTS: tuple[Act, ...] = (
    Draw(lots("0 KS, 1 4D, 2 4H, 3 AH / 1 7C, 2 3D")),
    Enter(hearts("3 4 6 -", queen=1)),
    Enter(EXPOSED),
    Enter(hearts("- - - 13", queen=3)),
    Enter(revoked(0)),
    Enter(points("5 0 8 -")),
    Correct(1, hearts("3 5 5 -", queen=1), by="Chloé", why="un cœur mal rangé"),
    Enter(hearts("2 5 1 -", queen=2)),
    Settle(),
)


def evening(folder: Path) -> Sheet:
    """The evening as it is entered, saved and found again after every entry."""
    with SheetFile.create(folder / "evening.volte-sheet", OPEN) as file:
        path = file.path
    for act in ACTS:
        with SheetFile.open(path) as file:
            file.do(act)
    return read_sheet(path)


def test_the_evening_is_the_one_that_was_checked_by_hand(tmp_path: Path) -> None:
    sheet, golden = evening(tmp_path), GOLDEN.read_text(encoding="utf-8")
    assert parse_sheet(golden) == sheet
    lines = [line for line in golden.split("\n") if not line.startswith(";")]
    assert to_record(sheet).split("\n") == lines


def test_the_evening_in_money(tmp_path: Path) -> None:
    sheet = evening(tmp_path)
    assert [row.dealer for row in sheet.table.rows] == [2, 3, 0, 1, 2, 3]
    assert sheet.table.net is not None
    money = [worth(sheet, stakes) for stakes in sheet.table.net]
    assert money == [Decimal("-4.00"), Decimal("-0.75"), Decimal("-1.75"), Decimal("6.50")]
    assert who_pays(sheet) == (
        StakeTransfer(0, 3, 16),
        StakeTransfer(2, 3, 7),
        StakeTransfer(1, 3, 3),
    )


def test_the_document_shows_that_evening(tmp_path: Path) -> None:
    shown = DOCUMENT.read_text(encoding="utf-8").split("```volte-sheet\n")[1].split("```")[0]
    assert parse_sheet(shown) == evening(tmp_path)
