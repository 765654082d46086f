"""One tree over many worlds, for the candidates that are still running (`volte.kernel.growing`)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.bots.learned import PLAYS, learned
from volte.bots.spread import spread
from volte.bots.worlds import Worlds
from volte.fair import split
from volte.kernel.layout import MOST_CARDS, Records
from volte.kernel.startup import code

MOST_NODES: Final = 200_000
"""Of a tree; each takes 232 bytes."""

REACH: Final = 10.0
"""Points that instinct may be worth more than what has been found."""

TRIED: Final = 2
"""A card that was tried less than so many times less often than another is not chosen."""

SURE: Final = 3.0
"""Standard errors by which a card must be worse for the search to end."""


class Branch:
    """A tree of one thread, as compiled code sees it."""

    def __init__(self) -> None:
        self.kids = np.zeros((MOST_NODES, MOST_CARDS), np.int32)
        self.visits = np.zeros(MOST_NODES, np.int64)
        self.visits[0] = 1
        self.totals = np.zeros(MOST_NODES)
        self.found = np.zeros((MOST_CARDS, 3))


class Tree:
    """What the search has found out; every thread grows a tree of its own, and they are added up.

    Attributes:
        simulations: lines walked.
    """

    def __init__(
        self,
        rules: Records,
        here: Records,
        cards: list[int],
        seed: int,
        ending: int,
        threads: int = 1,
    ) -> None:
        """
        Args:
            rules: encoded.
            cards: to try at the root, as masks.
            ending: tricks that are solved and not played out.
        """
        self.simulations = 0
        self._rules, self._here, self._seed = rules, here, seed
        self._ending = ending
        self._mask = np.uint64(sum(cards))
        self._places = np.array([card.bit_length() - 1 for card in cards])
        self._branches = [Branch() for _ in range(threads)]
        self._grow = code("growing").grow

    def grow(self, worlds: Worlds) -> None:
        """Walks a line in each of those worlds."""
        threads = len(self._branches)

        def grow(number: int) -> None:
            branch = self._branches[number]
            self._grow(
                self._rules,
                learned(PLAYS),
                self._here,
                np.ascontiguousarray(worlds[number::threads]),
                self._mask,
                np.uint64(split(self._seed, self.simulations + number)),
                REACH,
                self._ending,
                branch.kids,
                branch.visits,
                branch.totals,
                branch.found,
            )

        spread(threads, grow, range(threads))
        self.simulations += len(worlds)

    @property
    def settled(self) -> bool:
        """Whether one card is surely better than all others that were tried."""
        if self.tried.min() < 2:
            return False
        margins, errors = self.margins, self.errors
        best = int(np.argmin(margins))
        behind = margins - margins[best]
        needed = SURE * np.hypot(errors, errors[best])
        return bool(np.delete(behind > needed, best).all())

    @property
    def tried(self) -> NDArray[np.float64]:
        """How often, by card."""
        return self._sums(0)

    @property
    def points(self) -> NDArray[np.float64]:
        """The mean points of the seat, by card."""
        return self._sums(1) / np.maximum(self.tried, 1)

    @property
    def margins(self) -> NDArray[np.float64]:
        """The mean margin, by card."""
        totals = np.zeros(len(self._places))
        for branch in self._branches:
            kids = branch.kids[0, self._places]
            totals += np.where(kids > 0, branch.totals[kids], 0.0)
        return np.where(self.tried > 0, totals / np.maximum(self.tried, 1), np.inf)

    @property
    def errors(self) -> NDArray[np.float64]:
        """One standard error of each margin, as if its lines were independent."""
        tried = np.maximum(self.tried, 1)
        means = np.where(self.tried > 0, self.margins, 0.0)
        squares = self._sums(2) / tried - means**2
        errors: NDArray[np.float64] = np.sqrt(np.maximum(squares, 0) / tried)
        return errors

    @property
    def order(self) -> list[int]:
        """The cards by number, the best first; those that were hardly tried at the end."""
        often = self.tried * TRIED >= self.tried.max()
        return [int(each) for each in np.lexsort((self.margins, ~often))]

    def _sums(self, column: int) -> NDArray[np.float64]:
        """Of `found` over all threads, by card."""
        found = np.sum([branch.found for branch in self._branches], axis=0)
        sums: NDArray[np.float64] = found[self._places, column]
        return sums
