"""What a bot may still spend on a choice."""

from __future__ import annotations

from time import perf_counter

from volte.bots.protocol import Clock


class Budget:
    """Counts simulations and milliseconds against a clock; the clock says at least one of them.

    Attributes:
        spent: simulations so far.
    """

    def __init__(self, clock: Clock, begun: float) -> None:
        """
        Args:
            begun: when thinking began, by `perf_counter`.
        """
        self.spent = 0
        self._simulations = clock.simulations
        self._milliseconds = clock.milliseconds
        self._begun = begun
        self._prepared = 0.0

    @property
    def milliseconds(self) -> float:
        """Since thinking began."""
        return (perf_counter() - self._begun) * 1000

    def allows(self, part: float) -> bool:
        """Whether that part of the milliseconds is not over yet."""
        return self._milliseconds is None or self.milliseconds < part * self._milliseconds

    def affords(self, simulations: int, part: float = 1.0) -> int:
        """How many of so many simulations may be spent next, if only that part of all may be.

        By the milliseconds it is all or nothing: as many as took so long take so long again. What
        went by before any were spent, went into preparing, and is not counted to them.
        """
        if self._simulations is not None:
            simulations = min(simulations, int(self._simulations * part) - self.spent)
        if self._milliseconds is not None:
            now = self.milliseconds
            if not self.spent:
                self._prepared = now
            elif (
                now + (now - self._prepared) * simulations / self.spent > part * self._milliseconds
            ):
                return 0
        return max(simulations, 0)
