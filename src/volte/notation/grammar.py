"""The words of a record, and the lines that are one action and its event.

Such a line is declared once, for the reader and the writer, as a template: `{name}` is a value that
the action and the event have under that name, and a part in brackets may be missing. All other
lines have code of their own in `reader` and `writer`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from volte.game import actions as act
from volte.game import events as ev
from volte.notation.lines import LineReader, cards_text, seat_text, seats_text
from volte.referee import actions as referee
from volte.referee import events as refereed

FORMS: Final = {
    "Rules": "Rules: coeurs players=5 queen_discard=free",
    "Master": "Master: 64 hexadecimal digits",
    "Seat": 'Seat 1: "Anne" person',
    "Pot": "Pot: 25",
    "Cards": "Cards: of 5c0ffee5, turned 1",
    "Commitment": "Commitment 1: 64 hexadecimal digits, for 2 3 4",
    "Promise": "Promise 1: 64 hexadecimal digits",
    "Share": "Share 1: hexadecimal digits",
    "Secret": "Secret 1: 64 hexadecimal digits",
    "Lots": "Lots: 1 KS, 2 4D, 3 4H / 2 7C, 3 JD",
    "Dealer": "Dealer: 3",
    "Deal": "Deal 1: dealer 3, pass left",
    "Hand": "Hand 1: S: AQ2 H: K5 D: T98 C: 765",
    "Kitty": "Kitty: H: 2 C: 4",
    "Pass": "Pass 1: QS AS KH",
    "Trick": "Trick 1: 2 leads 2C 5C KC AC, 1 takes",
    "Claim": "Claim: 1",
    "Moon": "Moon: 1 minus",
    "Undo": "Undo 1: asked",
    "Points": "Points: 0 25 25 25, moon 1",
    "Totals": "Totals: 0 25 25 25",
    "Stakes": "Stakes: +75 -25 -25 -25",
    "Winners": "Winners: 1",
    "Early": "Early 3: QS",
    "Object": "Object 2: 3",
    "Back": "Back 3: 5C",
    "Revoke": "Revoke 2: 3 in trick 4",
    "Mixed": "Mixed: 3",
    "Cut": "Cut: 1",
    "Accept": "Accept: 1 2 3 4",
    "Misdeal": "Misdeal: exposed",
    "Missing": "Missing: 5H",
}
"""Every word that a line may begin with, and an example of such a line."""

MISTAKEN: Final = "mistaken"
"""The ruling on an objection or a claim where nothing was wrong (I9)."""


class Value(NamedTuple):
    """A kind of value in a line: its pattern, its reader and its writer.

    `read` raises `ValueError` for a text that fits the pattern but is no value.
    """

    pattern: str
    read: Callable[[LineReader, str], Any]
    write: Callable[[Any], str] = str


def _words(**meanings: object) -> Value:
    """A value that is one of these words."""

    def read(reader: LineReader, text: str) -> object:
        if text not in meanings:
            raise ValueError(text)
        return meanings[text]

    words = {meaning: word for word, meaning in meanings.items()}
    return Value("|".join(meanings), read, lambda value: words[value])


def _seats(reader: LineReader, text: str) -> tuple[int, ...]:
    seats = tuple(map(reader.seat, text.split()))
    if len(set(seats)) < len(seats):
        raise ValueError(text)
    return seats


def _absent(hexadecimal: Value, empty: str = "") -> Value:
    """A value of bytes; `absent` where a seat gave none in time, `empty` for no bytes."""

    def read(reader: LineReader, text: str) -> bytes | None:
        word = text.lower()
        return None if word == "absent" else bytes.fromhex(word.replace("empty", ""))

    pattern = "|".join(filter(None, ["absent", empty, hexadecimal.pattern]))
    return Value(pattern, read, lambda data: "absent" if data is None else data.hex() or empty)


_NUMBER: Final = Value("[0-9]{1,6}", lambda _, text: int(text))
_SEAT: Final = Value("[0-9]+", lambda reader, text: reader.seat(text), seat_text)
_ONLY_SEAT: Final = _SEAT._replace(pattern=".*")
_SEATS: Final = Value("[0-9 ]+", _seats, seats_text)
_CARDS: Final = Value(
    ".*", lambda reader, text: reader.cards(text), lambda cards: cards_text(cards or ())
)
_32_BYTES: Final = Value("[0-9a-f]{64}", lambda _, text: bytes.fromhex(text), bytes.hex)
_BYTES: Final = _32_BYTES._replace(pattern="(?:[0-9a-f]{2})+")
_CLAUSE: Final = Value(r"\w+", lambda _, text: text, lambda clause: clause or MISTAKEN)

_VALUES: Final = {
    "number": _NUMBER,
    "seat": _SEAT,
    "against": _SEAT,
    "trick": _NUMBER,
    "clause": _CLAUSE,
}
"""Values by name, for lines that do not declare their own."""


class Statement:
    """A line that is one action and its event."""

    def __init__(
        self,
        template: str,
        action: type[Any],
        event: type[Any] | None,
        flags: int = 0,
        **values: Value,
    ) -> None:
        label, self._body = template.split(": ")
        self.word, _, name = label.partition(" ")  # the word that begins the line
        self.label = name.strip("{}")  # the name of the value behind the word, if there is one
        self.event = event  # the type written so; None where another one brings the line about
        self._action = action
        self._values: Mapping[str, Value] = _VALUES | values

        def group(found: re.Match[str]) -> str:
            return f"(?P<{found[1]}>{self._values[found[1]].pattern})"

        pattern = self._body.replace("[", "(?:").replace("]", ")?")
        # Pattern of the text behind the colon, with a group for each value
        self.body = re.compile(_NAME.sub(group, pattern), flags)

    def action(self, reader: LineReader, texts: Mapping[str, str]) -> Any:
        """The action of a line. Raises `ValueError`, or `RecordFault` for a seat or a card.

        Args:
            texts: its values, by name.
        """
        names = [name for name in texts if name in self._action.__struct_fields__]
        return self._action(
            **{name: self._values[name].read(reader, texts[name]) for name in names}
        )

    def text(self, event: object) -> str:
        """The line that records an event."""

        def optional(found: re.Match[str]) -> str:
            return "" if getattr(event, found[2]) == () else found[1]

        def value(found: re.Match[str]) -> str:
            return self._values[found[1]].write(getattr(event, found[1]))

        label = f" {{{self.label}}}" if self.label else ""
        return _NAME.sub(value, f"{self.word}{label}: {_OPTIONAL.sub(optional, self._body)}")


_NAME: Final = re.compile(r"\{(\w+)\}")
_OPTIONAL: Final = re.compile(r"\[(.*?\{(\w+)\})\]")

STATEMENTS: Final = (
    Statement(
        "Commitment {number}: {digest}[, for {house}]",
        act.Commit,
        ev.Committed,
        re.I,
        digest=_32_BYTES,
        house=_SEATS,
    ),
    Statement(
        "Promise {seat}: {digest}", act.Promise, ev.Promised, re.I, digest=_absent(_32_BYTES)
    ),
    Statement(
        "Share {seat}: {data}", act.Contribute, ev.Contributed, re.I, data=_absent(_BYTES, "empty")
    ),
    Statement("Secret {number}: {secret}", act.Reveal, ev.Revealed, re.I, secret=_32_BYTES),
    Statement("Pass {seat}: taken back", act.TakeBackPass, ev.PassTakenBack),
    Statement("Pass {seat}: {cards}", act.Pass, ev.Passed, cards=_CARDS),
    Statement("Claim: {seat}", act.Claim, ev.Claimed, seat=_ONLY_SEAT),
    Statement("Moon: {seat} {minus}", act.ChooseMoon, None, minus=_words(minus=True, plus=False)),
    Statement("Undo {seat}: asked", act.AskUndo, ev.UndoAsked),
    Statement(
        "Undo {seat}: {allow}",
        act.AnswerUndo,
        ev.UndoAnswered,
        allow=_words(allowed=True, refused=False)._replace(pattern=".*"),
    ),
    Statement("Object {seat}: {against}[, {clause}]", referee.Object, refereed.Objected),
    Statement(
        "Revoke {seat}: {against} in trick {trick}[, {clause}]",
        referee.ClaimRevoke,
        refereed.RevokeClaimed,
    ),
    Statement("Cut: {seat}", referee.Cut, refereed.DealCut, seat=_ONLY_SEAT),
)
"""The lines that are one action and its event."""

STATEMENTS_OF_WORD: Final = {
    statement.word: [each for each in STATEMENTS if each.word == statement.word]
    for statement in STATEMENTS
}
STATEMENT_OF_EVENT: Final = {each.event: each for each in STATEMENTS if each.event is not None}
