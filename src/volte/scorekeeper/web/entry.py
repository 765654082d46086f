"""The form for one line of a sheet: what was typed or tapped of a deal, and what it tells.

Everything stays as it was typed, so that a form with something wrong in it comes back whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from volte.cards import Card, Fault
from volte.referee import Misdeal
from volte.referee.scores import Took
from volte.rules import MoonBy, MoonRule, Ruleset
from volte.say import N_, Words
from volte.scorekeeper.model import (
    Asked,
    CardDue,
    Counted,
    Misdealt,
    Sheet,
    SheetFault,
    Stopped,
    Taken,
    Told,
    asked,
    everything,
)
from volte.scorekeeper.web.clerk_page import clerk_address
from volte.web.forms import CHOICE, Wrong

CARDS: Final = "cards"
POINTS: Final = "points"

NOBODY: Final = "nobody"
MINUS: Final = "minus"
PLUS: Final = "plus"

MOON: Final = "moon-"
"""What a button does that writes a moon down: this, and the seat."""

FIELD_OF: Final = {
    "who_took_the_queen": "queen",
    "queen_counts_nothing": "queen",
    "who_took_the_jack": "jack",
    "jack_counts_nothing": "jack",
    "slam_takes_everything": "all_tricks",
    "slam_counts_nothing": "all_tricks",
    "missing_counts_nothing": "missing",
    "missing_twice": "missing",
    "missing_too_many": "missing",
    "who_took_no_trick": "trickless",
    "trickless_has_cards": "trickless",
    "trickless_everybody": "trickless",
    "trickless_counts_nothing": "trickless",
    "moon_which_way": "way",
    "no_moon_was_shot": "way",
    "no_offender": "revoked",
    "offender_twice": "revoked",
}
"""Where a fault is told, by its reason; all others at the counts."""

_NUMBER: Final = re.compile(r"[-−]?[0-9]{1,4}")


@dataclass(frozen=True)
class DealForm:
    """What was typed of a deal.

    Attributes:
        by: `cards` or `points`.
        counts: of hearts or of points, by seat.
        queen: the seat of whoever took her, likewise `jack` and `all_tricks`; empty for nobody.
        missing: cards that are not in the pack, as they were typed.
        cards: who took other cards, by the name of the field: `card-KS-0`.
        trickless: seats that took no trick, or `nobody`.
        way: `minus` or `plus`, how a moon counts; empty where none was shot.
        revoked: seats, likewise `mixed`.
        reason: why a line is corrected.
    """

    by: str
    counts: tuple[str, ...]
    queen: str = ""
    jack: str = ""
    all_tricks: str = ""
    missing: str = ""
    revoked: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    reason: str = ""
    cards: Mapping[str, str] = field(default_factory=dict)
    trickless: tuple[str, ...] = ()
    way: str = ""

    @classmethod
    def empty(cls, rules: Ruleset, by: str = CARDS) -> DealForm:
        return cls(by, ("",) * len(_groups(rules)))

    @classmethod
    def typed(cls, form: Any, rules: Ruleset) -> DealForm:
        """What somebody has sent."""
        queen, jack, all_tricks, missing, reason, way = (
            str(form.get(name, ""))[:200]
            for name in ("queen", "jack", "all_tricks", "missing", "reason", "way")
        )
        by = POINTS if form.get("by") == POINTS else CARDS
        each = str(form.get("each", ""))
        counts = len(_groups(rules))
        if each in (str(rules.players), str(len(rules.all_sides))):
            counts = int(each)
        told = tuple(str(form.get(f"count-{place}", ""))[:20] for place in range(counts))
        revoked, mixed, trickless = (
            tuple(map(str, form.getlist(name))) for name in ("revoked", "mixed", "trickless")
        )
        cards = {name: str(form.get(name, ""))[:2] for name, _, _ in _fields(asked(rules))}
        return cls(
            *(by, told, queen, jack, all_tricks, missing),
            reason=reason,
            way=way,
            revoked=revoked,
            mixed=mixed,
            cards=cards,
            trickless=trickless,
        )

    @classmethod
    def of(cls, words: Words, told: Told | None, rules: Ruleset) -> DealForm:
        """The form that tells just that."""
        empty = cls.empty(rules)
        match told:
            case Taken() | Counted():
                by_cards = isinstance(told, Taken)
                counts = told.hearts if isinstance(told, Taken) else told.points
                idle = told.trickless
                return cls(
                    CARDS if by_cards else POINTS,
                    tuple(map(_shown, counts)),
                    _shown(told.queen) if isinstance(told, Taken) else "",
                    *(_shown(told.jack), _shown(told.all_tricks)),
                    _cards_shown(words, told.missing),
                    cards={
                        f"card-{took.card}-{copy}": str(seat)
                        for took in told.others
                        for copy, seat in enumerate(took.seats)
                    },
                    trickless=() if idle is None else tuple(map(str, idle)) or (NOBODY,),
                    way="" if told.minus is None else MINUS if told.minus else PLUS,
                )
            case Stopped():
                revoked, mixed = (tuple(map(str, seats)) for seats in (told.revoked, told.mixed))
                return replace(empty, revoked=revoked, mixed=mixed)
        return empty

    def told(self, words: Words, rules: Ruleset, do: str) -> Told:
        """What it tells, by the button that was pressed. Raises `Wrong`."""
        if do.startswith(MOON):
            return self._moon(rules, do)
        if do in tuple(Misdeal):
            return Misdealt(Misdeal(do))
        if do == "stopped":
            revoked = _seats(self.revoked, rules, "revoked")
            return Stopped(revoked, _seats(self.mixed, rules, "mixed"))
        missing = self._missing(words)
        jack = _seat(self.jack, rules, "jack")
        all_tricks = _seat(self.all_tricks, rules, "all_tricks")
        counts = tuple(_count(text, seat) for seat, text in enumerate(self.counts))
        more = (jack, all_tricks, missing, self._others(rules), self._idle(rules), self._minus())
        if self.by == POINTS:
            return Counted(counts, *more)
        return Taken(counts, _seat(self.queen, rules, "queen"), *more)

    def _others(self, rules: Ruleset) -> tuple[Took, ...]:
        """Who took the other cards, as far as that was told. Raises `Wrong`."""
        took: dict[Card, tuple[int, ...]] = {}
        for name, due, _ in _fields(asked(rules)):
            seat = _seat(self.cards.get(name, ""), rules, name)
            if seat is not None:
                took[due.card] = (*took.get(due.card, ()), seat)
        return tuple(Took(card, seats) for card, seats in sorted(took.items()))

    def _idle(self, rules: Ruleset) -> tuple[int, ...] | None:
        """Who took no trick; None where nothing was marked. Raises `Wrong`."""
        named = tuple(text for text in self.trickless if text != NOBODY)
        if named and NOBODY in self.trickless:
            raise Wrong("trickless", CHOICE)
        return _seats(named, rules, "trickless") if self.trickless else None

    def _minus(self) -> bool | None:
        if self.way not in ("", MINUS, PLUS):
            raise Wrong("way", CHOICE)
        return self.way == MINUS if self.way else None

    def _moon(self, rules: Ruleset, do: str) -> Told:
        seat = _seat(do.removeprefix(MOON), rules, "counts")
        if seat is None:
            raise Wrong("counts", CHOICE)
        return everything(
            rules,
            seat,
            slam=_seat(self.all_tricks, rules, "all_tricks") == seat,
            jack=_seat(self.jack, rules, "jack"),
            others=self._others(rules),
            trickless=self._idle(rules),
            minus=self._minus(),
        )

    def _missing(self, words: Words) -> tuple[Card, ...]:
        """Cards with commas between them; without commas, words alone."""
        text = self.missing.strip()
        parts = re.split(r"[,;]", text) if re.search(r"[,;]", text) else text.split()
        try:
            return tuple(words.read_card(part) for part in parts if part.strip())
        except Fault as fault:
            raise Wrong("missing", fault) from None


def entry_context(words: Words, sheet: Sheet, form: DealForm) -> dict[str, Any]:
    """What the template of the form needs."""
    rules, due = sheet.rules, asked(sheet.rules)
    whole = due.hearts if form.by == CARDS else due.total
    counted = [int(text) for text in form.counts if text.isascii() and text.isdecimal()]
    by_seat = len(form.counts) == rules.players
    groups = tuple((seat,) for seat in range(rules.players)) if by_seat else rules.all_sides
    moons = rules.all_sides if rules.moon.by is MoonBy.SIDE else _single(rules)
    return {
        "takers": _named(words, sheet, groups),
        "moons": [
            (side[0], name) for side, name in zip(moons, _named(words, sheet, moons), strict=True)
        ],
        "cards_asked": [
            (name, _asked_card(words, each, copy), each.points)
            for name, each, copy in _fields(due)
            if form.by == CARDS or each.points < 0
        ],
        "entry": form,
        "due": due,
        "whole": whole,
        "counted": sum(counted),
        "numbers": range(due.hearts + 1),
        "seats": list(enumerate(sheet.names)),
        "moon": rules.moon.moon is not MoonRule.OFF,
        "clerk": clerk_address(None, sheet.rules),
    }


def _groups(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Whom a number is asked for: each player, or each side where it may shoot the moon (W10)."""
    return rules.all_sides if rules.moon.by is MoonBy.SIDE else _single(rules)


