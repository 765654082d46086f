"""The score sheet of a match: every deal and the running totals (S7), the listener first.

What is drawn is the one sheet of `scoresheet`, as the score-keeper has it too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from volte.say.language import Language
from volte.say.telling import Lines, Telling
from volte.scorekeeper.model import Row, Table, rows_of_match
from volte.scorekeeper.telling.sheet import table_told
from volte.view import View


def score_sheet(language: Language, view: View, width: int | None) -> Lines:
    """See `Words.score_sheet`."""
    telling = Telling(language, view)
    seats = telling.seats
    names = [telling.who(seat) for seat in seats]
    me = None if view.seat is None else 0
    return table_told(language, names, _turned(rows_of_match(view.state), seats), width, me)


def _turned(table: Table, seats: Sequence[int]) -> Table:
    """The table with its columns in the order of those seats."""
    return replace(
        table,
        rows=tuple(_row_turned(row, seats) for row in table.rows),
        totals=_each(table.totals, seats),
        leaders=_some(table.leaders, seats),
        winners=_some(table.winners, seats),
        net=None if table.net is None else _each(table.net, seats),
        sides=_sides(table, seats),
        tied=_some(table.tied, seats),
    )


def _row_turned(row: Row, seats: Sequence[int]) -> Row:
    return replace(
        row,
        points=_each(row.points, seats),
        totals=_each(row.totals, seats),
        leaders=_some(row.leaders, seats),
        moon=None if row.moon is None else seats.index(row.moon),
        slam=None if row.slam is None else seats.index(row.slam),
        trickless=_some(row.trickless, seats),
        halved=_some(row.halved, seats),
        revoked=_some(row.revoked, seats),
        mixed=_some(row.mixed, seats),
        stakes=None if row.stakes is None else _each(row.stakes, seats),
    )


def _sides(table: Table, seats: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The sides, that of the first column first."""
    return tuple(sorted(_some(side, seats) for side in table.sides))


def _each(values: Sequence[int], seats: Sequence[int]) -> tuple[int, ...]:
    return tuple(values[seat] for seat in seats)


def _some(chosen: Collection[int], seats: Sequence[int]) -> tuple[int, ...]:
    return tuple(place for place, seat in enumerate(seats) if seat in chosen)
