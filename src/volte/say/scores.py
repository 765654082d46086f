"""The score sheet in sentences and in columns (S7): of a match, or of the score-keeper."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from volte.referee import Misdeal
from volte.say.language import N_, Language
from volte.say.telling import Lines, SeatTelling, Telling
from volte.sheet import RowKind, SheetRow, Table, rows_of_match
from volte.view import View


class TableTelling(SeatTelling):
    """A score sheet to be told in one language.

    Args:
        names: by seat.
        me: the seat of the listener, who is called "you" in the names too; None for nobody.
        order: the seats in the order of the columns; from the first on unless said otherwise.
    """

    def __init__(
        self,
        language: Language,
        names: Sequence[str],
        table: Table,
        me: int | None = None,
        order: Sequence[int] = (),
    ) -> None:
        super().__init__(language, me)
        self.players = names
        self.table = table
        self.order = order or range(len(names))
        sides = table.sides or [(seat,) for seat in self.order]
        ordered = map(self.in_order, sides)
        self.sides = tuple(sorted(ordered, key=lambda side: self.order.index(side[0])))

    def player(self, seat: int) -> str:
        """A name, as it was written down."""
        return self.players[seat]

    def in_order(self, seats: Collection[int]) -> tuple[int, ...]:
        """These seats, in the order of the columns."""
        return tuple(seat for seat in self.order if seat in seats)

    def names(self, seats: Iterable[int]) -> str:
        return self.language.listed([self.player(seat) for seat in seats])

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats that play together with that one (W10)."""
        return next(side for side in self.sides if seat in side)

    def counts(self, counts: Sequence[int]) -> str:
        """A number for each player, or for each side: "Anne 3; Bruno 12"."""
        return self.series(
            self.t("{name} {count}", name=self.names(side), count=counts[side[0]])
            for side in self.sides
        )


def won(telling: TableTelling) -> Lines:
    """Winners of a match that is over."""
    table = telling.table
    points = telling.points(table.totals[table.winners[0]])
    if len(table.winners) == 1:
        message = N_("{player} wins the match with {points}.")
        return (telling.t(message, player=telling.player(table.winners[0]), points=points),)
    one_side = len({telling.side(seat) for seat in table.winners}) == 1
    share = N_("{players} share the win with {points}.")
    message = N_("{players} win the match with {points}.") if one_side else share
    return (telling.t(message, players=telling.names(table.winners), points=points),)


def remarks(telling: TableTelling, row: SheetRow) -> Iterator[str]:
    """Remarks on a deal that its points do not show: revokes, missing cards, moon and slam."""
    t = telling.t
    if row.revoked:
        yield t("Revoke: {names}.", names=telling.names(telling.in_order(row.revoked)))
    if row.mixed:
        yield t("Mixed-up tricks: {names}.", names=telling.names(telling.in_order(row.mixed)))
    if row.missing:
        yield t("Missing from the pack: {cards:the}.", cards=row.missing)
    yield from _everything(telling, row)
    if row.provisional:
        yield t("Not yet final.")


def _everything(telling: TableTelling, row: SheetRow) -> Iterator[str]:
    """A moon or a slam, of a player or of a side."""
    doer = row.moon if row.slam is None else row.slam
    if doer is None:
        return
    side = telling.side(doer) if telling.table.side_moons else (doer,)
    if len(side) > 1:
        if telling.me in side:
            slam = N_("A slam! {players} have taken every trick together.")
            moon = N_("You shot the moon together: {players} took every penalty card!")
        else:
            slam = N_("A slam! {players} have taken every trick.")
            moon = N_("{players} have shot the moon: together they took every penalty card!")
        yield telling.t(moon if row.slam is None else slam, players=telling.names(side))
    elif row.slam is not None:
        own = N_("A slam! You have taken every trick.")
        yield telling.by(row.slam, own, N_("A slam! {player} has taken every trick."))
    else:
        own = N_("You have shot the moon: you took every penalty card!")
        other = N_("{player} has shot the moon, taking every penalty card!")
        yield telling.by(doer, own, other)


