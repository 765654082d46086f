"""Reader of typed deals: hearts and the queen in the order of the seats, or by name.

4 6q 3          hearts, seat by seat; q follows the number of the player who took the queen; the
                last number may be left out
b6q a4          hearts by name, players without any left out
= 10 12 3       points
                at a table with partners, a number for each side will do (W10)
… ks anne       the taker of another card that counts, after any deal that was played (W5)
… no trick anne the players without a trick, where that counts (W6)
moon anne       everything; minus or plus after it where the shooter chooses (W7)
revoke bruno    the deal is stopped (I5); mixed bruno (I7)
misdeal exposed the deal is lost (I1); misdeal count
… missing 2h    cards that are missing from the pack (I8), after any deal that was played
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from msgspec import structs

from volte.cards import JACK, QUEEN, Card, Rank, VolteError, in_first_pack
from volte.console.terminal import TerminalFault
from volte.names import plain
from volte.referee import Misdeal
from volte.rules import Draw as Round
from volte.rules import Ruleset, draws_left
from volte.say import Words
from volte.say.typed import read_answer
from volte.scorekeeper import model
from volte.scorekeeper.model.pack import without
from volte.scorekeeper.telling.sheet import typed
from volte.scorekeeper.terminal.keys import ScoreKey, Verb, example, points_example, verb_of
from volte.sheet import LotsDue, Took

_NUMBER: Final = re.compile(r"([^\d+\-−]*)([+\-−]?\d{1,4})([a-z]*)")
_QUEENS: Final = frozenset(("q", "d", "queen", "dame"))
_JACKS: Final = frozenset(("j", "v", "jack", "valet"))
_LETTERS: Final = {Rank.KING: "kr", Rank.ACE: "a", Rank.TEN: "t"}
"""Rank → letters that mark its card after a number, if only one card of the rank counts."""

_WAYS: Final = {"minus": True, "moins": True, "plus": False}
_NO_TRICK: Final = frozenset(
    (
        *("trickless", "no trick", "no tricks"),
        *("sans pli", "sans plis", "aucun pli", "sans levee", "sans levees", "aucune levee"),
    )
)
_NOBODY: Final = frozenset(("nobody", "none", "no", "personne", "aucun", "aucune", "-", "0"))
_LONGEST_CARD: Final = 4
"""Most words in the name of a card: "le roi de pique"."""

_LITTLE: Final = frozenset(
    ("and", "et", "&", "+", "the", "la", "le", "de", "of", "heart", "hearts", "coeur", "coeurs")
)
_MISSING: Final = re.compile(r"\b(?:missing|manque(?:nt)?|manquant(?:e|es|s)?)\b:?", re.IGNORECASE)
_JACK: Final = re.compile(r"\b(?:j|jack|valet|v)\b", re.IGNORECASE)
_CAUSES: Final = {
    Misdeal.EXPOSED: ("exposed", "seen", "card", "carte", "vue", "exposee", "montree", "retournee"),
    Misdeal.COUNT: ("count", "number", "wrong", "nombre", "compte"),
}
_ASKED: Final = {
    *("who_took_the_queen", "who_took_the_jack", "who_took_the_card", "who_took_both_cards"),
    *("who_took_no_trick", "moon_which_way"),
}
"""Reasons of faults that one more answer can mend."""

_SIGNS: Final = {"-": True, "−": True, "+": False}
_DEAL: Final = re.compile(r"=|\d[a-z]|[a-z]\d", re.IGNORECASE)
"""Signs that a line is a deal and not a list of players."""


class Instead(Exception):
    """A question was answered by a line that is a command or a deal."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line  # to be carried out instead


@dataclass(frozen=True)
class TypedCell:
    """Typed text on one player: hearts or points, and the cards marked after them."""

    seat: int | None = None
    count: int | None = None
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Behind:
    """A line split into the counts and the parts after them."""

    line: str  # the counts
    took: dict[Card, tuple[int, ...]]  # takers of the cards that were named
    trickless: tuple[int, ...] | None  # seats without a trick; None where the line does not say
    minus: bool | None  # whether a moon is taken off; None where the line does not say


