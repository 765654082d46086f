"""Advice of `expert`: what it would do, why, and what else would cost."""

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
"""What a piece of advice usually takes at most."""


def advise(view: View, clock: Clock = Clock()) -> Hint:  # noqa: B008
    """What `expert` would do, in plain Python where it is not installed.

    Only for a seat that has to pass or to play. Where it cannot search, this is what `casual` would
    do, and nothing else is weighed.
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
    """Whether nothing else is worse: to the last digit, or of cards, where nothing speaks for the
    best, as far as can be told."""
    if not others:
        return False
    if reason is Reason.PLAYED_OUT and isinstance(best.action, Play):
        return all(each.as_good(wins) for each in told)
    return all((each.margin, each.worth) == (best.margin, best.worth) for each in others)


DEAR: Final = 1.0
"""Points from which on a card that costs them, beyond the error, is one to be warned of."""

DEAR_WINS: Final = 0.05
"""The same as a part of the win."""

DEAR_STAKES: Final = 2.0
"""The same in stakes, where points are lost as well."""

WORSE: Final = 0.25
"""Points by which the next best must be behind to be worse."""


def dear(others: Sequence[Other], wins: bool, tempting: Play | Pass) -> list[Play | Pass]:
    """What costs much; where nothing does, the next best, if that is worse.

    Of passes, of which there are many, only those that a hint speaks of: the best of them, the one
    that is tempting, and the worst.
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
