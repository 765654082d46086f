"""The whole score sheet, the chart and the standings, for eyes and for ears."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from volte.rules import Ties
from volte.say.language import N_, Language
from volte.say.score_table import (
    Lines,
    SheetTelling,
    TableTelling,
    how_it_counts,
    labels,
    remarks,
    told_row,
    typed,
)
from volte.scorekeeper.model import Row, RowKind, Sheet, Standing, Table, standings

GAP: Final = "  "
LEAST_NAME: Final = 6
"""Signs that a name keeps, at least, at the head of its column."""

_STEPS: Final = "▁▂▃▄▅▆▇█"
_WIDEST_BAR: Final = 24


def sheet_told(language: Language, sheet: Sheet, width: int | None = 80) -> Lines:
    """F: the sheet of the score-keeper, as `table_told` has it, and what has been corrected."""
    corrected = [line for row in sheet.table.rows for line in _corrections(language, sheet, row)]
    return (*table_told(language, sheet.names, sheet.table, width), *corrected)


def table_told(
    language: Language,
    names: Sequence[str],
    table: Table,
    width: int | None = 80,
    me: int | None = None,
) -> Lines:
    """Every deal and the running totals (S7), and what there is to note about them.

    Args:
        names: by seat.
        width: columns; where a table would be wider even with its names cut short, each deal is
            a line of its own. None for no limit, 0 for lines in any case.
        me: the seat of the listener, where that is one of the players.
    """
    telling = TableTelling(language, names, table, me)
    if not table.rows:
        return (telling.t("No deal has been scored yet."),)
    columns = None if width == 0 else _columns(telling, width)
    if columns is None:
        return tuple(_lines(telling))
    return (*columns, *_notes(telling))


def _columns(telling: TableTelling, width: int | None) -> Lines | None:
    """A column for each player, in each cell the points and the total; None where none fits."""
    cells = [_cells(telling, row) for row in telling.table.rows]
    title = telling.t("Deal")
    names = [telling.language.sentence(telling.names(side)) for side in telling.sides]
    first = max(map(len, (title, *labels(telling.table))))
    least = [max(LEAST_NAME, *(len(row[place]) for row in cells)) for place in range(len(names))]
    if width is not None and _wide(first, names, least) > width:
        names = [_clipped(name, size) for name, size in zip(names, least, strict=True)]
        if _wide(first, names, least) > width or len(set(names)) < len(names):
            return None
    rows = [[label, *row] for label, row in zip(labels(telling.table), cells, strict=True)]
    table = [[title, *names], *rows]
    sizes = [max(map(len, column)) for column in zip(*table, strict=True)]
    return tuple(
        GAP.join(cell.rjust(size) for cell, size in zip(row, sizes, strict=True)).rstrip()
        for row in table
    )


def _cells(telling: TableTelling, row: Row) -> list[str]:
    number = telling.language.number
    if not row.counts and not row.provisional:
        return ["–"] * len(telling.sides)
    return [
        f"{number(row.points[side[0]])} ({_total(telling, row, side[0])})" for side in telling.sides
    ]


def _total(telling: TableTelling, row: Row, seat: int) -> str:
    """A total, also what it was before it fell to half (W9): "100 → 50"."""
    number, limit = telling.language.number, telling.table.limit
    fell = f"{number(limit)} → " if seat in row.halved and limit is not None else ""
    return fell + number(row.totals[seat])


def _wide(first: int, names: Sequence[str], least: Sequence[int]) -> int:
    sizes = [max(len(name), size) for name, size in zip(names, least, strict=True)]
    return first + sum(len(GAP) + size for size in sizes)


def _clipped(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "."


def _lines(telling: TableTelling) -> Iterator[str]:
    """Line by line, as it is heard; the totals after each deal that counts."""
    first = True
    for row in telling.table.rows:
        if row.number is None:
            yield told_row(telling, row)
            continue
        points = telling.counts(row.points)
        yield telling.t("Deal {number}: {points}.", number=row.number, points=points)
        yield from _remark(telling, row)
        if row.counts and not first:
            yield telling.t("Totals: {totals}.", totals=telling.counts(row.totals))
        first = False


def _notes(telling: TableTelling) -> Iterator[str]:
    """What the cells of a table cannot say."""
    for row, label in zip(telling.table.rows, labels(telling.table), strict=True):
        if row.kind is RowKind.MISDEAL:
            yield f"{label}. {told_row(telling, row)}"
        elif row.number is not None:
            for remark in _remark(telling, row):
                yield telling.t("Deal {number}. {remark}", number=row.number, remark=remark)


def _remark(telling: TableTelling, row: Row) -> Iterator[str]:
    """All there is to remark on a deal, on one line; nothing where there is nothing."""
    found = [*remarks(telling, row), *how_it_counts(telling, row)]
    if row.beyond:
        found.append(telling.t("The match was over before: it does not count."))
    if found:
        yield " ".join(found)


def _corrections(language: Language, sheet: Sheet, row: Row) -> Iterator[str]:
    label = labels(sheet.table)[row.line - 1]
    if row.number is not None:
        label = language.t("deal {number}", number=row.number)
    for correction in sheet.lines[row.line - 1].corrections:
        before = typed(language, sheet.names, correction.told)
        why = ", ".join(filter(None, (correction.by, correction.why)))
        if why:
            message = N_("Corrected: {label} ({why}). It was before: {before}")
            yield language.t(message, label=label, why=why, before=before)
        else:
            message = N_("Corrected: {label}. It was before: {before}")
            yield language.t(message, label=label, before=before)


# Who leads, and what everybody needs


def needs_told(language: Language, sheet: Sheet) -> Lines:
    """N: everybody's place, what the leader has in hand, and what the others lack."""
    telling = SheetTelling(language, sheet)
    if not sheet.table.deals:
        return (telling.t("No deal has been scored yet."),)
    places = standings(sheet.rules, sheet.table)
    lines = [_standing(telling, standing, places) for standing in places]
    return (*lines, *_ends(telling, sheet, places[0].half))


