"""The form for one line of a sheet: the report of a deal, as typed or tapped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from volte.cards import Card
from volte.forms.fields import CHOICE, Choice, Field, FilledForm, Several, Wrong, declared, listed
from volte.referee import Misdeal
from volte.rules import MoonBy, MoonRule, Ruleset
from volte.say import N_, Words
from volte.scorekeeper import model
from volte.scorekeeper.web.clerk_page import clerk_address

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


def deal_fields(words: Words, rules: Ruleset, counts: int = 0) -> dict[str, Field]:
    """The fields of a deal; cards are typed in the language of the words.

    Args:
        counts: fields for hearts or points; 0 for one for each group that can shoot the moon.
    """
    seats = tuple(map(str, range(rules.players)))

    def taker(name: str) -> Field:
        return Field(name, None, partial(_seat, rules, name), _shown)

    return declared(
        Field("by", CARDS, lambda by: POINTS if by == POINTS else CARDS),
        *(
            Field(f"count-{place}", None, partial(_count, place), _shown)
            for place in range(counts or len(_groups(rules)))
        ),
        *map(taker, ("queen", "jack")),
        *(taker(name) for name, _, _ in _fields(model.needs_of(rules))),
        Several("trickless", (), values=(*seats, NOBODY)),
        Choice("way", values=("", MINUS, PLUS)),
        taker("all_tricks"),
        Several("revoked", (), values=seats),
        Several("mixed", (), values=seats),
        Field("missing", (), partial(_missing, words), partial(_listed, words)),
        Field("reason", meant=str),  # of a correction
    )


@dataclass(frozen=True)
class DealForm(FilledForm):
    """The form of a deal; a seat is a digit, or empty for nobody."""

    @classmethod
    def empty(cls, words: Words, rules: Ruleset, by: str = CARDS) -> DealForm:
        return cls.of(deal_fields(words, rules), {"by": by})

    @classmethod
    def sent(cls, words: Words, rules: Ruleset, form: Any) -> DealForm:
        """The form of a deal that a browser has sent."""
        each = str(form.get("each", ""))
        known = each in (str(rules.players), str(len(rules.all_sides)))
        return cls.typed(deal_fields(words, rules, int(each) if known else 0), form)

    @classmethod
    def reporting(cls, words: Words, rules: Ruleset, deal: model.DealReport | None) -> DealForm:
        """The form filled in with a deal."""
        values: dict[str, Any] = {}
        counts: tuple[int | None, ...] = ()
        match deal:
            case model.Taken() | model.Counted():
                idle = deal.trickless
                values = {
                    "jack": deal.jack,
                    "all_tricks": deal.all_tricks,
                    "missing": deal.missing,
                    "trickless": () if idle is None else idle or (NOBODY,),
                    "way": "" if deal.minus is None else MINUS if deal.minus else PLUS,
                }
                for took in deal.others:
                    for copy, seat in enumerate(took.seats):
                        values[f"card-{took.card}-{copy}"] = seat
            case model.StoppedDeal():
                values = {"revoked": deal.revoked, "mixed": deal.mixed}
        match deal:
            case model.Taken():
                counts, values["queen"] = deal.hearts, deal.queen
            case model.Counted():
                counts, values["by"] = deal.points, POINTS
        values |= {f"count-{place}": count for place, count in enumerate(counts)}
        return cls.of(deal_fields(words, rules, len(counts)), values)

    @property
    def counts(self) -> list[str]:
        """The hearts or points typed, of each player or side."""
        return [self[name] for name in self.kinds if name.startswith("count-")]

    def deal(self, rules: Ruleset, do: str) -> model.DealReport:
        """The deal that the form reports, by the button pressed. Raises `Wrong`."""
        if do in tuple(Misdeal):
            return model.LostDeal(Misdeal(do))
        if do == "stopped":
            read = self.read(names=("revoked", "mixed"))
            return model.StoppedDeal(*(tuple(map(int, read[name])) for name in read))
        by_points, shooter = self["by"] == POINTS, None
        left = ("revoked", "mixed", "reason", *(["queen"] if by_points else []))
        if do.startswith(MOON):
            shooter = _seat(rules, "counts", do.removeprefix(MOON) or NOBODY)
            left += ("missing", "queen", *(f"count-{place}" for place in range(len(self.counts))))
        read = self.read(_in_doubt, [name for name in self.kinds if name not in left])
        took: dict[Card, tuple[int, ...]] = {}
        for name, due, _ in _fields(model.needs_of(rules)):
            if read[name] is not None:
                took[due.card] = (*took.get(due.card, ()), read[name])
        idle = [int(text) for text in read["trickless"] if text != NOBODY]
        trickless = tuple(idle) if read["trickless"] else None
        minus = read["way"] == MINUS if read["way"] else None
        if shooter is not None:
            return model.everything(
                rules,
                shooter,
                slam=read["all_tricks"] == shooter,
                jack=read["jack"],
                took=took,
                trickless=trickless,
                minus=minus,
            )
        return model.played(
            tuple(read[f"count-{place}"] for place in range(len(self.counts))),
            took,
            trickless=trickless,
            minus=minus,
            by_points=by_points,
            queen=read.get("queen"),
            jack=read["jack"],
            all_tricks=read["all_tricks"],
            missing=read["missing"],
        )

    def refused(self, why: Exception) -> DealForm:
        """The form as it comes back; set to points if the numbers must be points."""
        points = isinstance(why, model.SheetFault) and why.reason == "points_not_hearts"
        return replace(self, fields={**self.fields, "by": POINTS}) if points else self


def _in_doubt(values: Mapping[str, Any]) -> Iterator[Wrong]:
    """A fault where both some players and nobody took no trick."""
    idle = values.get("trickless", ())
    if NOBODY in idle and len(idle) > 1:
        yield Wrong("trickless", CHOICE)


def entry_context(words: Words, sheet: model.Sheet, form: DealForm) -> dict[str, Any]:
    """Context for the template of the form."""
    rules, needs = sheet.rules, model.needs_of(sheet.rules)
    counts, by_points = form.counts, form["by"] == POINTS
    counted = [int(text[:20]) for text in counts if text.isascii() and text.isdecimal()]
    groups = _single(rules) if len(counts) == rules.players else rules.all_sides
    moons = _groups(rules)
    return {
        "takers": _named(words, sheet, groups),
        "moons": [
            (side[0], name) for side, name in zip(moons, _named(words, sheet, moons), strict=True)
        ],
        "cards_asked": [
            (name, _asked_card(words, each, copy), each.points)
            for name, each, copy in _fields(needs)
            if not by_points or each.points < 0
        ],
        "due": needs,
        "whole": needs.total if by_points else needs.hearts,
        "counted": sum(counted),
        "numbers": range(needs.hearts + 1),
        "seats": list(enumerate(sheet.names)),
        "below": rules.points.no_tricks < 0
        or min(rules.values.values()) < 0
        or rules.moon.moon not in (MoonRule.OFF, MoonRule.OTHERS_PLUS),
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
        N_("Who took one {card} (there are two)"),
        N_("Who took the other {card}"),
    )
    return words.t(texts[copy], card=due.card)


def field_of(fault: model.SheetFault) -> str:
    """The field at which the fault is shown."""
    if fault.reason in ("who_took_the_card", "who_took_both_cards", "card_takers"):
        return f"card-{fault.params['card']}-0"
    return next((field for word, field in FIELDS.items() if word in fault.reason), "counts")


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)


def _seat(rules: Ruleset, field: str, text: str) -> int | None:
    """The seat of a choice; None where nobody is chosen. Raises `Wrong`."""
    if text and text not in map(str, range(rules.players)):
        raise Wrong(field, CHOICE)
    return int(text) if text else None


def _count(place: int, text: str) -> int | None:
    """The number of a field that may be empty. Raises `Wrong`."""
    plain = "".join(text.split())
    if not plain:
        return None
    if not _NUMBER.fullmatch(plain):
        raise Wrong(f"count-{place}", N_("Please enter a whole number, or leave the field empty."))
    return int(plain.replace("−", "-"))


def _missing(words: Words, text: str) -> tuple[Card, ...]:
    return tuple(map(words.read_card, listed(text)))


def _listed(words: Words, cards: Iterable[Card]) -> str:
    return ", ".join(map(words.short, cards))
