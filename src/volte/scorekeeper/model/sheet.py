"""The state of a sheet: all its entries, folded by `evolve`."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import asdict, replace

from volte.rules import AtLimit, Direction, EndKind, Ruleset, SlamRule
from volte.scorekeeper.model import entries
from volte.scorekeeper.model.counting import ReckonedDeal
from volte.scorekeeper.model.entries import DealReport, Drawn, Entry, SheetFault
from volte.scorekeeper.model.points import reckon
from volte.scorekeeper.model.table import Dealings, empty_table, next_dealer, table_of, with_line
from volte.sheet import Purpose, RowKind, Table, limit_of


class Correction(msgspec.Struct, frozen=True):
    """A correction of a line, with the report that it replaced."""

    report: DealReport | None  # the report before; None where the line had been struck out
    by: str  # name of the person who corrected it, as written; may be empty
    why: str


class SheetLine(msgspec.Struct, frozen=True):
    """A line of the sheet: a deal or a misdeal, as last corrected."""

    reckoned: ReckonedDeal | None  # None where the line has been struck out
    corrections: tuple[Correction, ...] = ()  # the earliest first

    @property
    def report(self) -> DealReport | None:
        """The report of the deal, complete; None where the line has been struck out."""
        return None if self.reckoned is None else self.reckoned.report


class SealState(msgspec.Struct, frozen=True):
    """A commitment, the bytes added to it, the lots drawn by it, and its secret."""

    number: int
    digest: bytes
    shares: tuple[bytes | None, ...]  # bytes added, by seat
    drawn: Drawn | None = None  # the lots; None before they are drawn
    secret: bytes = b""  # empty until it is revealed


class Sheet(msgspec.Struct, frozen=True):
    """The state of a sheet; the fields of its head are those of `Open`."""

    rules: Ruleset
    names: tuple[str, ...]
    title: str
    stake: str
    currency: str
    date: str
    opening_pot: int
    entries: tuple[Entry, ...]  # all, also entries that were taken back
    table: Table  # rows, totals, stakes and winners
    undone: tuple[int, ...] = ()  # numbers of the entries that have been taken back
    first_dealer: int | None = None  # None while unknown
    lines: tuple[SheetLine, ...] = ()  # the deals and misdeals
    draws: tuple[Drawn, ...] = ()  # all; lots that no longer fit decide nothing
    seals: tuple[SealState, ...] = ()
    accepted: bool = False  # whether everybody has accepted the settlement (I6)

    @property
    def dealings(self) -> Dealings:
        """The rules, first dealer, pot and lots from which the table is worked out."""
        return Dealings(self.rules, self.first_dealer, self.opening_pot, self.draws)


# Folding the entries


def evolve(sheet: Sheet | None, entry: Entry) -> Sheet:
    """The sheet after an entry, which is trusted; the first entry opens the sheet."""
    after = _noted(sheet, entry)
    if isinstance(entry, entries.Enter):
        table = with_line(after.dealings, after.table, after.lines[-1].reckoned)
        return replace(after, table=table)
    if isinstance(entry, entries.NameFirstDealer | entries.Correct | Drawn):
        return _with_table(after)
    return after


def fold(made: Iterable[Entry]) -> Sheet:
    """The sheet that the entries make, as `evolve` makes it one by one.

    Raises `SheetFault` if there are none.
    """
    made = tuple(made)
    undone = tuple(entry.number for entry in made if isinstance(entry, entries.Undone))
    gone, sheet = set(undone), None
    for number, entry in enumerate(made, start=1):
        if number not in gone and not isinstance(entry, entries.Undone):
            sheet = _noted(sheet, entry)
    if sheet is None:
        raise SheetFault("sheet_not_open")
    return replace(_with_table(sheet), entries=made, undone=undone)


def _noted(sheet: Sheet | None, entry: Entry) -> Sheet:
    """The sheet after an entry, but for its table: that is as it was before."""
    if sheet is not None:
        return replace(_after(sheet, entry), entries=(*sheet.entries, entry))
    assert isinstance(entry, entries.Open)
    return Sheet(
        rules=entry.rules,
        names=entry.names,
        title=entry.title,
        stake=entry.stake,
        currency=entry.currency,
        date=entry.date,
        opening_pot=entry.pot,
        entries=(entry,),
        table=empty_table(Dealings(entry.rules, entry.dealer, entry.pot, ())),
        first_dealer=entry.dealer,
    )


def _after(sheet: Sheet, entry: Entry) -> Sheet:
    match entry:
        case entries.Amend():
            given = {name: value for name, value in asdict(entry).items() if value is not None}
            return replace(sheet, **given)
        case entries.NameFirstDealer():
            return replace(sheet, first_dealer=entry.dealer)
        case entries.Enter():
            line = SheetLine(reckon(sheet.rules, entry.report))
            return replace(sheet, lines=(*sheet.lines, line))
        case entries.Correct():
            return _corrected(sheet, entry)
        case entries.Undone():
            return fold((*sheet.entries, entry))
        case entries.Seal():
            seal = SealState(entry.number, entry.digest, (None,) * len(sheet.names))
            return replace(sheet, seals=(*sheet.seals, seal))
        case entries.Share():
            shares = list(sheet.seals[-1].shares)
            shares[entry.seat] = entry.data
            return _with_seal(replace(sheet.seals[-1], shares=tuple(shares)), sheet)
        case Drawn():
            return _drawn(sheet, entry)
        case entries.Unseal():
            seal = sheet.seals[entry.number - 1]
            return _with_seal(replace(seal, secret=entry.secret), sheet)
        case entries.Settle():
            return replace(sheet, accepted=True)
        case entries.Reopen():
            return replace(sheet, accepted=False)
    raise AssertionError("a sheet is opened once")


def _corrected(sheet: Sheet, entry: entries.Correct) -> Sheet:
    lines = list(sheet.lines)
    before = lines[entry.line - 1]
    correction = Correction(before.report, entry.by, entry.why)
    reckoned = None if entry.report is None else reckon(sheet.rules, entry.report)
    lines[entry.line - 1] = SheetLine(reckoned, (*before.corrections, correction))
    return replace(sheet, lines=tuple(lines))


def _drawn(sheet: Sheet, entry: Drawn) -> Sheet:
    if entry.seal:
        sheet = _with_seal(replace(sheet.seals[entry.seal - 1], drawn=entry), sheet)
    sheet = replace(sheet, draws=(*sheet.draws, entry))
    if entry.purpose is Purpose.DEALER:
        sheet = replace(sheet, first_dealer=entry.order[-1])
    return sheet


def _with_seal(seal: SealState, sheet: Sheet) -> Sheet:
    """The sheet with a seal replaced by its new state."""
    before, after = sheet.seals[: seal.number - 1], sheet.seals[seal.number :]
    return replace(sheet, seals=(*before, seal, *after))


def _with_table(sheet: Sheet) -> Sheet:
    """The sheet with its table worked out again."""
    lines = [(line.reckoned, len(line.corrections)) for line in sheet.lines]
    return replace(sheet, table=table_of(sheet.dealings, lines))


# The next deal, and the standings


class Coming(msgspec.Struct, frozen=True):
    """The next deal, as far as it is known."""

    number: int  # from 1
    dealer: int | None  # None while unknown
    cutter: int | None  # the dealer's right-hand neighbour, who cuts (D3)
    eldest: int | None  # the dealer's left-hand neighbour, who is dealt to first
    direction: Direction  # of the pass
    count: int  # number of cards passed; 0 without a pass
    # Number of deals, this one included, in a match of a fixed number (E1); else None, also in
    # the deals after them that break a tie.
    deals_left: int | None
    tied: tuple[int, ...] = ()  # seats whose tie this deal is to break (W9)


def coming(sheet: Sheet) -> Coming | None:
    """The next deal; None where the match is over."""
    if sheet.table.over:
        return None
    rules = sheet.rules
    dealer = next_dealer(sheet.dealings, sheet.table)
    played = len(sheet.table.deals)
    direction = rules.direction(played + 1)
    return Coming(
        number=played + 1,
        dealer=dealer,
        cutter=None if dealer is None else (dealer - 1) % rules.players,
        eldest=None if dealer is None else (dealer + 1) % rules.players,
        direction=direction,
        count=rules.pass_size(direction),
        deals_left=deals_left(rules, played) or None,
        tied=sheet.table.tied,
    )


def deals_left(rules: Ruleset, played: int) -> int | None:
    """Number of deals the match still has; None where a limit ends it (E2)."""
    end = rules.ending.match_end
    return max(0, end.number - played) if end.kind is EndKind.DEALS else None


class SheetStanding(msgspec.Struct, frozen=True):
    """The standing of a player, or of a side (W10)."""

    seat: int  # of a side, the first
    seats: tuple[int, ...]  # all of the side
    total: int
    place: int  # 1 for the lead; equal totals share a place
    behind: int  # points above the lowest total
    ahead: int  # for a sole leader, points below the next; 0 for everybody else
    to_limit: int | None  # points until the total reaches the limit (E2); None without a limit
    in_reach: bool  # whether the lead can still be shared in the deals left (E1)
    half: int | None = None  # new total where exactly the limit is halved (W9); else None


def standings(rules: Ruleset, table: Table) -> tuple[SheetStanding, ...]:
    """The standings of the players, or of the sides, the lowest total first."""
    sums, limit = [table.totals[side[0]] for side in rules.all_sides], limit_of(rules)
    best, others = min(sums), sorted(sums)[1]
    left = 0 if table.over else deals_left(rules, len(table.deals))
    if table.tied:
        left = 1
    swing = largest_swing(rules)
    halves = limit is not None and rules.ending.at_limit is AtLimit.HALVES
    return tuple(
        SheetStanding(
            seat=seat,
            seats=rules.side(seat),
            total=sums[seat],
            place=1 + sum(total < sums[seat] for total in sums),
            behind=sums[seat] - best,
            ahead=others - best if sums[seat] == best else 0,
            to_limit=None if limit is None else max(0, limit - sums[seat]),
            in_reach=left is None or sums[seat] - best <= left * swing,
            half=limit // 2 if halves and limit is not None else None,
        )
        for seat in sorted(range(len(sums)), key=lambda seat: (sums[seat], seat))
    )


def largest_swing(rules: Ruleset) -> int:
    """The most points that a player, or a side, can make up on another in one deal."""
    extra = -sum(points for points in rules.values.values() if points < 0)
    extra -= rules.points.no_tricks * rules.sides.partners
    slam = rules.moon.slam is not SlamRule.OFF
    return rules.penalty_total * (2 if slam else 1) + extra


class SheetSummary(msgspec.Struct, frozen=True):
    """The short form of a sheet for lists."""

    title: str
    names: tuple[str, ...]
    date: str
    state: str  # `playing`, `over` or `accepted`
    deals: int  # number of deals that count
    totals: tuple[int, ...]


def summary(sheet: Sheet) -> SheetSummary:
    """The summary of a sheet."""
    state = "accepted" if sheet.accepted else "over" if sheet.table.over else "playing"
    deals = len(sheet.table.deals)
    return SheetSummary(sheet.title, sheet.names, sheet.date, state, deals, sheet.table.totals)


def too_late(sheet: Sheet, line: int) -> bool:
    """Whether it is too late to claim a revoke in that line (I6).

    It is, once the next cards have been cut or the settlement is accepted. A slip of the pen may
    still be corrected, so this only serves a warning.
    """
    later = any(row.line > line and row.kind is not RowKind.STRUCK for row in sheet.table.rows)
    return later or sheet.accepted
