"""The score sheet: every deal and the running totals (S7).

One model for the matches of the playroom and for the sheets of the score-keeper.
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
    """Who took a card that counts."""

    card: Card  # of the first pack
    # Of whoever took it; with two packs of both takers, one of them twice who took both
    seats: tuple[int, ...]


class Purpose(StrEnum):
    """What lots are drawn for: who deals first, or who gets stakes."""

    DEALER = "dealer"  # D1
    POT = "pot"  # M6
    MATCH = "match"  # M2, M5


class RowKind(StrEnum):
    """What a row of a score sheet is about."""

    PLAYED = "played"
    REVOKE = "revoke"  # I5
    MIXED = "mixed"  # I7
    MISDEAL = "misdeal"  # I1
    STRUCK = "struck"  # a line that should not have been there


class SheetRow(msgspec.Struct, frozen=True):
    """One line of a score sheet: a deal, or what came in its place."""

    line: int  # from 1
    number: int | None  # of the deal, from 1; None for what is no deal
    kind: RowKind
    points: tuple[int, ...]  # per seat, empty for what is no deal
    totals: tuple[int, ...]  # after it
    leaders: tuple[int, ...] = ()  # the seats with the lowest total after it
    dealer: int | None = None  # None where nobody knows
    direction: Direction | None = None  # where this deal was passed; None for what is no deal
    moon: int | None = None  # who shot the moon (S3); of a side that did, one of its players (W10)
    slam: int | None = None  # who took every trick (S4); likewise
    minus: bool = False  # whether the moon, or the slam, was taken off the shooter (W7)
    trickless: tuple[int, ...] = ()  # who took no trick, where that counts (W6)
    # The seats whose total came to exactly the limit, and fell to half of it (W9)
    halved: tuple[int, ...] = ()
    by_totals: bool = False  # whether the totals decided which way the moon counts (W7)
    revoked: tuple[int, ...] = ()  # who pays for a revoke (I5)
    mixed: tuple[int, ...] = ()  # who pays for mixed tricks (I7)
    cause: Misdeal | None = None  # of a misdeal
    missing: tuple[Card, ...] = ()  # cards that were missing from the pack (I8)
    # What those count that each seat has taken, or each side, where they were told
    hearts: tuple[int, ...] | None = None
    queen: int | None = None  # who took her, where it was told and there is only one
    jack: int | None = None  # likewise
    others: tuple[Took, ...] = ()  # who took the other cards that count, where it was told
    # What each seat won, or paid as a minus, for this deal (M6); None where deals are not paid one
    # by one, and while lots are due
    stakes: tuple[int, ...] | None = None
    pot: int = 0  # after it
    corrected: int = 0  # how often it has been corrected
    beyond: bool = False  # whether the match was over before it, so that it does not count
    # Whether it can still be claimed against, and the totals after it as well (I6)
    provisional: bool = False

    @property
    def counts(self) -> bool:
        """Whether it is a deal of the match."""
        return self.number is not None and not self.beyond and not self.provisional

    @property
    def score(self) -> Score:
        """Its points as the rules have them; for a deal only."""
        return Score(self.points, self.moon, self.slam, self.minus, self.trickless)


class LotsDue(msgspec.Struct, frozen=True):
    """Lots that have yet to be drawn, by whom and what for."""

    purpose: Purpose
    line: int  # of the deal whose pot they share; 0 for those of the match and of the dealer
    seats: tuple[int, ...]  # who draws
    wanted: Wanted  # what for


class Table(msgspec.Struct, frozen=True):
    """A whole score sheet: its rows, and what they come to."""

    rows: tuple[SheetRow, ...]
    totals: tuple[int, ...]  # of the deals so far, zero each before the first
    leaders: tuple[int, ...] = ()  # the seats with the lowest total; empty before the first deal
    over: bool = False  # whether the match is
    winners: tuple[int, ...] = ()  # once it is over
    # For the whole match (M1–M5), once it is over and no lots are due
    payment: Payment | None = None
    # Stakes that each seat has won or lost so far; None while lots are due
    net: tuple[int, ...] | None = None
    pot: int = 0  # what lies on the table (M6)
    # The lots for stakes that must be drawn, in the order in which they must
    due: tuple[LotsDue, ...] = ()
    deals: tuple[Score, ...] = ()  # those that count
    # The seats that play together, and so have the same points and totals (W10): a column of the
    # sheet each. Each alone where there are no partners.
    sides: tuple[tuple[int, ...], ...] = ()
    side_moons: bool = False  # whether partners shoot the moon and make the slam together (W10)
    # The total that ends the match (E2); None where it ends after some deals
    limit: int | None = None
    # The seats that share the lowest total where that keeps the match going (W9)
    tied: tuple[int, ...] = ()

    @property
    def partners(self) -> bool:
        """Whether anybody plays together (W10)."""
        return any(len(side) > 1 for side in self.sides)


def lowest(sums: tuple[int, ...]) -> tuple[int, ...]:
    """The seats with the lowest total."""
    return tuple(seat for seat, total in enumerate(sums) if total == min(sums))


def limit_of(rules: Ruleset) -> int | None:
    """The total that ends the match (E2); None where it ends after some deals."""
    end = rules.ending.match_end
    return end.number if end.kind is EndKind.LIMIT else None


def halved(rules: Ruleset, deals: Sequence[Score]) -> tuple[int, ...]:
    """Whose total fell to half with the last of those deals (W9)."""
    if rules.ending.at_limit is not AtLimit.HALVES or not deals:
        return ()
    sums = zip(totals(rules, deals[:-1]), deals[-1].points, totals(rules, deals), strict=True)
    return tuple(seat for seat, (before, points, now) in enumerate(sums) if before + points != now)


def tied(rules: Ruleset, deals: Sequence[Score]) -> tuple[int, ...]:
    """Who shares the lowest total, where nothing else keeps the match going (W9)."""
    if rules.ending.ties is Ties.SHARE or match_over(rules, deals):
        return ()
    sharing = replace(rules, ending=replace(rules.ending, ties=Ties.SHARE))
    return winners(rules, deals) if match_over(sharing, deals) else ()


def by_totals(rules: Ruleset, scored: Score) -> bool:
    """Whether the totals decided which way that deal's moon counts (W7)."""
    saved = rules.moon.moon is MoonRule.PLUS_UNLESS_LOST
    return saved and minus_is_open(rules, scored) is not None


def rows_of_match(state: MatchState) -> Table:
    """The score sheet of a match that is played in the playroom, lawful or refereed.

    A deal that is over and can still be claimed against has a row of its own, which is
    provisional; the table's totals are without it. Matches keep no stakes deal by deal (M6), so
    that their rows have none, and neither who dealt.
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
    """The row of the last of those deals, and who stopped it, some by mixed tricks."""
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
