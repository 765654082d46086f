"""The score-keeper's sheet in sentences, for eyes and for ears: deals, scores, chart, standings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from volte.referee import Misdeal
from volte.rules import Direction, Opening, Ruleset, Ties, described
from volte.say.deal import WAYS
from volte.say.language import N_, Language
from volte.say.rulesheet.options import game_title
from volte.say.scores import GAP, TableTelling, labels, table_lines, won
from volte.say.telling import Lines
from volte.scorekeeper import model
from volte.sheet import SheetRow

_STEPS: Final = "▁▂▃▄▅▆▇█"
_WIDEST_BAR: Final = 24


class SheetTelling(TableTelling):
    """Tells a sheet of the score-keeper in one language."""

    def __init__(self, language: Language, sheet: model.Sheet) -> None:
        super().__init__(language, sheet.names, sheet.table)
        self.sheet = sheet


def rules_title(language: Language, rules: Ruleset) -> str:
    """The game in a few words: "Les Cœurs by the average, queen_points=12"."""
    differences = described(rules)[1]
    changed = (f"{name}={value}" for name, value in differences.items() if name != "players")
    return ", ".join((game_title(language, rules), *changed))


def next_deal(telling: SheetTelling) -> str:
    """The next deal in one sentence: number, dealer, cut and pass."""
    deal = model.coming(telling.sheet)
    assert deal is not None
    if deal.dealer is None or deal.cutter is None:
        message = N_("Deal {number}: {way}.")
        return telling.t(message, number=deal.number, way=_way(telling, deal))
    return telling.t(
        "Deal {number}: {dealer} deals, {cutter} cuts, {way}.",
        number=deal.number,
        dealer=telling.player(deal.dealer),
        cutter=telling.player(deal.cutter),
        way=_way(telling, deal),
    )


def whose_deal(telling: SheetTelling) -> Lines:
    """Key T: the next deal, the first lead, and the number of deals left."""
    deal = model.coming(telling.sheet)
    if deal is None:
        return won(telling)
    lines = [next_deal(telling)]
    if deal.eldest is None:
        lines.append(telling.t("It is not settled yet who deals first."))
    elif telling.sheet.rules.play.opening is Opening.ELDEST:
        lines.append(
            telling.t("{name} leads to the first trick.", name=telling.player(deal.eldest))
        )
    if deal.tied:
        lines.append(_tie(telling, deal.tied))
    if deal.deals_left is not None:
        lines.append(
            telling.n(
                "This is the last deal.",
                "{count} deals are left, including this one.",
                deal.deals_left,
            )
        )
    return tuple(lines)


def _way(telling: TableTelling, deal: model.Coming) -> str:
    if deal.direction is Direction.HOLD or not deal.count:
        return telling.t(WAYS[Direction.HOLD])
    if deal.direction is Direction.SCATTER:
        return telling.t("one card to each of the others")
    way = telling.t(WAYS[deal.direction])
    return telling.n("{count} card {way}", "{count} cards {way}", deal.count, way=way)


def after_row(telling: SheetTelling) -> Lines:
    """The totals after a deal, and the lead while the match goes on."""
    table = telling.table
    if not table.deals:
        return ()
    parts = []
    if len(table.deals) > 1:
        parts.append(telling.t("Totals: {totals}.", totals=telling.counts(table.totals)))
    if not table.over:
        parts.append(_tie(telling, table.tied) if table.tied else _lead(telling))
    return tuple([" ".join(parts)] if parts else [])


def scores(telling: SheetTelling) -> Lines:
    """Key S: the totals, and the leader or winner."""
    table = telling.table
    if not table.deals:
        return (telling.t("No deal has been scored yet."),)
    totals = telling.t("Totals: {totals}.", totals=telling.counts(table.totals))
    if table.over:
        return (totals, *won(telling))
    return (totals, _lead(telling), *([_tie(telling, table.tied)] if table.tied else []))


def _lead(telling: TableTelling) -> str:
    table = telling.table
    points = telling.points(table.totals[table.leaders[0]])
    names = telling.names(table.leaders)
    return telling.t("In the lead: {names}, with {points}.", names=names, points=points)


def _tie(telling: TableTelling, tied: Sequence[int]) -> str:
    """The sentence that a tie for the lowest total makes the match go on (W9)."""
    points = telling.points(telling.table.totals[tied[0]])
    message = N_("{names} tie for the lowest total, with {points}: play another deal.")
    return telling.t(message, names=telling.names(tied), points=points)


def typed(language: Language, names: Sequence[str], deal: model.DealReport | None) -> str:
    """A report of a deal as somebody could type it: "4 6q 3 0", "= 10 12 3 0", "revoke Anne"."""
    t = language.t
    match deal:
        case None:
            return t("struck out")
        case model.Taken(all_tricks=int(seat)):
            return " ".join((t("slam"), names[seat], *_behind(language, names, deal)))
        case model.Taken():
            counts = _marked(language, deal.hearts, deal.queen, deal.jack)
            return " ".join((*counts, *_behind(language, names, deal)))
        case model.Counted():
            counts = _marked(language, deal.points, None, deal.jack)
            return " ".join(("=", *counts, *_behind(language, names, deal)))
        case model.StoppedDeal():
            parts = [t("revoke"), *(names[seat] for seat in deal.revoked)] * bool(deal.revoked)
            if deal.mixed:
                parts += [t("mixed"), *(names[seat] for seat in deal.mixed)]
            return " ".join(parts)
        case model.LostDeal(Misdeal.EXPOSED):
            return t("misdeal exposed")
    return t("misdeal count")


def _marked(
    language: Language, counts: Sequence[int | None], queen: int | None, jack: int | None
) -> Iterator[str]:
    """Numbers with the marks of queen and jack behind them: q and j, in French d and v."""
    queens, jacks = language.p("letter of the queen", "q"), language.p("letter of the jack", "j")
    for seat, count in enumerate(counts):
        yield f"{count}{queens * (seat == queen)}{jacks * (seat == jack)}"


def _behind(
    language: Language, names: Sequence[str], deal: model.Taken | model.Counted
) -> Iterator[str]:
    """The words after the numbers: other cards, trickless players, a moon's way, missing cards."""
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


