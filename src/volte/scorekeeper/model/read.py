"""Reading sheets as text: every line becomes an act, judged by the rules as it is read."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from volte.cards import JACK, QUEEN, Card, CardFault
from volte.notation.lines import PASSED_ON, LineReader
from volte.notation.record import RecordFault, content_of, plain_text
from volte.referee import Misdeal
from volte.rules import Draw as Round
from volte.scorekeeper.model.decide import decide
from volte.scorekeeper.model.entries import (
    Act,
    Amend,
    Correct,
    Draw,
    Enter,
    Entry,
    LostDeal,
    NameFirstDealer,
    Open,
    Reopen,
    Seal,
    Settle,
    Share,
    SheetFault,
    StoppedDeal,
    Told,
    Undo,
    Undone,
    Unseal,
    played,
)
from volte.scorekeeper.model.sheet import Sheet, evolve
from volte.scorekeeper.model.table import next_number
from volte.scorekeeper.model.write import NOBODY, TITLE, VERSION, consequences

FORMS: Final = {
    "Rules": "Rules: coeurs-moyenne players=5",
    "Seat": 'Seat 1: "Anne"',
    "Title": 'Title: "Sunday"',
    "Date": "Date: 2026-11-21",
    "Stake": "Stake: 0.25",
    "Currency": 'Currency: "EUR"',
    "Pot": "Pot: 25",
    "Seal": "Seal 1: 64 hexadecimal digits",
    "Share": "Share 1: hexadecimal digits",
    "Lots": "Lots 1: 1 KS, 2 4D, 3 4H / 2 7C, 3 JD",
    "Secret": "Secret 1: 64 hexadecimal digits",
    "Dealer": "Dealer: 3",
    "Deal": "Deal 1: hearts 3 4 6 0, queen 2",
    "Misdeal": "Misdeal: exposed",
    "Correct": 'Correct 2: points 0 26 26 26, by "Anne", because "miscounted"',
    "Undo": "Undo: 7",
    "Amend": 'Amend: title "Sunday", stake "0.50"',
    "Settlement": "Settlement: accepted",
    "Points": "Points: 0 26 26 26, moon 1",
    "Totals": "Totals: 0 26 26 26",
    "Winners": "Winners: 1",
    "Stakes": "Stakes: +75 -25 -25 -25",
    "Deals": "Deals: 3",
}
"""Every word that a line may begin with, and how such a line looks."""

_HEADERS: Final = ("Rules", "Seat", "Title", "Date", "Stake", "Currency", "Pot")
_TOLD: Final = ("Points", "Totals", "Winners", "Stakes", "Deals")
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|,|[^\s,"]++|"')
_NUMBER: Final = re.compile(r"[-−+]?[0-9]{1,9}")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})+", re.I)
_DRAWN: Final = re.compile(r"([0-9]{1,2}) (\S+)")

_BEGINNING: Final = 1000
"""Bytes of a file in which a title is looked for."""

Parts = dict[str, list[str]]


def parse_sheet(text: str | bytes) -> Sheet:
    """The sheet that a text tells, every line of it judged. Raises `RecordFault`."""
    return _Reader().read(plain_text(text))


def load_sheet(path: Path) -> Sheet:
    """The sheet that a text file tells. Raises `RecordFault`, also where it cannot be read."""
    return parse_sheet(content_of(path))


def is_sheet(content: bytes) -> bool:
    """Whether a text begins as a sheet does, and not as the record of a match."""
    beginning = content[:_BEGINNING].removeprefix(BOM_UTF8).decode(errors="replace")
    return " ".join(beginning.split()).casefold().startswith(TITLE.casefold())


class _Reader(LineReader):
    """Reads one text, line by line, into a sheet."""

    title: ClassVar[str] = TITLE
    version: ClassVar[int] = VERSION
    forms: ClassVar[dict[str, str]] = FORMS

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.head: dict[str, Any] = {}
        self.opened: Sheet | None = None

    @property
    def sheet(self) -> Sheet:
        assert self.opened is not None
        return self.opened

    def read(self, text: str) -> Sheet:
        self.read_lines(text)
        self._begin()
        return self.sheet

    def _statement(self, word: str, number: int | None, rest: str) -> None:
        plain = " ".join(rest.split())
        if word == "Dealer" and plain.endswith(PASSED_ON) and self.opened is None:
            self._in_head("dealer", self.seat(plain.removesuffix(PASSED_ON)))
            return
        if word in _HEADERS:
            if self.opened is not None:
                self._out_of_place()
            _HEAD_READ[word](self, number, rest)
            return
        self._begin()
        if word in _TOLD:
            if word not in self.consequences:
                self._out_of_place()
            self._agree(word, " ".join(rest.replace("−", "-").split()), self.consequences.pop(word))
            return
        _READ[word](self, number, rest)

    def _expected(self) -> tuple[str, ...]:
        """The words that the next line may begin with."""
        if self.opened is None:
            return _HEADERS
        if self.opened.accepted:
            return ("Settlement",)
        known = (*_HEADERS, *_TOLD)
        return (*self.consequences, *(word for word in FORMS if word not in known))

    # The head

    def _sits(self, number: int | None, rest: str) -> None:
        self._agree("Seat", number, len(self.names) + 1)
        self.names.append(self._unquoted("Seat", rest))

    def _in_head(self, word: str, value: str | int) -> None:
        if word in self.head:
            self._out_of_place()
        self.head[word] = value

    def _sheet_title(self, _: int | None, rest: str) -> None:
        self._in_head("title", self._unquoted("Title", rest))

    def _date(self, _: int | None, rest: str) -> None:
        self._in_head("date", rest)

    def _stake(self, _: int | None, rest: str) -> None:
        self._in_head("stake", rest)

    def _currency(self, _: int | None, rest: str) -> None:
        self._in_head("currency", self._unquoted("Currency", rest))

    def _pot(self, _: int | None, rest: str) -> None:
        if not re.fullmatch("[0-9]{1,15}", rest):
            self._malformed("Pot")
        self._in_head("pot", int(rest))

    def _begin(self) -> None:
        """Opens the sheet, once its head has been told."""
        if self.opened is not None:
            return
        if self.rules is None:
            raise RecordFault("header_missing", line=self.line, expected=FORMS["Rules"])
        if len(self.names) < self.rules.players:
            expected = f"Seat {len(self.names) + 1}"
            raise RecordFault("header_missing", line=self.line, expected=expected)
        self._agree("players", len(self.names), self.rules.players)
        self._act(Open(self.rules, tuple(self.names), **self.head))

    # The lines of the sheet

    def _deal(self, number: int | None, rest: str) -> None:
        due = next_number(self.sheet.table)
        self._agree("Deal", number or due, due)
        parts = self._parts("Deal", rest)
        told = self._told("Deal", parts)
        self._all_read("Deal", parts)
        self._act(Enter(told))

    def _misdeal(self, _: int | None, rest: str) -> None:
        self._act(Enter(LostDeal(self._cause("Misdeal", rest))))

    def _correct(self, number: int | None, rest: str) -> None:
        if number is None:
            self._malformed("Correct")
        parts = self._parts("Correct", rest)
        by, why = self._remark("Correct", parts)
        told = None if parts == {"struck": []} else self._told("Correct", parts)
        self._all_read("Correct", parts if told is not None else {})
        self._act(Correct(number, told, by, why))

    def _told(self, word: str, parts: Parts) -> Told:
        missing = self.cards(" ".join(parts.pop("missing"))) if "missing" in parts else ()
        took: dict[Card, tuple[int, ...]] = {}
        queen = self._single(word, parts, "queen", QUEEN, took)
        jack = self._single(word, parts, "jack", JACK, took)
        slam, minus = self._taker(word, parts, "slam"), self._minus(word, parts)
        trickless = self._trickless(word, parts)
        counts = {name: parts.pop(name) for name in ("hearts", "points") if name in parts}
        took |= self._others(word, parts)
        if len(counts) > 1 or ("points" in counts and queen is not None):
            self._malformed(word)
        for name, texts in counts.items():
            return played(
                self._numbers(word, texts),
                took,
                by_points=name == "points",
                queen=queen,
                jack=jack,
                all_tricks=slam,
                missing=missing,
                trickless=trickless,
                minus=minus,
            )
        if missing or took or {queen, jack, slam, trickless, minus} != {None}:
            self._malformed(word)
        if "misdeal" in parts:
            return LostDeal(self._cause(word, " ".join(parts.pop("misdeal"))))
        if not parts.keys() & {"revoked", "mixed"}:
            self._malformed(word)
        return StoppedDeal(
            *(
                tuple(self.seat(seat) for seat in parts.pop(kind, []))
                for kind in ("revoked", "mixed")
            )
        )

    def _cause(self, word: str, text: str) -> Misdeal:
        try:
            return Misdeal(text)
        except ValueError:
            self._malformed(word)

    def _undo(self, _: int | None, rest: str) -> None:
        entry = self._act(Undo())
        assert isinstance(entry, Undone)
        self._agree("Undo", rest, entry.number)

    def _amend(self, _: int | None, rest: str) -> None:
        parts = self._parts("Amend", rest)
        fields: dict[str, Any] = {}
        for name, values in parts.items():
            told = [self._unquoted("Amend", value) for value in values]
            if name == "names":
                fields[name] = tuple(told)
            elif name in ("title", "stake", "currency", "date") and len(told) == 1:
                fields[name] = told[0]
            else:
                self._malformed("Amend")
        self._act(Amend(**fields))

    def _settlement(self, _: int | None, rest: str) -> None:
        parts = self._parts("Settlement", rest)
        if parts == {"accepted": []}:
            self._act(Settle())
        elif parts.pop("reopened", None) == []:
            by, why = self._remark("Settlement", parts)
            self._all_read("Settlement", parts)
            self._act(Reopen(by, why))
        else:
            self._malformed("Settlement")

    def _remark(self, word: str, parts: Parts) -> tuple[str, str]:
        """Who, and why."""
        told = [parts.pop(name, ['""']) for name in ("by", "because")]
        if any(len(values) != 1 for values in told):
            self._malformed(word)
        by, why = (self._unquoted(word, values[0]) for values in told)
        return by, why

    # Lots

    def _dealer(self, _: int | None, rest: str) -> None:
        self._act(NameFirstDealer(self.seat(rest)))

    def _seal(self, number: int | None, rest: str) -> None:
        if number is None:
            self._malformed("Seal")
        self._act(Seal(number, self._bytes("Seal", rest)))

    def _share(self, number: int | None, rest: str) -> None:
        self._act(Share(self.seat(number), self._bytes("Share", rest)))

    def _secret(self, number: int | None, rest: str) -> None:
        if number is None:
            self._malformed("Secret")
        self._act(Unseal(number, self._bytes("Secret", rest)))

    def _lots(self, number: int | None, rest: str) -> None:
        rounds = tuple(self._draw(part) for part in rest.split("/"))
        self._act(Draw(rounds, number or 0))

    def _draw(self, text: str) -> Round:
        drawn = []
        for part in text.split(","):
            found = _DRAWN.fullmatch(" ".join(part.split()))
            if found is None:
                self._malformed("Lots")
            card, *more = self.cards(found[2])
            if more:
                self._malformed("Lots")
            drawn.append((self.seat(found[1]), card))
        return tuple(drawn)

    # Words of a line, and what comes of it

    def _parts(self, word: str, rest: str) -> Parts:
        """`hearts 3 4 6 0, queen 2` as what follows each first word."""
        parts: Parts = {}
        for tokens in _split(_TOKEN.findall(rest)):
            if not tokens or tokens[0].lower() in parts or tokens[0].startswith('"'):
                self._malformed(word)
            parts[tokens[0].lower()] = tokens[1:]
        return parts

    def _all_read(self, word: str, parts: Parts) -> None:
        if parts:
            self._malformed(word)

    def _numbers(self, word: str, texts: Sequence[str]) -> tuple[int, ...]:
        if not all(map(_NUMBER.fullmatch, texts)):
            self._malformed(word)
        return tuple(int(text.replace("−", "-")) for text in texts)

    def _taker(self, word: str, parts: Parts, name: str) -> int | None:
        if name not in parts:
            return None
        if len(told := parts.pop(name)) != 1:
            self._malformed(word)
        return self.seat(told[0])

    def _single(
        self, word: str, parts: Parts, name: str, card: Card, took: dict[Card, tuple[int, ...]]
    ) -> int | None:
        """The one who took a card; None where two took those of two packs, who are added."""
        if len(parts.get(name, ())) < 2:
            return self._taker(word, parts, name)
        took[card] = tuple(map(self.seat, parts.pop(name)))
        return None

    def _others(self, word: str, parts: Parts) -> dict[Card, tuple[int, ...]]:
        """`ks 1, td 3`: who took cards that have no word of their own."""
        took = {}
        for name in list(parts):
            try:
                card = Card(name)
            except CardFault:
                continue
            if card.rank is None or card.pack:
                continue
            took[card] = tuple(map(self.seat, parts.pop(name)))
            if not took[card]:
                self._malformed(word)
        return took

    def _trickless(self, word: str, parts: Parts) -> tuple[int, ...] | None:
        told = parts.pop("trickless", None)
        if told is None:
            return None
        if not told:
            self._malformed(word)
        return () if told == [NOBODY] else tuple(map(self.seat, told))

    def _minus(self, word: str, parts: Parts) -> bool | None:
        """Which way a moon counts."""
        told = [name for name in ("minus", "plus") if name in parts]
        if len(told) > 1 or any(parts.pop(name) for name in told):
            self._malformed(word)
        return told == ["minus"] if told else None

    def _bytes(self, word: str, text: str) -> bytes:
        if not _HEX.fullmatch(text):
            self._malformed(word)
        return bytes.fromhex(text)

    def _unquoted(self, word: str, text: str) -> str:
        if not text.startswith('"'):
            self._malformed(word)
        try:
            return str(json.loads(text))
        except ValueError:
            self._malformed(word)

    def _act(self, act: Act) -> Entry:
        outcome = decide(self.opened, act)
        if isinstance(outcome, SheetFault):
            raise RecordFault("refused", line=self.line, text=self.text, refusal=outcome)
        (entry,) = outcome
        self.opened = evolve(self.opened, entry)
        self.consequences = dict(consequences(entry, self.opened))
        return entry


def _split(tokens: Sequence[str]) -> list[list[str]]:
    """The tokens between commas."""
    groups: list[list[str]] = [[]]
    for token in tokens:
        if token == ",":
            groups.append([])
        else:
            groups[-1].append(token)
    return groups


_HEAD_READ: Final[dict[str, Callable[[Any, int | None, str], None]]] = {
    "Rules": _Reader.read_rules,
    "Seat": _Reader._sits,
    "Title": _Reader._sheet_title,
    "Date": _Reader._date,
    "Stake": _Reader._stake,
    "Currency": _Reader._currency,
    "Pot": _Reader._pot,
}

_READ: Final[dict[str, Callable[[Any, int | None, str], None]]] = {
    "Seal": _Reader._seal,
    "Share": _Reader._share,
    "Lots": _Reader._lots,
    "Secret": _Reader._secret,
    "Dealer": _Reader._dealer,
    "Deal": _Reader._deal,
    "Misdeal": _Reader._misdeal,
    "Correct": _Reader._correct,
    "Undo": _Reader._undo,
    "Amend": _Reader._amend,
    "Settlement": _Reader._settlement,
}
