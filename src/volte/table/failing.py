"""What a table does about trouble: with the store, which may come back, and with itself."""

from __future__ import annotations

import traceback

from volte.table.pacing import Timing


class Trouble:
    """How long a table leaves things alone after they went wrong, and what it does not know.

    Attributes:
        until: when it may act by itself again.
        in_doubt: whether the store may have more than the table knows.
        failed: whether the table does not trust what it has in memory either.
        told: whether people have been told that nothing can be kept.
    """

    def __init__(self, timing: Timing) -> None:
        self.until = 0.0
        self.in_doubt = False
        self.failed = False
        self.told = False
        self._timing = timing
        self._wait = 0.0

    def doubt(self, now: float) -> bool:
        """The store has failed; whether people have still to be told."""
        self._hold(now)
        told, self.told = self.told, True
        self.in_doubt = True
        return not told

    def fail(self, now: float) -> None:
        """The table itself has failed."""
        self._hold(now)
        self.in_doubt = self.failed = True

    def learnt(self) -> None:
        """What the store has is known again."""
        self.in_doubt = self.failed = False

    def over(self) -> bool:
        """Something has been kept; whether people have still to be told that it can be."""
        self.until = self._wait = 0.0
        told, self.told = self.told, False
        return told

    def _hold(self, now: float) -> None:
        self._wait = min(self._wait * 2 or self._timing.retry, self._timing.longest_retry)
        self.until = now + self._wait


def where_it_failed(error: BaseException) -> str:
    """The kind of an error and the lines that it came through; no values, which may be cards."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    return f"{type(error).__name__} at {'; '.join(lines) or 'no line'}"
