"""What a table does about failures: of the store, which may recover, and of its own."""

from __future__ import annotations

import traceback

from volte.table.pacing import Timing


class Trouble:
    """How long a table leaves things alone after they went wrong, and what it cannot rely on."""

    def __init__(self, timing: Timing) -> None:
        self.until = 0.0  # when it may act by itself again
        self.in_doubt = False  # whether the store may have more than the table knows
        self.failed = False  # whether what the table has in memory may be wrong, too
        self.announced = False  # whether people know that nothing can be stored
        self._timing = timing
        self._wait = 0.0

    def doubt(self, now: float) -> bool:
        """The store has failed; whether people have still to be told."""
        self._hold(now)
        announced, self.announced = self.announced, True
        self.in_doubt = True
        return not announced

    def fail(self, now: float) -> None:
        """The table itself has failed."""
        self._hold(now)
        self.in_doubt = self.failed = True

    def learnt(self) -> None:
        """The table knows again what the store has."""
        self.in_doubt = self.failed = False

    def over(self) -> bool:
        """Something has been stored; whether people have still to be told that it can be."""
        self.until = self._wait = 0.0
        announced, self.announced = self.announced, False
        return announced

    def _hold(self, now: float) -> None:
        self._wait = min(self._wait * 2 or self._timing.retry, self._timing.longest_retry)
        self.until = now + self._wait


def where_it_failed(error: BaseException) -> str:
    """The type of an error and the lines that it came through; no values, which may be cards."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    return f"{type(error).__name__} at {'; '.join(lines) or 'no line'}"
