"""Advice of `expert`: its choice, the reasons, and the cost of other actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from volte.bots.candidates import unlike
from volte.bots.hints import Hint, Other, Reason, said_of
from volte.bots.levels import make_bot
from volte.bots.protocol import Clock, Estimate, think
from volte.bots.queen import discard_of_queen, kept_queen
from volte.bots.reasons import hint, reasons_of
from volte.extras import strong_installed
from volte.game import Pass, Phase, Play
from volte.rules import Settlement
from volte.view import View

ADVICE: Final = Clock(milliseconds=500, simulations=20_000)
"""The usual limit for a piece of advice."""


def advise(
    view: View,
    clock: Clock = Clock(),  # noqa: B008
    beside: Pass | None = None,
) -> Hint:
    """Return the advice of `expert`, which searches in plain Python where it is not installed.

    Only for a seat that has to pass or to play. Where it cannot search, this is the choice of
    `casual`, and no other action is weighed.

    Args:
        beside: a pass of which the cost is wanted in any case.
    """
    usual = hint(view)
    if usual.reason is Reason.FORCED:
        return usual
    if view.state.phase is Phase.PLAYING and len(unlike(view)) == 1:
        return Hint(usual.action, Reason.ALIKE)
    clock = ADVICE if clock == Clock() else clock
    estimates = _weighed(view, clock, beside)
    return hint_from(view, estimates, beside or usual.action) if estimates else usual


def hint_from(view: View, estimates: Sequence[Estimate], tempting: Play | Pass) -> Hint:
    """Return the hint that follows from the estimates of a search.

    Args:
        estimates: the best first; one at least.
        tempting: an action whose cost is told, if it is not as good.
    """
    best, *others = estimates
    assert isinstance(best.action, Play | Pass)
    wins = view.deal.rules.stakes.settlement is Settlement.NONE
    told = tuple(Other.beside(each, best) for each in others)
    said = said_of(told, view)
    hint_wins = best.worth is None or wins
    if _alike(best, others, said, hint_wins):
        return Hint(best.action, Reason.ALIKE, told, hint_wins, tempting)
    reasons = reasons_of(view, best.action, dear(told, wins, tempting), estimates)
    discard = discard_of_queen(view, best.action, said)
    return Hint(
        best.action,
        reasons[0],
        told,
        hint_wins,
        discard.action if discard else tempting,
        reasons[1] if reasons[1:] else None,
        kept_queen(view, best.action, reasons, discard, hint_wins, best.moon),
    )


def _weighed(view: View, clock: Clock, beside: Pass | None) -> tuple[Estimate, ...]:
    """Return the estimates of `expert`, also of the pass if it can judge one."""
    bot = make_bot("expert")
    if beside is not None and strong_installed():
        from volte.bots.search import Search  # here, as NumPy takes a while to come

        if isinstance(bot, Search):
            return bot.think(view, clock, beside).estimates
    return think(bot, view, clock).estimates


def _alike(best: Estimate, others: Sequence[Estimate], said: Sequence[Other], wins: bool) -> bool:
    """Whether no other action is worse: no card by enough to tell, no pass by anything."""
    if isinstance(best.action, Play):
        return bool(said) and all(each.as_good(wins) for each in said)
    equal = all((each.margin, each.worth) == (best.margin, best.worth) for each in others)
    return bool(others) and equal


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
