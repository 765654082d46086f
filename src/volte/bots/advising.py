"""What `expert` advises: an action, why, and what the others would cost."""

from __future__ import annotations

from typing import Final

from volte.bots.advice import Hint, Other
from volte.bots.casual import hint, reason_of
from volte.bots.protocol import Clock, Estimate
from volte.bots.search import Search
from volte.game import ChooseMoon, Pass, Play
from volte.view import View

ADVICE: Final = Clock(milliseconds=500, simulations=20_000)
"""What a piece of advice may take."""


def advise(view: View, clock: Clock = ADVICE) -> Hint:
    """What `expert` would do. Only for a seat that has to pass or to play.

    Where it cannot search, this is what `casual` would do, and nothing else is weighed.
    """
    thought = Search().think(view, clock)
    if not isinstance(thought.action, Play | Pass):
        return hint(view)
    others = [each for each in thought.estimates[1:] if not isinstance(each.action, ChooseMoon)]
    return Hint(
        thought.action,
        reason_of(view, thought.action),
        tuple(_other(each, thought.estimates[0]) for each in others),
    )


def _other(other: Estimate, best: Estimate) -> Other:
    assert isinstance(other.action, Play | Pass)
    error = 2 * ((other.error or 0.0) ** 2 + (best.error or 0.0) ** 2) ** 0.5
    worth = None
    if other.worth is not None and best.worth is not None:
        worth = best.worth - other.worth
    return Other(other.action, other.margin - best.margin, error, worth)