# The sheet, and its corrections


def sheet_lines(telling: SheetTelling, width: int | None = 80) -> Lines:
    """Key F: the sheet, as `table_lines` writes it, and its corrections."""
    corrected = [line for row in telling.table.rows for line in _corrections(telling, row)]
    return (*table_lines(telling, width), *corrected)


def _corrections(telling: SheetTelling, row: SheetRow) -> Iterator[str]:
    label = labels(telling.table)[row.line - 1]
    if row.number is not None:
        label = telling.t("deal {number}", number=row.number)
    for correction in telling.sheet.lines[row.line - 1].corrections:
        before = typed(telling.language, telling.players, correction.report)
        why = ", ".join(filter(None, (correction.by, correction.why)))
        if why:
            message = N_("Corrected: {label} ({why}). Before: {before}")
            yield telling.t(message, label=label, why=why, before=before)
        else:
            message = N_("Corrected: {label}. Before: {before}")
            yield telling.t(message, label=label, before=before)


# Standings


def standing_lines(telling: SheetTelling) -> Lines:
    """Key N: the place of each player, the points ahead or behind, and the end in sight."""
    if not telling.table.deals:
        return (telling.t("No deal has been scored yet."),)
    places = model.standings(telling.sheet.rules, telling.table)
    lines = [_standing(telling, standing, places) for standing in places]
    return (*lines, *_ends(telling, places[0].half))


def _ends(telling: SheetTelling, half: int | None) -> Iterator[str]:
    """Sentences on an end by the wider family's rules: halved totals and ties (W9)."""
    table = telling.table
    if table.over:
        return
    if half is not None and table.limit is not None:
        message = N_("A total of exactly {limit} drops to {half}.")
        yield telling.t(message, limit=table.limit, half=half)
    if table.tied:
        names = telling.names(table.tied)
        yield telling.t("The match goes on for as long as {names} are tied.", names=names)
    elif telling.sheet.rules.ending.ties is Ties.PLAY_ON:
        yield telling.t("If the lowest totals tie at the end, the match goes on.")


def _standing(
    telling: SheetTelling, one: model.SheetStanding, all_of_them: tuple[model.SheetStanding, ...]
) -> str:
    t, over = telling.t, telling.table.over
    name, points = telling.names(one.seats), telling.points(one.total)
    shared, side = sum(other.place == 1 for other in all_of_them) > 1, len(one.seats) > 1
    if one.place == 1 and not shared:
        message = N_("{name} leads with {points}, {ahead} ahead.")
        together = N_("{name} lead with {points}, {ahead} ahead.")
    elif one.place == 1:
        message = N_("{name} shares the lead, with {points}.")
        together = N_("{name} share the lead, with {points}.")
    else:
        message = N_("{name} has {points}, {behind} behind.")
        together = N_("{name} have {points}, {behind} behind.")
    figures = {"name": name, "points": points, "ahead": one.ahead, "behind": one.behind}
    parts = [t(together if side else message, **figures)]
    if not over and one.to_limit:
        parts.append(
            telling.n(
                "{count} more point ends the match.",
                "{count} more points end the match.",
                one.to_limit + (one.half is not None),
            )
        )
    if not over and not one.in_reach:
        parts.append(t("First place is out of reach."))
    return " ".join(parts)


# The chart


def chart_lines(telling: SheetTelling, width: int | None = 80) -> Lines:
    """Key G: the chart of the totals; in words where `width` is 0 or too small.

    Each line has a mark for each deal, higher for a higher total, then a bar for the total now.
    """
    language, table = telling.language, telling.table
    rows = [row for row in table.rows if row.counts]
    if not rows:
        return (telling.t("No deal has been scored yet."),)
    standings = model.standings(telling.sheet.rules, table)
    order = [one.seat for one in standings]  # of a side, the first
    names = {seat: telling.names(telling.side(seat)) for seat in order}
    courses = {seat: [row.totals[seat] for row in rows] for seat in order}
    totals = {seat: language.number(table.totals[seat]) for seat in order}
    low = min(0, *map(min, courses.values()))
    high = max(1, *map(max, courses.values()))
    longest, numbers = max(map(len, names.values())), max(map(len, totals.values()))
    room = (80 if width is None else width) - longest - numbers - len(rows) - 3 * len(GAP)
    if width == 0 or room < 4:
        message = N_("{name}: {course}.")
        return tuple(
            telling.t(message, name=names[seat], course=", ".join(map(language.number, course)))
            for seat, course in courses.items()
        )
    lines = []
    for seat, course in courses.items():
        marks = (_STEPS[(total - low) * (len(_STEPS) - 1) // (high - low)] for total in course)
        length = round(min(_WIDEST_BAR, room) * max(0, table.totals[seat]) / high)
        cells = (
            names[seat].ljust(longest),
            "".join(marks),
            totals[seat].rjust(numbers),
            "█" * length,
        )
        lines.append(GAP.join(cells).rstrip())
    return tuple(lines)
