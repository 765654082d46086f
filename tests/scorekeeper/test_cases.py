"""The worked cases of cases.txt: sheets, with points, totals and stakes checked by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest
from kit.sentences import ENGLISH, FRENCH
from kit.sheets import NAMES, rules_of, why

from volte.notation import RecordFault
from volte.scorekeeper import model

TEXT = Path(__file__).with_name("cases.txt").read_text(encoding="utf-8")
CASES = [case.strip().splitlines() for case in re.split(r"^# ", TEXT, flags=re.MULTILINE)[1:]]

PARTS: Final[dict[str, Callable[[model.Sheet], Sequence[object]]]] = {
    "row": lambda sheet: sheet.table.rows,
    "lots": model.lots_due,
    "standing": lambda sheet: model.standings(sheet.rules, sheet.table),
    "sheet": lambda sheet: (sheet,),
    "table": lambda sheet: (sheet.table,),
    "next": lambda sheet: (model.coming(sheet),),
    "summary": lambda sheet: (model.summary(sheet),),
}
"""First word of a line like `= row 2 kind=struck` → the objects that it numbers."""

SEATS: Final = {
    *("dealer", "cutter", "eldest", "leaders", "halved", "tied"),
    *("revoked", "mixed", "seats", "seat"),
}


def fields(sheet: model.Sheet, line: str) -> str:
    """A line like `row 2 kind=played dealer=3`, with the values of the sheet."""
    names = re.findall(r"(\w+)=", line)
    part, _, place = line.partition(f" {names[0]}=")[0].partition(" ")
    found = PARTS[part](sheet)[int(place or 1) - 1]
    shown = (f"{name}={field(name, getattr(found, name))}" for name in names)
    return " ".join(filter(None, (part, place, *shown)))


def field(name: str, value: object) -> str:
    """The text of a value: seats count from 1, a dash for none."""
    several = value if isinstance(value, tuple) else (value,)
    there = (each for each in several if each not in (None, ""))
    return ",".join(str(each + 1 if name in SEATS else each) for each in there) or "-"


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_worked_cases(case: list[str]) -> None:
    _, rules, *lines = case
    names = NAMES[: rules_of(rules).players]
    seats = (f'Seat {seat}: "{name}"' for seat, name in enumerate(names, start=1))
    text = "\n".join(("Volte sheet 1", f"Rules: {rules}", *seats, ""))
    for line in lines:
        statement, _, refusal = line.partition(" -> ")
        if refusal:
            with pytest.raises(RecordFault) as caught:
                model.parse_sheet(f"{text}{statement}\n")
            fault = caught.value.params.get("refusal")
            reason = why(fault) if isinstance(fault, model.SheetFault) else caught.value.reason
            assert (reason, caught.value.line) == (refusal, len(text.split("\n")))
            for words in (ENGLISH, FRENCH):
                assert re.fullmatch(r"[^{}]+[.?!”»]", words.fault(caught.value))
        elif statement.startswith("= "):
            assert f"= {fields(model.parse_sheet(text), statement[2:])}" == statement
        else:
            text += f"{statement}\n"
            model.parse_sheet(text)
    sheet = model.parse_sheet(text)
    assert model.parse_sheet(model.to_record(sheet)) == sheet
