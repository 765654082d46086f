"""What the points of a deal are worth: the match that they help to win, or the stakes they bring.

From how the match stands, every way in which the deal may end leads to totals, and from each of
these the rest of the match is played many times (`volte.kernel.playouts.forecast`), by deals that
`casual` has played among itself. All totals meet the same deals, so that a difference between them
is one of the totals, and not of luck.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from msgspec.structs import asdict
from numpy.typing import NDArray

from volte.bots.judged import DOUBT, FALLBACK
from volte.bots.odds import Weights
from volte.bots.protocol import opponents_of
from volte.kernel.deals import play_deals
from volte.kernel.encoding import Policy
from volte.kernel.layout import AVERAGE, DIFFERENCE, ENDING, WINNING, Records
from volte.kernel.startup import code
from volte.rules import AtLimit, EndKind, MatchEnd, MoonRule, Ruleset, Settlement, Ties, totals
from volte.view import View

DEALS: Final = 512
"""Deals that the rest of a match is made of."""

FUTURES: Final = 256
"""Ways in which the rest of a match may go."""

LONGEST: Final = 24
"""Deals of such a way before it begins anew."""

LIMIT: Final = 255
"""The most points, above or below zero, that a seat may have in a deal."""

Points = NDArray[np.float64]
"""`float64[rows, players]`, what every seat has of the deal."""


class Prospects:
    """What each end of a deal is worth to every seat; worked out once for each end."""

    def __init__(self, rules: Ruleset, deals: int, before: tuple[int, ...], pot: int = 0) -> None:
        """
        Args:
            deals: how many have been played before this one.
            before: the totals without it.
            pot: what lies on the table.
        """
        self._rules = rules
        self._deals = deals
        self._before = np.array(before, np.int64)
        self._pot = pot
        # Whether worth is a part of the win; else it is stakes
        self.wins = rules.stakes.settlement is Settlement.NONE
        self._ending = ending_of(rules)
        self._keys = np.array([-1])  # which is none
        self._known = np.zeros((1, rules.players))
        self._scales: dict[int, float] = {}

    def worth(self, points: Points) -> Points:
        """The worth of each row of points to every seat; greater is better."""
        rounded = np.rint(points).astype(np.int64)
        keys = _keys(rounded)
        places = np.searchsorted(self._keys[:-1], keys)
        new = np.flatnonzero(self._keys[places] != keys)
        if len(new):
            unknown, first = np.unique(keys[new], return_index=True)
            self._learn(unknown, rounded[new[first]])
            places = np.searchsorted(self._keys, keys)
        return self._known[places]

    def costs(self, points: NDArray[np.float64], seat: int) -> tuple[Points, Points]:
        """What each end costs a seat, in points, and what it is worth to it.

        Args:
            points: `float64[..., players]`. What is returned has one dimension less.
        """
        flat = points.reshape(-1, points.shape[-1])
        worth = self.worth(flat)[:, seat].reshape(points.shape[:-1])
        margins = _margins(self._rules, points, seat)
        return FALLBACK * margins - self._scale(seat) * worth, worth

    def _learn(self, keys: NDArray[np.int64], points: NDArray[np.int64]) -> None:
        keys = np.concatenate([self._keys, keys])
        known = np.concatenate([self._known, self._reckoned(points)])
        order = np.argsort(keys)
        self._keys, self._known = keys[order], known[order]

    def _reckoned(self, points: NDArray[np.int64]) -> Points:
        if self._rules.stakes.settlement is Settlement.POT:
            return _from_pot(points, self._pot)
        worth = self._after(points)
        moons = _shooters(self._rules, points)
        if (moons < 0).all():
            return worth
        rows = np.arange(len(points))
        one_deal = self._rules.ending.match_end == MatchEnd(EndKind.DEALS, 1)
        if one_deal and self._rules.stakes.settlement is not Settlement.AVERAGE:
            return np.where(moons[:, np.newaxis] < 0, worth, self._by_moon(moons))
        if self._rules.moon.moon in (MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST):
            less = self._after(points - self._rules.penalty_total)
            better = (moons >= 0) & (less[rows, moons] > worth[rows, moons])
            return np.where(better[:, np.newaxis], less, worth)
        return worth

    def _after(self, points: NDArray[np.int64]) -> Points:
        sums = self._before + points
        end = self._rules.ending
        if self._ending["halves"][0]:
            sums = np.where(sums == end.match_end.number, end.match_end.number // 2, sums)
        worth = np.empty((len(points), self._rules.players))
        forecast = code("playouts.forecast")
        sums = np.ascontiguousarray(sums)
        forecast(self._ending, self._deals + 1, sums, _futures(self._rules), worth)
        return worth

    def _by_moon(self, moons: NDArray[np.int64]) -> Points:
        """What a moon brings in a match of one deal, whatever a jack does (E1, M3)."""
        rules, sides = self._rules, len(self._rules.all_sides)
        shot = np.arange(rules.players) % sides == moons[:, np.newaxis] % sides
        if self.wins:
            won: Points = shot.astype(np.float64)
            return won
        drawn = rules.penalty_total * (rules.players - rules.sides.partners) / rules.sides.partners
        return np.where(shot, drawn, -float(rules.penalty_total))

    def _scale(self, seat: int) -> float:
        """Points that a unit of worth comes to: both then differ as much from deal to deal."""
        if seat not in self._scales:
            points = _futures(self._rules)[:, 0].astype(np.float64)
            margins, worth = _margins(self._rules, points, seat), self.worth(points)[:, seat]
            spread = worth.std()
            doubt = DOUBT[self.wins]
            self._scales[seat] = float(margins.std() * spread / (spread**2 + doubt**2))
        return self._scales[seat]


def prospects(view: View) -> Prospects | None:
    """Of the deal that a view shows; None where its points are too many to be looked up."""
    rules, state = view.state.rules, view.state
    most = 2 * rules.penalty_total - sum(min(0, worth) for worth in rules.values.values())
    if most - rules.points.no_tricks > LIMIT:
        return None
    pot = state.pot if rules.stakes.settlement is Settlement.POT else 0
    return _prospects(rules, len(state.deals), totals(rules, state.deals), pot)


_prospects: Final = lru_cache(maxsize=64)(Prospects)


@lru_cache(maxsize=16)
def _futures(rules: Ruleset) -> NDArray[np.int64]:
    """`int64[futures, deals, players]`, the points of deals; every seat meets the same ones."""
    twins = (Policy.casual(asdict(Weights())),) * rules.players
    played = play_deals(rules, 0, DEALS, twins)["points"][:, : rules.players].astype(np.int64)
    draws = np.random.default_rng(0)
    turns = rules.players
    ways = -(-FUTURES // turns)
    drawn = played[draws.integers(DEALS, size=(ways, LONGEST))]
    futures = np.concatenate([np.roll(drawn, turn, axis=2) for turn in range(turns)])
    futures.flags.writeable = False
    return futures


def ending_of(rules: Ruleset) -> Records:
    ending = np.zeros(1, ENDING)
    end = rules.ending.match_end
    limited = end.kind is EndKind.LIMIT
    ending["players"] = rules.players
    ending["partners"] = rules.sides.partners
    ending["limited"] = limited
    ending["number"] = end.number
    ending["halves"] = limited and rules.ending.at_limit is AtLimit.HALVES
    ending["plays_on"] = rules.ending.ties is Ties.PLAY_ON
    ending["counts"] = {Settlement.DIFFERENCE: DIFFERENCE, Settlement.AVERAGE: AVERAGE}.get(
        rules.stakes.settlement, WINNING
    )
    ending.flags.writeable = False
    return ending


def _keys(points: NDArray[np.int64]) -> NDArray[np.int64]:
    """A different number for each row of points."""
    places = 9 * np.arange(points.shape[1])
    keys: NDArray[np.int64] = ((points + LIMIT + 1) << places).sum(axis=1)
    return keys


def _margins(rules: Ruleset, points: NDArray[np.float64], seat: int) -> NDArray[np.float64]:
    margins: NDArray[np.float64] = points[..., seat] - points[..., opponents_of(rules, seat)].mean(
        axis=-1
    )
    return margins


def _shooters(rules: Ruleset, points: NDArray[np.int64]) -> NDArray[np.int64]:
    """By row the seat that has shot the moon, by its points; -1 where nobody has."""
    sides = rules.players // rules.sides.partners
    shot = points.sum(axis=1) > 1.5 * rules.penalty_total * rules.sides.partners
    return np.where(shot & (sides > 2), points.argmin(axis=1), -1)


def _from_pot(points: NDArray[np.int64], pot: int) -> Points:
    """What every seat draws less what it pays; what stays on the table is everybody's (M6)."""
    paid = np.maximum(points, 0)
    whole = (pot + paid.sum(axis=1, keepdims=True)).astype(np.float64)
    free = points <= 0
    takers = free.sum(axis=1, keepdims=True)
    shared = free * whole / np.maximum(takers, 1)
    net: Points = np.where(takers > 0, shared, whole / points.shape[1]) - paid
    return net
