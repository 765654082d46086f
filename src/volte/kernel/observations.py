"""Room for what seats see, of many deals at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.kernel.layout import MOST_CARDS
from volte.kernel.table import KernelFault


class Observations(NamedTuple):
    """What one seat of each deal sees; `volte.lab.env.observation` says what every number means.

    Attributes:
        cards: `uint8[rows, planes, 54]`.
        situation: `int16[rows, fields]`.
        mask: `int8[rows, 54]`.
    """

    cards: NDArray[np.uint8]
    situation: NDArray[np.int16]
    mask: NDArray[np.int8]

    @classmethod
    def room(cls, players: int, rows: int) -> Observations:
        """Arrays for as many rows; what is in them says nothing yet."""
        return cls(*(np.empty(shape, kind) for shape, kind in _arrays(players, rows)))

    def check(self, players: int, rows: int) -> Observations:
        """These arrays. Raises `KernelFault` unless they are whole ones of just that room."""
        for name, (shape, kind) in zip(self._fields, _arrays(players, rows), strict=True):
            given: NDArray[Any] = getattr(self, name)
            fits = isinstance(given, np.ndarray) and given.shape == shape and given.dtype == kind
            if not fits or not given.flags.carray:
                raise KernelFault("kernel_array", name=name, shape=str(shape), kind=kind.name)
        return self


def _arrays(players: int, rows: int) -> tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]:
    """Shape and type of each."""
    return (
        ((rows, 5 + 3 * players, MOST_CARDS), np.dtype(np.uint8)),
        ((rows, 10 + 3 * players), np.dtype(np.int16)),
        ((rows, MOST_CARDS), np.dtype(np.int8)),
    )
