"""Advice of `expert`: its choice, the reasons, and the cost of other actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from volte.bots.candidates import unlike
from volte.bots.levels import make_bot
from volte.bots.protocol import Clock, Estimate, think
from volte.bots.reasons import Hint, Other, Reason, hint, reasons_of
from volte.game import Pass, Phase, Play
from volte.rules import Settlement
from volte.view import View

ADVICE: Final = Clock(milliseconds=500, simulations=20_000)
"""The usual limit for a piece of advice."""


def advise(view: View, clock: Clock = Clock()) -> Hint:  # noqa: B008
    """Return the advice of `expert`, which searches in plain Python where it is not installed.

    Only for a seat that has to pass or to play. Where it cannot search, this is the choice of
    `casual`, and no other action is weighed.
    """
    usual = hint(view)
    if usual.reason is Reason.FORCED:
        return usual
    if view.state.phase is Phase.PLAYING and len(unlike(view)) == 1:
        return Hint(usual.action, Reason.ALIKE)
    clock = ADVICE if clock == Clock() else clock
    estimates = think(make_bot("expert"), view, clock).estimates
    if not estimates:
        return usual
    best, *others = estimates
    assert isinstance(best.action, Play | Pass)
    wins = view.deal.rules.stakes.settlement is Settlement.NONE
    told = tuple(_other(each, best) for each in others)
    reason, *also = reasons_of(view, best.action, dear(told, wins, usual.action))
    return Hint(
        best.action,
        Reason.ALIKE if _alike(best, others, told, wins, reason) else reason,
        told,
        wins=best.worth is None or wins,
        tempting=usual.action,
        also=also[0] if also else None,
    )


def _alike(
    best: Estimate, others: Sequence[Estimate], told: Sequence[Other], wins: bool, reason: Reason
) -> bool:
    """Whether no other action is worse: their estimates are equal, or for a card without a reason,
    too close to tell apart."""
    if not others:
        return False
    if reason is Reason.PLAYED_OUT and isinstance(best.action, Play):
        return all(each.as_good(wins) for each in told)
    return all((each.margin, each.worth) == (best.margin, best.worth) for each in others)


DEAR: Final = 1.0
"""Least cost in points, beyond the error, of an action that the advice warns of."""

DEAR_WINS: Final = 0.05
"""Least cost of such an action as a part of the win."""

DEAR_STAKES: Final = 2.0
"""Least cost of such an action in stakes, where points are lost as well."""

WORSE: Final = 0.25
"""Points by which the next best action must be behind to count as worse."""


def dear(others: Sequence[Other], wins: bool, tempting: Play | Pass) -> list[Play | Pass]:
    """Return the actions that cost much; if none does, the next best, if it is worse.

    There are many passes, so of these only the ones that a hint mentions: the best, the tempting
    one and the worst.
    """
    much = [each for each in others if _costs_much(each, wins)]
    if not much:
        return [each.action for each in others[:1] if each.points > max(each.error, WORSE)]
    if isinstance(tempting, Pass):
        worst = max(much, key=lambda each: each.points)
        much = [each for each in much if each in (much[0], worst) or each.action == tempting]
    return [each.action for each in much]


def _costs_much(other: Other, wins: bool) -> bool:
    worth, surely = other.worth or 0.0, other.points > other.error
    if surely and other.points >= DEAR:
        return True
    return worth >= DEAR_WINS if wins else surely and worth >= DEAR_STAKES


def _other(other: Estimate, best: Estimate) -> Other:
    assert isinstance(other.action, Play | Pass)
    error = 2 * ((other.error or 0.0) ** 2 + (best.error or 0.0) ** 2) ** 0.5
    worth = None
    if other.worth is not None and best.worth is not None:
        worth = best.worth - other.worth
    return Other(other.action, other.margin - best.margin, error, worth)
