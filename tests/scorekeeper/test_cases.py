"""The worked cases of cases.txt, each a sheet whose points, totals and stakes have to be right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kit.sheets import NAMES

from volte.notation import RecordFault
from volte.rules import make_ruleset, read_setting
from volte.scorekeeper.model import SheetFault, parse_sheet, to_record

TEXT = Path(__file__).with_name("cases.txt").read_text(encoding="utf-8")
CASES = [case.strip().splitlines() for case in re.split(r"^# ", TEXT, flags=re.MULTILINE)[1:]]


def why(fault: RecordFault) -> str:
    """The reason, and the figures that it names: `hearts_left_out given=3 due=13`."""
    refusal = fault.params.get("refusal")
    if not isinstance(refusal, SheetFault):
        return fault.reason
    figures = (
        f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in refusal.params.items()
    )
    return " ".join((refusal.reason, *figures))


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_worked_cases(case: list[str]) -> None:
    _, rules, *lines = case
    preset, *settings = rules.split()
    players = make_ruleset(preset, dict(map(read_setting, settings))).players
    seats = (f'Seat {seat}: "{name}"' for seat, name in enumerate(NAMES[:players], start=1))
    text = "\n".join(("Volte sheet 1", f"Rules: {rules}", *seats, ""))
    for line in lines:
        statement, _, refusal = line.partition(" -> ")
        if refusal:
            with pytest.raises(RecordFault) as caught:
                parse_sheet(f"{text}{statement}\n")
            assert why(caught.value) == refusal, statement
        else:
            text += f"{statement}\n"
            parse_sheet(text)
    sheet = parse_sheet(text)
    assert parse_sheet(to_record(sheet)) == sheet
