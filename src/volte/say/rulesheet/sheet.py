"""The rule sheet of one table in plain words, made from its options and nothing else."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from volte.rules import Ruleset
from volte.say.rulesheet.count import counting, ending
from volte.say.rulesheet.moon import moon_and_slam
from volte.say.rulesheet.parts import RuleLine, Section
from volte.say.rulesheet.play import play
from volte.say.rulesheet.stakes import claim_and_undo, irregularities, stakes
from volte.say.rulesheet.table import aim, cards, deal, exchange
from volte.say.words import N_, Words

Part = Callable[[Ruleset, Words], Iterator[RuleLine]]

_PARTS: Final[tuple[tuple[str, Part], ...]] = (
    (N_("The aim"), aim),
    (N_("Players and cards"), cards),
    (N_("The deal"), deal),
    (N_("The pass"), exchange),
    (N_("The play"), play),
    (N_("The counting"), counting),
    (N_("Taking everything"), moon_and_slam),
    (N_("The end of the match"), ending),
    (N_("The stakes"), stakes),
    (N_("Irregularities"), irregularities),
    (N_("Claim and undo"), claim_and_undo),
)


@lru_cache(maxsize=256)
def rule_sheet(rules: Ruleset, words: Words) -> tuple[Section, ...]:
    """What this table plays by, part after part; parts with nothing to say are left out.

    The last 256 sheets asked for are remembered, by ruleset and language.
    """
    sections = (Section(words.t(title), tuple(part(rules, words))) for title, part in _PARTS)
    return tuple(section for section in sections if section.lines)


def format_sheet(
    sections: Sequence[Section], words: Words, width: int | None = None, clauses: bool = False
) -> str:
    """The sheet as plain lines that read well aloud: headings alone on a line, no drawing.

    Args:
        width: columns to wrap at; None leaves every sentence on one line.
        clauses: whether each line ends with its clauses, "(T5)".
    """
    parts = []
    for section in sections:
        lines = [_with_clauses(line, words) if clauses else line.text for line in section.lines]
        if width is not None:
            lines = [textwrap.fill(line, width, break_on_hyphens=False) for line in lines]
        parts.append("\n".join([section.title, *lines]))
    return "\n\n".join(parts)


def markdown_sheet(sections: Sequence[Section], words: Words, level: int = 3) -> str:
    """The sheet as Markdown with clauses: headings of that level, and a list under each."""
    parts = []
    for section in sections:
        lines = [f"- {_with_clauses(line, words)}" for line in section.lines]
        parts.append("\n".join(["#" * level + " " + section.title, "", *lines]))
    return "\n\n".join(parts)


def _with_clauses(line: RuleLine, words: Words) -> str:
    return words.t("{text} ({clauses})", text=line.text, clauses=", ".join(line.clauses))
