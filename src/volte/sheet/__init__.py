"""The score sheet: every deal and the running totals (S7).

One model serves matches of the playroom and sheets of real cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

import msgspec

from volte.cards import Card
from volte.game import MatchState, Phase
from volte.referee.actions import Misdeal
from volte.referee.state import RefereedMatch
from volte.rules import (
    AtLimit,
    Direction,
    EndKind,
    MoonBy,
    MoonRule,
    Payment,
    Ruleset,
    Score,
    Ties,
    Wanted,
    match_over,
    minus_is_open,
    totals,
    winners,
)


class Took(msgspec.Struct, frozen=True):
    """A card that counts, and the seats that took it."""

    card: Card  # as it is in the first pack
    # With two packs the takers of both copies: a seat that took both stands there twice
    seats: tuple[int, ...]


class Purpose(StrEnum):
    """Purpose of drawing lots: the first deal, or stakes."""

    DEALER = "dealer"  # D1
    POT = "pot"  # M6
    MATCH = "match"  # M2, M5


class RowKind(StrEnum):
    """Kind of a row of a score sheet."""

    PLAYED = "played"
    REVOKE = "revoke"  # I5
    MIXED = "mixed"  # I7
    MISDEAL = "misdeal"  # I1
    STRUCK = "struck"  # a line entered by mistake


class SheetRow(msgspec.Struct, frozen=True):
    """One line of a score sheet: a deal, or a misdeal or struck line in its place."""

    line: int  # from 1
    number: int | None  # of the deal, from 1; None if the row is not a deal
    kind: RowKind
    points: tuple[int, ...]  # per seat; empty if the row is not a deal
    totals: tuple[int, ...]  # per seat, after this row
    leaders: tuple[int, ...] = ()  # seats with the lowest total after this row
    dealer: int | None = None  # None if not known
    direction: Direction | None = None  # of the pass; None if the row is not a deal
    moon: int | None = None  # seat that shot the moon (S3); one of a side's seats (W10)
    slam: int | None = None  # seat that took every trick (S4); one of a side's seats (W10)
    minus: bool = False  # whether the moon, or the slam, was taken off the shooter (W7)
    trickless: tuple[int, ...] = ()  # seats that took no trick, where that counts (W6)
    # Seats whose total came to exactly the limit, and fell to half of it (W9)
    halved: tuple[int, ...] = ()
    by_totals: bool = False  # whether the totals decided which way the moon counts (W7)
    revoked: tuple[int, ...] = ()  # seats that pay for a revoke (I5)
    mixed: tuple[int, ...] = ()  # seats that pay for mixed tricks (I7)
    cause: Misdeal | None = None  # of a misdeal
    missing: tuple[Card, ...] = ()  # cards that were missing from the pack (I8)
    # Points in hearts that each seat, or each side, has taken; None if not entered
    hearts: tuple[int, ...] | None = None
    queen: int | None = None  # seat that took her, if entered and if there is only one
    jack: int | None = None  # seat that took the jack, if entered and if there is only one
    others: tuple[Took, ...] = ()  # other cards that count, with their takers, if entered
    # Stakes that each seat won, or paid as a minus, for this deal (M6); None where deals are not
    # paid one by one, and while lots are due
    stakes: tuple[int, ...] | None = None
    pot: int = 0  # stakes in the pot after this row
    corrected: int = 0  # number of corrections of this row
    beyond: bool = False  # whether the match was over before this row, so that it does not count
    # Whether a claim can still change this row, and the totals after it (I6)
    provisional: bool = False

    @property
    def counts(self) -> bool:
        """Whether the row is a deal that counts in the match."""
        return self.number is not None and not self.beyond and not self.provisional

    @property
    def score(self) -> Score:
        """The score of the row as the rules have it; only for a deal."""
        return Score(self.points, self.moon, self.slam, self.minus, self.trickless)


class LotsDue(msgspec.Struct, frozen=True):
    """Lots that have yet to be drawn."""

    purpose: Purpose
    line: int  # of the deal whose pot is shared; 0 for lots of the match and of the dealer
    seats: tuple[int, ...]  # seats that draw
    wanted: Wanted  # the lowest lot, the highest or a whole order


class Table(msgspec.Struct, frozen=True):
    """A whole score sheet: its rows, totals, winners and stakes."""

    rows: tuple[SheetRow, ...]
    totals: tuple[int, ...]  # per seat, of the deals so far; zeros before the first
    leaders: tuple[int, ...] = ()  # seats with the lowest total; empty before the first deal
    over: bool = False  # whether the match is over
    winners: tuple[int, ...] = ()  # seats, once the match is over
    # The settlement of the whole match (M1–M5), once it is over and no lots are due
    payment: Payment | None = None
    # Stakes that each seat has won or lost so far; None while lots are due
    net: tuple[int, ...] | None = None
    pot: int = 0  # stakes on the table (M6)
    # Lots for stakes that have to be drawn, in this order
    due: tuple[LotsDue, ...] = ()
    deals: tuple[Score, ...] = ()  # the deals that count
    # Sides of seats with the same points and totals (W10), one column of the sheet for each side;
    # one seat in each where there are no partners
    sides: tuple[tuple[int, ...], ...] = ()
    side_moons: bool = False  # whether partners shoot the moon and make the slam together (W10)
    # The total that ends the match (E2); None where a number of deals ends it
    limit: int | None = None
    # Seats that share the lowest total, if the tie keeps the match going (W9)
    tied: tuple[int, ...] = ()

    @property
    def partners(self) -> bool:
        """Whether any seats are partners (W10)."""
        return any(len(side) > 1 for side in self.sides)


def lowest(sums: tuple[int, ...]) -> tuple[int, ...]:
    """The seats with the lowest total."""
    return tuple(seat for seat, total in enumerate(sums) if total == min(sums))


def limit_of(rules: Ruleset) -> int | None:
    """The total that ends the match (E2); None where a number of deals ends it."""
    end = rules.ending.match_end
    return end.number if end.kind is EndKind.LIMIT else None


def halved(rules: Ruleset, deals: Sequence[Score]) -> tuple[int, ...]:
    """Seats whose total fell to half with the last of the deals (W9)."""
    if rules.ending.at_limit is not AtLimit.HALVES or not deals:
        return ()
    sums = zip(totals(rules, deals[:-1]), deals[-1].points, totals(rules, deals), strict=True)
    return tuple(seat for seat, (before, points, now) in enumerate(sums) if before + points != now)


def tied(rules: Ruleset, deals: Sequence[Score]) -> tuple[int, ...]:
    """Seats that share the lowest total, if only their tie keeps the match going (W9)."""
    if rules.ending.ties is Ties.SHARE or match_over(rules, deals):
        return ()
    sharing = replace(rules, ending=replace(rules.ending, ties=Ties.SHARE))
    return winners(rules, deals) if match_over(sharing, deals) else ()


def by_totals(rules: Ruleset, scored: Score) -> bool:
    """Whether the totals decided which way the deal's moon counts (W7)."""
    saved = rules.moon.moon is MoonRule.PLUS_UNLESS_LOST
    return saved and minus_is_open(rules, scored) is not None


