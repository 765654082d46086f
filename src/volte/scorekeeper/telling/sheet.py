"""The whole score sheet, the chart and the standings, for eyes and for ears."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from volte.referee.scores import SheetRow
from volte.rules import Ties
from volte.say.language import N_, Language
from volte.say.scores import GAP, labels, table_lines
from volte.say.telling import Lines
from volte.scorekeeper.model import Sheet, SheetStanding, standings
from volte.scorekeeper.telling.deals import SheetTelling, typed

_STEPS: Final = "▁▂▃▄▅▆▇█"
_WIDEST_BAR: Final = 24


def sheet_lines(language: Language, sheet: Sheet, width: int | None = 80) -> Lines:
    """F: the sheet of the score-keeper, as `table_lines` has it, and what has been corrected."""
    corrected = [line for row in sheet.table.rows for line in _corrections(language, sheet, row)]
    return (*table_lines(language, sheet.names, sheet.table, width), *corrected)


def _corrections(language: Language, sheet: Sheet, row: SheetRow) -> Iterator[str]:
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


def standing_lines(language: Language, sheet: Sheet) -> Lines:
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


def _standing(
    telling: SheetTelling, one: SheetStanding, all_of_them: tuple[SheetStanding, ...]
) -> str:
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


def chart_lines(language: Language, sheet: Sheet, width: int | None = 80) -> Lines:
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
