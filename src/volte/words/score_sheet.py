"""The score sheet: every deal and the running totals (S7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from volte.rules import Score, totals
from volte.view import View
from volte.words.language import Language
from volte.words.telling import Lines, Telling

GAP = "  "


def score_sheet(language: Language, view: View, width: int | None) -> Lines:
    """See `Words.score_sheet`."""
    telling = Telling(language, view)
    deals = view.state.deals
    if not deals:
        return (telling.t("No deal has been scored yet."),)
    columns = _columns(telling, deals)
    if width is None or max(map(len, columns)) <= width:
        return columns
    return tuple(_lines(telling, deals))


def _columns(telling: Telling, deals: Sequence[Score]) -> Lines:
    """A column for each seat, in each cell the points of the deal and the total after it."""
    number, language = telling.language.number, telling.language
    header = [telling.t("Deal"), *(language.sentence(telling.who(seat)) for seat in telling.seats)]
    rows = [header]
    for place, deal in enumerate(deals, start=1):
        sums = totals(len(deal.points), deals[:place])
        cells = (f"{number(deal.points[seat])} ({number(sums[seat])})" for seat in telling.seats)
        rows.append([number(place), *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return tuple(
        GAP.join(cell.rjust(size) for cell, size in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _lines(telling: Telling, deals: Sequence[Score]) -> Iterator[str]:
    for place, deal in enumerate(deals, start=1):
        points = telling.counts(deal.points)
        yield telling.t("Deal {number}: {points}.", number=place, points=points)
        if place > 1:
            sums = telling.counts(totals(len(deal.points), deals[:place]))
            yield telling.t("Totals: {totals}.", totals=sums)
