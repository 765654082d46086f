"""The score of a deal (S1–S6) and who wins a match (E1, E2)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from volte.cards import Fault
from volte.rules.groups import EndKind, MoonRule, SlamRule
from volte.rules.ruleset import Ruleset


class Score(msgspec.Struct, frozen=True):
    """A scored deal.

    Attributes:
        points: per seat.
        moon: the seat that took every penalty card, where that counts (S3).
        slam: the seat that took every trick, where that counts (S4).
    """

    points: tuple[int, ...]
    moon: int | None = None
    slam: int | None = None


class BooksFault(Fault):
    """Points that do not add up (S6): a fault in the program or in a record."""


def score(rules: Ruleset, taken: Sequence[int], tricks: Sequence[int]) -> Score:
    """The points of a finished deal.

    Args:
        taken: mask of the cards each seat has won, kitty included (D6).
        tricks: number of tricks each seat has won.

    Raises `BooksFault` when the points do not add up.
    """
    result = _penalties(rules, taken, tricks)
    bonus = [
        sum(points for card, points in rules.values.items() if points < 0 and card.bit & won)
        for won in taken
    ]
    points = tuple(penalty + extra for penalty, extra in zip(result.points, bonus, strict=True))
    scored = Score(points, result.moon, result.slam)
    check_books(rules, scored)
    return scored


def _penalties(rules: Ruleset, taken: Sequence[int], tricks: Sequence[int]) -> Score:
    total = rules.penalty_total
    seats = range(rules.players)
    if rules.moon.slam is SlamRule.REVERSAL:
        for seat in seats:
            if tricks[seat] == sum(tricks):
                points = tuple(-total if other == seat else total for other in seats)
                return Score(points, slam=seat)
    if rules.moon.moon is MoonRule.OTHERS_PLUS:
        for seat in seats:
            if taken[seat] & rules.penalty_mask == rules.penalty_mask:
                points = tuple(0 if other == seat else total for other in seats)
                return Score(points, moon=seat)
    return Score(tuple(rules.points_in(won & rules.penalty_mask) for won in taken))


def expected_sum(rules: Ruleset, scored: Score) -> int:
    """What the points of that deal must add up to (S6)."""
    others = rules.players - 1
    bonus = sum(points for points in rules.values.values() if points < 0)
    if scored.slam is not None:
        return (others - 1) * rules.penalty_total + bonus
    if scored.moon is not None:
        return others * rules.penalty_total + bonus
    return rules.penalty_total + bonus


def check_books(rules: Ruleset, scored: Score) -> None:
    """Raises `BooksFault` when the points of a deal do not add up as S6 wants."""
    due = expected_sum(rules, scored)
    if sum(scored.points) != due:
        raise BooksFault("points_do_not_add_up", points=sum(scored.points), due=due)


def totals(players: int, deals: Sequence[Score]) -> tuple[int, ...]:
    """The running totals after those deals (S7)."""
    return tuple(sum(deal.points[seat] for deal in deals) for seat in range(players))


def match_over(rules: Ruleset, deals: Sequence[Score]) -> bool:
    """Whether the match ends after the deals played so far (E1, E2)."""
    end = rules.ending.match_end
    if end.kind is EndKind.DEALS:
        return len(deals) >= end.number
    return bool(deals) and max(totals(rules.players, deals)) >= end.number


def winners(rules: Ruleset, deals: Sequence[Score]) -> tuple[int, ...]:
    """The seats with the lowest total, who share the win (E1, E2).

    In a match of one deal the player who shoots the moon wins, whatever a jack does (E1).
    """
    shooter = lone_shooter(rules, deals)
    if shooter is not None:
        return (shooter,)
    sums = totals(rules.players, deals)
    return tuple(seat for seat, total in enumerate(sums) if total == min(sums))


def lone_shooter(rules: Ruleset, deals: Sequence[Score]) -> int | None:
    """Who shot the moon in a match of one deal (E1, M3)."""
    end = rules.ending.match_end
    one_deal = end.kind is EndKind.DEALS and end.number == 1
    return deals[0].moon if one_deal and deals else None
