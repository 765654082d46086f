"""The form for one line of a sheet: the report of a deal, as typed or tapped.

All fields stay as they were typed, so that a form with a mistake comes back whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from volte.cards import Card, VolteError
from volte.referee import Misdeal
from volte.rules import MoonBy, MoonRule, Ruleset
from volte.say import N_, Words
from volte.scorekeeper import model
from volte.scorekeeper.web.clerk_page import clerk_address
from volte.web.fields import CHOICE, Wrong
from volte.web.table_form import listed

CARDS: Final = "cards"
POINTS: Final = "points"

NOBODY: Final = "nobody"
MINUS: Final = "minus"
PLUS: Final = "plus"

MOON: Final = "moon-"  # value of a button that enters a moon: this, and the seat

FIELDS: Final = {
    **dict.fromkeys(("nobody_has", "moon_counts", "points_or_moon"), "counts"),
    "queen": "queen",
    "jack": "jack",
    "slam": "all_tricks",
    "missing": "missing",
    "trick": "trickless",
    "moon": "way",
    "offender": "revoked",
}
"""Word in the reason of a fault → the field at which it is shown; the first word found counts."""

_NUMBER: Final = re.compile(r"[-−]?[0-9]{1,4}")


@dataclass(frozen=True)
class DealForm:
    """The fields as they were typed; a seat is a digit, or empty for nobody."""

    by: str  # `cards` or `points`
    counts: tuple[str, ...]  # of hearts or of points, for each player or side
    queen: str = ""  # seat that took her
    jack: str = ""
    all_tricks: str = ""
    missing: str = ""  # cards that are not in the pack
    revoked: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    reason: str = ""  # of a correction
    cards: Mapping[str, str] = field(default_factory=dict)  # takers of other cards: `card-KS-0`
    trickless: tuple[str, ...] = ()  # seats without a trick, or `nobody`
    way: str = ""  # `minus` or `plus`, the way a moon counts; empty where none was shot

    @classmethod
    def empty(cls, rules: Ruleset, by: str = CARDS) -> DealForm:
        return cls(by, ("",) * len(_groups(rules)))

    @classmethod
    def typed(cls, form: Any, rules: Ruleset) -> DealForm:
        """Read the form of a deal from the fields of a request, whatever was typed."""

        def text(name: str, most: int = 200) -> str:
            return str(form.get(name, ""))[:most]

        def texts(name: str) -> tuple[str, ...]:
            return tuple(map(str, form.getlist(name)))

        counts = len(_groups(rules))
        if text("each") in (str(rules.players), str(len(rules.all_sides))):
            counts = int(text("each"))
        return cls(
            by=POINTS if form.get("by") == POINTS else CARDS,
            counts=tuple(text(f"count-{place}", 20) for place in range(counts)),
            queen=text("queen"),
            jack=text("jack"),
            all_tricks=text("all_tricks"),
            missing=text("missing"),
            revoked=texts("revoked"),
            mixed=texts("mixed"),
            reason=text("reason"),
            cards={name: text(name, 2) for name, _, _ in _fields(model.needs_of(rules))},
            trickless=texts("trickless"),
            way=text("way"),
        )

    @classmethod
    def of(cls, words: Words, deal: model.DealReport | None, rules: Ruleset) -> DealForm:
        """The form filled in with a deal."""
        match deal:
            case model.Taken() | model.Counted():
                idle = deal.trickless
                return cls(
                    by=CARDS if isinstance(deal, model.Taken) else POINTS,
                    counts=tuple(
                        map(_shown, deal.hearts if isinstance(deal, model.Taken) else deal.points)
                    ),
                    queen=_shown(deal.queen) if isinstance(deal, model.Taken) else "",
                    jack=_shown(deal.jack),
                    all_tricks=_shown(deal.all_tricks),
                    missing=", ".join(map(words.short, deal.missing)),
                    cards={
                        f"card-{took.card}-{copy}": str(seat)
                        for took in deal.others
                        for copy, seat in enumerate(took.seats)
                    },
                    trickless=() if idle is None else tuple(map(str, idle)) or (NOBODY,),
                    way="" if deal.minus is None else MINUS if deal.minus else PLUS,
                )
            case model.StoppedDeal():
                revoked, mixed = (tuple(map(str, seats)) for seats in (deal.revoked, deal.mixed))
                return replace(cls.empty(rules), revoked=revoked, mixed=mixed)
        return cls.empty(rules)

    def deal(self, words: Words, rules: Ruleset, do: str) -> model.DealReport:
        """The deal that the form reports, by the button pressed. Raises `Wrong`."""
        if do.startswith(MOON):
            return self._moon(rules, do)
        if do in tuple(Misdeal):
            return model.LostDeal(Misdeal(do))
        if do == "stopped":
            revoked = _seats(self.revoked, rules, "revoked")
            return model.StoppedDeal(revoked, _seats(self.mixed, rules, "mixed"))
        missing = self._missing(words)
        jack = _seat(self.jack, rules, "jack")
        all_tricks = _seat(self.all_tricks, rules, "all_tricks")
        counts = tuple(_count(text, seat) for seat, text in enumerate(self.counts))
        return model.played(
            counts,
            self._took(rules),
            trickless=self._idle(rules),
            minus=self._minus(),
            by_points=self.by == POINTS,
            queen=None if self.by == POINTS else _seat(self.queen, rules, "queen"),
            jack=jack,
            all_tricks=all_tricks,
            missing=missing,
        )

    def refused(self, why: Exception) -> DealForm:
        """The form as it comes back; set to points if the numbers must be points."""
        points = isinstance(why, model.SheetFault) and why.reason == "points_not_hearts"
        return replace(self, by=POINTS) if points else self

    def _took(self, rules: Ruleset) -> dict[Card, tuple[int, ...]]:
        """The takers of the other cards, as far as they are chosen. Raises `Wrong`."""
        took: dict[Card, tuple[int, ...]] = {}
        for name, due, _ in _fields(model.needs_of(rules)):
            seat = _seat(self.cards.get(name, ""), rules, name)
            if seat is not None:
                took[due.card] = (*took.get(due.card, ()), seat)
        return took

    def _idle(self, rules: Ruleset) -> tuple[int, ...] | None:
        """The seats without a trick; None where no box was checked. Raises `Wrong`."""
        named = tuple(text for text in self.trickless if text != NOBODY)
        if named and NOBODY in self.trickless:
            raise Wrong("trickless", CHOICE)
        return _seats(named, rules, "trickless") if self.trickless else None

    def _minus(self) -> bool | None:
        if self.way not in ("", MINUS, PLUS):
            raise Wrong("way", CHOICE)
        return self.way == MINUS if self.way else None

    def _moon(self, rules: Ruleset, do: str) -> model.DealReport:
        seat = _seat(do.removeprefix(MOON), rules, "counts")
        if seat is None:
            raise Wrong("counts", CHOICE)
        return model.everything(
            rules,
            seat,
            slam=_seat(self.all_tricks, rules, "all_tricks") == seat,
            jack=_seat(self.jack, rules, "jack"),
            took=self._took(rules),
            trickless=self._idle(rules),
            minus=self._minus(),
        )

    def _missing(self, words: Words) -> tuple[Card, ...]:
        try:
            return tuple(map(words.read_card, listed(self.missing)))
        except VolteError as fault:
            raise Wrong("missing", fault) from None


def entry_context(words: Words, sheet: model.Sheet, form: DealForm) -> dict[str, Any]:
    """Context for the template of the form."""
    rules, needs = sheet.rules, model.needs_of(sheet.rules)
    counted = [int(text) for text in form.counts if text.isascii() and text.isdecimal()]
    groups = _single(rules) if len(form.counts) == rules.players else rules.all_sides
    moons = _groups(rules)
    return {
        "takers": _named(words, sheet, groups),
        "moons": [
            (side[0], name) for side, name in zip(moons, _named(words, sheet, moons), strict=True)
        ],
        "cards_asked": [
            (name, _asked_card(words, each, copy), each.points)
            for name, each, copy in _fields(needs)
            if form.by == CARDS or each.points < 0
        ],
        "entry": form,
        "due": needs,
        "whole": needs.hearts if form.by == CARDS else needs.total,
        "counted": sum(counted),
        "numbers": range(needs.hearts + 1),
        "seats": list(enumerate(sheet.names)),
        "moon": rules.moon.moon is not MoonRule.OFF,
        "clerk": clerk_address(None, sheet.rules),
    }


def _groups(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """The groups that shoot the moon and have one count: each player, or each side (W10)."""
    return rules.all_sides if rules.moon.by is MoonBy.SIDE else _single(rules)


def _single(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    return tuple((seat,) for seat in range(rules.players))


def _named(words: Words, sheet: model.Sheet, groups: Sequence[tuple[int, ...]]) -> list[str]:
    return [words.listed([sheet.names[seat] for seat in group]) for group in groups]


def _fields(needs: model.DealNeeds) -> Iterator[tuple[str, model.NeededCard, int]]:
    """The fields for other cards: name, card, and number of the copy, 1 or 2; 0 for a single."""
    for each in needs.others:
        for copy in range(each.copies):
            yield f"card-{each.card}-{copy}", each, (copy + 1) * (each.copies > 1)


def _asked_card(words: Words, due: model.NeededCard, copy: int) -> str:
    texts = (
        N_("Who took {card:the}"),
        N_("Who took one of the two: {card}"),
        N_("Who took the other: {card}"),
    )
    return words.t(texts[copy], card=due.card)


def field_of(fault: model.SheetFault) -> str:
    """The field at which the fault is shown."""
    if fault.reason in ("who_took_the_card", "who_took_both_cards", "card_takers"):
        return f"card-{fault.params['card']}-0"
    return next((field for word, field in FIELDS.items() if word in fault.reason), "counts")


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)


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
    """The number of a field that may be empty. Raises `Wrong`."""
    plain = "".join(text.split())
    if not plain:
        return None
    if not _NUMBER.fullmatch(plain):
        raise Wrong(f"count-{seat}", N_("Please enter a whole number, or leave the field empty."))
    return int(plain.replace("−", "-"))
