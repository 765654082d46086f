"""Advice of `expert`: what it would do, why, and what else would cost."""

from __future__ import annotations

from typing import Final

from volte.bots.candidates import unlike
from volte.bots.levels import make_bot
from volte.bots.protocol import Clock, Estimate, think
from volte.bots.reasons import Hint, Other, Reason, hint, reason_of
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
    alike = all((each.margin, each.worth) == (best.margin, best.worth) for each in others)
    return Hint(
        best.action,
        Reason.ALIKE if alike and others else reason_of(view, best.action),
        tuple(_other(each, best) for each in others),
        wins=best.worth is None or view.deal.rules.stakes.settlement is Settlement.NONE,
        tempting=usual.action,
    )


def _other(other: Estimate, best: Estimate) -> Other:
    assert isinstance(other.action, Play | Pass)
    error = 2 * ((other.error or 0.0) ** 2 + (best.error or 0.0) ** 2) ** 0.5
    worth = None
    if other.worth is not None and best.worth is not None:
        worth = best.worth - other.worth
    return Other(other.action, other.margin - best.margin, error, worth)
