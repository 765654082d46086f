"""How many matches stand at once: `volte.rules.scoring` in NumPy, and the moons that are open.

A moon taken off the shooter leaves every seat as much below what it has where the moon is put on
the others. So deals are always played for the latter, and what the match wants is taken off here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.kernel.layout import Records
from volte.rules import AtLimit, EndKind, MoonRule, Ruleset, Settlement, SlamRule, Ties

Totals = NDArray[np.int64]
"""`int64[matches, players]`."""

_OPEN: Final = (MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST)


class Standings(NamedTuple):
    """Matches after as many deals each.

    Attributes:
        totals: what has fallen back to half has fallen (W9).
        over: `bool[matches]` (E1, E2, W9).
        won: `bool[matches, players]`, who is in front, or has won.
    """

    totals: Totals
    over: NDArray[np.bool_]
    won: NDArray[np.bool_]


def standings(rules: Ruleset, deals: int, before: Totals, outcomes: Records) -> Standings:
    """How matches stand after one more deal.

    Args:
        deals: how many have been played, with this one.
        before: the totals without it.
        outcomes: this deal of each match.
    """
    points = outcomes["points"][:, : rules.players].astype(np.int64)
    return _after(rules, deals, before + points, outcomes["moon"])


def count_moons(rules: Ruleset, deals: int, before: Totals, outcomes: Records) -> None:
    """Takes moons off their shooters where the rules leave that open and it is wanted (W7).

    Where the shooter chooses, it does as `volte.bots.choosing.takes_off` says. The arguments are
    those of `standings`; `outcomes` are changed.
    """
    if rules.moon.moon not in _OPEN:
        return
    doubled = outcomes["slam"] if rules.moon.slam is SlamRule.DOUBLE else np.int8(-1)
    rows = np.flatnonzero((outcomes["moon"] >= 0) | (doubled >= 0))
    some = outcomes[rows]
    slams = some["slam"] >= 0
    seats = np.where(slams, some["slam"], some["moon"]).astype(np.int64)
    less = np.where(slams, 2, 1) * rules.penalty_total
    plus = before[rows] + some["points"][:, : rules.players]
    minus = plus - less[:, np.newaxis]
    on, off = (_after(rules, deals, sums, some["moon"]) for sums in (plus, minus))
    if rules.moon.moon is MoonRule.PLUS_UNLESS_LOST:
        wanted = _outcome(on, seats) == 0
    else:
        wanted = _takes_off(rules, on, off, seats)
    chosen = rows[wanted]
    outcomes["points"][chosen, : rules.players] -= less[wanted, np.newaxis].astype(np.int32)
    outcomes["minus"][chosen] = 1


def _after(rules: Ruleset, deals: int, sums: Totals, moons: NDArray[np.int8]) -> Standings:
    end, ending = rules.ending.match_end, rules.ending
    limited = end.kind is EndKind.LIMIT
    if limited and ending.at_limit is AtLimit.HALVES:
        sums = np.where(sums == end.number, end.number // 2, sums)
    won = sums == sums.min(axis=1, keepdims=True)
    if not limited and end.number == deals == 1:  # whoever shoots the moon wins (E1)
        sides = len(rules.all_sides)
        shot = np.arange(rules.players) % sides == moons[:, np.newaxis] % sides
        won = np.where(moons[:, np.newaxis] >= 0, shot, won)
    over = sums.max(axis=1) >= end.number if limited else np.full(len(sums), deals >= end.number)
    if ending.ties is Ties.PLAY_ON:
        over &= won.sum(axis=1) == rules.sides.partners
    return Standings(sums, over, won)


def _outcome(after: Standings, seats: NDArray[np.int64]) -> NDArray[np.int64]:
    """2 where the seat has won, 1 where the match goes on, 0 where it is lost."""
    won = after.won[np.arange(len(seats)), seats]
    return np.where(after.over, np.where(won, 2, 0), 1)


def _takes_off(
    rules: Ruleset, on: Standings, off: Standings, seats: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether each shooter does best to take the moon off: `volte.bots.choosing.takes_off`."""
    rows = np.arange(len(seats))
    ahead_on, ahead_off = (
        each.totals.sum(axis=1) - rules.players * each.totals[rows, seats] for each in (on, off)
    )
    better = np.sign(_outcome(off, seats) - _outcome(on, seats))
    better = np.where(better == 0, np.sign(ahead_off - ahead_on), better)
    behind = on.totals[rows, seats] > on.totals.min(axis=1)
    alike = behind & (rules.stakes.settlement is not Settlement.POT)
    wanted: NDArray[np.bool_] = np.where(better == 0, alike, better > 0)
    return wanted
