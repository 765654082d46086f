"""The score of a deal (S1–S6, W5–W8, W10), the totals, and who wins a match (E1, E2, W9)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from volte.cards import Fault
from volte.rules.groups import AtLimit, EndKind, MoonBy, MoonRule, SlamRule, Ties
from volte.rules.ruleset import Ruleset


class Score(msgspec.Struct, frozen=True):
    """A scored deal.

    Attributes:
        points: per seat; a seat scores what its side scores (W10).
        moon: the seat that took every penalty card, where that counts (S3); where a side has
            done it together, the one among them that took most.
        slam: the seat that took every trick, where that counts (S4); of a side as for the moon.
        minus: whether the moon, or a slam that counts twice, is taken off the shooter, and not
            put on the others (W7).
        trickless: the seats that took no trick, where that counts (W6).
    """

    points: tuple[int, ...]
    moon: int | None = None
    slam: int | None = None
    minus: bool = False
    trickless: tuple[int, ...] = ()


class BooksFault(Fault):
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
    slam = moon = None
    if rules.moon.slam is not SlamRule.OFF:
        took_all = [sum(tricks[seat] for seat in who) == sum(tricks) for who in _doers(rules)]
        slam = _doer(rules, took_all, tricks)
    if slam is None and rules.moon.moon is not MoonRule.OFF:
        needed = rules.counting_mask if rules.moon.needs_jack else rules.penalty_mask
        moon = _doer(
            rules, [not needed & ~_together(taken, who) for who in _doers(rules)], penalties
        )
    minus = _minus(rules, moon, slam, minus)
    bonus = extras(rules, taken, trickless)
    if moon is None and slam is None:
        own = [have + extra for have, extra in zip(penalties, bonus, strict=True)]
        points = [sum(own[seat] for seat in rules.side(seat)) for seat in range(rules.players)]
    else:
        doer = moon if slam is None else slam
        assert doer is not None
        off, on = _swing(rules, slam is not None, minus)
        points = [
            (off if seat in rules.side(doer) else on)
            + sum(bonus[partner] for partner in rules.side(seat))
            for seat in range(rules.players)
        ]
    scored = Score(tuple(points), moon, slam, minus, trickless)
    check_books(rules, scored)
    return scored


def extras(rules: Ruleset, taken: Sequence[int], trickless: Sequence[int]) -> tuple[int, ...]:
    """What each seat has beside its penalties, the jack and the tricks it did not take (S5, W6)."""
    return tuple(
        rules.points_in(won & ~rules.penalty_mask)
        + (rules.points.no_tricks if seat in trickless else 0)
        for seat, won in enumerate(taken)
    )


def _doers(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Who may shoot the moon or make the slam: each seat, or each side."""
    if rules.moon.by is MoonBy.SIDE:
        return rules.all_sides
    return tuple((seat,) for seat in range(rules.players))


def _doer(rules: Ruleset, done: Sequence[bool], shares: Sequence[int]) -> int | None:
    """The seat that stands for whoever has done it."""
    for who, whole in zip(_doers(rules), done, strict=True):
        if whole:
            return max(who, key=lambda seat: shares[seat])
    return None


def _together(taken: Sequence[int], who: Sequence[int]) -> int:
    mask = 0
    for seat in who:
        mask |= taken[seat]
    return mask


def minus_is_open(rules: Ruleset, scored: Score) -> int | None:
    """The seat whose moon or double slam the rules may count in either of two ways (W7)."""
    if rules.moon.moon not in (MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST):
        return None
    if scored.slam is not None:
        return scored.slam if rules.moon.slam is SlamRule.DOUBLE else None
    return scored.moon


def _minus(rules: Ruleset, moon: int | None, slam: int | None, asked: bool) -> bool:
    if minus_is_open(rules, Score((), moon, slam)) is not None:
        return asked
    doubled = slam is not None and rules.moon.slam is SlamRule.DOUBLE
    return rules.moon.moon is MoonRule.SHOOTER_MINUS and (moon is not None or doubled)


def _swing(rules: Ruleset, slam: bool, minus: bool) -> tuple[int, int]:
    """What a moon or a slam counts for the shooter's side, and for each of the others."""
    total = rules.penalty_total
    if slam and rules.moon.slam is SlamRule.REVERSAL:
        return -total, total
    total *= 2 if slam else 1
    return (-total, 0) if minus else (0, total)


def expected_sum(rules: Ruleset, scored: Score) -> int:
    """What the points of that deal must add up to (S6)."""
    partners = rules.sides.partners
    others = rules.players // partners - 1
    extra = sum(points for points in rules.values.values() if points < 0)
    extra += rules.points.no_tricks * len(scored.trickless)
    if scored.slam is None and scored.moon is None:
        return partners * (rules.penalty_total + extra)
    off, on = _swing(rules, scored.slam is not None, scored.minus)
    return partners * (off + others * on + extra)


def check_books(rules: Ruleset, scored: Score) -> None:
    """Raises `BooksFault` when the points of a deal do not add up as S6 wants."""
    due = expected_sum(rules, scored)
    if sum(scored.points) != due:
        raise BooksFault("points_do_not_add_up", points=sum(scored.points), due=due)


def totals(rules: Ruleset, deals: Sequence[Score]) -> tuple[int, ...]:
    """The running totals after those deals (S7); what falls back to half has fallen (W9)."""
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


def winners(rules: Ruleset, deals: Sequence[Score]) -> tuple[int, ...]:
    """The seats with the lowest total, who share the win (E1, E2).

    In a match of one deal whoever shoots the moon wins, whatever a jack does (E1).
    """
    shooter = lone_shooter(rules, deals)
    if shooter is not None:
        return rules.side(shooter)
    sums = totals(rules, deals)
    return tuple(seat for seat, total in enumerate(sums) if total == min(sums))


def lone_shooter(rules: Ruleset, deals: Sequence[Score]) -> int | None:
    """Who shot the moon in a match of one deal (E1, M3)."""
    end = rules.ending.match_end
    one_deal = end.kind is EndKind.DEALS and end.number == 1 and len(deals) == 1
    return deals[0].moon if one_deal else None


def loses_by_plus(rules: Ruleset, before: Sequence[Score], scored: Score) -> bool:
    """Whether a moon that is put on the others ends the match, and the shooter has not won (W7)."""
    shooter = minus_is_open(rules, scored)
    deals = (*before, scored)
    return match_over(rules, deals) and shooter not in winners(rules, deals)
