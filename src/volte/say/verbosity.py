"""Verbosity: the amount that a person wants to hear."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from volte.say.catalogue import N_


class Verbosity(StrEnum):
    """Amount of what is said, from the least to the most."""

    TERSE = "terse"  # ranks and what changes; names only where the order of the seats leaves doubt
    BRIEF = "brief"  # what one needs to play on
    NORMAL = "normal"  # what is said at a table
    FULL = "full"  # also the proof of the shuffle, and what plays show

    @property
    def little(self) -> bool:
        """Whether only what one needs to play on is said."""
        return self in (Verbosity.TERSE, Verbosity.BRIEF)

    @property
    def following(self) -> Verbosity:
        """The verbosity after the next press of the key: one less, and after the least the most.

        >>> Verbosity.NORMAL.following, Verbosity.TERSE.following
        (<Verbosity.BRIEF: 'brief'>, <Verbosity.FULL: 'full'>)
        """
        every = list(Verbosity)
        return every[every.index(self) - 1]


CHANGED: Final = {
    Verbosity.TERSE: N_("Announcements: the bare minimum."),
    Verbosity.BRIEF: N_("Announcements: few."),
    Verbosity.NORMAL: N_("Announcements: as at a real table."),
    Verbosity.FULL: N_("Announcements: everything."),
}
"""Answers to the key that changes the verbosity, by the new one."""