def rows_of_match(state: MatchState) -> Table:
    """Return the score sheet of a match played in the playroom, lawful or refereed.

    A deal that is over and that a claim can still change has a provisional row; the table's
    totals are without it. Matches keep neither stakes deal by deal (M6) nor dealers, so the rows
    have none.
    """
    rules, nobody = state.rules, ((),) * len(state.deals)
    refereed = state if isinstance(state, RefereedMatch) else None
    stops = (refereed.offenders, refereed.mixed) if refereed is not None else (nobody, nobody)
    rows = [
        _row_of_deal(rules, state.deals[:number], offenders, mixed)
        for number, (offenders, mixed) in enumerate(zip(*stops, strict=True), start=1)
    ]
    leaders = rows[-1].leaders if rows else ()
    if refereed is not None and refereed.reckoned is not None:
        deal, deals = refereed.lying, (*state.deals, refereed.reckoned)
        row = _row_of_deal(rules, deals, deal.offenders, deal.mixed)
        rows.append(msgspec.structs.replace(row, provisional=True))
    return Table(
        rows=tuple(rows),
        totals=state.totals,
        leaders=leaders,
        over=state.phase is Phase.ENDED,
        winners=state.winners,
        net=state.net,
        pot=state.pot,
        deals=state.deals,
        sides=rules.all_sides,
        side_moons=rules.moon.by is MoonBy.SIDE,
        limit=limit_of(rules),
        tied=() if state.phase is Phase.ENDED else tied(rules, state.deals),
    )


def _row_of_deal(
    rules: Ruleset, deals: tuple[Score, ...], offenders: tuple[int, ...], mixed: tuple[int, ...]
) -> SheetRow:
    """The row of the last deal; `offenders` have stopped it, those in `mixed` by mixed tricks."""
    number, last, sums = len(deals), deals[-1], totals(rules, deals)
    return SheetRow(
        line=number,
        number=number,
        kind=RowKind.MIXED if mixed else RowKind.REVOKE if offenders else RowKind.PLAYED,
        points=last.points,
        totals=sums,
        leaders=lowest(sums),
        direction=rules.direction(number),
        moon=last.moon,
        slam=last.slam,
        minus=last.minus,
        trickless=last.trickless,
        halved=halved(rules, deals),
        by_totals=by_totals(rules, last),
        revoked=tuple(seat for seat in offenders if seat not in mixed),
        mixed=mixed,
    )
