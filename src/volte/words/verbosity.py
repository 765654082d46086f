"""How much a person wants to hear."""

from __future__ import annotations

from enum import StrEnum


class Verbosity(StrEnum):
    """From the least to the most."""

    BRIEF = "brief"  # what one needs to play on
    NORMAL = "normal"  # what is said at a table
    FULL = "full"  # also the proof of the shuffle, and what plays show
