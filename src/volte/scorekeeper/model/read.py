"""Reader of sheets as text: every line becomes an act, judged by the rules as it is read."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import Any, ClassVar, Final, NoReturn

from volte.cards import JACK, QUEEN, Card, CardFault
from volte.notation.lines import NOBODY, PASSED_ON, LineReader
from volte.notation.record import RecordFault, plain_text
from volte.referee import Misdeal
from volte.scorekeeper.model import entries
from volte.scorekeeper.model.decide import decide
from volte.scorekeeper.model.sheet import Sheet, evolve
from volte.scorekeeper.model.table import next_number
from volte.scorekeeper.model.write import TITLE, VERSION, consequences

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
"""First word of a line → an example of such a line."""

_HEADERS: Final = ("Rules", "Seat", "Title", "Date", "Stake", "Currency", "Pot")
_CONSEQUENCES: Final = ("Points", "Totals", "Winners", "Stakes", "Deals")
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|,|[^\s,"]++|"')
_NUMBER: Final = re.compile(r"[-−+]?[0-9]{1,9}")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})+", re.I)

_BEGINNING: Final = 1000
"""Bytes at the start of a file that are searched for a title."""

Parts = dict[str, list[str]]
"""The parts of a line like `hearts 3 4 6 0, queen 2`: first word → the words after it."""


def parse_sheet(text: str | bytes) -> Sheet:
    """Read a sheet from text, every line judged. Raises `RecordFault`."""
    return _Reader().read(plain_text(text))


def is_sheet(content: bytes) -> bool:
    """Whether a text begins with the title of a sheet, not of the record of a match."""
    beginning = content[:_BEGINNING].removeprefix(BOM_UTF8).decode(errors="replace")
    return " ".join(beginning.split()).casefold().startswith(TITLE.casefold())


class _Reader(LineReader):
    """Reads one text, line by line, into a sheet."""

    title: ClassVar[str] = TITLE
    version: ClassVar[int] = VERSION
    forms: ClassVar[dict[str, str]] = FORMS

    def __init__(self) -> None:
        super().__init__()
        self.word = ""  # the first word of the present line
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
        self.word = word
        plain = " ".join(rest.split())
        if word == "Dealer" and plain.endswith(PASSED_ON) and self.opened is None:
            self._in_head("dealer", self.seat(plain.removesuffix(PASSED_ON)))
        elif word in _HEADERS:
            if self.opened is not None:
                self._out_of_place()
            self._header(number, rest)
        else:
            self._begin()
            if word not in _CONSEQUENCES:
                self._line_of_sheet(number, rest)
            elif word in self.consequences:
                self._agree(word, plain.replace("−", "-"), self.consequences.pop(word))
            else:
                self._out_of_place()

    def _expected(self) -> tuple[str, ...]:
        """The words that the next line may begin with."""
        if self.opened is None:
            return _HEADERS
        if self.opened.accepted:
            return ("Settlement",)
        known = (*_HEADERS, *_CONSEQUENCES)
        return (*self.consequences, *(word for word in FORMS if word not in known))

    def _wrong(self) -> NoReturn:
        self._malformed(self.word)

    # The head

    def _header(self, number: int | None, rest: str) -> None:
        match self.word:
            case "Rules":
                self.read_rules(number, rest)
            case "Seat":
                self._agree("Seat", number, len(self.names) + 1)
                self.names.append(self._unquoted(self.word, rest))
            case "Title" | "Currency":
                self._in_head(self.word.lower(), self._unquoted(self.word, rest))
            case "Pot" if re.fullmatch("[0-9]{1,15}", rest):
                self._in_head("pot", int(rest))
            case "Pot":
                self._wrong()
            case _:  # Date and Stake
                self._in_head(self.word.lower(), rest)

    def _in_head(self, name: str, value: str | int) -> None:
        if name in self.head:
            self._out_of_place()
        self.head[name] = value

    def _begin(self) -> None:
        """Open the sheet, once its head has been read."""
        if self.opened is not None:
            return
        self._check_seated(len(self.names))
        assert self.rules is not None
        self._act(entries.Open(self.rules, tuple(self.names), **self.head))

    # The lines of the sheet

    def _line_of_sheet(self, number: int | None, rest: str) -> None:
        match self.word:
            case "Deal":
                following = next_number(self.sheet.table)
                self._agree("Deal", number or following, following)
                parts = self._parts(rest)
                deal = self._deal(parts)
                self._check_all_read(parts)
                self._act(entries.Enter(deal))
            case "Misdeal":
                self._act(entries.Enter(self._misdeal(rest)))
            case "Correct":
                self._correct(self._numbered(number), self._parts(rest))
            case "Undo":
                entry = self._act(entries.Undo())
                assert isinstance(entry, entries.Undone)
                self._agree("Undo", rest, entry.number)
            case "Amend":
                self._amend(self._parts(rest))
            case "Settlement":
                self._settlement(self._parts(rest))
            case "Dealer":
                self._act(entries.NameFirstDealer(self.seat(rest)))
            case "Seal":
                self._act(entries.Seal(self._numbered(number), self._bytes(rest)))
            case "Share":
                self._act(entries.Share(self.seat(number), self._bytes(rest)))
            case "Secret":
                self._act(entries.Unseal(self._numbered(number), self._bytes(rest)))
            case "Lots":
                self._act(entries.Draw(self.rounds(rest), number or 0))

    def _correct(self, line: int, parts: Parts) -> None:
        by, why = self._remark(parts)
        if parts == {"struck": []}:
            self._act(entries.Correct(line, None, by, why))
            return
        deal = self._deal(parts)
        self._check_all_read(parts)
        self._act(entries.Correct(line, deal, by, why))

    def _deal(self, parts: Parts) -> entries.DealReport:
        missing = self.cards(" ".join(parts.pop("missing"))) if "missing" in parts else ()
        took: dict[Card, tuple[int, ...]] = {}
        queen = self._single(parts, "queen", QUEEN, took)
        jack = self._single(parts, "jack", JACK, took)
        slam, minus, trickless = self._taker(parts, "slam"), self._minus(parts), self._idle(parts)
        counts = {name: parts.pop(name) for name in ("hearts", "points") if name in parts}
        took |= self._others(parts)
        if len(counts) > 1 or ("points" in counts and queen is not None):
            self._wrong()
        for name, texts in counts.items():
            if not all(map(_NUMBER.fullmatch, texts)):
                self._wrong()
            return entries.played(
                [int(text.replace("−", "-")) for text in texts],
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
            self._wrong()
        if "misdeal" in parts:
            return self._misdeal(" ".join(parts.pop("misdeal")))
        if not parts.keys() & {"revoked", "mixed"}:
            self._wrong()
        revoked, mixed = parts.pop("revoked", []), parts.pop("mixed", [])
        return entries.StoppedDeal(tuple(map(self.seat, revoked)), tuple(map(self.seat, mixed)))

    def _misdeal(self, cause: str) -> entries.LostDeal:
        try:
            return entries.LostDeal(Misdeal(cause))
        except ValueError:
            self._wrong()

    def _amend(self, parts: Parts) -> None:
        fields: dict[str, Any] = {}
        for name, values in parts.items():
            texts = tuple(self._unquoted(self.word, value) for value in values)
            if name == "names":
                fields[name] = texts
            elif name in ("title", "stake", "currency", "date") and len(texts) == 1:
                fields[name] = texts[0]
            else:
                self._wrong()
        self._act(entries.Amend(**fields))

    def _settlement(self, parts: Parts) -> None:
        if parts == {"accepted": []}:
            self._act(entries.Settle())
        elif parts.pop("reopened", None) == []:
            by, why = self._remark(parts)
            self._check_all_read(parts)
            self._act(entries.Reopen(by, why))
        else:
            self._wrong()

    def _remark(self, parts: Parts) -> tuple[str, str]:
        found = [parts.pop(name, ['""']) for name in ("by", "because")]
        if any(len(values) != 1 for values in found):
            self._wrong()
        by, why = (self._unquoted(self.word, text) for (text,) in found)
        return by, why

    # The parts of a line

    def _parts(self, rest: str) -> Parts:
        parts: Parts = {}
        tokens: list[str] = []
        for token in (*_TOKEN.findall(rest), ","):
            if token != ",":
                tokens.append(token)
                continue
            if not tokens or tokens[0].lower() in parts or tokens[0].startswith('"'):
                self._wrong()
            parts[tokens[0].lower()] = tokens[1:]
            tokens = []
        return parts

    def _check_all_read(self, parts: Parts) -> None:
        if parts:
            self._wrong()

    def _numbered(self, number: int | None) -> int:
        if number is None:
            self._wrong()
        return number

    def _taker(self, parts: Parts, name: str) -> int | None:
        if name not in parts:
            return None
        if len(seats := parts.pop(name)) != 1:
            self._wrong()
        return self.seat(seats[0])

    def _single(
        self, parts: Parts, name: str, card: Card, took: dict[Card, tuple[int, ...]]
    ) -> int | None:
        """The seat that took a card. With two packs None, and both takers go into `took`."""
        if len(parts.get(name, ())) < 2:
            return self._taker(parts, name)
        took[card] = tuple(map(self.seat, parts.pop(name)))
        return None

    def _others(self, parts: Parts) -> dict[Card, tuple[int, ...]]:
        """The takers of cards that have no word of their own: `ks 1, td 3`."""
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
                self._wrong()
        return took

    def _idle(self, parts: Parts) -> tuple[int, ...] | None:
        """The seats that took no trick; None where the line does not say."""
        seats = parts.pop("trickless", None)
        if seats is None:
            return None
        if not seats:
            self._wrong()
        return () if seats == [NOBODY] else tuple(map(self.seat, seats))

    def _minus(self, parts: Parts) -> bool | None:
        ways = [name for name in ("minus", "plus") if name in parts]
        if len(ways) > 1 or any(parts.pop(name) for name in ways):
            self._wrong()
        return ways == ["minus"] if ways else None

    def _bytes(self, text: str) -> bytes:
        if not _HEX.fullmatch(text):
            self._wrong()
        return bytes.fromhex(text)

    def _act(self, act: entries.Act) -> entries.Entry:
        entry = decide(self.opened, act)
        if isinstance(entry, entries.SheetFault):
            raise RecordFault("refused", line=self.line, text=self.text, refusal=entry)
        self.opened = evolve(self.opened, entry)
        self.consequences = dict(consequences(entry, self.opened))
        return entry
