"""The clerk's texts, one Markdown file for each language, and the answers made from them. A country
has a list of the phrases that it says otherwise, `phrase = phrase there`, replaced one by one.

A heading `# name: what has happened` opens the text of a situation; after `>` come the words by
which people look for it, beginning with its name in that language. Its parts follow under the
headings of `HEADINGS` in the language of the file; under `###` come the cases of what to do. A
heading `# {name}` opens a passage shared by several texts: it replaces `{name}` in them.

Words that depend on the rules of the table are a place, `{kitty}`, or follow a guard (see
`say/guarded.py`) before a heading or before words; a guard without words stands for the whole
point, `[each other_cards]` in front of all. `facts` defines the names. If a situation has several
texts, the first one whose guard holds is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from string import Formatter
from typing import Any, Final, NamedTuple

from volte.rules import Ruleset
from volte.say import Words
from volte.say.catalogue import chain
from volte.say.guarded import NOTHING, Scope, Span, holds, led, spans, standing
from volte.say.language import N_
from volte.scorekeeper.clerk.facts import value_of

FOLDER: Final = Path(__file__).parent
HEADINGS: Final = {
    "do": N_("What to do"),
    "deadline": N_("How long you have"),
    "price": N_("What it costs"),
    "exempt": N_("Not to be confused with"),
    "example": N_("An example"),
    "silent": N_("What the rules leave open"),
    "clauses": N_("What the rules say"),
}
"""Headings of the parts of an answer, in order."""


class Case(NamedTuple):
    """The steps to take in one case of a situation."""

    when: str  # the condition of the case; empty where there is only one
    steps: tuple[str, ...]


class Ruling(NamedTuple):
    """The clerk's answer on one situation, for the rules of one table."""

    short: str  # the ruling in a sentence or two
    cases: tuple[Case, ...]  # at least one
    deadline: str  # the last moment at which it can be done
    price: str  # its cost, in the figures of the table
    exempt: tuple[str, ...]  # things that do not count as this situation
    example: str
    clauses: tuple[str, ...]  # ids of the rules behind it, at least one
    silent: tuple[str, ...] = ()  # points that the rules leave open, and what people do then


# Reading the files


class Paragraph(NamedTuple):
    """A paragraph, or a point of a list; it is left out where none of its words stand."""

    guard: str
    spans: tuple[Span, ...]


class Block(NamedTuple):
    """A heading, and the text below it up to the next one."""

    level: int
    guard: str
    heading: str
    points: tuple[Paragraph, ...]


class Text(NamedTuple):
    """The text of one situation, or a passage shared by several texts."""

    title: str  # the event, in a sentence; empty for a passage
    also: tuple[str, ...]  # search words, beginning with its name in the language
    parts: tuple[Block, ...]


@cache
def texts_in(lang: str) -> Mapping[str, list[Text]]:
    """All texts of a language, by the name of the situation or `{passage}`."""
    texts: dict[str, list[Text]] = {}
    for written in re.split(r"^(?=# )", written_in(lang), flags=re.M)[1:]:
        also = re.search(r"^> (.*)\n", written, flags=re.M)
        parts = re.split(r"^(?=#)", written.replace(also[0], "") if also else written, flags=re.M)
        opening, *others = map(_block, parts[1:])
        name, _, title = opening.heading.partition(": ")
        text = Text(title, tuple(also[1].split(", ")) if also else (), (opening, *others))
        texts.setdefault(name, []).append(text)
    return texts


def written_in(lang: str) -> str:
    """The texts of a language as they are written; for a country, with its own phrases in them."""
    own, *others = chain(lang)
    if not others:
        return (FOLDER / f"{own}.md").read_text(encoding="utf-8")
    text = written_in(others[0])
    for line in (FOLDER / f"{own}.txt").read_text(encoding="utf-8").splitlines():
        phrase, _, here = line.partition(" = ")
        for said, there in ((phrase, here), (_capital(phrase), _capital(here))):
            words = r"\s+".join(map(re.escape, said.split()))
            text = re.sub(rf"\b{words}\b", there, text)
    return text


def _capital(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]


def _block(text: str) -> Block:
    heading, _, body = text.partition("\n")
    marks, _, title = heading.partition(" ")
    points = re.split(r"^(?:- |1\. )", body, flags=re.M)
    return Block(
        len(marks), *led(title), tuple(_paragraph(point) for point in points if point.strip())
    )


def _paragraph(text: str) -> Paragraph:
    first, *others = spans(text)
    return Paragraph("", (first, *others)) if first.words else Paragraph(first.guard, tuple(others))


# Making answers from them


def answer(name: str, rules: Ruleset, words: Words) -> Ruling:
    """The ruling on a situation, by name, for rules under which it can happen."""
    writer = _Writer(rules, words)
    opening, *parts = next(
        text.parts
        for text in writer.texts[name]
        if holds(text.parts[0].guard, partial(writer.value, NOTHING))
    )
    keys = {words.t(heading): key for key, heading in HEADINGS.items()}
    found: dict[str, tuple[str, ...]] = {}
    cases = []
    for part, scope in standing(parts, writer.value):
        lines = tuple(writer.lines(part, scope))
        if part.level == 2:
            found[keys[part.heading]] = lines
        else:
            cases.append(Case(writer.filled(part.heading, scope), lines))
    return Ruling(
        short=" ".join(writer.lines(opening)),
        cases=tuple(cases) or (Case("", found["do"]),),
        deadline=" ".join(found["deadline"]),
        price=" ".join(found["price"]),
        exempt=found.get("exempt", ()),
        example=" ".join(found["example"]),
        clauses=tuple(" ".join(found["clauses"]).split()),
        silent=found.get("silent", ()),
    )


class _Writer(Formatter):
    """Writer of the answers for the rules of one table."""

    def __init__(self, rules: Ruleset, words: Words) -> None:
        self.rules = rules
        self.words = words
        self.texts = texts_in(words.lang)

    def lines(self, part: Block, scope: Scope = NOTHING) -> Iterator[str]:
        """The paragraphs and points whose guards hold at this table, each on one line."""
        for point, inside in standing(part.points, self.value, scope):
            words = (
                self.filled(span.words, names)
                for span, names in standing(point.spans, self.value, inside)
            )
            if line := " ".join(filter(None, words)):
                yield line

    def filled(self, text: str, scope: Scope) -> str:
        """The text with the values of its places."""
        return self.vformat(text, (), scope).rstrip(" ")  # a passage at its end may be empty

    def value(self, scope: Scope, name: str) -> Any:
        """The value of a name: of the scope, a passage, or a fact of the rules."""
        if name in scope:
            return scope[name]
        if passage := self.texts.get(f"{{{name}}}"):
            return " ".join(self.lines(passage[0].parts[0], scope))
        return value_of(self.rules, name)

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The value of a place; `vformat` calls this with the scope."""
        return self.value(kwargs, str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value in words; several counts of points are joined by "or"."""
        if isinstance(value, list) and format_spec == "points":
            or_else = self.words.grammar.vocabulary.conjunctions[True]
            return f" {or_else} ".join(map(self.words.points, value))
        return self.words.format_field(value, format_spec)
