"""The forms for a new sheet, with the rules as in the form for tables, and for a sheet's head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from volte.cards import VolteError
from volte.forms.fields import CHOICE, Field, Wrong, declared
from volte.rules import Ruleset
from volte.say import N_, Words
from volte.scorekeeper.model import Act, NameFirstDealer, Open, Sheet, names_typed
from volte.web.table_form import SEATS, RulesForm, rule_fields

HEAD: Final = ("stake", "currency", "title", "date")

BY_LOT: Final = "lot"  # in place of a seat: the first dealer is drawn


def head_fields(players: int) -> dict[str, Field]:
    """The names of the players, clockwise, and the other fields of a sheet's head."""
    seats = (f"seat{place}" for place in range(players))
    return declared(*(Field(name, meant=str) for name in (*seats, *HEAD)))


def head_values(sheet: Sheet) -> dict[str, Any]:
    """The values of `head_fields` for a sheet."""
    names = {f"seat{place}": name for place, name in enumerate(sheet.names)}
    return names | {name: getattr(sheet, name) for name in HEAD}


def sheet_fields(words: Words) -> dict[str, Field]:
    """The fields of a new sheet: its head, with places for the largest table, and its rules."""
    return rule_fields(words) | head_fields(SEATS) | declared(Field("dealer", BY_LOT))


@dataclass(frozen=True)
class SheetForm(RulesForm):
    """The form for a new sheet."""

    @property
    def names(self) -> list[str]:
        """The name typed for each seat of the largest table; empty for none."""
        return [self[f"seat{place}"] for place in range(SEATS)]

    def acts(self, rules: Ruleset) -> tuple[Act, ...]:
        """The acts that open the sheet. Raises `Wrong`."""
        players, names = rules.players, self.names
        given = sum(bool(name.strip()) for name in names)
        if given > players:
            raise Wrong(
                "players",
                N_("You have given {given} names: choose that many players, or take out a name."),
                given=given,
            )
        for place, name in enumerate(names[:players]):
            if not name.strip():
                raise Wrong(
                    f"seat{place}", N_("Player {number} has no name: give one."), number=place + 1
                )
        head: dict[str, Any] = {name: self[name] for name in HEAD}
        if not head["stake"].strip():
            head["currency"] = ""
        opening = Open(rules, names_typed(names[:players]), **head)
        dealer = self.fields.get("dealer", BY_LOT)
        if dealer == BY_LOT:
            return (opening,)
        if dealer not in map(str, range(players)):
            raise Wrong("dealer", CHOICE)
        return opening, NameFirstDealer(int(dealer))


def head_wrong(fault: VolteError) -> Wrong:
    """The fault, at its field of the head; at the first name where it has none."""
    return Wrong(fault.field or "seat0", fault)
