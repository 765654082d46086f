"""How the tests of rule sheets read them."""

from __future__ import annotations

import re

import pytest

from volte.rules import Ruleset
from volte.say import Words
from volte.say.rulesheet.sheet import format_sheet, rule_sheet

ENGLISH, FRENCH = Words("en"), Words("fr")
languages = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])


def sheet_text(rules: Ruleset, words: Words = ENGLISH, clauses: bool = False) -> str:
    return format_sheet(rule_sheet(rules, words), words, clauses=clauses)


def lines_on(rules: Ruleset, clause: str, words: Words = ENGLISH) -> str:
    """Everything that the sheet says under that clause."""
    sections = rule_sheet(rules, words)
    return " ".join(
        line.text for section in sections for line in section.lines if clause in line.clauses
    )


def numbers(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)]


def signed(text: str) -> list[int]:
    return [
        int(number.replace(",", "").replace("−", "-")) for number in re.findall(r"−?\d[\d,]*", text)
    ]