def how_it_counts(telling: TableTelling, row: SheetRow) -> Iterator[str]:
    """Remarks on a moon that may count in two ways, and on totals that fell to half (W7, W9)."""
    t = telling.t
    if row.minus and row.by_totals:
        yield t(
            "Points for the others would have cost the shooter the match. They come off the "
            "shooter’s total instead."
        )
    elif row.minus:
        yield t("The points come off the shooter’s total and cost the others nothing.")
    for side in telling.sides:
        if side[0] in row.halved and telling.table.limit is not None:
            yield t(
                "A total of exactly {limit} is halved: {name} {limit} → {half}.",
                name=telling.names(side),
                limit=telling.table.limit,
                half=row.totals[side[0]],
            )


GAP: Final = "  "


LEAST_NAME: Final = 6
"""Signs that a name keeps, at least, at the head of its column."""


def table_lines(telling: TableTelling, width: int | None = 80) -> Lines:
    """Every deal and the running totals (S7), and remarks on them.

    Args:
        width: columns; where a table would be wider even with its names cut short, each deal is
            a line of its own. None for no limit, 0 for lines in any case.
    """
    if not telling.table.rows:
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
        names = [
            name if len(name) <= size else name[: size - 1] + "."
            for name, size in zip(names, least, strict=True)
        ]
        if _wide(first, names, least) > width or len(set(names)) < len(names):
            return None
    rows = [[label, *row] for label, row in zip(labels(telling.table), cells, strict=True)]
    table = [[title, *names], *rows]
    sizes = [max(map(len, column)) for column in zip(*table, strict=True)]
    return tuple(
        GAP.join(cell.rjust(size) for cell, size in zip(row, sizes, strict=True)).rstrip()
        for row in table
    )


def _cells(telling: TableTelling, row: SheetRow) -> list[str]:
    number = telling.language.number
    if not row.counts and not row.provisional:
        return ["–"] * len(telling.sides)
    return [
        f"{number(row.points[side[0]])} ({_total(telling, row, side[0])})" for side in telling.sides
    ]


def _total(telling: TableTelling, row: SheetRow, seat: int) -> str:
    """A total, also what it was before it fell to half (W9): "100 → 50"."""
    number, limit = telling.language.number, telling.table.limit
    fell = f"{number(limit)} → " if seat in row.halved and limit is not None else ""
    return fell + number(row.totals[seat])


def _wide(first: int, names: Sequence[str], least: Sequence[int]) -> int:
    sizes = [max(len(name), size) for name, size in zip(names, least, strict=True)]
    return first + sum(len(GAP) + size for size in sizes)


def _lines(telling: TableTelling) -> Iterator[str]:
    """The sheet line by line, for listeners; the totals after each deal that counts."""
    first = True
    for row in telling.table.rows:
        if row.number is None:
            yield row_line(telling, row)
            continue
        points = telling.counts(row.points)
        yield telling.t("Deal {number}: {points}.", number=row.number, points=points)
        yield from _remark(telling, row)
        if row.counts and not first:
            yield telling.t("Totals: {totals}.", totals=telling.counts(row.totals))
        first = False


def _notes(telling: TableTelling) -> Iterator[str]:
    """Remarks below a table, on what its cells cannot show."""
    for row, label in zip(telling.table.rows, labels(telling.table), strict=True):
        if row.kind is RowKind.MISDEAL:
            yield f"{label}. {row_line(telling, row)}"
        elif row.number is not None:
            for remark in _remark(telling, row):
                yield telling.t("Deal {number}. {remark}", number=row.number, remark=remark)


def _remark(telling: TableTelling, row: SheetRow) -> Iterator[str]:
    """All remarks on a deal as one line; no line where there is none."""
    found = [*remarks(telling, row), *how_it_counts(telling, row)]
    if row.beyond:
        found.append(telling.t("The match was already over: this deal does not count."))
    if found:
        yield " ".join(found)


def score_sheet(language: Language, view: View, width: int | None = 80) -> Lines:
    """Every deal and the running totals (S7); see `table_lines`."""
    telling = Telling(language, view)
    names = [telling.who(seat) for seat in range(view.state.rules.players)]
    table = rows_of_match(view.state)
    return table_lines(TableTelling(language, names, table, view.seat, telling.seats), width)