class DealReader:
    """Reads typed deals, for one set of players.

    Args:
        words: reads the names of cards, in either language.
    """

    def __init__(self, rules: Ruleset, names: Sequence[str], words: Words) -> None:
        self.rules = rules
        self.names = names
        self._words = words
        self._needs = model.needs_of(rules)
        self._marks = _marks_of(self._needs)

    def deal(self, line: str) -> model.DealReport:
        """The deal or misdeal of a line. Raises a `VolteError`."""
        line, missing = self._missing(line)
        verb, rest = verb_of(line)
        *before, last = _words(line) or [""]
        if verb is None and Verb.of(last) is Verb.POINTS:
            verb, rest = Verb.POINTS, " ".join(before)
        match verb:
            case None | Verb.POINTS:
                return self._played(rest, missing, by_points=verb is Verb.POINTS)
            case Verb.MOON | Verb.SLAM:
                # Where a slam counts nothing, its name is another name of the moon.
                slam = verb is Verb.SLAM and self._needs.all_tricks
                return self._everything(rest, slam, missing)
        if missing:
            raise TerminalFault("score_missing_from_what")
        if verb in (Verb.REVOKE, Verb.MIXED):
            return self._stopped(line)
        if verb is not Verb.MISDEAL:
            raise self._not_a_deal(line)
        for cause, names in _CAUSES.items():
            if any(_spelt(word) in names for word in rest.split()):
                return model.LostDeal(cause)
        raise TerminalFault("score_why_misdealt")

    def seat(self, text: str) -> int:
        """The seat of a name, its beginning, or a place from 1. Raises `TerminalFault`."""
        wanted = plain(text.strip().strip(".,;:="))
        called = ", ".join(self.names)
        if wanted.isdecimal() and len(wanted) <= 2:
            if not 1 <= int(wanted) <= len(self.names):
                raise TerminalFault("score_no_such_place", place=int(wanted), most=len(self.names))
            return int(wanted) - 1
        found = [seat for seat, name in enumerate(self.names) if plain(name) == wanted]
        found = found or [
            seat
            for seat, name in enumerate(map(plain, self.names))
            if wanted and any(each.startswith(wanted) for each in (name, *name.split()))
        ]
        if not found:
            raise TerminalFault("score_no_such_name", name=text, names=called)
        if len(found) > 1:
            meant = [self.names[seat] for seat in found]
            raise TerminalFault("score_which_name", name=text, names=self._words.listed(meant))
        return found[0]

    def seats(self, text: str) -> tuple[int, ...]:
        """The seats of several names, each once. Raises `TerminalFault`."""
        whole = plain(text.strip())
        if any(plain(name) == whole for name in self.names):  # "Marie Claire"
            return (self.seat(text),)
        seats = [self.seat(word) for word in _words(text) if _spelt(word) not in _LITTLE]
        if not seats:
            raise TerminalFault("score_name_wanted", names=", ".join(self.names))
        return tuple(dict.fromkeys(seats))

    def one_seat(self, text: str) -> int:
        """The seat of a single name. Raises `TerminalFault`."""
        seats = self.seats(text)
        if len(seats) > 1:
            raise TerminalFault("score_one_name")
        return seats[0]

    def remark(self, text: str) -> tuple[str, str]:
        """The name and reason of a correction: `Chloé: counted again`; the name may be missing."""
        name, colon, why = text.partition(":")
        called = [each for each in self.names if plain(each) == plain(name.strip())]
        return (called[0], why.strip()) if colon and called else ("", text.strip())

    def rounds(self, text: str, lots: Sequence[LotsDue]) -> tuple[Round, ...]:
        """Read drawn cards, round by round: `anne ks, bruno 2h / anne 3c, bruno 4d`.

        Args:
            lots: the lots that are due; if there are none, any player may be named.

        Raises a `VolteError`.
        """
        rounds: list[Round] = []
        for part in text.split("/"):
            drawn: dict[int, Card] = {}
            for each in filter(None, map(str.strip, part.split(","))):
                name, _, card = each.partition(" ")
                if not card:
                    raise TerminalFault("score_lots_how")
                drawn[self.one_seat(name)] = self._words.read_card(card)
            if lots and set(draws_left(lots[0].seats, lots[0].wanted, rounds)) != set(drawn):
                raise TerminalFault("score_lots_how")
            rounds.append(tuple(sorted(drawn.items())))
        return tuple(rounds)

    # Deals that were played

    def _missing(self, line: str) -> tuple[str, tuple[Card, ...]]:
        """Split off the cards that are missing from the pack."""
        parts = _MISSING.split(line, maxsplit=1)
        if len(parts) == 1:
            return line, ()
        cards = read_answer(parts[1], (), self._words.read_card)
        if not cards:
            raise TerminalFault("score_which_missing")
        if not parts[0].strip():
            raise TerminalFault("score_missing_first")
        return parts[0], cards

    def _behind(self, text: str) -> Behind:
        """Split off the other cards, the trickless players and the way a moon counts."""
        before: list[str] = []
        named = before  # the part that the next words belong to
        parts: list[tuple[Card | None, list[str]]] = []  # None for the players without a trick
        minus: bool | None = None
        words = _words(text)
        while words:
            card, length = self._other_card(words)
            length = length or _no_trick(words)
            if length:
                named = []
                parts.append((card, named))
            elif (word := _spelt(words[0])) in _WAYS:
                minus, named = _WAYS[word], before
            else:
                named.append(words[0])
            words = words[length or 1 :]
        took: dict[Card, tuple[int, ...]] = {}
        idle: tuple[int, ...] | None = None
        for card, names in parts:
            if card is None:
                idle = self.seats_or_nobody(" ".join(names))
            else:
                took[card] = self.takers(card, " ".join(names))
        return Behind(" ".join(before), took, idle, minus)

    def takers(self, card: Card, text: str) -> tuple[int, ...]:
        """The takers of a card; a player named alone took both copies of two packs."""
        seats = self.seats(text)
        copies = next((each.copies for each in self._needs.cards if each.card is card), 1)
        return seats * copies if len(seats) == 1 else seats

    def seats_or_nobody(self, text: str) -> tuple[int, ...]:
        """The seats of several names; none for a word such as "nobody"."""
        return () if _spelt(text) in _NOBODY else self.seats(text)

    def _other_card(self, words: Sequence[str]) -> tuple[Card | None, int]:
        """The card at the beginning of the words, if it has no mark, and its number of words."""
        others = {each.card for each in self._needs.others}
        lengths = [*range(min(_LONGEST_CARD, len(words) - 1), 0, -1), len(words)]  # a name follows
        for length in lengths if others else ():
            with suppress(VolteError):
                card = in_first_pack(self._words.read_card(" ".join(words[:length])))
                if card in others and not _NUMBER.fullmatch(_spelt(words[0])):
                    return card, length
        return None, 0

    def _played(
        self, text: str, missing: tuple[Card, ...], *, by_points: bool
    ) -> model.Taken | model.Counted:
        behind = self._behind(text)
        cells, took = self._cells(behind.line), behind.took
        for seat, cell in enumerate(cells):
            for card in cell.cards:
                took[card] = (*took.get(card, ()), seat)
        if by_points and QUEEN in took:
            raise TerminalFault("score_queen_in_points")
        return model.played(
            [cell.count for cell in cells],
            took,
            by_points=by_points,
            queen=self._single(QUEEN, took),
            jack=self._single(JACK, took),
            missing=missing,
            trickless=behind.trickless,
            minus=behind.minus,
        )

    def _single(self, card: Card, took: dict[Card, tuple[int, ...]]) -> int | None:
        """Remove the taker of the only queen or jack from `took`. Raises `TerminalFault`."""
        counted = any(each.card is card for each in self._needs.cards)
        if card not in took or (counted and not self._needs.has_field(card)):
            return None
        seats = took.pop(card)
        if len(seats) > 1:
            raise TerminalFault("score_two_queens" if card is QUEEN else "score_two_jacks")
        return seats[0]

    def _everything(self, text: str, slam: bool, missing: tuple[Card, ...]) -> model.DealReport:
        """Read a moon or slam: `moon anne`, or `moon anne jack bruno` where the jack counts."""
        rules = without(self.rules, missing)
        behind = self._behind(text)
        who, *jack = [behind.line]
        if model.needs_of(rules).jack:
            who, *jack = _JACK.split(behind.line, maxsplit=1)
        return model.everything(
            self.rules,
            self.one_seat(who),
            slam,
            self.one_seat(jack[0]) if jack else None,
            missing=missing,
            took=behind.took,
            trickless=behind.trickless,
            minus=behind.minus,
        )

    def _cells(self, text: str) -> list[TypedCell]:
        """A cell for each seat. Raises `TerminalFault`."""
        cells = self._typed_cells(text)
        if not any(cell.count is not None for cell in cells):
            raise self._not_a_deal(text)
        named = [cell.seat for cell in cells if cell.seat is not None]
        if not named:
            return self._by_place(cells)
        if len(named) < len(cells):
            raise TerminalFault("score_names_or_places")
        for place, seat in enumerate(named):
            if seat in named[:place]:
                raise TerminalFault("score_name_twice", name=self.names[seat])
        by_seat = dict(zip(named, cells, strict=True))
        return [by_seat.get(seat, TypedCell()) for seat in range(len(self.names))]

    def _by_place(self, cells: Sequence[TypedCell]) -> list[TypedCell]:
        players, sides = len(self.names), len(self._needs.sides)
        if len(cells) > players:  # "4 6 q 3 0": a mark that stands alone follows a number
            cells = _marked(cells)
        if len(cells) > players:
            raise TerminalFault("score_too_many", given=len(cells), due=players)
        count = sides if len(cells) <= sides else players  # with partners, a number for each side
        return [*cells, *[TypedCell()] * (count - len(cells))]

    def _typed_cells(self, text: str) -> list[TypedCell]:
        """The cells as they were typed; a name and the number and marks after it make one."""
        cells: list[TypedCell] = []
        for cell in filter(None, map(self._cell, _words(text))):
            last = cells[-1] if cells else None
            if last is None or last.seat is None or cell.seat is not None:
                cells.append(cell)
            elif last.count is not None and cell.count is not None:
                raise TerminalFault("score_names_or_places")
            else:
                cells[-1] = _joined(last, cell)
        return cells

    def _cell(self, word: str) -> TypedCell | None:
        typed = _spelt(word)
        if typed in _LITTLE:
            return None
        if typed in _QUEENS or typed in _JACKS:
            return TypedCell(cards=(QUEEN if typed in _QUEENS else JACK,))
        if len(typed) == 2 and _QUEENS & {*typed} and _JACKS & {*typed}:
            return TypedCell(cards=(QUEEN, JACK))
        number = _NUMBER.fullmatch(typed)
        if number is None:
            try:
                return TypedCell(self.seat(word))
            except TerminalFault:
                if typed.lower() != typed.upper() and not any(map(str.isdigit, typed)):
                    raise
                raise self._not_a_deal(word) from None
        name, digits, marks = number.groups()
        if not all(mark in self._marks for mark in marks):
            raise TerminalFault("score_no_such_mark", text=word)
        return TypedCell(
            self.seat(name) if name else None,
            int(digits.replace("−", "-")),
            tuple(self._marks[mark] for mark in marks),
        )

    def _not_a_deal(self, text: str) -> TerminalFault:
        hearts, points = example(self._words, self.rules), points_example(self.rules)
        return TerminalFault("score_not_a_deal", text=text, hearts=hearts, points=points)

    # Deals that were stopped

    def _stopped(self, line: str) -> model.StoppedDeal:
        """Read the offenders: `revoke anne bruno mixed chloé`, in either order."""
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
        return model.StoppedDeal(revoked, mixed)


