"""The form for a new sheet: players, stake and title, and the rules as in the form for tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from volte.cards import VolteError
from volte.rules import DEFAULT, Ruleset
from volte.say import N_, Words
from volte.scorekeeper.model import Act, NameFirstDealer, Open, Sheet, names_typed
from volte.table import Setup
from volte.web.fields import CHOICE, Wrong
from volte.web.table_form import SEATS, TableForm

HEAD: Final = ("title", "stake", "currency", "date")

BY_LOT: Final = "lot"  # in place of a seat: the first dealer is drawn


@dataclass(frozen=True)
class SheetForm:
    """The fields as they were typed."""

    table: TableForm  # the fields of the rules
    names: tuple[str, ...]  # one for each seat of the largest table, clockwise; may be empty
    head: Mapping[str, str]  # the other fields of the head, by the names in `HEAD`
    dealer: str = BY_LOT  # or the seat of the first dealer

    @classmethod
    def new(cls, words: Words, name: str, date: str, currency: str) -> SheetForm:
        """A form to begin with; the person is its first player."""
        names = (name, *[""] * (SEATS - 1))
        head = {"title": "", "stake": "", "currency": currency, "date": date}
        return cls(TableForm.new(words, name, DEFAULT), names, head)

    @classmethod
    def like(cls, words: Words, sheet: Sheet, date: str) -> SheetForm:
        """A form for another match of the same people by the same rules."""
        table = TableForm.of(words, Setup("-", sheet.rules))
        names = (*sheet.names, *[""] * (SEATS - len(sheet.names)))
        head = {name: getattr(sheet, name) for name in HEAD}
        return cls(table, names, {**head, "date": date})

    @classmethod
    def typed(cls, form: Any) -> SheetForm:
        """Read the form of a new sheet from the fields of a request, whatever was typed."""
        names = tuple(str(form.get(f"seat{place}", ""))[:200] for place in range(SEATS))
        head = {name: str(form.get(name, ""))[:200] for name in HEAD}
        return cls(TableForm.typed(form), names, head, str(form.get("dealer", BY_LOT)))

    def acts(self, rules: Ruleset) -> tuple[Act, ...]:
        """The acts that open the sheet. Raises `Wrong`."""
        players = rules.players
        given = sum(bool(name.strip()) for name in self.names)
        if given > players:
            raise Wrong(
                "players",
                N_("You have named {given} players: choose that number, or fewer names."),
                given=given,
            )
        for place, name in enumerate(self.names[:players]):
            if not name.strip():
                raise Wrong(
                    f"seat{place}", N_("Player {number} has no name: give one."), number=place + 1
                )
        names, head = names_typed(self.names[:players]), self.head
        opening = Open(
            rules,
            names,
            title=head["title"],
            stake=head["stake"],
            currency=head["currency"] if head["stake"].strip() else "",
            date=head["date"],
        )
        if self.dealer == BY_LOT:
            return (opening,)
        if not (self.dealer.isascii() and self.dealer.isdecimal() and int(self.dealer) < players):
            raise Wrong("dealer", CHOICE)
        return opening, NameFirstDealer(int(self.dealer))


def head_wrong(fault: VolteError) -> Wrong:
    """The fault, at its field of the head; at the first name where it has none."""
    return Wrong(fault.field or "seat0", fault)
