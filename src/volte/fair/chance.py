"""The base of all sources of chance, and the fast generator for simulations and bots.

Every step of `SplitMix64` is a sum, a product, a shift or an exclusive-or of 64-bit words without
sign, so compiled code repeats it exactly. It is not for dealing among people: somebody who sees one
output can compute all the others. Deals among people use `volte.fair.Stream`.
"""

from abc import ABC, abstractmethod
from collections.abc import MutableSequence, Sequence
from operator import index as whole
from typing import TypeVar

from volte.cards import CopiedWhole, VolteError
from volte.cards.fault import shown
from volte.cards.public import explain

T = TypeVar("T")


class RandomSource(CopiedWhole, ABC):
    """A source of chance. Subclasses supply `below`; the shuffle is written here, once."""

    __slots__ = ()

    @abstractmethod
    def below(self, n: int) -> int:
        """Return a number of `range(n)`, each equally likely; `VolteError` on an n out of reach."""

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
        if not 0 <= n < 2**32:
            raise VolteError("not_in_range", name="n", value=n, least=0, most=2**32 - 1)
        order = list(range(n))
        self.shuffle(order)
        return tuple(order)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely; `VolteError` when there is none."""
        if not items:
            raise VolteError("nothing_to_choose")
        return items[self.below(len(items))]


MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """Scramble a 64-bit word; one to one (Stafford's variant 13, as in SplitMix64)."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def split(seed: int, index: int) -> int:
    """Return the seed of stream number `index` of a batch: `mix(seed + (index + 1) * GAMMA)`.

    That is output number `index` (from 0) of `SplitMix64(seed)`, reached without making the
    ones before it: deal number i is the same whatever the number of threads. One seed never
    gives two streams the same start. Splits nest: `split(split(seed, match), deal)`.

    `VolteError` `not_a_seed` unless both are 64-bit words without sign.

    >>> split(1234567, 0) == SplitMix64(1234567).next()
    True
    """
    return mix((read_seed(seed) + (read_seed(index) + 1) * GAMMA) & MASK)


class SplitMix64(RandomSource):
    """Steele, Lea and Flood's SplitMix64 (OOPSLA 2014), with Vigna's constants.

    state: one 64-bit word without sign, the seed at first; the next output depends on it alone.

    >>> SplitMix64(1234567).next()
    6457827717110365317
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        """Start at the seed; `VolteError` `not_a_seed` unless it is a 64-bit word without sign."""
        self.state = read_seed(seed)

    def next(self) -> int:
        """Step and return 64 random bits."""
        self.state = (self.state + GAMMA) & MASK
        return mix(self.state)

    def below(self, n: int) -> int:
        """Return a number of `range(n)`, each equally likely, for n from 1 to 2**32 - 1.

        Lemire's method (2019) on the top 32 bits of an output: the product with n fits in 64
        bits, its upper half is the answer, and the few lower halves that would favour some
        answers are drawn again.
        """
        try:
            if not 0 < n < 2**32:
                raise VolteError("not_in_range", name="n", value=n, least=1, most=2**32 - 1)
            product = (self.next() >> 32) * n
            if product & 0xFFFFFFFF < n:
                surplus = (2**32 - n) % n
                while product & 0xFFFFFFFF < surplus:
                    product = (self.next() >> 32) * n
        except TypeError as error:
            explain(error, SplitMix64.below, self, n)
            raise
        return product >> 32


def read_seed(value: int) -> int:
    """Return a 64-bit word without sign, of any integer type, as Python's own number.

    `VolteError` `not_a_seed` for all else: 1.5 and "1" are not taken as 1.
    """
    try:
        seed = whole(value)
    except TypeError:
        seed = -1
    if not 0 <= seed <= MASK:
        raise VolteError("not_a_seed", given=shown(value), most=MASK)
    return seed
