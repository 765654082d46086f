"""The rule sheet of one table in plain words, made from its options and nothing else.

`sheet.md` has its sentences, and says how they are written; `facts.py` has the facts for guards.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import IO, Any, Final, NamedTuple

from volte.rules import Irregularities, Ruleset
from volte.say.guarded import NOTHING, Scope, Span, led, spans, standing
from volte.say.rulesheet.facts import fact
from volte.say.rulesheet.phrases import PHRASES
from volte.say.texts import Extracted
from volte.say.words import Words


class RuleLine(NamedTuple):
    """A sentence or two of a rule sheet."""

    text: str
    clauses: tuple[str, ...]  # the clauses of RULES behind it, at least one


class Section(NamedTuple):
    """A part of a rule sheet, never without lines."""

    title: str
    lines: tuple[RuleLine, ...]


@lru_cache(maxsize=256)
def rule_sheet(rules: Ruleset, words: Words, real_cards: bool = False) -> tuple[Section, ...]:
    """The rules of a table, part after part; parts with nothing to say are left out.

    The last 256 sheets asked for are remembered, by ruleset and language.

    Args:
        real_cards: whether people shuffle, play and rule on what goes wrong themselves (I1–I8).
    """
    if real_cards:
        rules = replace(rules, irregularities=Irregularities.REFEREED)
    writer = _Writer(rules, words, real_cards)
    sections = (
        Section(words.t(title), tuple(writer.lines(points)))
        for title, points in _parts().items()
        if title != _OUTCOME
    )
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


def markdown_sheet(sections: Sequence[Section], level: int = 3) -> str:
    """The sheet as Markdown: headings of that level, and a list under each."""
    parts = []
    for section in sections:
        lines = [f"- {line.text}" for line in section.lines]
        parts.append("\n".join(["#" * level + " " + section.title, "", *lines]))
    return "\n\n".join(parts)


def _with_clauses(line: RuleLine, words: Words) -> str:
    return words.t("{text} ({clauses})", text=line.text, clauses=", ".join(line.clauses))


# Reading the text


class Point(NamedTuple):
    """A line of `sheet.md`: its guard, and all clauses and sentences that it may have."""

    guard: str
    clauses: tuple[Span, ...]  # names of clauses, with the guards behind them
    sentences: tuple[Span, ...]  # a sentence or two, in one form, or in two: for one and for many


_TEXT: Final = Path(__file__).with_name("sheet.md")
_OUTCOME: Final = "{outcome}"
"""The heading of the lines on the outcome of a moon, or of a slam that counts as two."""


@cache
def _parts() -> Mapping[str, Sequence[Point]]:
    """The points of each part, by its title."""
    return _read(_TEXT.read_text(encoding="utf-8"))


def _read(text: str) -> dict[str, list[Point]]:
    parts = {}
    for part in text.split("## ")[1:]:
        title, *points = re.split(r"\s*^- ", part, flags=re.MULTILINE)
        parts[title] = [_point(" ".join(point.split())) for point in points]
    return parts


def _point(text: str) -> Point:
    guard, line = led(text)
    clauses, _, sentences = line.partition(": ")
    names = re.findall(r"([A-Z][-\w]*)(?:\[(.+?)\])?", clauses)
    return Point(guard, tuple(Span(under, name) for name, under in names), spans(sentences))


def extract(file: IO[bytes], *_: Any, **options: Any) -> Extracted:
    """The titles and sentences of the text, for Babel, except sentences that are a place alone."""
    for title, points in _read(file.read().decode()).items():
        if title != _OUTCOME:
            yield 0, None, title, ()
        for sentence in (each.words for point in points for each in point.sentences):
            if " | " in sentence:
                yield 0, "n", tuple(sentence.split(" | ")), ()
            elif not re.fullmatch(r"\{\w+\}", sentence):
                yield 0, None, sentence, ()


# Writing the sheet


class _Writer:
    """Writer of the sheet for the rules of one table."""

    def __init__(self, rules: Ruleset, words: Words, real_cards: bool) -> None:
        self._rules = rules
        self._words = words
        self._real_cards = real_cards

    def lines(self, points: Sequence[Point], scope: Scope = NOTHING) -> Iterator[RuleLine]:
        """The lines whose guards hold."""
        for point, inside in standing(points, self._value, scope):
            sentences = standing(point.sentences, self._value, inside)
            clauses = standing(point.clauses, self._value, inside)
            yield RuleLine(
                " ".join(self._said(sentence.words, names) for sentence, names in sentences),
                tuple(clause.words for clause, _ in clauses),
            )

    def _said(self, sentence: str, scope: Scope) -> str:
        """The sentence in the person's language, its places filled, with a capital letter."""
        *one, many = sentence.split(" | ")
        names = [name for _, name, _, _ in Formatter().parse(many) if name]
        params = {name: self._in_place(scope, name) for name in names}
        if one:
            count = next(value for value in params.values() if isinstance(value, int))
            return self._words.n(one[0], many, count, **params)
        return self._words.sentence(self._words.t(many, **params))

    def _in_place(self, scope: Scope, name: str) -> Any:
        """Value for a place in a sentence: a phrase, a fact, or the outcome of a moon."""
        if name in ("outcome_of_moon", "outcome_of_double_slam"):
            times = 1 if name == "outcome_of_moon" else 2
            points = self._words.points(times * self._rules.penalty_total)
            [line] = self.lines(_parts()[_OUTCOME], {"points": points})
            return line.text
        if name in PHRASES and name not in scope:
            return PHRASES[name](self._rules, self._words)
        return self._value(scope, name)

    def _value(self, scope: Scope, name: str) -> Any:
        """Value of a name in a line, or else at the table."""
        if name == "real_cards":
            return self._real_cards
        return scope[name] if name in scope else fact(self._rules, name)
