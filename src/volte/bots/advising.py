"""What `expert` advises: an action, why, and what the others would cost."""

from __future__ import annotations

from typing import Final

from volte.bots.advice import Hint, Other, Reason
from volte.bots.candidates import unlike
from volte.bots.casual import hint
from volte.bots.prospects import prospects
from volte.bots.protocol import Clock, Estimate
from volte.bots.reasons import reason_of
from volte.bots.search import Search
from volte.game import Pass, Phase, Play
from volte.view import View

ADVICE: Final = Clock(milliseconds=500, simulations=20_000)
"""What a piece of advice may take."""


def advise(view: View, clock: Clock = ADVICE) -> Hint:
    """What `expert` would do. Only for a seat that has to pass or to play.

    Where it cannot search, this is what `casual` would do, and nothing else is weighed.
    """
    usual = hint(view)
    if usual.reason is Reason.FORCED:
        return usual
    if view.state.phase is Phase.PLAYING and len(unlike(view)) == 1:
        return Hint(usual.action, Reason.ALIKE)
    estimates = Search().think(view, clock).estimates
    if not estimates:
        return usual
    best, *others = estimates
    assert isinstance(best.action, Play | Pass)
    alike = all((each.margin, each.worth) == (best.margin, best.worth) for each in others)
    return Hint(
        best.action,
        Reason.ALIKE if alike and others else reason_of(view, best.action),
        tuple(_other(each, best) for each in others),
        wins=best.worth is None or _wins(view),
        tempting=usual.action,
    )


def _wins(view: View) -> bool:
    """Whether worth is a part of the win, and not stakes."""
    found = prospects(view)
    return found is None or found.wins


def _other(other: Estimate, best: Estimate) -> Other:
    assert isinstance(other.action, Play | Pass)
    error = 2 * ((other.error or 0.0) ** 2 + (best.error or 0.0) ** 2) ** 0.5
    worth = None
    if other.worth is not None and best.worth is not None:
        worth = best.worth - other.worth
    return Other(other.action, other.margin - best.margin, error, worth)
