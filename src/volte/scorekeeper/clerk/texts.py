"""The clerk's texts, one Markdown file for each language, and the answers made from them.

A heading `# name: what has happened` opens the text of a situation; after `>` stand the words by
which people look for it, first of all its name in that language. Its parts follow under the
headings of `HEADINGS` in the language of the file; under `###` stand the cases of what to do. A
heading `# {name}` opens a passage that several texts need: it goes where `{name}` stands.

Whatever depends on the rules of the table is a place, `{kitty}`, or has a guard before it,
`[kitty, not removed]`: a heading, or the words up to the next guard, count only where all of these
conditions hold. `[each other_cards]` repeats a point for each of them. `facts` says what the names
mean; `[slam=double]` asks for the value of an option. Where a situation has several texts, the
first one counts whose guard holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from volte.rules import Ruleset
from volte.say import Words
from volte.say.language import N_
from volte.say.rulesheet.facts import holds
from volte.scorekeeper.clerk.facts import value_of

FOLDER: Final = Path(__file__).parent
HEADINGS: Final = {
    "do": N_("What to do"),
    "deadline": N_("Until when"),
    "price": N_("What it costs"),
    "exempt": N_("What does not count as this"),
    "example": N_("An example"),
    "silent": N_("What the rules leave open"),
    "clauses": N_("What the rules say"),
}
"""The parts of an answer, in order."""


class Case(NamedTuple):
    """What to do in one case, step by step."""

    when: str  # what tells the case apart; empty where there is only one
    steps: tuple[str, ...]


class Ruling(NamedTuple):
    """What the clerk says of one situation at one table."""

    short: str  # the ruling in a sentence or two
    cases: tuple[Case, ...]  # at least one
    deadline: str  # until when it can be done
    price: str  # what it costs, in the figures of the table
    exempt: tuple[str, ...]  # what is taken for it, and is not
    example: str
    clauses: tuple[str, ...]  # the rules behind it, at least one
    silent: tuple[str, ...] = ()  # what the rules leave open, and what people do then


# Reading the files


class Span(NamedTuple):
    """Words that are said only where their guard holds."""

    guard: str
    words: str


Point = tuple[Span, ...]
"""A paragraph, or a point of a list."""


class Block(NamedTuple):
    """A heading, and what stands below it up to the next one."""

    level: int
    guard: str
    heading: str
    points: tuple[Point, ...]


class Text(NamedTuple):
    """The text of one situation, or a passage that goes into several texts."""

    title: str  # what has happened
    also: tuple[str, ...]  # other words by which people look for it
    parts: tuple[Block, ...]


@cache
def texts_in(lang: str) -> Mapping[str, list[Text]]:
    """All texts of a language: those of each situation, and that of each `{passage}`."""
    texts: dict[str, list[Text]] = {}
    file = (FOLDER / f"{lang}.md").read_text(encoding="utf-8")
    for written in re.split(r"^(?=# )", file, flags=re.M)[1:]:
        also = re.search(r"^> (.*)\n", written, flags=re.M)
        parts = re.split(r"^(?=#)", written.replace(also[0], "") if also else written, flags=re.M)
        opening, *others = map(_block, parts[1:])
        name, _, title = opening.heading.partition(": ")
        text = Text(title, tuple(also[1].split(", ")) if also else (), (opening, *others))
        texts.setdefault(name, []).append(text)
    return texts


def _block(text: str) -> Block:
    heading, _, body = text.partition("\n")
    found = re.fullmatch(r"(#+) (?:\[(.+?)\] )?(.*)", heading)
    assert found is not None
    points = re.split(r"^(?:- |1\. )", body, flags=re.M)
    return Block(
        level=len(found[1]),
        guard=found[2] or "",
        heading=found[3],
        points=tuple(_point(point) for point in points if point.strip()),
    )


def _point(text: str) -> Point:
    on_one_line = re.sub(r"[ \n]+", " ", text).strip(" ")  # spaces that cannot break stay
    spans = re.findall(r"(?:\[(.+?)\])? ?([^\[]+|$)", on_one_line)
    return tuple(Span(guard, words.strip(" ")) for guard, words in spans if guard or words)


# Making answers of them


def answer(name: str, rules: Ruleset, words: Words) -> Ruling:
    """What to do in the situation of that name, at a table where it can arise."""
    writer = _Writer(rules, words)
    opening, *parts = next(
        text.parts for text in writer.texts[name] if holds(text.parts[0].guard, writer.value)
    )
    keys = {words.t(heading): key for key, heading in HEADINGS.items()}
    found: dict[str, tuple[str, ...]] = {}
    cases = []
    for part in parts:
        if part.level == 2:
            found[keys[part.heading]] = tuple(writer.lines(part))
        elif holds(part.guard, writer.value):
            cases.append(Case(writer.filled(part.heading), tuple(writer.lines(part))))
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
    """Fills in the texts for the rules of one table.

    Args:
        scope: what names mean in one point alone.
    """

    def __init__(
        self, rules: Ruleset, words: Words, scope: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        self.rules = rules
        self.words = words
        self.scope = scope
        self.texts = texts_in(words.lang)

    def lines(self, part: Block) -> Iterator[str]:
        """The paragraphs and points whose guards hold at this table."""
        for point in part.points:
            first, *others = point
            if first.guard.startswith("each "):
                repeated = self.value(first.guard.removeprefix("each "))
                lines = [_Writer(self.rules, self.words, each).line(others) for each in repeated]
            else:
                lines = [self.line(point)]
            yield from filter(None, lines)

    def line(self, point: Sequence[Span]) -> str:
        """A point on one line, without the words whose guards do not hold; empty where none do."""
        words = (self.filled(each.words) for each in point if holds(each.guard, self.value))
        return " ".join(filter(None, words))

    def filled(self, text: str) -> str:
        """The text, with what stands in its places."""
        return self.vformat(text, (), {}).rstrip(" ")  # a passage at its end may be empty

    def value(self, name: str) -> Any:
        """What a name means at this table."""
        if name in self.scope:
            return self.scope[name]
        if passage := self.texts.get(f"{{{name}}}"):
            return " ".join(self.lines(passage[0].parts[0]))
        return value_of(self.rules, name)

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The value of a place; called by `vformat`."""
        return self.value(str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value in words; of several counts of points, any of them."""
        if isinstance(value, list) and format_spec == "points":
            or_else = self.words.grammar.vocabulary.conjunctions[True]
            return f" {or_else} ".join(map(self.words.points, value))
        return self.words.format_field(value, format_spec)
