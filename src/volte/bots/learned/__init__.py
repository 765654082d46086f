"""What has been learned from self-play (`scripts/teach`): weights, as compiled code reads them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.kernel.layout import Records

PLAYS: Final = "plays"
"""Whose cards are good: what plays deals out."""

GUESSES: Final = "guesses"
"""What players do: how likely a play was that has been seen."""

_LESSON: Final[list[Path]] = []


def learn_from(file: Path | None) -> None:
    """From now on this process plays by the weights in that file; None for the package's."""
    _LESSON[:] = [file] if file else []
    learned.cache_clear()


@cache
def learned(name: str) -> Records:
    """One read-only row of `LEARNED`: `PLAYS` or `GUESSES`."""
    source = _LESSON[0] if _LESSON else files(__name__) / "weights.npz"
    with source.open("rb") as file, np.load(file) as weights:
        row = weighted(weights[name])
    row.flags.writeable = False
    return row


def weighted(weights: NDArray[np.floating]) -> Records:
    """One row of `LEARNED` with those weights: `[PLACES, WIDTH]`, as they are learned."""
    from volte.kernel.features import PLACES  # here, as they bring Numba
    from volte.kernel.instinct import LEARNED, LEVEL, SCALE, WIDTH

    assert weights.shape == (PLACES, WIDTH)
    steps = np.rint(np.clip(weights * SCALE, -LEVEL, LEVEL)).astype(np.int64)
    lanes = (steps + LEVEL).astype("<u2")
    rows = np.zeros(1, LEARNED)
    rows[0]["weights"] = lanes.view("<u8")
    return rows
