"""The score-keeper's sheet in sentences: the deal that comes, the scores, and what was entered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from volte.referee import Misdeal
from volte.rules import Direction, Opening, Ruleset, described
from volte.say.language import N_, Language
from volte.say.rulesheet.options import preset_title
from volte.say.scores import TableTelling, won
from volte.say.telling import Lines
from volte.scorekeeper.model import (
    Coming,
    Counted,
    LostDeal,
    Sheet,
    StoppedDeal,
    Taken,
    Told,
    coming,
)

WAYS: Final = {
    Direction.LEFT: N_("to the left"),
    Direction.RIGHT: N_("to the right"),
    Direction.SECOND_LEFT: N_("to the second on the left"),
    Direction.SECOND_RIGHT: N_("to the second on the right"),
    Direction.ACROSS: N_("across"),
    Direction.HOLD: N_("no pass"),
}


class SheetTelling(TableTelling):
    """A sheet of the score-keeper, to be told."""

    def __init__(self, language: Language, sheet: Sheet) -> None:
        super().__init__(language, sheet.names, sheet.table)
        self.sheet = sheet


def rules_title(language: Language, rules: Ruleset) -> str:
    """What is played, in a few words: "Les Cœurs by the average, queen_points=12"."""
    preset, differences = described(rules)
    changed = (f"{name}={value}" for name, value in differences.items() if name != "players")
    return ", ".join((preset_title(language, preset), *changed))


def next_deal(language: Language, sheet: Sheet) -> str:
    """The deal that comes, in one sentence: number, dealer, cut and pass."""
    due = coming(sheet)
    assert due is not None
    telling = SheetTelling(language, sheet)
    if due.dealer is None or due.cutter is None:
        message = N_("Deal {number}: {way}.")
        return telling.t(message, number=due.number, way=_way(telling, due))
    return telling.t(
        "Deal {number}: {dealer} deals, {cutter} cuts, {way}.",
        number=due.number,
        dealer=telling.who(due.dealer),
        cutter=telling.who(due.cutter),
        way=_way(telling, due),
    )


def whose_deal(language: Language, sheet: Sheet) -> Lines:
    """T: the deal that comes, who leads to the first trick, and how many deals are left."""
    telling = SheetTelling(language, sheet)
    due = coming(sheet)
    if due is None:
        return ending(language, sheet)
    lines = [next_deal(language, sheet)]
    if due.eldest is None:
        lines.append(telling.t("Nobody has said who deals first."))
    elif sheet.rules.play.opening is Opening.ELDEST:
        lines.append(telling.t("{name} leads to the first trick.", name=telling.who(due.eldest)))
    if due.tied:
        lines.append(_tie(telling, due.tied))
    if due.deals_left is not None:
        lines.append(
            telling.n(
                "This is the last deal.",
                "{count} deals are left, this one among them.",
                due.deals_left,
            )
        )
    return tuple(lines)


def _way(telling: TableTelling, due: Coming) -> str:
    if due.direction is Direction.HOLD or not due.count:
        return telling.t("no pass")
    if due.direction is Direction.SCATTER:
        return telling.t("one card to each of the others")
    way = telling.t(WAYS[due.direction])
    return telling.n("{count} card {way}", "{count} cards {way}", due.count, way=way)


def after_row(language: Language, sheet: Sheet) -> Lines:
    """The running totals and who leads; at the end, who wins."""
    telling = SheetTelling(language, sheet)
    table = sheet.table
    if not table.deals:
        return ()
    parts = []
    if len(table.deals) > 1:
        parts.append(telling.t("Totals: {totals}.", totals=telling.counts(table.totals)))
    if not table.over:
        parts.append(_tie(telling, table.tied) if table.tied else _lead(telling))
    return tuple([" ".join(parts)] if parts else [])


def scores(language: Language, sheet: Sheet) -> Lines:
    """S: the totals, and who leads."""
    telling = SheetTelling(language, sheet)
    if not sheet.table.deals:
        return (telling.t("No deal has been scored yet."),)
    told = telling.t("Totals: {totals}.", totals=telling.counts(sheet.table.totals))
    if sheet.table.over:
        return (told, *ending(language, sheet))
    tied = sheet.table.tied
    return (told, _lead(telling), *([_tie(telling, tied)] if tied else []))


def ending(language: Language, sheet: Sheet) -> Lines:
    """Who has won."""
    return won(SheetTelling(language, sheet))


def _lead(telling: TableTelling) -> str:
    table = telling.table
    points = telling.points(table.totals[table.leaders[0]])
    names = telling.names(table.leaders)
    return telling.t("In the lead: {names}, with {points}.", names=names, points=points)


def _tie(telling: TableTelling, tied: Sequence[int]) -> str:
    """Why the match goes on (W9)."""
    points = telling.points(telling.table.totals[tied[0]])
    message = N_("{names} tie at {points}, the lowest total: another deal is played (W9).")
    return telling.t(message, names=telling.names(tied), points=points)


def typed(language: Language, names: Sequence[str], deal: Told | None) -> str:
    """A line as somebody could type it: "4 6q 3 0", "= 10 12 3 0", "revoke Anne"."""
    t = language.t
    match deal:
        case None:
            return t("struck out")
        case Taken(all_tricks=int(seat)):
            return " ".join((t("slam"), names[seat], *_behind(language, names, deal)))
        case Taken():
            counts = _marked(language, deal.hearts, deal.queen, deal.jack)
            return " ".join((*counts, *_behind(language, names, deal)))
        case Counted():
            counts = _marked(language, deal.points, None, deal.jack)
            return " ".join(("=", *counts, *_behind(language, names, deal)))
        case StoppedDeal():
            parts = [t("revoke"), *(names[seat] for seat in deal.revoked)] * bool(deal.revoked)
            if deal.mixed:
                parts += [t("mixed"), *(names[seat] for seat in deal.mixed)]
            return " ".join(parts)
        case LostDeal(Misdeal.EXPOSED):
            return t("misdeal exposed")
    return t("misdeal count")


def _marked(
    language: Language, counts: Sequence[int | None], queen: int | None, jack: int | None
) -> Iterator[str]:
    """Numbers and what stands behind them: q and j, in French d and v."""
    queens, jacks = language.p("letter of the queen", "q"), language.p("letter of the jack", "j")
    for seat, count in enumerate(counts):
        yield f"{count}{queens * (seat == queen)}{jacks * (seat == jack)}"


def _behind(language: Language, names: Sequence[str], deal: Taken | Counted) -> Iterator[str]:
    """What stands behind the numbers: other cards, who took no trick, the way of a moon."""
    t = language.t
    for took in deal.others:
        takers = " ".join(names[seat] for seat in dict.fromkeys(took.seats))
        yield f"{language.grammar.card(took.card, 'short')} {takers}"
    if deal.trickless is not None:
        idle = " ".join(names[seat] for seat in deal.trickless)
        yield t("no trick {names}", names=idle or t("nobody"))
    if deal.minus is not None:
        yield t("minus") if deal.minus else t("plus")
    if deal.missing:
        cards = " ".join(language.grammar.card(card, "short") for card in deal.missing)
        yield t("missing {cards}", cards=cards)
