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
    """Who took a card that counts.

    Attributes:
        card: of the first pack.
        seats: of whoever took it; with two packs of both takers, one of them twice who took both.
    """

    card: Card
    seats: tuple[int, ...]


class Purpose(StrEnum):
    """What lots are drawn for."""

    DEALER = "dealer"  # D1
    POT = "pot"  # M6
    MATCH = "match"  # M2, M5


class RowKind(StrEnum):
    """What a row tells."""

    PLAYED = "played"
    REVOKE = "revoke"  # I5
    MIXED = "mixed"  # I7
    MISDEAL = "misdeal"  # I1
    STRUCK = "struck"  # a line that should not have been there


class Row(msgspec.Struct, frozen=True):
    """One line of the sheet.

    Attributes:
        line: from 1.
        number: of the deal, from 1; None for what is no deal.
        dealer: None where nobody knows.
        direction: where this deal was passed; None for what is no deal.
        points: per seat, empty for what is no deal.
        totals: after it.
        leaders: the seats with the lowest total after it.
        moon: who shot the moon (S3); of a side that did, one of its players (W10).
        slam: who took every trick (S4); likewise.
        minus: whether the moon, or the slam, was taken off the shooter (W7).
        trickless: who took no trick, where that counts (W6).
        halved: the seats whose total came to exactly the limit, and fell to half of it (W9).
        by_totals: whether the totals decided which way the moon counts (W7).
        revoked: who pays for a revoke (I5).
        mixed: who pays for mixed tricks (I7).
        cause: of a misdeal.
        missing: cards that were missing from the pack (I8).
        hearts: what those count that each seat has taken, or each side, where they were told.
        queen: who took her, where it was told and there is only one.
        jack: likewise.
        others: who took the other cards that count, where it was told.
        stakes: what each seat won, or paid as a minus, for this deal (M6); None where deals are
            not paid one by one, and while lots are due.
        pot: after it.
        corrected: how often it has been corrected.
        beyond: whether the match was over before it, so that it does not count.
        provisional: whether it can still be claimed against, and the totals after it as well (I6).
    """

    line: int
    number: int | None
    kind: RowKind
    points: tuple[int, ...]
    totals: tuple[int, ...]
    leaders: tuple[int, ...] = ()
    dealer: int | None = None
    direction: Direction | None = None
    moon: int | None = None
    slam: int | None = None
    minus: bool = False
    trickless: tuple[int, ...] = ()
    halved: tuple[int, ...] = ()
    by_totals: bool = False
    revoked: tuple[int, ...] = ()
    mixed: tuple[int, ...] = ()
    cause: Misdeal | None = None
    missing: tuple[Card, ...] = ()
    hearts: tuple[int, ...] | None = None
    queen: int | None = None
    jack: int | None = None
    others: tuple[Took, ...] = ()
    stakes: tuple[int, ...] | None = None
    pot: int = 0
    corrected: int = 0
    beyond: bool = False
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
    """Lots that must be drawn.

    Attributes:
        line: of the deal whose pot they share; 0 for those of the match and of the dealer.
        seats: who draws.
        wanted: what for.
    """

    purpose: Purpose
    line: int
    seats: tuple[int, ...]
    wanted: Wanted


class Table(msgspec.Struct, frozen=True):
    """A whole score sheet.

    Attributes:
        totals: of the deals so far, zero each before the first.
        leaders: the seats with the lowest total; empty before the first deal.
        over: whether the match is.
        winners: once it is over.
        payment: for the whole match (M1–M5), once it is over and no lots are due.
        net: stakes that each seat has won or lost so far; None while lots are due.
        pot: what lies on the table (M6).
        due: the lots for stakes that must be drawn, in the order in which they must.
        deals: those that count.
        sides: the seats that play together, and so have the same points and totals (W10): a
            column of the sheet each. Each alone where there are no partners.
        side_moons: whether partners shoot the moon and make the slam together (W10).
        limit: the total that ends the match (E2); None where it ends after some deals.
        tied: the seats that share the lowest total where that keeps the match going (W9).
    """

    rows: tuple[Row, ...]
    totals: tuple[int, ...]
    leaders: tuple[int, ...] = ()
    over: bool = False
    winners: tuple[int, ...] = ()
    payment: Payment | None = None
    net: tuple[int, ...] | None = None
    pot: int = 0
    due: tuple[LotsDue, ...] = ()
    deals: tuple[Score, ...] = ()
    sides: tuple[tuple[int, ...], ...] = ()
    side_moons: bool = False
    limit: int | None = None
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


Stops = tuple[tuple[int, ...], ...]
"""By deal, the seats that stopped it."""


def rows_of_match(state: MatchState) -> Table:
    """The score sheet of a match that is played in the playroom, lawful or refereed.

    A deal that is over and can still be claimed against has a row of its own, which is
    provisional; the table's totals are without it. Matches keep no stakes deal by deal (M6), so
    that their rows have none, and neither who dealt.
    """
    refereed = state if isinstance(state, RefereedMatch) else None
    never: Stops = ((),) * len(state.deals)
    offenders = refereed.offenders if refereed is not None else never
    mixed = refereed.mixed if refereed is not None else never
    rules = state.rules
    rows = [
        _row_of_deal(rules, state.deals[: place + 1], offenders[place], mixed[place])
        for place in range(len(state.deals))
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
) -> Row:
    """The row of the last of those deals, and who stopped it, some by mixed tricks."""
    number, last, sums = len(deals), deals[-1], totals(rules, deals)
    return Row(
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
