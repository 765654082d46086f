"""Every fault of a sheet has a sentence of its own, in both languages."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from scoresheet.sheets import NAMES, hearts, open_sheet, points, refused, rules_of

import volte.say
from volte.say import Words
from volte.say.faults.sheets import SHEET_FAULTS
from volte.scorekeeper.model import Enter, Open, Told


def test_no_other_fault_has_the_same_name() -> None:
    """A name that is in two registers would get the wrong sentence."""
    for path in Path(volte.say.__file__).parent.rglob("*.py"):
        if path.name == "sheets.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict):
                names = {key.value for key in node.keys if isinstance(key, ast.Constant)}
                assert not names & SHEET_FAULTS.keys(), path


@pytest.mark.parametrize(
    ("told", "english", "french"),
    [
        (
            hearts("3 4 7 0", queen=1),
            "Hearts told: 14, and there are 13. Count again.",
            "Cœurs comptés\u00a0: 14, et il y en a 13. Recomptez.",
        ),
        (
            points("0 25 25 24"),
            "The points add up to 74, and should add up to 25, or to 75 after a moon. Count again.",
            "Les points font 74, et devraient faire 25, ou 75 après une volte. Recomptez.",
        ),
        (
            hearts("3 4 6 0"),
            "Who has taken the queen of spades? Name one player.",
            "Qui a pris la dame de pique\u00a0? Nommez un joueur.",
        ),
    ],
)
def test_what_cannot_be_is_told(told: Told, english: str, french: str) -> None:
    fault = refused(open_sheet(rules_of("coeurs")), Enter(told))
    assert (Words("en").fault(fault), Words("fr").fault(fault)) == (english, french)


def test_a_long_wrong_text_is_told_short() -> None:
    fault = refused(None, Open(rules_of("coeurs"), NAMES[:4], title="x" * 5000))
    assert len(Words("en").fault(fault)) < 150