def _single(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    return tuple((seat,) for seat in range(rules.players))


def _named(words: Words, sheet: Sheet, groups: Sequence[tuple[int, ...]]) -> list[str]:
    return [words.listed([sheet.names[seat] for seat in group]) for group in groups]


def _fields(due: Asked) -> Iterator[tuple[str, CardDue, int]]:
    """The fields for other cards: their names, the card, and which of two it is, from 1; or 0."""
    for each in due.others:
        for copy in range(each.copies):
            yield f"card-{each.card}-{copy}", each, (copy + 1) * (each.copies > 1)


def _asked_card(words: Words, due: CardDue, copy: int) -> str:
    texts = (
        N_("Who took {card:the}"),
        N_("Who took one of the two: {card}"),
        N_("Who took the other: {card}"),
    )
    return words.t(texts[copy], card=due.card)


def field_of(fault: SheetFault) -> str:
    """Where the fault is told."""
    if fault.reason in ("who_took_the_card", "who_took_both_cards", "card_takers"):
        return f"card-{fault.params['card']}-0"
    return FIELD_OF.get(fault.reason, "counts")


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)


def _cards_shown(words: Words, cards: tuple[Card, ...]) -> str:
    return ", ".join(map(words.short, cards))


def _seat(text: str, rules: Ruleset, field: str) -> int | None:
    """The seat of a choice; None where nobody is chosen. Raises `Wrong`."""
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) == 1 and int(text) < rules.players):
        raise Wrong(field, CHOICE)
    return int(text)


def _seats(texts: tuple[str, ...], rules: Ruleset, field: str) -> tuple[int, ...]:
    """The seats of boxes that were checked. Raises `Wrong`."""
    seats = (_seat(text, rules, field) for text in texts[: rules.players])
    return tuple(seat for seat in seats if seat is not None)


def _count(text: str, seat: int) -> int | None:
    """A number that may be left out. Raises `Wrong`."""
    plain = "".join(text.split())
    if not plain:
        return None
    if not _NUMBER.fullmatch(plain):
        raise Wrong(f"count-{seat}", N_("Please enter a whole number, or leave the field empty."))
    return int(plain.replace("−", "-"))
