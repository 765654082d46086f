"""Texts such as records and score sheets: a title, then a statement on each line."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import ClassVar, Final, NoReturn

from volte.cards import Card, CardFault, read_cards
from volte.names import NameFault, clean_name
from volte.notation.record import RecordFault
from volte.rules import Draw, Ruleset, RulesetFault, Score, described, make_ruleset, read_setting

LONGEST_LINE: Final = 4000
"""Characters of a line without its comments; no statement is longer."""

# Possessive, and quotes need no end in comments: no line takes longer than its length (see re).
_LINE: Final = re.compile(r"([^\W\d_]++)\s*+(?:([0-9]{1,6})\s*+)?:\s*(.*)")
# A quote within a word is a value's: removed=["2D","2S"]
_RULES: Final = re.compile(r'((?:[^"\s]++|(?<=\S)"|\s++(?!"))*+)\s*+("(?:[^"\\]++|\\.)*+")?')
_DRAWN: Final = re.compile(r"([0-9]+)\s+(\S+)")
_COMMENT: Final = re.compile(r'("(?:[^"\\]++|\\.)*+"?)|;.*|\{[^{}]*+\}')


class LineReader(ABC):
    """Reader of a text, line by line; each line is judged by the rules when it is read."""

    title: ClassVar[str]  # the first line, without the version
    version: ClassVar[int]  # of the notation
    forms: ClassVar[dict[str, str]]  # every word that a line may begin with, and an example

    def __init__(self) -> None:
        self.line = 0  # number of the present line, from 1
        self.text = ""  # the present line, without comments
        self.titled = False
        self.rules: Ruleset | None = None
        # Consequences of the last line, by label: a text may leave them out, or state them, and
        # then they must be right
        self.consequences: dict[str, str] = {}

    def read_lines(self, text: str) -> None:
        """Read all lines of a text. Raises `RecordFault`."""
        lines = text.split("\n")
        for self.line, line in enumerate(lines, start=1):
            self.text = _COMMENT.sub(lambda found: found[1] or " ", line).strip()
            if not self.text:
                continue
            if self.titled and self.line == len(lines):
                raise RecordFault("unfinished_line", line=self.line, text=self.text)
            if len(self.text) > LONGEST_LINE:
                raise RecordFault("line_too_long", line=self.line, most=LONGEST_LINE)
            if self.titled:
                self._line()
            else:
                self._title()
        if not self.titled:
            raise RecordFault("empty_record", line=1)
        self.line = max(1, self.line - 1)

    def _line(self) -> None:
        found = _LINE.fullmatch(self.text)
        word = found[1].capitalize() if found else ""
        if found is None or word not in self.forms:
            raise RecordFault(
                "unknown_word", line=self.line, text=self.text, expected=self._expected()
            )
        self._statement(word, int(found[2]) if found[2] else None, found[3])

    @abstractmethod
    def _statement(self, word: str, number: int | None, rest: str) -> None:
        """Read a line, given its word, its number and the text behind the colon."""

    @abstractmethod
    def _expected(self) -> tuple[str, ...]:
        """The words that the next line may begin with."""

    @property
    def _seats(self) -> int:
        """The number of seats. Raises `RecordFault` while no rules have been read."""
        if self.rules is None:
            raise RecordFault("header_missing", line=self.line, expected=self.forms["Rules"])
        return self.rules.players

    def _title(self) -> None:
        name, _, version = " ".join(self.text.split()).rpartition(" ")
        if name.casefold() != self.title.casefold():
            expected = f"{self.title} {self.version}"
            raise RecordFault("not_a_record", line=self.line, text=self.text, expected=expected)
        if version != str(self.version):
            raise RecordFault("unknown_version", line=self.line, version=version)
        self.titled = True

    # Faults

    def _malformed(self, word: str) -> NoReturn:
        raise RecordFault("malformed", line=self.line, text=self.text, expected=self.forms[word])

    def _out_of_place(self) -> NoReturn:
        raise RecordFault("out_of_place", line=self.line, text=self.text, expected=self._expected())

    def _agree(self, what: str, written: object, expected: object) -> None:
        """Raise `RecordFault` where the text states something else than the rules lead to."""
        if str(written) != str(expected):
            raise RecordFault(
                "wrong_statement", line=self.line, what=what, written=written, expected=expected
            )

    def _matched(self, pattern: re.Pattern[str], word: str, text: str) -> re.Match[str]:
        """Match a text with a pattern. Raises `RecordFault` with the form of the word."""
        found = pattern.fullmatch(text)
        if found is None:
            self._malformed(word)
        return found

    # Words of a line

    def read_rules(self, _: int | None, rest: str) -> None:
        """Read `Rules: coeurs players=5`, or `Rules: coeurs "Chez Anne"`."""
        options, called = self._matched(_RULES, "Rules", rest).groups("")
        preset, *settings = options.split() or [""]
        if self.rules is not None:
            self._out_of_place()
        try:
            pairs = [read_setting(setting) for setting in settings]
            name = called and clean_name(json.loads(called))
            if len(dict(pairs)) < len(pairs):
                self._malformed("Rules")
            self.rules = replace(make_ruleset(preset, dict(pairs)), name=name)
        except json.JSONDecodeError:
            self._malformed("Rules")
        except (RulesetFault, NameFault) as fault:
            raise RecordFault("bad_rules", line=self.line, fault=fault) from None

    def seat(self, written: object) -> int:
        """The seat of a number from 1."""
        text, players = str(written), self._seats
        if not re.fullmatch("[0-9]{1,2}", text) or not 1 <= int(text) <= players:
            raise RecordFault("no_such_seat", line=self.line, seat=text, players=players)
        return int(text) - 1

    def cards(self, text: str) -> tuple[Card, ...]:
        """The cards of a text, at least one."""
        try:
            cards = read_cards(text)
        except CardFault as fault:
            if fault.reason == "card_twice":
                raise RecordFault("card_twice", line=self.line, **fault.params) from None
            raise RecordFault("no_such_card", line=self.line, **fault.params) from None
        if not cards:
            raise RecordFault("wrong_number", line=self.line, given=0, expected=1)
        return cards

    def _check_seated(self, named: int) -> None:
        """Raise `RecordFault` unless the head has rules, and a name for each of their seats."""
        if named < self._seats:
            raise RecordFault("header_missing", line=self.line, expected=f"Seat {named + 1}")
        self._agree("players", named, self._seats)

    def _unquoted(self, word: str, text: str) -> str:
        """The text that stands in quotes behind a word."""
        if not text.startswith('"'):
            self._malformed(word)
        try:
            return str(json.loads(text))
        except ValueError:
            self._malformed(word)

    def rounds(self, text: str) -> tuple[Draw, ...]:
        """The rounds of lots of a line `Lots: 1 KS, 2 4D, 3 4H / 2 7C, 3 JD`."""
        return tuple(tuple(map(self._lot, each.split(","))) for each in text.split("/"))

    def _lot(self, text: str) -> tuple[int, Card]:
        found = self._matched(_DRAWN, "Lots", text.strip())
        card, *more = self.cards(found[2])
        if more:
            self._malformed("Lots")
        return self.seat(found[1]), card


# Writing

NOBODY: Final = "nobody"
"""Word instead of seats where there are none."""

PASSED_ON: Final = ", passed on"
"""Ending of a first dealer to whom the deal has come from the match before (D2)."""


def rules_statement(rules: Ruleset) -> str:
    """Rules in a line: the preset, the options that differ, and the name that the table gives."""
    preset, differences = described(rules)
    options = (f"{name}={written_value(value)}" for name, value in differences.items())
    return " ".join(["Rules:", preset, *options, *([quoted(rules.name)] if rules.name else [])])


def written_value(value: object) -> str:
    """The value of an option, without spaces."""
    if isinstance(value, list):
        return f"[{','.join(value)}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def quoted(name: str) -> str:
    r"""The name in quotes, on one line: `\"`, `\\`, and `\u0009` for what cannot be seen."""
    plain = (c if c.isprintable() and c not in '"\\' else json.dumps(c)[1:-1] for c in name)
    return f'"{"".join(plain)}"'


def cards_text(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


def numbers_text(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def seat_text(seat: int) -> str:
    """Number of a seat, from 1, as people count."""
    return str(seat + 1)


def seats_text(seats: Iterable[int]) -> str:
    return " ".join(map(seat_text, seats))


def rounds_text(rounds: Iterable[Draw]) -> str:
    """Rounds of lots as a line states them; `LineReader.rounds` reads them back."""
    return " / ".join(
        ", ".join(f"{seat_text(seat)} {card}" for seat, card in drawn) for drawn in rounds
    )


def stakes_text(net: Iterable[int], pot: int | None) -> str:
    """Stakes that each seat has won or lost, and the pot where there is one (M6)."""
    won = " ".join(f"{stakes:+}" if stakes else "0" for stakes in net)
    return won if pot is None else f"{won}, pot {pot}"


def score_parts(scored: Score) -> Iterator[str]:
    """The score of a deal: points, and if there are any, moon, slam, minus and trickless seats.

    >>> ", ".join(score_parts(Score((0, 26, 26, 26), moon=0)))
    '0 26 26 26, moon 1'
    """
    yield numbers_text(scored.points)
    if scored.moon is not None:
        yield f"moon {seat_text(scored.moon)}"
    if scored.slam is not None:
        yield f"slam {seat_text(scored.slam)}"
    if scored.minus:
        yield "minus"
    if scored.trickless:
        yield f"trickless {seats_text(scored.trickless)}"
