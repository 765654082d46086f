"""Worth of the points of a deal: a part of the win of the match, or stakes.

Every possible end of the deal leads to totals of the match, and from each of these the rest of the
match is played many times (`volte.kernel.playouts.forecast`), by deals that `casual` has played
with itself. All totals meet the same deals, so that differences come from the totals and not from
luck.
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
"""Number of deals, played beforehand, from which the rest of a match is drawn."""

FUTURES: Final = 256
"""Number of ways drawn in which the rest of a match may go."""

LONGEST: Final = 24
"""Number of deals in such a way before it repeats."""

LIMIT: Final = 255
"""The most points, above or below zero, that a seat may have in a deal."""

Points = NDArray[np.float64]
"""`float64[rows, players]`, points of every seat in the deal."""


class Prospects:
    """Worth of each end of a deal to every seat; each end is worked out once."""

    def __init__(self, rules: Ruleset, deals: int, before: tuple[int, ...], pot: int = 0) -> None:
        """
        Args:
            deals: number of deals played before this one.
            before: totals before this deal.
            pot: stakes on the table.
        """
        self._rules = rules
        self._deals = deals
        self._before = np.array(before, np.int64)
        self._pot = pot
        # Whether worth is a part of the win; else it is stakes
        self.wins = rules.stakes.settlement is Settlement.NONE
        self._ending = ending_of(rules)
        self._keys = np.array([-1])  # sorted; -1 is the key of no row
        self._known = np.zeros((1, rules.players))
        self._scales: dict[int, float] = {}

    def worth(self, points: Points) -> Points:
        """Return the worth of each row of points to every seat; greater is better."""
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
        """Return the cost of each end to a seat, in points, and its worth.

        Args:
            points: `float64[..., players]`. Both results have one dimension less.
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
        """Worth of a moon in a match of one deal, whatever a jack does (E1, M3)."""
        rules, sides = self._rules, len(self._rules.all_sides)
        shot = np.arange(rules.players) % sides == moons[:, np.newaxis] % sides
        if self.wins:
            won: Points = shot.astype(np.float64)
            return won
        drawn = rules.penalty_total * (rules.players - rules.sides.partners) / rules.sides.partners
        return np.where(shot, drawn, -float(rules.penalty_total))

    def _scale(self, seat: int) -> float:
        """Points per unit of worth, chosen so that both spread alike from deal to deal."""
        if seat not in self._scales:
            points = _futures(self._rules)[:, 0].astype(np.float64)
            margins, worth = _margins(self._rules, points, seat), self.worth(points)[:, seat]
            spread = worth.std()
            doubt = DOUBT[self.wins]
            self._scales[seat] = float(margins.std() * spread / (spread**2 + doubt**2))
        return self._scales[seat]


def prospects(view: View) -> Prospects | None:
    """Return the prospects of a view's deal; None where its points exceed `LIMIT`."""
    rules, state = view.state.rules, view.state
    most = 2 * rules.penalty_total - sum(min(0, worth) for worth in rules.values.values())
    if most - rules.points.no_tricks > LIMIT:
        return None
    pot = state.pot if rules.stakes.settlement is Settlement.POT else 0
    return _prospects(rules, len(state.deals), totals(rules, state.deals), pot)


_prospects: Final = lru_cache(maxsize=64)(Prospects)


@lru_cache(maxsize=16)
def _futures(rules: Ruleset) -> NDArray[np.int64]:
    """Return `int64[futures, deals, players]`, points of deals, rotated so that seats are equal."""
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
    """Return a different number for each row of points."""
    places = 9 * np.arange(points.shape[1])
    keys: NDArray[np.int64] = ((points + LIMIT + 1) << places).sum(axis=1)
    return keys


def _margins(rules: Ruleset, points: NDArray[np.float64], seat: int) -> NDArray[np.float64]:
    margins: NDArray[np.float64] = points[..., seat] - points[..., opponents_of(rules, seat)].mean(
        axis=-1
    )
    return margins


def _shooters(rules: Ruleset, points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return by row the seat that has shot the moon, judging by the points; -1 for none."""
    sides = rules.players // rules.sides.partners
    shot = points.sum(axis=1) > 1.5 * rules.penalty_total * rules.sides.partners
    return np.where(shot & (sides > 2), points.argmin(axis=1), -1)


def _from_pot(points: NDArray[np.int64], pot: int) -> Points:
    """Return stakes drawn less paid, per seat; a pot left on the table counts as shared (M6)."""
    paid = np.maximum(points, 0)
    whole = (pot + paid.sum(axis=1, keepdims=True)).astype(np.float64)
    free = points <= 0
    takers = free.sum(axis=1, keepdims=True)
    shared = free * whole / np.maximum(takers, 1)
    net: Points = np.where(takers > 0, shared, whole / points.shape[1]) - paid
    return net
