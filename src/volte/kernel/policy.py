"""Who plays for a seat inside compiled code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from volte.kernel.layout import CASUAL, RANDOM, SEAT, Records


@dataclass(frozen=True)
class Policy:
    """A compiled player.

    Attributes:
        code: `RANDOM` or `CASUAL`.
        weights: of `casual`, by name.
    """

    code: int
    weights: tuple[tuple[str, int], ...] = ()

    @classmethod
    def casual(cls, weights: Mapping[str, int]) -> Policy:
        """The twin of `volte.bots.Casual` with those weights."""
        return cls(CASUAL, tuple(weights.items()))


RANDOM_POLICY: Final = Policy(RANDOM)
"""Every legal card, and every pass, is equally likely."""


def seated(policies: Sequence[Policy]) -> Records:
    """One row of `SEAT` for each policy."""
    seats = np.zeros(len(policies), SEAT)
    for row, policy in zip(seats, policies, strict=True):
        row["policy"] = policy.code
        for name, weight in policy.weights:
            row[name] = weight
    return seats
