"""A sheet as its pages show it: rows, standing, payments, all of it in words."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from volte.referee import Misdeal
from volte.referee.scores import Purpose, Row, RowKind
from volte.rules import Direction, Settlement
from volte.say import N_, Words
from volte.say.scores import row_line
from volte.say.script import CLIENT
from volte.scorekeeper.model import (
    Coming,
    Counted,
    Drawn,
    Misdealt,
    Sheet,
    Stopped,
    Taken,
    Told,
    coming,
    lots_due,
    open_seal,
    worth,
)
from volte.scorekeeper.telling.money import money
from volte.scorekeeper.telling.sheet import needs_told
from volte.scorekeeper.telling.stakes import amount, drawn_told, lots_for, stake_told, stakes_told
from volte.scorekeeper.telling.told import SheetTelling, ending, scores
from volte.scorekeeper.web.sheets import Kept
from volte.web.score_chart import chart_of

MISDEALS: Final = {
    Misdeal.EXPOSED: N_("Misdeal: a card was shown"),
    Misdeal.COUNT: N_("Misdeal: not the right number of cards"),
}


@dataclass(frozen=True)
class Cell:
    """The points of a player in a deal, the total after it, and what is worth a word."""

    points: str
    total: str
    event: str = ""


@dataclass(frozen=True)
class Shown:
    """A row of the table.

    Attributes:
        head: its number among the deals, or a dash.
        told: what it is instead of a deal; then there are no cells.
        dealt: who dealt, and where cards were passed.
        notes: what else is worth a word.
        correct: what the link to its correction says.
    """

    line: int
    head: str
    cells: tuple[Cell, ...]
    told: str
    dealt: str
    notes: tuple[str, ...]
    correct: str


class Teller:
    """Says what is on a sheet, in one language."""

    def __init__(self, words: Words, sheet: Sheet) -> None:
        self._words = words
        self._sheet = sheet

    def _names(self, seats: Sequence[int]) -> str:
        return self._words.listed([self._sheet.names[seat] for seat in seats])

    @property
    def called(self) -> str:
        """The name of the sheet, or those of its players."""
        return self._sheet.title or self._words.listed(self._sheet.names)

    # The table

    def rows(self) -> list[Shown]:
        return [self._row(row) for row in self._sheet.table.rows]

    def _row(self, row: Row) -> Shown:
        cells: tuple[Cell, ...] = ()
        if row.points:
            cells = tuple(self._cell(row, side) for side in self._sides)
        number = row.number
        correct = self._words.t("Correct line {number}", number=row.line)
        if number is not None:
            correct = self._words.t("Correct deal {number}", number=number)
        return Shown(
            *(row.line, "–" if number is None else str(number), cells),
            *("" if cells else self._told_instead(row), self._dealt(row)),
            *(tuple(self._notes(row)), correct),
        )

    def _cell(self, row: Row, side: Sequence[int]) -> Cell:
        number, seat = self._words.number, side[0]
        event = ""
        for name, seats in ((N_("revoke"), row.revoked), (N_("mixed tricks"), row.mixed)):
            if {*side} & {*seats}:
                event = self._words.t(name)
        if row.slam in side:
            event = self._words.t("slam")
        elif row.moon in side:
            event = self._words.t("moon")
        if row.minus and {row.slam, row.moon} & {*side}:
            event = self._words.t("{event}, taken off", event=event)
        total, limit = number(row.totals[seat]), self._sheet.table.limit
        if seat in row.halved and limit is not None:
            total = self._words.t("{limit} → {half}", limit=number(limit), half=total)
        return Cell(number(row.points[seat]), total, event)

    @property
    def _sides(self) -> tuple[tuple[int, ...], ...]:
        return self._sheet.table.sides

    def columns(self) -> list[str]:
        """Whose they are: a player's, or a side's (W10)."""
        return [self._names(side) for side in self._sides]

    def _told_instead(self, row: Row) -> str:
        if row.kind is RowKind.MISDEAL and row.cause is not None:
            return self._words.t(MISDEALS[row.cause])
        return self._words.t("Struck out")

    def _dealt(self, row: Row) -> str:
        parts = [] if row.dealer is None else [self._sheet.names[row.dealer]]
        if row.direction is not None:
            parts.append(self._way(row.direction))
        return ", ".join(parts)

    def _way(self, direction: Direction) -> str:
        return self._words.t(CLIENT[f"way_{direction.value}"])

    def _notes(self, row: Row) -> Iterator[str]:
        if row.missing:
            yield self._words.t(
                "missing: {cards}", cards=", ".join(map(self._words.short, row.missing))
            )
        if row.trickless:
            yield self._words.t("no trick: {names}", names=self._names(row.trickless))
        if row.corrected:
            yield self._words.t("corrected")
        if row.beyond:
            yield self._words.t("after the end, does not count")

    def totals(self) -> list[tuple[str, bool]]:
        """Each total, and whether it leads."""
        table = self._sheet.table
        return [
            (self._words.number(table.totals[side[0]]), side[0] in table.leaders)
            for side in self._sides
        ]

    def stakes(self) -> list[tuple[str, str]]:
        """What each player has won so far, in stakes and in money; nothing where nobody has."""
        net = self._sheet.table.net
        if net is None or not any(net):
            return []
        by_side = [dict.fromkeys(net[seat] for seat in side) for side in self._sides]
        return [
            (
                " / ".join(map(self._signed, counts)),
                " / ".join(filter(None, map(self._money, counts))),
            )
            for counts in by_side
        ]

    def _signed(self, count: int) -> str:
        return f"+{count}" if count > 0 else self._words.number(count)

    def _money(self, count: int) -> str:
        amount = worth(self._sheet, count)
        return "" if amount is None else money(self._words, amount, self._sheet.currency)

    # The next deal

    def next_deal(self, due: Coming) -> list[tuple[str, str]]:
        """What everybody wants to know before it."""
        leader = due.eldest if self._eldest_leads else None
        facts = [(self._words.t("Dealer"), self._name(due.dealer))]
        if due.cutter is not None:
            facts.append((self._words.t("Who cuts"), self._name(due.cutter)))
        if leader is not None:
            facts.append((self._words.t("Who leads"), self._name(leader)))
        if due.count:
            way = self._way(due.direction)
            if due.direction not in (Direction.HOLD, Direction.SCATTER):
                way = f"{due.count}, {way}"
            facts.append((self._words.t("Cards passed"), way))
        return facts

    @property
    def _eldest_leads(self) -> bool:
        return self._sheet.rules.play.opening.value == "eldest"

    def _name(self, seat: int | None) -> str:
        return self._words.t("not known yet") if seat is None else self._sheet.names[seat]

    # What was told

    def told(self, told: Told | None) -> str:
        """One line of the sheet, in a line."""
        match told:
            case Taken():
                return self._taken(told)
            case Counted():
                return self._counts(told.points)
            case Stopped():
                parts = [
                    self._words.t(name, names=self._names(seats))
                    for name, seats in (
                        (N_("revoke: {names}"), told.revoked),
                        (N_("mixed tricks: {names}"), told.mixed),
                    )
                    if seats
                ]
                return "; ".join(parts)
            case Misdealt():
                return self._words.t(MISDEALS[told.cause])
        return self._words.t("Struck out")

    def _taken(self, told: Taken) -> str:
        names = self._sheet.names
        if told.all_tricks is not None:
            return self._words.t("{name} took every trick", name=names[told.all_tricks])
        parts = [self._counts(told.hearts)]
        for took in told.others:
            takers = self._names(tuple(dict.fromkeys(took.seats)))
            parts.append(self._words.t("{card}: {names}", card=took.card, names=takers))
        if told.queen is not None:
            parts.append(self._words.t("queen: {name}", name=names[told.queen]))
        if told.jack is not None:
            parts.append(self._words.t("jack: {name}", name=names[told.jack]))
        return "; ".join(parts)

    def _counts(self, counts: Sequence[int | None]) -> str:
        by_seat = len(counts) == len(self._sheet.names)
        names = self._sheet.names if by_seat else self.columns()
        return ", ".join(
            self._words.t("{name} {count}", name=name, count=self._words.number(count or 0))
            for name, count in zip(names, counts, strict=True)
        )

    def line(self, line: int) -> str:
        """What stands in a line of the sheet, and how it came about."""
        telling = SheetTelling(self._words, self._sheet)
        return row_line(telling, self._sheet.table.rows[line - 1])

    # Lots

    def lots(self) -> dict[str, Any] | None:
        """The lots that are due first, and the seal that they are drawn under."""
        due = lots_due(self._sheet)
        if not due:
            return None
        seal = open_seal(self._sheet)
        return {
            "told": lots_for(self._words, self._sheet, due[0]),
            "dealer": due[0].purpose is Purpose.DEALER,
            "digest": seal.digest.hex() if seal is not None else "",
            "seats": [(seat, self._sheet.names[seat]) for seat in due[0].seats],
        }

    def drawn(self) -> list[str]:
        """All lots that have been drawn, the latest first."""
        lots = [each for each in self._sheet.entries if isinstance(each, Drawn)]
        return [" ".join(drawn_told(self._words, self._sheet, each)) for each in reversed(lots)]


def sheet_context(words: Words, kept: Kept) -> dict[str, Any]:
    """What everybody sees of a sheet."""
    sheet = kept.sheet
    teller = Teller(words, sheet)
    table = sheet.table
    played = sheet.rules.stakes.settlement is not Settlement.NONE
    return {
        "id": kept.id,
        "version": kept.version,
        "nonce": secrets.token_urlsafe(9),
        "called": teller.called,
        "names": sheet.names,
        "columns": teller.columns(),
        "tie": " ".join(scores(words, sheet)[2:]) if table.tied else "",
        "rows": teller.rows(),
        "totals": teller.totals(),
        "stakes": teller.stakes(),
        "pot": amount(words, sheet, table.pot) if table.pot else "",
        "lead": " ".join(ending(words, sheet)) if table.over else "",
        "standing": needs_told(words, sheet) if table.deals else (),
        "over": table.over,
        "accepted": sheet.accepted,
        "payments": stakes_told(words, sheet) if played and table.net is not None else (),
        "one_stake": stake_told(words, sheet),
        "chart": chart_of(sheet.rules, sheet.names, table),
        "drawn": teller.drawn(),
        "dealt": words.t("Dealer, pass"),
        "leads_first": words.t("in the lead:"),
    }


def next_context(words: Words, kept: Kept) -> dict[str, Any]:
    """What its keeper sees besides: what comes next, and what came last."""
    teller = Teller(words, kept.sheet)
    due = coming(kept.sheet)
    return {
        "coming": due,
        "facts": teller.next_deal(due) if due is not None else [],
        "lots": teller.lots(),
    }
