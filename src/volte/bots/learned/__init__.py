"""Weights learned from self-play (`scripts/teach`), as compiled code reads them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from volte.kernel.layout import Records

PLAYS: Final = "plays"
"""Name of the weights that choose cards in deals played out."""

GUESSES: Final = "guesses"
"""Name of the weights that tell how likely a seen play was."""

_LESSON: Final[list[Path]] = []


def learn_from(file: Path | None) -> None:
    """Use the weights in a file from now on, in this process; None for the package's own."""
    _LESSON[:] = [file] if file else []
    learned.cache_clear()


@cache
def learned(name: str) -> Records:
    """Return one read-only row of `LEARNED`: `PLAYS` or `GUESSES`."""
    source = _LESSON[0] if _LESSON else files(__name__) / "weights.npz"
    with source.open("rb") as file, np.load(file) as weights:
        row = weighted(weights[name])
    row.flags.writeable = False
    return row


def weighted(weights: NDArray[np.floating]) -> Records:
    """Return one row of `LEARNED` from learned weights, `[PLACES, WIDTH]`."""
    from volte.kernel.features import PLACES  # here, as they bring Numba
    from volte.kernel.instinct import LEARNED, LEVEL, SCALE, WIDTH

    assert weights.shape == (PLACES, WIDTH)
    steps = np.rint(np.clip(weights * SCALE, -LEVEL, LEVEL)).astype(np.int64)
    lanes = (steps + LEVEL).astype("<u2")
    rows = np.zeros(1, LEARNED)
    rows[0]["weights"] = lanes.view("<u8")
    return rows
