"""Worlds that count by how likely they make what the other seats have played."""

from __future__ import annotations

from typing import Final

import numpy as np

from volte.bots.learned import GUESSES, learned
from volte.bots.past import past
from volte.bots.protocol import Clock
from volte.bots.worlds import Dealer, Worlds
from volte.fair import SplitMix64
from volte.kernel.startup import code
from volte.kernel.table import encode
from volte.view import View

SLIP: Final = 0.02
"""How often a player is thought to play any card at all: no play is proof."""

FINE: Final = 2**30
"""Steps between two places that may be drawn."""

LEAST: Final = 200
MOST: Final = 50_000
"""Worlds that are weighed."""

PER_MILLISECOND: Final = 100
PER_SIMULATION: Final = 50
"""Worlds weighed for each millisecond, or for a hundred simulations, that may be spent."""


class Uniform:
    """Worlds as they come: each that the view allows is as likely as any other."""

    def __init__(self, view: View, seed: int) -> None:
        self._dealer = Dealer(view, seed)

    def draw(self, count: int) -> Worlds:
        """The next worlds."""
        return self._dealer.draw(count)


class Likely:
    """Worlds drawn by their likelihood, given all that the others have played in this deal."""

    def __init__(self, view: View, seed: int, weighed: int) -> None:
        assert view.seat is not None
        dealer = Dealer(view, seed)
        self._worlds = dealer.draw(int(min(weighed, max(1.0, 4 * dealer.ways))))
        plays = past(view.deal)
        logs = np.zeros(len(self._worlds))
        code("likelihood").weigh(
            encode(view.deal.rules),
            learned(GUESSES),
            plays.start,
            plays.cards,
            plays.seats,
            view.seat,
            SLIP,
            self._worlds,
            logs,
        )
        self._sums = np.cumsum(np.exp(logs - logs.max()))
        self._draws = SplitMix64(seed)

    def draw(self, count: int) -> Worlds:
        """The next worlds: as evenly as they can be by their weights (systematic resampling)."""
        start = self._draws.below(FINE) / FINE
        places = (np.arange(count) + start) * (self._sums[-1] / count)
        picked: Worlds = self._worlds[np.searchsorted(self._sums, places, side="right")]
        return picked


def weighed(clock: Clock) -> int:
    """How many worlds to weigh: about a third of what there is to spend.

    Of a thousand worlds in the middle of a deal no more than fifty count for much.
    """
    if clock.milliseconds is not None:
        return min(MOST, max(LEAST, PER_MILLISECOND * clock.milliseconds))
    return min(MOST, max(LEAST, (clock.simulations or 0) * PER_SIMULATION // 100))