def completed(
    deal: model.DealReport,
    sheet: model.Sheet,
    reader: DealReader,
    words: Words,
    ask: Callable[[str], str],
) -> model.DealReport:
    """Complete a deal by questions: the takers of a card, trickless players, a moon's way.

    Raises `Instead` if the answer is a command or a deal, and a `VolteError`.
    """
    questions: list[tuple[str, dict[str, object]]] = []
    while isinstance(deal, model.Taken | model.Counted):
        fault = model.trial(sheet, deal)
        if not isinstance(fault, model.SheetFault):
            break
        if fault.reason not in _ASKED:
            raise _in_numbers(deal, fault, reader, words)
        question = fault.reason, fault.params
        if question in questions:
            break
        questions.append(question)
        line = ask(words.fault(fault))
        if not line or ScoreKey.of(line) is not None or _DEAL.search(line):
            raise Instead(line)
        if fault.reason != "moon_which_way" and verb_of(line)[0] is not None:  # not a name
            raise Instead(line)
        deal = _answered(deal, fault, reader, line)
    return deal


def _in_numbers(
    deal: model.Taken | model.Counted, fault: model.SheetFault, reader: DealReader, words: Words
) -> VolteError:
    """The fault, with a hint to type points or hearts, where the numbers may be the other kind."""
    hearts, points = example(words, reader.rules), points_example(reader.rules)
    if fault.reason == "points_not_hearts" and isinstance(deal, model.Taken):
        line = typed(words, reader.names, model.as_points(reader.rules, deal))
        return TerminalFault("score_points_not_hearts", typed=line)
    if fault.reason in model.NOT_HEARTS:
        return TerminalFault("score_wrong_hearts", fault=fault, points=points)
    if fault.reason in model.NOT_POINTS:
        return TerminalFault("score_wrong_points", fault=fault, hearts=hearts)
    return fault


