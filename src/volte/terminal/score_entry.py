"""What somebody types of a deal: hearts and the queen in the order of the seats, or by name.

4 6q 3          hearts, seat by seat; q follows the hearts of whoever took the queen; the last
                may be left out
b6q a4          the same by name, those who took nothing left out
= 10 12 3       points
moon anne       everything
revoke bruno    the deal is stopped (I5); mixed bruno (I7)
misdeal exposed the deal is lost (I1); misdeal count
… missing 2h    cards that are missing from the pack (I8), behind any deal that was played
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from volte.cards import Card
from volte.rules import Draw as Round
from volte.rules import Ruleset, draws_left
from volte.scoresheet import (
    Counted,
    LotsDue,
    Misdeal,
    Misdealt,
    Stopped,
    Taken,
    Told,
    asked,
    everything,
)
from volte.scoresheet.counting import without
from volte.terminal.answers import read_answer
from volte.terminal.console import TerminalFault
from volte.terminal.score_keys import Verb, verb_of
from volte.words import Words
from volte.words.grammar import plain

_NUMBER: Final = re.compile(r"([^\d+\-−]*)([+\-−]?\d{1,4})([a-z]*)")
_QUEENS: Final = frozenset(("q", "d", "queen", "dame"))
_JACKS: Final = frozenset(("j", "v", "jack", "valet"))
_ARTICLES: Final = frozenset(("and", "et", "&", "+", "the", "la", "le", "de", "of"))
_LITTLE: Final = _ARTICLES | {"heart", "hearts", "coeur", "coeurs"}
_MISSING: Final = re.compile(r"\b(?:missing|manque(?:nt)?|manquant(?:e|es|s)?)\b:?", re.IGNORECASE)
_JACK: Final = re.compile(r"\b(?:j|jack|valet|v)\b", re.IGNORECASE)
_CAUSES: Final = {
    Misdeal.EXPOSED: ("exposed", "seen", "card", "vue", "exposee", "montree", "retournee"),
    Misdeal.COUNT: ("count", "number", "wrong", "nombre", "compte"),
}


@dataclass(frozen=True)
class Cell:
    """What was typed of one player: hearts or points, and whether the queen or jack follows."""

    seat: int | None = None
    count: int | None = None
    queen: bool = False
    jack: bool = False

    @property
    def only_mark(self) -> bool:
        return self.seat is None and self.count is None


class Reader:
    """Reads what is typed at the sheet of those players.

    Args:
        words: names cards, in either language.
    """

    def __init__(self, rules: Ruleset, names: Sequence[str], words: Words) -> None:
        self.rules = rules
        self.names = names
        self._words = words

    def told(self, line: str) -> Told:
        """The deal or misdeal of a line. Raises a `Fault`."""
        line, missing = self._missing(line)
        verb, rest = verb_of(line)
        match verb:
            case None:
                return self._taken(rest, missing)
            case Verb.POINTS:
                return self._counted(rest, missing)
            case Verb.MOON | Verb.SLAM:
                return self._everything(rest, verb is Verb.SLAM, missing)
        if missing:
            raise TerminalFault("score_missing_from_what")
        if verb in (Verb.REVOKE, Verb.MIXED):
            return self._stopped(line)
        if verb is Verb.MISDEAL:
            return _misdealt(rest)
        raise TerminalFault("score_not_a_deal", text=line)

    def seat(self, text: str) -> int:
        """The seat of a name, of its beginning, or of a place from 1. Raises `TerminalFault`."""
        wanted = plain(text.strip().strip(".,;:"))
        called = ", ".join(self.names)
        if wanted.isdecimal() and len(wanted) == 1:
            if not 1 <= int(wanted) <= len(self.names):
                raise TerminalFault("score_no_such_place", place=int(wanted), most=len(self.names))
            return int(wanted) - 1
        found = [seat for seat, name in enumerate(self.names) if plain(name) == wanted]
        found = found or [
            seat for seat, name in enumerate(self.names) if wanted and _begins(plain(name), wanted)
        ]
        if not found:
            raise TerminalFault("score_no_such_name", name=text, names=called)
        if len(found) > 1:
            meant = [self.names[seat] for seat in found]
            raise TerminalFault("score_which_name", name=text, names=self._words.listed(meant))
        return found[0]

    def seats(self, text: str) -> tuple[int, ...]:
        """Several of them, each once. Raises `TerminalFault`."""
        whole = plain(text.strip())
        if any(plain(name) == whole for name in self.names):  # "Marie Claire"
            return (self.seat(text),)
        seats = [self.seat(word) for word in _words(text) if _spelt(word) not in _LITTLE]
        if not seats:
            raise TerminalFault("score_name_wanted", names=", ".join(self.names))
        return tuple(dict.fromkeys(seats))

    def one_seat(self, text: str) -> int:
        """Just one. Raises `TerminalFault`."""
        seats = self.seats(text)
        if len(seats) > 1:
            raise TerminalFault("score_one_name")
        return seats[0]

    def remark(self, text: str) -> tuple[str, str]:
        """Who corrects something, and why: `Chloé: counted again`; the name may be left out."""
        name, colon, why = text.partition(":")
        called = [each for each in self.names if plain(each) == plain(name.strip())]
        return (called[0], why.strip()) if colon and called else ("", text.strip())

    def cards(self, text: str) -> tuple[Card, ...]:
        """Cards by name. Raises a `Fault`."""
        return read_answer(text, (), self._words.read_card)

    def rounds(self, text: str, due: Sequence[LotsDue]) -> tuple[Round, ...]:
        """`anne ks, bruno 2h / anne 3c, bruno 4d`: who drew what, round by round.

        Args:
            due: the lots that are to be drawn; without any, whoever is named has drawn.

        Raises a `Fault`.
        """
        rounds: list[Round] = []
        for part in text.split("/"):
            drawn = dict(self._drawn(each) for each in part.split(",") if each.strip())
            if due and set(draws_left(due[0].seats, due[0].wanted, rounds)) != set(drawn):
                raise TerminalFault("score_lots_how")
            rounds.append(tuple(sorted(drawn.items())))
        return tuple(rounds)

    def _drawn(self, text: str) -> tuple[int, Card]:
        name, _, card = text.strip().partition(" ")
        if not card:
            raise TerminalFault("score_lots_how")
        return self.one_seat(name), self._words.read_card(card)

    # Deals that were played

    def _missing(self, line: str) -> tuple[str, tuple[Card, ...]]:
        """A line without what is missing, and the cards that are."""
        parts = _MISSING.split(line, maxsplit=1)
        if len(parts) == 1:
            return line, ()
        cards = self.cards(parts[1])
        if not cards:
            raise TerminalFault("score_which_missing")
        if not parts[0].strip():
            raise TerminalFault("score_missing_first")
        return parts[0], cards

    def _taken(self, text: str, missing: tuple[Card, ...]) -> Taken:
        cells = self._cells(text)
        return Taken(
            tuple(cell.count for cell in cells),
            _only("queens", [seat for seat, cell in enumerate(cells) if cell.queen]),
            _only("jacks", [seat for seat, cell in enumerate(cells) if cell.jack]),
            missing=missing,
        )

    def _counted(self, text: str, missing: tuple[Card, ...]) -> Counted:
        cells = self._cells(text)
        if any(cell.queen for cell in cells):
            raise TerminalFault("score_queen_in_points")
        jack = _only("jacks", [seat for seat, cell in enumerate(cells) if cell.jack])
        return Counted(tuple(cell.count for cell in cells), jack, missing=missing)

    def _everything(self, text: str, slam: bool, missing: tuple[Card, ...]) -> Taken:
        """`moon anne`, and `moon anne jack bruno` where the jack counts."""
        rules = without(self.rules, missing)
        who, *jack = _JACK.split(text, maxsplit=1) if asked(rules).jack else [text]
        taker = self.one_seat(jack[0]) if jack else None
        told = everything(rules, self.one_seat(who), slam, taker)
        return msgspec.structs.replace(told, missing=missing)

    def _cells(self, text: str) -> list[Cell]:
        """A cell for each seat. Raises `TerminalFault`."""
        cells = list(self._typed_cells(text))
        if not any(cell.count is not None for cell in cells):
            raise TerminalFault("score_not_a_deal", text=text)
        named = [cell for cell in cells if cell.seat is not None]
        if named:
            return self._by_name(cells, named)
        return self._by_place(cells)

    def _by_name(self, cells: Sequence[Cell], named: Sequence[Cell]) -> list[Cell]:
        if len(named) < len(cells):
            raise TerminalFault("score_names_or_places")
        by_seat: dict[int, Cell] = {}
        for cell in named:
            assert cell.seat is not None
            if cell.seat in by_seat:
                raise TerminalFault("score_name_twice", name=self.names[cell.seat])
            by_seat[cell.seat] = cell
        return [by_seat.get(seat, Cell()) for seat in range(len(self.names))]

    def _by_place(self, cells: Sequence[Cell]) -> list[Cell]:
        players = len(self.names)
        if len(cells) > players:  # "4 6 q 3 0": a mark that stands alone follows a number
            cells = _marked(cells)
        if len(cells) > players:
            raise TerminalFault("score_too_many", given=len(cells), due=players)
        return [*cells, *[Cell()] * (players - len(cells))]

    def _typed_cells(self, text: str) -> Iterator[Cell]:
        """The cells as they were typed; a name and what follows it make one."""
        last: Cell | None = None
        for word in _words(text):
            cell = self._cell(word)
            if cell is None:
                continue
            if last is not None and last.seat is not None and cell.seat is None:
                fits = last.count is None if cell.count is not None else True
                if not fits:
                    raise TerminalFault("score_names_or_places")
                last = _joined(last, cell)
                continue
            if last is not None:
                yield last
            last = cell
        if last is not None:
            yield last

    def _cell(self, word: str) -> Cell | None:
        typed = _spelt(word)
        if typed in _LITTLE:
            return None
        if typed in _QUEENS or typed in _JACKS:
            return Cell(queen=typed in _QUEENS, jack=typed in _JACKS)
        if re.fullmatch("[qdjv]{2}", typed) and _has_both(typed):
            return Cell(queen=True, jack=True)
        number = _NUMBER.fullmatch(typed)
        if number is None:
            if not any(sign.isalpha() for sign in typed):
                raise TerminalFault("score_not_a_deal", text=word)
            return Cell(self.seat(word))
        name, digits, marks = number.groups()
        if not all(mark in "qdjv" for mark in marks):
            raise TerminalFault("score_no_such_mark", text=word)
        return Cell(
            self.seat(name) if name else None,
            int(digits.replace("−", "-")),
            any(mark in _QUEENS for mark in marks),
            any(mark in _JACKS for mark in marks),
        )

    # Deals that were not

    def _stopped(self, line: str) -> Stopped:
        """`revoke anne bruno mixed chloé`, in either order."""
        found: dict[Verb, list[str]] = {Verb.REVOKE: [], Verb.MIXED: []}
        now = Verb.REVOKE
        for word in _words(line):
            verb, _ = verb_of(word)
            if verb in found:
                assert verb is not None
                now = verb
            else:
                found[now].append(word)
        revoked, mixed = (self.seats(" ".join(typed)) if typed else () for typed in found.values())
        if not revoked and not mixed:
            raise TerminalFault("score_name_wanted", names=", ".join(self.names))
        return Stopped(revoked, mixed)


def _misdealt(text: str) -> Misdealt:
    for cause, names in _CAUSES.items():
        if any(_spelt(word) in names for word in text.split()):
            return Misdealt(cause)
    raise TerminalFault("score_why_misdealt")


def _spelt(word: str) -> str:
    return plain(word.strip())


def _words(text: str) -> list[str]:
    return re.sub(r"[,;:]", " ", text).split()


def _begins(name: str, wanted: str) -> bool:
    """Whether the name, or a word of it, begins so."""
    return name.startswith(wanted) or any(word.startswith(wanted) for word in name.split())


def _has_both(marks: str) -> bool:
    return bool(_QUEENS & set(marks)) and bool(_JACKS & set(marks))


def _joined(first: Cell, then: Cell) -> Cell:
    count = first.count if then.count is None else then.count
    return replace(
        first, count=count, queen=first.queen or then.queen, jack=first.jack or then.jack
    )


def _marked(cells: Sequence[Cell]) -> list[Cell]:
    """The cells, each mark that stands alone joined to the number before it."""
    joined: list[Cell] = []
    for cell in cells:
        if cell.only_mark and joined:
            joined[-1] = _joined(joined[-1], cell)
        else:
            joined.append(cell)
    return joined


def _only(what: str, seats: Sequence[int]) -> int | None:
    """The one seat among them. Raises `TerminalFault` where there are several."""
    if len(seats) > 1:
        raise TerminalFault("score_two_queens" if what == "queens" else "score_two_jacks")
    return seats[0] if seats else None
