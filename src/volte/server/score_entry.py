"""The form for one line of a sheet: what was typed or tapped of a deal, and what it tells.

Everything stays as it was typed, so that a form with something wrong in it comes back whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from volte.cards import Card, Fault
from volte.rules import MoonRule, Ruleset
from volte.scoresheet import (
    Counted,
    Misdeal,
    Misdealt,
    Sheet,
    SheetFault,
    Stopped,
    Taken,
    Told,
    asked,
    everything,
)
from volte.server.clerk_page import clerk_address
from volte.server.forms import Wrong
from volte.words import Words

CARDS: Final = "cards"
POINTS: Final = "points"

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

    @classmethod
    def empty(cls, players: int, by: str = CARDS) -> DealForm:
        return cls(by, ("",) * players)

    @classmethod
    def typed(cls, form: Any, players: int) -> DealForm:
        """What somebody has sent."""
        one = {
            name: str(form.get(name, ""))[:200]
            for name in ("queen", "jack", "all_tricks", "missing", "reason")
        }
        by = POINTS if form.get("by") == POINTS else CARDS
        counts = tuple(str(form.get(f"count-{seat}", ""))[:20] for seat in range(players))
        revoked, mixed = (tuple(map(str, form.getlist(name))) for name in ("revoked", "mixed"))
        return cls(by, counts, **one, revoked=revoked, mixed=mixed)

    @classmethod
    def of(cls, words: Words, told: Told | None, players: int) -> DealForm:
        """The form that tells just that."""
        match told:
            case Taken():
                return cls(
                    *(CARDS, tuple(map(_shown, told.hearts))),
                    *(_shown(told.queen), _shown(told.jack), _shown(told.all_tricks)),
                    _cards_shown(words, told.missing),
                )
            case Counted():
                return cls(
                    *(POINTS, tuple(map(_shown, told.points)), ""),
                    *(_shown(told.jack), _shown(told.all_tricks)),
                    _cards_shown(words, told.missing),
                )
            case Stopped():
                revoked, mixed = (tuple(map(str, seats)) for seats in (told.revoked, told.mixed))
                return cls(CARDS, ("",) * players, revoked=revoked, mixed=mixed)
        return cls.empty(players)

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
        if self.by == POINTS:
            return Counted(counts, jack, all_tricks, missing)
        return Taken(counts, _seat(self.queen, rules, "queen"), jack, all_tricks, missing)

    def _moon(self, rules: Ruleset, do: str) -> Told:
        seat = _seat(do.removeprefix(MOON), rules, "counts")
        if seat is None:
            raise Wrong("counts", "fault_choice")
        slam = _seat(self.all_tricks, rules, "all_tricks") == seat
        return everything(rules, seat, slam=slam, jack=_seat(self.jack, rules, "jack"))

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
    due = asked(sheet.rules)
    whole = due.hearts if form.by == CARDS else due.total
    counted = [int(text) for text in form.counts if text.isascii() and text.isdecimal()]
    return {
        "entry": form,
        "due": due,
        "whole": whole,
        "counted": sum(counted),
        "numbers": range(due.hearts + 1),
        "seats": list(enumerate(sheet.names)),
        "moon": sheet.rules.moon.moon is not MoonRule.OFF,
        "clerk": clerk_address(None, sheet.rules),
    }


def field_of(fault: SheetFault) -> str:
    """Where the fault is told."""
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
        raise Wrong(field, "fault_choice")
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
        raise Wrong(f"count-{seat}", "fault_count")
    return int(plain.replace("−", "-"))
