"""The score of a deal (S1–S6, W5–W8, W10), the totals, and who wins a match (E1, E2, W9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec

from volte.cards import VolteError, union
from volte.rules.groups import AtLimit, EndKind, MatchEnd, MoonBy, MoonRule, SlamRule, Ties
from volte.rules.ruleset import Ruleset


class Score(msgspec.Struct, frozen=True):
    """Score of a deal: the points of each seat, and the seat of a moon or a slam."""

    points: tuple[int, ...]  # per seat; a seat scores what its side scores (W10)
    # The seat that took every penalty card, where that counts (S3); of a side that did it together,
    # the seat that took most
    moon: int | None = None
    # The seat that took every trick, where that counts (S4); of a side as for the moon
    slam: int | None = None
    # Whether the moon, or a slam that counts twice, is taken off the shooter, and not put on the
    # others (W7)
    minus: bool = False
    trickless: tuple[int, ...] = ()  # the seats that took no trick, where that counts (W6)


class BooksFault(VolteError):
    """Points that do not add up (S6): a fault in the program or in a record."""


def score(
    rules: Ruleset, taken: Sequence[int], tricks: Sequence[int], *, minus: bool = False
) -> Score:
    """The points of a finished deal.

    Args:
        taken: mask of the cards each seat has won, kitty included (D6).
        tricks: number of tricks each seat has won.
        minus: which way the moon counts, where the rules leave that open (`minus_is_open`).

    Raises `BooksFault` when the points do not add up.
    """
    penalties = [rules.points_in(won & rules.penalty_mask) for won in taken]
    trickless = tuple(seat for seat, won in enumerate(tricks) if rules.points.no_tricks and not won)
    bonus = extras(rules, taken, trickless)
    slam = _slam(rules, tricks)
    moon = _moon(rules, taken, penalties) if slam is None else None
    minus = _minus(rules, moon, slam, minus)
    doer = moon if slam is None else slam
    off, on = _swing(rules, slam is not None, minus)
    points = [0] * rules.players
    for side in rules.all_sides:
        if doer is None:
            count = sum(penalties[seat] for seat in side)
        else:
            count = off if doer in side else on
        for seat in side:
            points[seat] = count + sum(bonus[partner] for partner in side)
    scored = Score(tuple(points), moon, slam, minus, trickless)
    check_books(rules, scored)
    return scored


def extras(rules: Ruleset, taken: Sequence[int], trickless: Sequence[int]) -> tuple[int, ...]:
    """Points of each seat besides penalties: for cards below zero, and for no tricks (S5, W6)."""
    return tuple(
        rules.points_in(won & ~rules.penalty_mask)
        + (rules.points.no_tricks if seat in trickless else 0)
        for seat, won in enumerate(taken)
    )


def _slam(rules: Ruleset, tricks: Sequence[int]) -> int | None:
    """The seat that took every trick, or most of its side's (S4, W10)."""
    if rules.moon.slam is SlamRule.OFF:
        return None
    for who in all_doers(rules):
        if sum(tricks[seat] for seat in who) == sum(tricks):
            return max(who, key=tricks.__getitem__)
    return None


def _moon(rules: Ruleset, taken: Sequence[int], penalties: Sequence[int]) -> int | None:
    """The seat that took every card the moon needs, or most of its side's points (S3, W7, W10)."""
    if rules.moon.moon is MoonRule.OFF:
        return None
    for who in all_doers(rules):
        if not rules.moon_mask & ~union(taken[seat] for seat in who):
            return max(who, key=penalties.__getitem__)
    return None


