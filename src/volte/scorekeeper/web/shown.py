"""The sheet of a page, and its context: rows, standings and payments, in words."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from volte.game import Player
from volte.referee import Misdeal
from volte.rules import Direction, Opening, Settlement
from volte.say import N_, Words
from volte.say.deal import WAYS
from volte.say.scores import row_line, won
from volte.scene.chart import chart_of
from volte.scene.faces import faces_of
from volte.scorekeeper import model
from volte.scorekeeper.telling.sheet import SheetTelling, scores, standing_lines
from volte.scorekeeper.telling.stakes import (
    amount,
    drawn_lines,
    in_money,
    lots_for,
    stake_sentence,
    stakes_lines,
)
from volte.scorekeeper.web.sheets import Sheets, StoredSheet
from volte.sheet import Purpose, SheetRow
from volte.web.refused import Refused
from volte.web.visit import Visit

MISDEALS: Final = {
    Misdeal.EXPOSED: N_("Misdeal: a card was shown"),
    Misdeal.COUNT: N_("Misdeal: wrong number of cards"),
}


@dataclass(frozen=True)
class ShownCell:
    """The points of a player in a deal, the total after it, and an event such as "moon"."""

    points: str
    total: str
    event: str


@dataclass(frozen=True)
class ShownRow:
    """A line of the sheet, a deal or a misdeal, as a row of the table."""

    line: int
    head: str  # its number among the deals, or a dash
    cells: tuple[ShownCell, ...]  # one for each column; none for a misdeal
    told: str  # "Misdeal: …" or "Struck out"; empty for a deal
    dealt: str  # the dealer, and the direction of the pass
    notes: tuple[str, ...]  # missing cards, trickless players, corrections
    correct: str  # text of the link to its correction


class PageTelling(SheetTelling):
    """A sheet in the short words of its pages."""

    # The table

    def rows(self) -> list[ShownRow]:
        return [
            ShownRow(
                line=row.line,
                head="–" if row.number is None else str(row.number),
                cells=tuple(self._cell(row, side) for side in self.sides) if row.points else (),
                told="" if row.points else self._misdeal(row.cause),
                dealt=self._dealt(row),
                notes=tuple(self._notes(row)),
                correct=self.t("Correct line {number}", number=row.line)
                if row.number is None
                else self.t("Correct deal {number}", number=row.number),
            )
            for row in self.table.rows
        ]

    def _cell(self, row: SheetRow, side: Sequence[int]) -> ShownCell:
        number, seat = self.language.number, side[0]
        event = ""
        for message, seats in (
            (N_("revoke"), row.revoked),
            (N_("mixed tricks"), row.mixed),
            (N_("moon"), (row.moon,)),
            (N_("slam"), (row.slam,)),
        ):
            if {*side} & {*seats}:
                event = self.t(message)
        if row.minus and {row.slam, row.moon} & {*side}:
            event = self.t("{event}, points off", event=event)
        total, limit = number(row.totals[seat]), self.table.limit
        if seat in row.halved and limit is not None:
            total = self.t("{limit} → {half}", limit=number(limit), half=total)
        return ShownCell(number(row.points[seat]), total, event)

    def columns(self) -> list[str]:
        """The heads of the columns: players, or sides (W10)."""
        return [self.names(side) for side in self.sides]

    def _misdeal(self, cause: Misdeal | None) -> str:
        return self.t("Struck out") if cause is None else self.t(MISDEALS[cause])

    def _dealt(self, row: SheetRow) -> str:
        parts = [] if row.dealer is None else [self.player(row.dealer)]
        if row.direction is not None:
            parts.append(self.t(WAYS[row.direction]))
        return ", ".join(parts)

    def _notes(self, row: SheetRow) -> Iterator[str]:
        if row.missing:
            cards = (self.language.card_in(card, "short") for card in row.missing)
            yield self.t("missing: {cards}", cards=", ".join(cards))
        if row.trickless:
            yield self.t("no trick: {names}", names=self.names(row.trickless))
        if row.corrected:
            yield self.t("corrected")
        if row.beyond:
            yield self.t("after the end of the match: does not count")

    def totals(self) -> list[tuple[str, bool]]:
        """(total, whether it leads) of each column."""
        return [
            (self.language.number(self.table.totals[side[0]]), side[0] in self.table.leaders)
            for side in self.sides
        ]

    def stakes(self) -> list[tuple[str, str]]:
        """(stakes, money) won in each column so far; empty where nobody has won any."""
        net = self.table.net
        if net is None or not any(net):
            return []
        found = []
        for side in self.sides:
            counts = dict.fromkeys(net[seat] for seat in side)
            money = filter(None, (in_money(self, count) for count in counts))
            found.append((" / ".join(map(self._signed, counts)), " / ".join(money)))
        return found

    def _signed(self, count: int) -> str:
        return f"+{count}" if count > 0 else self.language.number(count)

    # The next deal

    def next_deal(self, due: model.Coming) -> Iterator[tuple[str, str]]:
        """(name, value) of the facts that players want to know before the next deal."""
        known = self.t("not known yet") if due.dealer is None else self.player(due.dealer)
        yield self.t("Dealer"), known
        if due.cutter is not None:
            yield self.t("Who cuts"), self.player(due.cutter)
        if due.eldest is not None and self.sheet.rules.play.opening is Opening.ELDEST:
            yield self.t("Who leads"), self.player(due.eldest)
        if due.count:
            way = self.t(WAYS[due.direction])
            if due.direction not in (Direction.HOLD, Direction.SCATTER):
                way = f"{due.count}, {way}"
            yield self.t("Cards to pass"), way

    # Reports

    def deal(self, deal: model.DealReport | None) -> str:
        """The report of a line of the sheet, on one line."""
        match deal:
            case model.Taken():
                return self._taken(deal)
            case model.Counted():
                return self._counts(deal.points)
            case model.StoppedDeal():
                parts = (
                    (N_("revoke: {names}"), deal.revoked),
                    (N_("mixed tricks: {names}"), deal.mixed),
                )
                told = (
                    self.t(message, names=self.names(seats)) for message, seats in parts if seats
                )
                return "; ".join(told)
            case model.LostDeal():
                return self._misdeal(deal.cause)
        return self._misdeal(None)

    def _taken(self, deal: model.Taken) -> str:
        if deal.all_tricks is not None:
            return self.t("{name} took every trick", name=self.player(deal.all_tricks))
        parts = [self._counts(deal.hearts)]
        for took in deal.others:
            takers = self.names(dict.fromkeys(took.seats))
            parts.append(self.t("{card}: {names}", card=took.card, names=takers))
        if deal.queen is not None:
            parts.append(self.t("queen: {name}", name=self.player(deal.queen)))
        if deal.jack is not None:
            parts.append(self.t("jack: {name}", name=self.player(deal.jack)))
        return "; ".join(parts)

    def _counts(self, counts: Sequence[int | None]) -> str:
        by_seat = len(counts) == len(self.players)
        names = self.players if by_seat else self.columns()
        return ", ".join(
            self.t("{name} {count}", name=name, count=self.language.number(count or 0))
            for name, count in zip(names, counts, strict=True)
        )

    def line(self, line: int) -> str:
        """A line of the sheet in words: cards, points and their sum, or the misdeal."""
        return row_line(self, self.table.rows[line - 1])

    # Lots

    def lots(self) -> dict[str, Any] | None:
        """Context of the lots that are due first: purpose, players, and digest of the seal."""
        due = model.lots_due(self.sheet)
        if not due:
            return None
        seal = model.open_seal(self.sheet)
        return {
            "told": lots_for(self, due[0]),
            "dealer": due[0].purpose is Purpose.DEALER,
            "digest": seal.digest.hex() if seal is not None else "",
            "seats": [(seat, self.player(seat)) for seat in due[0].seats],
        }

    def drawn(self) -> list[str]:
        """All lots that were drawn, in sentences, the latest first."""
        lots = [each for each in self.sheet.entries if isinstance(each, model.Drawn)]
        return [" ".join(drawn_lines(self, each)) for each in reversed(lots)]


def sheets_of(visit: Visit) -> Sheets:
    """The sheets of the playroom."""
    return visit.room[Sheets]


async def own_sheet(visit: Visit) -> StoredSheet:
    """The sheet of the address, for its owner alone.

    Raises `Refused` 404 for everybody else, as for a sheet that does not exist.
    """
    who = visit.someone()
    stored = await sheets_of(visit).find(visit.path_params["sheet"])
    if stored.owner != who.id:
        raise Refused(404, "no_sheet")
    return stored


def sheet_context(words: Words, stored: StoredSheet) -> dict[str, Any]:
    """Context of a sheet for everybody who may see it."""
    sheet, table = stored.sheet, stored.sheet.table
    telling = PageTelling(words, sheet)
    played = sheet.rules.stakes.settlement is not Settlement.NONE
    hues = [face.hue for face in faces_of([Player(name, person=True) for name in sheet.names])]
    return {
        "id": stored.id,
        "version": stored.version,
        "nonce": secrets.token_urlsafe(9),
        "called": sheet.title or words.listed(sheet.names),
        "names": sheet.names,
        "columns": telling.columns(),
        "tie": " ".join(scores(telling)[2:]) if table.tied else "",
        "rows": telling.rows(),
        "totals": telling.totals(),
        "stakes": telling.stakes(),
        "pot": amount(telling, table.pot) if table.pot else "",
        "lead": " ".join(won(telling)) if table.over else "",
        "standing": standing_lines(telling) if table.deals else (),
        "over": table.over,
        "accepted": sheet.accepted,
        "payments": stakes_lines(telling) if played and table.net is not None else (),
        "one_stake": stake_sentence(telling),
        "chart": chart_of(words, sheet.names, hues, table),
        "drawn": telling.drawn(),
        "dealt": words.t("Dealer, pass"),
        "leads_first": words.t("in the lead:"),
    }


def next_context(words: Words, stored: StoredSheet) -> dict[str, Any]:
    """Further context for the keeper of a sheet: the next deal, and the lots due."""
    telling = PageTelling(words, stored.sheet)
    due = model.coming(stored.sheet)
    return {
        "coming": due,
        "facts": [] if due is None else list(telling.next_deal(due)),
        "lots": telling.lots(),
    }
