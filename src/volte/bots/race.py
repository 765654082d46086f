"""Candidates compared in the same worlds, until it is clear which is best."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.bots.candidates import ALIKE, CARE, Care
from volte.rules import Ruleset

Numbers = NDArray[np.float64]
"""Numbers by world and candidate."""

TRUST: Final = 130
"""Number of worlds that weigh as much as the foreseen cost of a set of cards."""


class Race:
    """Comparison of candidates in the same worlds, until it is clear which is best.

    Candidates are compared by cost: the margin, unless `add` is given other costs. Since all are
    played in the same worlds, differences are taken world by world.
    """

    def __init__(
        self,
        candidates: int,
        seat: int,
        opponents: Sequence[int] = (),
        care: Care = CARE,
        foreseen: Sequence[float] = (),
        total: int | None = None,
    ) -> None:
        """
        Args:
            opponents: seats whose mean points are subtracted; empty for all other seats.
            care: certainty wanted before a candidate is ruled out.
            foreseen: cost foreseen for each, in points; only differences count; nan if unknown.
            total: points of a deal, as `points_tell` returns them; None if moons are not counted.
        """
        self.running = np.arange(candidates)  # candidates that are not ruled out
        self.worlds = 0  # number of worlds in which these have been played
        self.simulations = 0  # number of deals played out
        self._seat = seat
        self._opponents = list(opponents)
        self._care = care
        self._total = total
        self._foreseen = np.array(foreseen or [nan] * candidates)
        self._counts = np.zeros(candidates, np.int64)
        self._points = np.zeros(candidates)
        self._margins = np.zeros(candidates)
        self._squares = np.zeros(candidates)
        self._worth = np.zeros(candidates)
        self._costs = np.zeros(candidates)
        self._moons = np.zeros(candidates)
        self._products = np.zeros((candidates, candidates))

    def add(
        self,
        points: NDArray[np.float64],
        costs: NDArray[np.float64] | None = None,
        worth: NDArray[np.float64] | None = None,
    ) -> None:
        """Add results of the running candidates in more worlds.

        Args:
            points: `[worlds, running, players]`, of every seat.
            costs: `[worlds, running]`, costs to compare, in points; None for the margins.
            worth: `[worlds, running]`, worth in the match, see `worth`.
        """
        own = points[:, :, self._seat]
        others = self._opponents or [n for n in range(points.shape[2]) if n != self._seat]
        margins = own - points[:, :, others].mean(axis=2)
        self.worlds += len(points)
        self.simulations += own.size
        self._counts[self.running] += len(points)
        self._points[self.running] += own.sum(axis=0)
        self._margins[self.running] += margins.sum(axis=0)
        self._squares[self.running] += (margins**2).sum(axis=0)
        if worth is not None:
            self._worth[self.running] += worth.sum(axis=0)
        if self._total is not None:
            whole = own + (own - margins) * len(others)
            self._moons[self.running] += takes_all(self._total, own, whole).sum(axis=0)
        if costs is None:
            costs = margins
        self._costs[self.running] += costs.sum(axis=0)
        self._products[np.ix_(self.running, self.running)] += costs.T @ costs

    def leave(self, most: int) -> None:
        """Keep the best `most` candidates running, and the best whose cost was foreseen."""
        order = [number for number in self.order if number in self.running]
        known = [number for number in order if not np.isnan(self._foreseen[number])]
        self.running = np.array(sorted({*order[:most], *known[:1]}))

    def rule_out(self) -> None:
        """Stop candidates that are surely worse than the best so far, by more than `ALIKE`."""
        if self.worlds < self._care.worlds:
            return
        behind, errors = self._differences()
        self.running = self.running[behind <= ALIKE + self._care.errors * errors]

    @property
    def settled(self) -> bool:
        """Whether more worlds could hardly change the choice by an amount that matters."""
        if len(self.running) == 1:
            return True
        if self.worlds < self._care.worlds:
            return False
        behind, errors = self._differences()
        doubt = self._care.errors * errors
        return bool(((behind > doubt) | (behind + doubt <= ALIKE)).all())

    @property
    def order(self) -> list[int]:
        """Candidates, the running ones first, each part from the best on."""
        out = np.setdiff1d(np.arange(len(self._counts)), self.running)
        costs = self.costs
        parts = (some[np.argsort(costs[some], kind="stable")] for some in (self.running, out))
        return [int(number) for part in parts for number in part]

    @property
    def costs(self) -> NDArray[np.float64]:
        """The mean cost of each candidate, with its foreseen cost counting as `TRUST` worlds."""
        means = self._costs / np.maximum(self._counts, 1)
        known = ~np.isnan(self._foreseen)
        if known.any():
            foreseen = self._foreseen[known]
            level = (means[known] - foreseen).mean()
            part = TRUST / (TRUST + self._counts[known])
            means[known] += part * (foreseen + level - means[known])
        return means

    @property
    def worth(self) -> NDArray[np.float64]:
        """The mean worth of each candidate; zeros if `add` was never given any."""
        return self._worth / np.maximum(self._counts, 1)

    @property
    def moons(self) -> NDArray[np.float64]:
        """The part of its worlds in which the seat takes all, by candidate; 0 without `total`."""
        return self._moons / np.maximum(self._counts, 1)

    @property
    def margins(self) -> NDArray[np.float64]:
        return self._margins / np.maximum(self._counts, 1)

    @property
    def points(self) -> NDArray[np.float64]:
        """The mean points of the seat, by candidate."""
        return self._points / np.maximum(self._counts, 1)

    @property
    def errors(self) -> NDArray[np.float64]:
        """One standard error of each margin."""
        counts = np.maximum(self._counts, 1)
        squares = self._squares / counts - self.margins**2
        return np.sqrt(np.maximum(squares, 0) / counts)

    def gap(self, one: int, other: int) -> tuple[float, float]:
        """Return how much less one candidate costs than the other, and the standard error."""
        behind, errors = self._differences_to(one, np.array([other]))
        return float(behind[0]), float(errors[0])

    def _differences(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Cost of each running candidate beyond the best, and its standard error."""
        return self._differences_to(self.running[np.argmin(self.costs[self.running])], self.running)

    def _differences_to(
        self, best: int, some: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        counts = self._counts[some]
        own = self._products.diagonal() / np.maximum(self._counts, 1)
        means = self._costs / np.maximum(self._counts, 1)
        squares = own[some] + own[best] - 2 * self._products[some, best] / counts
        errors = np.sqrt(np.maximum(squares - (means[some] - means[best]) ** 2, 0) / counts)
        return self.costs[some] - self.costs[best], errors


def points_tell(rules: Ruleset) -> int | None:
    """Return the points of a deal where `takes_all` can tell by them whether a seat takes all.

    None with partners (W10), and where cards and tricks take as many off.
    """
    off = rules.points.no_tricks + sum(worth for worth in rules.values.values() if worth < 0)
    return (
        None if rules.sides.partners > 1 or rules.penalty_total + off <= 0 else rules.penalty_total
    )


def takes_all(total: int, own: Numbers, whole: Numbers) -> NDArray[np.bool_]:
    """Return whether a seat has shot the moon or made the slam.

    All points are then taken off it, or it has none and the seats together have more than all.

    Args:
        own: points of the seat.
        whole: points of all seats together.
    """
    taken: NDArray[np.bool_] = (own <= -total) | ((own <= 0) & (whole > total + 0.5))
    return taken
