"""What a bot may still spend on a choice."""

from __future__ import annotations

from typing import Final

from volte.bots.protocol import Clock

RESERVE: Final = 2.0
"""Milliseconds on the wall, or a fifth of fewer than ten, that are not planned with: a busy system
takes the core away for four at a time."""


class Budget:
    """Counts simulations and milliseconds against a clock; the clock says at least one of them.

    Attributes:
        spent: simulations so far.
    """

    def __init__(self, clock: Clock) -> None:
        """Thinking begins."""
        self.spent = 0
        self._simulations = clock.simulations
        self._milliseconds = _planned(clock)
        self._enough = clock.enough
        self._now = clock.now
        self._begun = clock.now()
        self._prepared = 0.0

    @property
    def milliseconds(self) -> float:
        """Since thinking began."""
        return (self._now() - self._begun) * 1000

    def allows(self, part: float) -> bool:
        """Whether that part of the milliseconds is not over yet."""
        if self._enough():
            return False
        return self._milliseconds is None or self.milliseconds < part * self._milliseconds

    def affords(self, simulations: int) -> int:
        """How many of so many simulations may be spent next.

        By the milliseconds it is all or nothing: as many as took so long take so long again. What
        went by before any were spent, went into preparing, and is not counted to them.
        """
        if self._enough():
            return 0
        if self._simulations is not None:
            simulations = min(simulations, self._simulations - self.spent)
        if self._milliseconds is not None:
            now = self.milliseconds
            if not self.spent:
                self._prepared = now
            elif now + (now - self._prepared) * simulations / self.spent > self._milliseconds:
                return 0
        return max(simulations, 0)


def _planned(clock: Clock) -> float | None:
    """Milliseconds that are planned with."""
    if clock.milliseconds is None or clock.processor:
        return clock.milliseconds
    return clock.milliseconds - min(RESERVE, clock.milliseconds / 5)