def all_doers(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Groups of seats that may shoot the moon or make the slam: each seat, or each side (W10)."""
    if rules.moon.by is MoonBy.SIDE:
        return rules.all_sides
    return tuple((seat,) for seat in range(rules.players))


def doers(rules: Ruleset, seat: int) -> tuple[int, ...]:
    """Seats that share a moon or a slam with a seat: that seat alone, or its whole side (W10)."""
    return rules.side(seat) if rules.moon.by is MoonBy.SIDE else (seat,)


_EITHER_WAY: Final = (MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST)


def minus_is_open(rules: Ruleset, scored: Score) -> int | None:
    """The seat whose moon or double slam the rules may count in either of two ways (W7)."""
    return _as_moon(rules, scored.moon, scored.slam) if rules.moon.moon in _EITHER_WAY else None


def _as_moon(rules: Ruleset, moon: int | None, slam: int | None) -> int | None:
    """The seat whose feat counts by the rule of the moon: a moon, or a double slam (W8)."""
    return slam if rules.moon.slam is SlamRule.DOUBLE and slam is not None else moon


def _minus(rules: Ruleset, moon: int | None, slam: int | None, chosen: bool) -> bool:
    if _as_moon(rules, moon, slam) is None:
        return False
    if rules.moon.moon in _EITHER_WAY:
        return chosen
    return rules.moon.moon is MoonRule.SHOOTER_MINUS


def _swing(rules: Ruleset, slam: bool, minus: bool) -> tuple[int, int]:
    """Points of a moon or a slam: for the shooter's side, and for each other side."""
    total = rules.penalty_total
    if slam and rules.moon.slam is SlamRule.REVERSAL:
        return -total, total
    total *= 2 if slam else 1
    return (-total, 0) if minus else (0, total)


def expected_sum(rules: Ruleset, scored: Score) -> int:
    """The sum that the points of the deal must have (S6)."""
    partners = rules.sides.partners
    others = rules.players // partners - 1
    extra = sum(points for points in rules.values.values() if points < 0)
    extra += rules.points.no_tricks * len(scored.trickless)
    if scored.slam is None and scored.moon is None:
        return partners * (rules.penalty_total + extra)
    off, on = _swing(rules, scored.slam is not None, scored.minus)
    return partners * (off + others * on + extra)


def check_books(rules: Ruleset, scored: Score) -> None:
    """Raise `BooksFault` when the points of a deal do not add up as S6 wants."""
    expected = expected_sum(rules, scored)
    if sum(scored.points) != expected:
        raise BooksFault("points_do_not_add_up", points=sum(scored.points), due=expected)


def totals(rules: Ruleset, deals: Sequence[Score]) -> tuple[int, ...]:
    """The running totals after those deals (S7), each halved where it met the limit (W9)."""
    end, sums = rules.ending.match_end, (0,) * rules.players
    halves = end.kind is EndKind.LIMIT and rules.ending.at_limit is AtLimit.HALVES
    for deal in deals:
        sums = tuple(have + points for have, points in zip(sums, deal.points, strict=True))
        if halves:
            sums = tuple(end.number // 2 if have == end.number else have for have in sums)
    return sums


def match_over(rules: Ruleset, deals: Sequence[Score]) -> bool:
    """Whether the match ends after the deals played so far (E1, E2, W9)."""
    end = rules.ending.match_end
    if end.kind is EndKind.DEALS:
        over = len(deals) >= end.number
    else:
        over = bool(deals) and max(totals(rules, deals)) >= end.number
    if not over or rules.ending.ties is Ties.SHARE:
        return over
    return len(winners(rules, deals)) == rules.sides.partners


def of_deals(rules: Ruleset, deals: int) -> Ruleset:
    """The rules of a match that ends after exactly so many deals, whatever the totals are then.

    All else stays: a moon in a match of one deal counts as in any such match (E1, M3).
    """
    end = MatchEnd(EndKind.DEALS, deals)
    return replace(rules, ending=replace(rules.ending, match_end=end, ties=Ties.SHARE))


def winners(rules: Ruleset, deals: Sequence[Score]) -> tuple[int, ...]:
    """The seats with the lowest total, who share the win (E1, E2).

    In a match of one deal the shooter of the moon wins, whatever a jack does (E1).
    """
    shooter = lone_shooter(rules, deals)
    if shooter is not None:
        return rules.side(shooter)
    sums = totals(rules, deals)
    return tuple(seat for seat, total in enumerate(sums) if total == min(sums))


def lone_shooter(rules: Ruleset, deals: Sequence[Score]) -> int | None:
    """The seat that shot the moon in a match of one deal; None for nobody (E1, M3)."""
    end = rules.ending.match_end
    one_deal = end.kind is EndKind.DEALS and end.number == 1 and len(deals) == 1
    return deals[0].moon if one_deal else None


def loses_by_plus(rules: Ruleset, before: Sequence[Score], scored: Score) -> bool:
    """Whether a moon that is put on the others ends the match, and the shooter has not won (W7)."""
    shooter = minus_is_open(rules, scored)
    deals = (*before, scored)
    return match_over(rules, deals) and shooter not in winners(rules, deals)
