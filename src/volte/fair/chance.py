"""What every source of chance can do, once it can draw one fair number."""

from abc import ABC, abstractmethod
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from volte.cards import CopiedWhole

T = TypeVar("T")


class Chance(CopiedWhole, ABC):
    """A source of chance. Subclasses supply `below`; the shuffle is written here, once."""

    __slots__ = ()

    @abstractmethod
    def below(self, n: int) -> int:
        """Return a number of `range(n)`, each equally likely; `ValueError` on an n out of reach."""

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put the items in a random order, in place, every order equally likely.

        Fisher-Yates from the top (Durstenfeld 1964, Knuth's algorithm P): for i from the last
        index down to 1, draw j = below(i + 1) and swap items i and j. So n items take n - 1
        draws, the first of them among all n.
        """
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def permutation(self, n: int) -> tuple[int, ...]:
        """Return 0 … n-1 shuffled: the k-th number says which card lies k-th from the top."""
        order = list(range(n))
        self.shuffle(order)
        return tuple(order)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely; `ValueError` when there is none."""
        if not items:
            raise ValueError("there is nothing to choose from")
        return items[self.below(len(items))]
