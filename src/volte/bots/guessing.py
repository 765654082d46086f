"""Worlds that count by how likely they make what the other seats have played."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.bots.budget import Budget
from volte.bots.learned import GUESSES, learned
from volte.bots.past import past
from volte.bots.protocol import Clock
from volte.bots.spread import spread
from volte.bots.worlds import Dealer, Worlds
from volte.fair import SplitMix64
from volte.kernel.encoding import encode
from volte.kernel.startup import code
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

PORTION: Final = 100
"""Worlds that each thread weighs between two looks at the clock; where many have been weighed, an
eighth of them."""

WEIGHING: Final = 0.25
"""The part of the time after which no more are weighed."""

EACH: Final = 4
"""How often each world is drawn, about, where there are few."""


class Uniform:
    """Worlds as they come: each that the view allows is as likely as any other."""

    def __init__(self, view: View, seed: int) -> None:
        self._dealer = Dealer(view, seed)

    def draw(self, count: int) -> Worlds:
        """The next worlds."""
        return self._dealer.draw(count)


class Likely:
    """Worlds drawn by their likelihood, given all that the others have played in this deal."""

    def __init__(self, view: View, seed: int, most: int, budget: Budget, threads: int) -> None:
        """
        Args:
            most: how many are weighed at most; fewer where time runs out.
        """
        worlds, logs = _weighed(view, Dealer(view, seed), most, budget, threads)
        self._worlds = worlds
        self._sums = np.cumsum(np.exp(logs - logs.max()))
        self._draws = SplitMix64(seed)

    def draw(self, count: int) -> Worlds:
        """The next worlds: as evenly as they can be by their weights (systematic resampling)."""
        start = self._draws.below(FINE) / FINE
        places = (np.arange(count) + start) * (self._sums[-1] / count)
        picked: Worlds = self._worlds[np.searchsorted(self._sums, places, side="right")]
        return picked


def _weighed(
    view: View, dealer: Dealer, most: int, budget: Budget, threads: int
) -> tuple[Worlds, NDArray[np.float64]]:
    """Worlds, and the logarithms of their likelihoods."""
    assert view.seat is not None
    rules, plays = encode(view.deal.rules), past(view.deal)
    weigh = code("instinct.weigh")
    wanted = int(min(most, max(1.0, EACH * dealer.ways)))
    worlds = np.empty((wanted, view.deal.rules.players + 1), np.uint64)
    logs = np.zeros(wanted)

    def weigh_some(some: slice) -> None:
        weigh(
            rules,
            learned(GUESSES),
            plays.start,
            plays.cards,
            plays.seats,
            view.seat,
            SLIP,
            drawn[some],
            found[some],
        )

    done = 0
    while done < wanted and (not done or budget.allows(WEIGHING)):
        some = slice(done, min(done + max(PORTION * threads, done // 8), wanted))
        drawn, found = worlds[some], logs[some]
        drawn[:] = dealer.draw(len(drawn))
        spread(threads, weigh_some, len(drawn))
        done = some.stop
    return worlds[:done], logs[:done]


def worth_weighing(clock: Clock) -> int:
    """How many worlds to weigh at most, by what there is to spend.

    Of a thousand worlds in the middle of a deal no more than fifty count for much.
    """
    if clock.milliseconds is not None:
        return min(MOST, max(LEAST, PER_MILLISECOND * clock.milliseconds))
    return min(MOST, max(LEAST, (clock.simulations or 0) * PER_SIMULATION // 100))
