"""How a moon is to count that its shooter may choose for (W7): the same for every bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from volte.game import ChooseMoon, Phase, score_of
from volte.referee import RefereedMatch
from volte.rules import Ruleset, Score, Settlement, match_over, totals, winners
from volte.view import View


def chosen_moon(view: View) -> ChooseMoon | None:
    """What a seat says of its moon, where it is asked; None where it is not."""
    ways = both_ways(view)
    if ways is None or view.seat is None:
        return None
    return ChooseMoon(
        view.seat, minus=takes_off(view.state.rules, view.state.deals, *ways, view.seat)
    )


def both_ways(view: View) -> tuple[Score, Score] | None:
    """The deal as it would be scored, put on the others and taken off the seat that is asked."""
    seat, state = view.seat, view.state
    if seat is None or state.shooter != seat:
        return None
    asked = state.phase is Phase.PLAYING and isinstance(state, RefereedMatch)
    if state.phase is not Phase.CHOOSING and not asked:
        return None
    deal = view.deal
    # All that a seat has not seen when the deal is over is a kitty that somebody else has taken.
    shown = replace(deal, kitty=deal.kitty or view.unseen)
    plus, minus = (score_of(state.rules, state.deals, shown, minus=way) for way in (False, True))
    return plus, minus


def takes_off(
    rules: Ruleset, before: Sequence[Score], plus: Score, minus: Score, seat: int
) -> bool:
    """Whether the shooter does best to take the moon off their own points.

    A match that is won at once beats one that goes on, and that beats one that is lost; then what
    counts is how far the others are behind (they may fall back to half of the limit, W9). Where it
    is all the same, the moon goes on the others if the shooter is in front then, as that brings
    the end nearer, or if there is a pot, which nobody draws from with points below zero (M6).

    Args:
        before: the deals before.
        plus, minus: the deal as it would be scored.
        seat: the shooter.
    """
    on, off = (_prospect(rules, (*before, scored), seat) for scored in (plus, minus))
    if on != off:
        return off > on
    sums = totals(rules, (*before, plus))
    return rules.stakes.settlement is not Settlement.POT and sums[seat] > min(sums)


class _Prospect(NamedTuple):
    """How a match stands for a seat: the greater, the better.

    Attributes:
        outcome: 2 where it has won, 1 where the match goes on, 0 where it has lost.
        ahead: points that all seats together have more than if all had what this one has.
    """

    outcome: int
    ahead: int


def _prospect(rules: Ruleset, deals: Sequence[Score], seat: int) -> _Prospect:
    sums = totals(rules, deals)
    outcome = 1
    if match_over(rules, deals):
        outcome = 2 if seat in winners(rules, deals) else 0
    return _Prospect(outcome, sum(sums) - rules.players * sums[seat])
