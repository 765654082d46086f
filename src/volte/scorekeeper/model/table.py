"""The table of a sheet, worked out line by line: totals, stakes and the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.rules import (
    LotsNeeded,
    MoonBy,
    Payment,
    Ruleset,
    Score,
    Settlement,
    Wanted,
    loses_by_plus,
    match_over,
    settle_match,
    settle_pot,
    totals,
    winners,
)
from volte.scorekeeper.model.counting import ReckonedDeal
from volte.scorekeeper.model.entries import Counted, Drawn, LostDeal, StoppedDeal, Taken
from volte.scorekeeper.model.pack import without
from volte.sheet import (
    LotsDue,
    Purpose,
    RowKind,
    SheetRow,
    Table,
    by_totals,
    halved,
    limit_of,
    lowest,
    tied,
)

PAID_AT_THE_END: Final = (Settlement.DIFFERENCE, Settlement.AVERAGE)


class Dealings(msgspec.Struct, frozen=True):
    """The data from which, together with the lines, a table is worked out."""

    rules: Ruleset
    first_dealer: int | None  # None while unknown
    pot: int  # stakes left by the match before
    draws: tuple[Drawn, ...]  # all lots, whether they still fit or not


def empty_table(by: Dealings) -> Table:
    """The table of a sheet without lines."""
    nothing, rules = (0,) * by.rules.players, by.rules
    return Table(
        rows=(),
        totals=nothing,
        net=nothing,
        pot=by.pot,
        sides=rules.all_sides,
        side_moons=rules.moon.by is MoonBy.SIDE,
        limit=limit_of(rules),
    )


def table_of(by: Dealings, lines: Iterable[tuple[ReckonedDeal | None, int]]) -> Table:
    """The table of the lines, each given with the number of its corrections."""
    table = empty_table(by)
    for reckoned, corrected in lines:
        table = with_line(by, table, reckoned, corrected)
    return table


def with_line(
    by: Dealings, table: Table, reckoned: ReckonedDeal | None, corrected: int = 0
) -> Table:
    """The table with one line more; lines after the end of the match are shown but not counted."""
    row = _row(by, table, reckoned, corrected)
    if not row.counts or reckoned is None or reckoned.score is None:
        return replace(table, rows=(*table.rows, row))
    deals = (*table.deals, row.score)
    sums = totals(by.rules, deals)
    row = replace(row, totals=sums, leaders=lowest(sums), halved=halved(by.rules, deals))
    table = replace(table, totals=sums, leaders=row.leaders, deals=deals)
    table = replace(table, tied=tied(by.rules, deals))
    if by.rules.stakes.settlement is Settlement.POT:
        row, table = _pot_paid(by, table, row, reckoned.taken)
    table = replace(table, rows=(*table.rows, row))
    return _ended(by, table) if match_over(by.rules, table.deals) else table


def _row(by: Dealings, table: Table, reckoned: ReckonedDeal | None, corrected: int) -> SheetRow:
    """The row of a line, still with the totals of the row before."""
    row = SheetRow(
        line=len(table.rows) + 1,
        number=None,
        kind=RowKind.STRUCK,
        points=(),
        totals=table.totals,
        leaders=table.leaders,
        pot=table.pot,
        corrected=corrected,
    )
    if reckoned is None:
        return row
    row = replace(row, kind=RowKind.PLAYED, dealer=next_dealer(by, table), beyond=table.over)
    match reckoned.report:
        case LostDeal(cause=cause):
            return replace(row, kind=RowKind.MISDEAL, cause=cause)
        case StoppedDeal(revoked=revoked, mixed=mixed):
            kind = RowKind.MIXED if mixed else RowKind.REVOKE
            row = replace(row, kind=kind, revoked=revoked, mixed=mixed)
        case Taken() | Counted() as deal:
            row = replace(row, jack=deal.jack, missing=deal.missing, others=deal.others)
            if isinstance(deal, Taken):
                hearts = tuple(count or 0 for count in deal.hearts)
                row = replace(row, hearts=hearts, queen=deal.queen)
    number = next_number(table)
    row = replace(row, number=number, direction=by.rules.direction(number))
    score = _as_it_counts(by.rules, table, reckoned)
    return replace(
        row,
        points=score.points,
        moon=score.moon,
        slam=score.slam,
        minus=score.minus,
        trickless=score.trickless,
        by_totals=by_totals(by.rules, score),
    )


def _as_it_counts(rules: Ruleset, table: Table, reckoned: ReckonedDeal) -> Score:
    """The score of a deal; the totals before it may decide how its moon counts (W7)."""
    score = reckoned.score
    assert score is not None
    if reckoned.minus is None or not loses_by_plus(rules, table.deals, score):
        return score
    return reckoned.minus


def next_number(table: Table) -> int:
    """The number of the next deal; misdeals and lines struck out have none."""
    return next((row.number + 1 for row in reversed(table.rows) if row.number is not None), 1)


def next_dealer(by: Dealings, table: Table) -> int | None:
    """The next dealer, also after a misdeal (D2, I1); None while unknown."""
    standing = (row for row in reversed(table.rows) if row.kind is not RowKind.STRUCK)
    last = next(standing, None)
    if last is None or last.dealer is None:
        return by.first_dealer
    return (last.dealer + 1) % by.rules.players


# Stakes


def _pot_paid(
    by: Dealings, table: Table, row: SheetRow, taken: Sequence[int]
) -> tuple[SheetRow, Table]:
    """Pay the deal into the pot, and the pot out to the players without points (M6)."""
    pack = without(by.rules, row.missing)
    settle = partial(settle_pot, pack, row.score, taken, table.pot)
    payment = _settled(by, settle, Purpose.POT, row.line)
    if isinstance(payment, LotsDue):  # the pot is emptied; lots decide who gets the odd stakes
        due = (*table.due, payment)
        return replace(row, pot=0), replace(table, net=None, pot=0, due=due)
    net = table.net
    if net is not None:
        net = tuple(map(sum, zip(net, payment.net, strict=True)))
    return (
        replace(row, stakes=payment.net, pot=payment.pot),
        replace(table, net=net, pot=payment.pot),
    )


def _ended(by: Dealings, table: Table) -> Table:
    """End the match, and settle it if it is paid as a whole (M1–M5)."""
    deals = table.deals
    table = replace(table, over=True, winners=winners(by.rules, deals))
    if by.rules.stakes.settlement not in PAID_AT_THE_END:
        return table
    counted = [row for row in table.rows if row.counts]
    # In a match of one deal a moon costs the total of the pack that was used (M3, I8).
    rules = without(by.rules, counted[0].missing) if len(counted) == 1 else by.rules
    payment = _settled(by, partial(settle_match, rules, deals), Purpose.MATCH, 0)
    if isinstance(payment, LotsDue):
        return replace(table, net=None, due=(payment,))
    return replace(table, net=payment.net, payment=payment)


def _settled(
    by: Dealings,
    settle: Callable[[Sequence[int]], Payment | LotsNeeded],
    purpose: Purpose,
    line: int,
) -> Payment | LotsDue:
    """The payment, by the lots drawn for it if it needs any; or the lots that are still due."""
    payment = settle(())
    if isinstance(payment, Payment):
        return payment
    for drawn in reversed(by.draws):
        if (drawn.purpose, drawn.line, tuple(sorted(drawn.order))) == (
            purpose,
            line,
            payment.seats,
        ):
            settled = settle(drawn.order)
            assert isinstance(settled, Payment)
            return settled
    average = by.rules.stakes.settlement is Settlement.AVERAGE
    return LotsDue(purpose, line, payment.seats, Wanted.ORDER if average else Wanted.HIGHEST)
