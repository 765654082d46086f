"""`Batch`: thousands of deals at once, a card at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from volte.cards import CARDS
from volte.kernel.check import check_range
from volte.kernel.layout import DEAL, OUTCOME, PLAYING, Records
from volte.kernel.startup import code
from volte.kernel.table import KernelFault, encode
from volte.rules import Ruleset


class Batch:
    """Deals that are played side by side, one card each at a step; a pass is picked card by card.

    Attributes:
        legal: `uint64[size]`, mask of the cards that the seat on turn may pick or play; 0 once the
            deal is over.
        finished: `bool[size]`, whether the last step has ended the deal.
        outcomes: rows of `OUTCOME`, written where a deal ends.
    """

    def __init__(self, rules: Ruleset, size: int, seed: int = 0, *, again: bool = False) -> None:
        """Deals the first `size` deals of the seed, the same that `play_deals` plays.

        Args:
            again: whether a deal that is over is followed by another one in its row: deal `i` by
                deal `i + size`.
        """
        check_range("size", size, 1, 2**24)
        self.rules = rules
        self.size = size
        self._table = encode(rules)
        self._deals = np.zeros(size, DEAL)
        self._again = again
        self.legal = np.zeros(size, np.uint64)
        self.finished = np.zeros(size, np.bool_)
        self.outcomes = np.zeros(size, OUTCOME)
        self.reset(seed)

    @property
    def deals(self) -> Records:
        """Rows of `DEAL`, to look at; nothing in them can be changed."""
        view = self._deals.view()
        view.flags.writeable = False
        return view

    @property
    def turn(self) -> NDArray[np.int64]:
        """`int64[size]`: the seat that has to pick or to play."""
        return self.deals["turn"]

    def reset(self, seed: int) -> None:
        """Deals anew."""
        check_range("seed", seed, 0, 2**64 - 1)
        self._seed = np.uint64(seed)
        code("stepping").begin(self._table, self._seed, self._deals, self.legal)
        self.finished[:] = False

    def step(self, cards: NDArray[np.integer]) -> None:
        """One card in each deal; in those that are over it does not matter.

        Args:
            cards: `int[size]`, indices of cards.

        Raises `KernelFault` when one of them is not legal; then nothing has changed.
        """
        chosen = np.ascontiguousarray(cards, np.int64)
        if chosen.shape != (self.size,):
            raise KernelFault("kernel_shape", given=str(chosen.shape), due=str((self.size,)))
        row = code("stepping").step(
            self._table,
            self._seed,
            self._deals,
            chosen,
            self.legal,
            self.outcomes,
            self.finished,
            self._again,
        )
        if row >= 0:
            raise KernelFault("kernel_not_legal", row=int(row), card=int(chosen[row]))
