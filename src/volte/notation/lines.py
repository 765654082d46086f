"""What all our texts have in common: a title, then one thing a line, judged as it is read."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import ClassVar, Final, NoReturn

from volte.cards import Card, CardFault, read_cards
from volte.notation.record import RecordFault
from volte.rules import Ruleset, RulesetFault, make_ruleset, read_setting

LONGEST_LINE: Final = 4000
"""Characters of a line without its comments; nothing that there is to tell is longer."""

# Possessive, and quotes need no end in comments: no line takes longer than its length (see re).
_LINE: Final = re.compile(r"([^\W\d_]++)\s*+(?:([0-9]{1,6})\s*+)?:\s*(.*)")
_COMMENT: Final = re.compile(r'("(?:[^"\\]++|\\.)*+"?)|;.*|\{[^{}]*+\}')


class LineReader(ABC):
    """One text on its way to what it tells.

    Attributes:
        title: the first line, without the version.
        version: of the notation.
        forms: every word that a line may begin with, and how such a line looks.
        line: number of the present one, from 1.
        text: the present line, without remarks.
        due: what the last line brought about, by its label: to be told, or left out.
    """

    title: ClassVar[str]
    version: ClassVar[int]
    forms: ClassVar[dict[str, str]]

    def __init__(self) -> None:
        self.line = 0
        self.text = ""
        self.titled = False
        self.rules: Ruleset | None = None
        self.due: dict[str, str] = {}

    def read_lines(self, text: str) -> None:
        """Reads all of it. Raises `RecordFault`."""
        lines = text.split("\n")
        for self.line, line in enumerate(lines, start=1):
            self.text = _COMMENT.sub(lambda found: found[1] or " ", line).strip()
            if not self.text:
                continue
            if self.titled and self.line == len(lines):
                raise RecordFault("unfinished_line", line=self.line, text=self.text)
            if len(self.text) > LONGEST_LINE:
                raise RecordFault("line_too_long", line=self.line, most=LONGEST_LINE)
            self._line()
        if not self.titled:
            raise RecordFault("empty_record", line=1)
        self.line = max(1, self.line - 1)

    def _line(self) -> None:
        if not self.titled:
            self._title()
            return
        found = _LINE.fullmatch(self.text)
        word = found[1].capitalize() if found else ""
        if found is None or word not in self.forms:
            raise RecordFault(
                "unknown_word", line=self.line, text=self.text, expected=self._expected()
            )
        self._told_by(word, int(found[2]) if found[2] else None, found[3])

    @abstractmethod
    def _told_by(self, word: str, number: int | None, rest: str) -> None:
        """What a line says, by its word, its number and what stands behind the colon."""

    @abstractmethod
    def _expected(self) -> tuple[str, ...]:
        """The words that the next line may begin with."""

    @property
    def _seats(self) -> int:
        """How many there are."""
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
        """What is written against what the rules give."""
        if str(written) != str(expected):
            raise RecordFault(
                "wrong_statement", line=self.line, what=what, written=written, expected=expected
            )

    # Words of a line

    def _rules(self, _: int | None, rest: str) -> None:
        preset, *settings = rest.split() or [""]
        if self.rules is not None:
            self._out_of_place()
        try:
            pairs = [read_setting(setting) for setting in settings]
            if len(dict(pairs)) < len(pairs):
                self._malformed("Rules")
            self.rules = make_ruleset(preset, dict(pairs))
        except RulesetFault as fault:
            raise RecordFault("bad_rules", line=self.line, fault=fault) from None

    def _seat(self, written: object) -> int:
        """The seat of a number from 1."""
        text, players = str(written), self._seats
        if not re.fullmatch("[0-9]{1,2}", text) or not 1 <= int(text) <= players:
            raise RecordFault("no_such_seat", line=self.line, seat=text, players=players)
        return int(text) - 1

    def _cards(self, text: str) -> tuple[Card, ...]:
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
