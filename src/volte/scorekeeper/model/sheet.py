"""A sheet as it stands: what all its entries fold into."""

from __future__ import annotations

import msgspec

from volte.referee.scores import Purpose, RowKind, Table, limit_of
from volte.rules import AtLimit, Direction, EndKind, Ruleset, SlamRule
from volte.rules import Draw as Round
from volte.scorekeeper.model.counting import Reckoned
from volte.scorekeeper.model.entries import Drawn, Entry
from volte.scorekeeper.model.reckoning import Dealings, next_dealer
from volte.scorekeeper.model.told import Told


class Correction(msgspec.Struct, frozen=True):
    """That a line once stood otherwise.

    Attributes:
        told: what stood there before; None where the line was struck out.
        by: who corrected it, as they were written down; may be empty.
        why: likewise.
    """

    told: Told | None
    by: str
    why: str


class Line(msgspec.Struct, frozen=True):
    """A deal or a misdeal as it stands.

    Attributes:
        reckoned: None where it has been struck out.
        corrections: the first one first.
    """

    reckoned: Reckoned | None
    corrections: tuple[Correction, ...] = ()

    @property
    def told(self) -> Told | None:
        """What was told of it, complete; None where it has been struck out."""
        return None if self.reckoned is None else self.reckoned.told


class SealState(msgspec.Struct, frozen=True):
    """A commitment, and what became of it.

    Attributes:
        shares: bytes that each seat has added; None for one that added none.
        purpose: what was drawn by it; None before.
        line: see `Drawn`.
        rounds: the lots.
        secret: empty until it is told.
    """

    number: int
    digest: bytes
    shares: tuple[bytes | None, ...]
    purpose: Purpose | None = None
    line: int = 0
    rounds: tuple[Round, ...] = ()
    secret: bytes = b""


class Sheet(msgspec.Struct, frozen=True):
    """A whole sheet.

    Attributes:
        stake: what one is worth, as digits with a point; empty where there is no money.
        opening_pot: stakes that the match before has left (M6).
        entries: all of them, those taken back among them.
        table: what it comes to.
        undone: the numbers of the entries that have been taken back.
        first_dealer: None while nobody knows.
        lines: the deals and misdeals.
        draws: all lots that were drawn; those that no longer fit decide nothing.
        accepted: whether everybody has accepted the settlement (I6).
    """

    rules: Ruleset
    names: tuple[str, ...]
    title: str
    stake: str
    currency: str
    date: str
    opening_pot: int
    entries: tuple[Entry, ...]
    table: Table
    undone: tuple[int, ...] = ()
    first_dealer: int | None = None
    lines: tuple[Line, ...] = ()
    draws: tuple[Drawn, ...] = ()
    seals: tuple[SealState, ...] = ()
    accepted: bool = False

    @property
    def dealings(self) -> Dealings:
        """What the table is reckoned by."""
        return Dealings(self.rules, self.first_dealer, self.opening_pot, self.draws)

    @property
    def standing_entries(self) -> tuple[Entry, ...]:
        """The entries that have not been taken back."""
        return tuple(
            entry for number, entry in enumerate(self.entries, start=1) if number not in self.undone
        )


class Coming(msgspec.Struct, frozen=True):
    """The deal that comes.

    Attributes:
        number: from 1.
        dealer: None while nobody knows who deals.
        cutter: the dealer's right-hand neighbour, who cuts (D3).
        eldest: to the dealer's left, who is dealt to first.
        direction: where cards are passed.
        count: how many, 0 where none are.
        deals_left: this one and those after it, where the match ends after some deals (E1); None
            also after those, while a tie is played on.
        tied: the seats for whose tie it is played (W9).
    """

    number: int
    dealer: int | None
    cutter: int | None
    eldest: int | None
    direction: Direction
    count: int
    deals_left: int | None
    tied: tuple[int, ...] = ()


def coming(sheet: Sheet) -> Coming | None:
    """The deal that comes; None where the match is over."""
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
    """How many deals the match still has; None where a limit ends it (E2)."""
    end = rules.ending.match_end
    return max(0, end.number - played) if end.kind is EndKind.DEALS else None


class Standing(msgspec.Struct, frozen=True):
    """Where a player stands, or a side (W10).

    Attributes:
        seat: of the player; of a side, the first.
        seats: all of the side.
        place: 1 for whoever leads; equal totals share a place.
        behind: points above the lowest total: so many must be made up to draw level.
        ahead: for one who leads alone, points below the next; 0 for everybody else.
        to_limit: points until the total reaches the limit (E2); None where there is none.
        in_reach: whether the lead can still be shared in the deals left (E1).
        half: what a total falls to that comes to exactly the limit; None where it does not (W9).
    """

    seat: int
    seats: tuple[int, ...]
    total: int
    place: int
    behind: int
    ahead: int
    to_limit: int | None
    in_reach: bool
    half: int | None = None


def standings(rules: Ruleset, table: Table) -> tuple[Standing, ...]:
    """Everybody, or every side, the lowest total first."""
    sums, limit = [table.totals[side[0]] for side in rules.all_sides], limit_of(rules)
    best, others = min(sums), sorted(sums)[1]
    left = 0 if table.over else deals_left(rules, len(table.deals))
    if table.tied:
        left = 1
    swing = largest_swing(rules)
    halves = limit is not None and rules.ending.at_limit is AtLimit.HALVES
    return tuple(
        Standing(
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
    """The most points that one player can make up on another in a deal, or one side."""
    extra = -sum(points for points in rules.values.values() if points < 0)
    extra -= rules.points.no_tricks * rules.sides.partners
    slam = rules.moon.slam is not SlamRule.OFF
    return rules.penalty_total * (2 if slam else 1) + extra


class Summary(msgspec.Struct, frozen=True):
    """What a list of sheets shows of one.

    Attributes:
        state: `playing`, `over` or `accepted`.
        deals: that count.
    """

    title: str
    names: tuple[str, ...]
    date: str
    state: str
    deals: int
    totals: tuple[int, ...]


def summary(sheet: Sheet) -> Summary:
    """The sheet on one line."""
    state = "accepted" if sheet.accepted else "over" if sheet.table.over else "playing"
    deals = len(sheet.table.deals)
    return Summary(sheet.title, sheet.names, sheet.date, state, deals, sheet.table.totals)


def too_late(sheet: Sheet, line: int) -> bool:
    """Whether a revoke in that line may no longer be claimed (I6).

    The next cards have been cut, or the settlement is accepted. A slip of the pen may be
    corrected all the same, so this is for a warning.
    """
    later = any(row.line > line and row.kind is not RowKind.STRUCK for row in sheet.table.rows)
    return later or sheet.accepted