def _ends(telling: SheetTelling, sheet: Sheet, half: int | None) -> Iterator[str]:
    """What is unusual about the end of the match (W9)."""
    if sheet.table.over:
        return
    if half is not None and sheet.table.limit is not None:
        message = N_("A total of exactly {limit} falls to {half} (W9).")
        yield telling.t(message, limit=sheet.table.limit, half=half)
    if sheet.table.tied:
        names = telling.names(sheet.table.tied)
        yield telling.t("It goes on until {names} no longer tie (W9).", names=names)
    elif sheet.rules.ending.ties is Ties.PLAY_ON:
        yield telling.t("If the lowest totals tie at the end, it goes on (W9).")


def _standing(telling: SheetTelling, one: Standing, all_of_them: tuple[Standing, ...]) -> str:
    t, over = telling.t, telling.sheet.table.over
    name, points = telling.names(one.seats), telling.points(one.total)
    shared, side = sum(other.place == 1 for other in all_of_them) > 1, len(one.seats) > 1
    if one.place == 1 and not shared:
        message = N_("{name} leads with {points}, {ahead} ahead.")
        together = N_("{name} lead with {points}, {ahead} ahead.")
    elif one.place == 1:
        message = N_("{name} shares the lead with {points}.")
        together = N_("{name} share the lead with {points}.")
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
        parts.append(t("The lead is out of reach."))
    return " ".join(parts)


# The chart


def chart_told(language: Language, sheet: Sheet, width: int | None = 80) -> Lines:
    """G: how the totals grew, and how long they are; with `width` 0 in words.

    A mark for each deal, the higher the total, then a bar for the total now.
    """
    telling = SheetTelling(language, sheet)
    rows = [row for row in sheet.table.rows if row.counts]
    if not rows:
        return (telling.t("No deal has been scored yet."),)
    order = [one.seat for one in standings(sheet.rules, sheet.table)]  # of a side, the first
    courses = {seat: [row.totals[seat] for row in rows] for seat in order}
    plain = tuple(_course(telling, seat, courses[seat]) for seat in order)
    if width == 0:
        return plain
    low = min(0, *(min(course) for course in courses.values()))
    high = max(1, *(max(course) for course in courses.values()))
    names = max(len(_called(telling, seat)) for seat in order)
    numbers = max(len(language.number(sheet.table.totals[seat])) for seat in order)
    room = 80 if width is None else width
    bar = min(_WIDEST_BAR, room - names - numbers - len(rows) - 3 * len(GAP))
    if bar < 4:
        return plain
    lines = []
    for seat in order:
        marks = "".join(_step(total, low, high) for total in courses[seat])
        total = sheet.table.totals[seat]
        length = round(bar * max(0, total) / high)
        told = language.number(total).rjust(numbers)
        name = _called(telling, seat).ljust(names)
        lines.append(GAP.join((name, marks, told, "█" * length)).rstrip())
    return tuple(lines)


def _step(total: int, low: int, high: int) -> str:
    return _STEPS[(total - low) * (len(_STEPS) - 1) // (high - low)]


def _course(telling: SheetTelling, seat: int, course: list[int]) -> str:
    told = ", ".join(map(telling.language.number, course))
    return telling.t("{name}: {course}.", name=_called(telling, seat), course=told)


def _called(telling: SheetTelling, seat: int) -> str:
    """The name of a player, or those of a side."""
    return telling.names(telling.side(seat))
