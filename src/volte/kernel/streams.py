"""`volte.fair.split` for many streams at once."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.fair.chance import GAMMA

_SHIFTS: Final = (np.uint64(30), np.uint64(27), np.uint64(31))
_FACTORS: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def streams(seeds: NDArray[np.uint64], indices: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The seed of each stream: `split(seed, index)`, number by number.

    >>> from volte.fair import split
    >>> words = np.array([7, 8], np.uint64)
    >>> streams(words, words).tolist() == [split(7, 7), split(8, 8)]
    True
    """
    z: NDArray[np.uint64] = seeds + (indices + np.uint64(1)) * np.uint64(GAMMA)
    z = (z ^ (z >> _SHIFTS[0])) * _FACTORS[0]
    z = (z ^ (z >> _SHIFTS[1])) * _FACTORS[1]
    return z ^ (z >> _SHIFTS[2])