_CAUSES: Final = {
    Misdeal.EXPOSED: N_("Misdeal: a card was exposed."),
    Misdeal.COUNT: N_("Misdeal: somebody had too many or too few cards."),
}


def labels(table: Table) -> Lines:
    """Labels of the lines: deals have their numbers, misdeals M1, lines struck out X1."""
    found: list[str] = []
    misdeals = struck = 0
    for row in table.rows:
        if row.number is not None:
            found.append(str(row.number))
        elif row.kind is RowKind.MISDEAL:
            misdeals += 1
            found.append(f"M{misdeals}")
        else:
            struck += 1
            found.append(f"X{struck}")
    return tuple(found)


def row_line(telling: TableTelling, row: SheetRow) -> str:
    """A line in words, as it was understood: cards, points and their sum."""
    if row.kind is RowKind.STRUCK:
        label = labels(telling.table)[row.line - 1]
        return telling.t("Line {label} has been struck out.", label=label)
    if row.kind is RowKind.MISDEAL:
        return _misdeal(telling, row)
    parts = [*how_it_came(telling, row), _points(telling, row)]
    if row.beyond:
        message = N_("Deal {number} does not count: the match was already over.")
        parts.append(telling.t(message, number=row.number))
    return " ".join(parts)


def how_it_came(telling: TableTelling, row: SheetRow) -> Iterator[str]:
    """Origin of a deal's points: remarks, cards and tricks."""
    if row.kind is RowKind.PLAYED:
        yield telling.t("Deal {number}.", number=row.number)
    else:
        yield telling.t("Deal {number} was stopped.", number=row.number)
    yield from remarks(telling, row)
    everything = row.moon is not None or row.slam is not None
    if row.hearts is not None and not everything:
        one_by_one = len(row.hearts) == len(telling.players)
        groups = [(seat,) for seat in range(len(row.hearts))] if one_by_one else telling.sides
        piles = [_pile(telling, row, *each) for each in zip(groups, row.hearts, strict=True)]
        yield telling.t("Hearts: {hearts}.", hearts=telling.series(piles))
    elif row.slam is None:
        if row.jack is not None:
            yield telling.t("{name} has the jack of diamonds.", name=telling.player(row.jack))
        for took in row.others if row.hearts is None else ():
            names = telling.names(dict.fromkeys(took.seats))
            yield telling.t("{names}: {card:the}.", card=took.card, names=names)
    if row.trickless and row.slam is None:
        yield telling.t("No tricks: {names}.", names=telling.names(row.trickless))
    yield from how_it_counts(telling, row)


def _pile(telling: TableTelling, row: SheetRow, seats: Sequence[int], hearts: int) -> str:
    """Cards that a player or a side took: "Bruno 6 and the queen", "David none"."""
    language = telling.language
    parts = [language.number(hearts)] * bool(hearts)
    parts += [telling.t("the queen")] * (row.queen in seats)
    parts += [telling.t("the jack")] * (row.jack in seats)
    for took in row.others:
        count = sum(seat in seats for seat in took.seats)
        if count:
            parts.append(
                language.pair(took.card, "the") if count > 1 else language.card_in(took.card, "the")
            )
    text = language.listed(parts) if parts else telling.t("none")
    return f"{telling.names(seats)} {text}"


def _points(telling: TableTelling, row: SheetRow) -> str:
    each = [row.points[side[0]] for side in telling.sides]
    total = sum(each)
    if row.hearts is None or telling.table.partners:
        points = telling.counts(row.points)
    else:
        points = ", ".join(map(telling.language.number, each))
    return telling.t("Points: {points}. In all: {total}.", points=points, total=total)


def _misdeal(telling: TableTelling, row: SheetRow) -> str:
    assert row.cause is not None
    cause = telling.t(_CAUSES[row.cause])
    if row.dealer is None:
        return " ".join((cause, telling.t("The player to the left deals.")))
    following = telling.player((row.dealer + 1) % len(telling.players))
    message = N_("{name} loses the deal, and {following} deals.")
    return f"{cause} {telling.t(message, name=telling.player(row.dealer), following=following)}"