def _answered(
    deal: model.Taken | model.Counted, fault: model.SheetFault, reader: DealReader, line: str
) -> model.Taken | model.Counted:
    """The deal, completed by the answer to a fault. Raises `Instead` and a `VolteError`."""
    match fault.reason:
        case "who_took_the_queen":
            return structs.replace(deal, queen=reader.one_seat(line))
        case "who_took_the_jack":
            return structs.replace(deal, jack=reader.one_seat(line))
        case "who_took_no_trick":
            return structs.replace(deal, trickless=reader.seats_or_nobody(line))
        case "moon_which_way":
            minus = {**_WAYS, **_SIGNS}.get(plain(line.strip().strip(".")))
            if minus is None:
                raise Instead(line)
            return structs.replace(deal, minus=minus)
    card: Any = fault.params["card"]
    others = tuple(took for took in deal.others if took.card is not card)
    alone = {"queen": None} if card is QUEEN else {"jack": None} if card is JACK else {}
    return structs.replace(deal, others=(*others, Took(card, reader.takers(card, line))), **alone)


def _spelt(word: str) -> str:
    return plain(word.strip())


def _words(text: str) -> list[str]:
    return re.sub(r"[,;:]", " ", text).split()


def _joined(first: TypedCell, then: TypedCell) -> TypedCell:
    count = first.count if then.count is None else then.count
    return replace(first, count=count, cards=(*first.cards, *then.cards))


def _marked(cells: Sequence[TypedCell]) -> list[TypedCell]:
    """Join each mark that stands alone to the number before it."""
    joined: list[TypedCell] = []
    for cell in cells:
        if cell.seat is None and cell.count is None and joined:
            joined[-1] = _joined(joined[-1], cell)
        else:
            joined.append(cell)
    return joined


def _no_trick(words: Sequence[str]) -> int:
    """Number of words at the beginning that mean "no trick"; 0 where there are none."""
    lengths = (length for length in (2, 1) if _spelt(" ".join(words[:length])) in _NO_TRICK)
    return next(lengths, 0)


def _marks_of(needs: model.DealNeeds) -> dict[str, Card]:
    """Letter after a number → its card; queen and jack always, others as `_LETTERS` allows."""
    marks = dict.fromkeys("qd", QUEEN) | dict.fromkeys("jv", JACK)
    ranks = [each.card.rank for each in needs.cards]
    for each in needs.cards:
        if each.card.rank in _LETTERS and ranks.count(each.card.rank) == 1:
            marks |= dict.fromkeys(_LETTERS[each.card.rank], each.card)
    return marks
