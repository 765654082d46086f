"""The progress of long work, on a terminal: a bar, or for screen readers a line now and then."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from time import monotonic
from typing import Final, Self, TextIO

from volte.console.compiling import CLEAR
from volte.say import Words
from volte.say.measures import duration, percent

BAR: Final = 24
"""Width of the bar, in characters."""
SHOWN_EVERY: Final = 0.1
"""Seconds between two drawings of the bar."""
TOLD_SHARE: Final = 0.1
TOLD_EVERY: Final = 5.0
TOLD_ANYWAY: Final = 60.0
"""A line is printed at each tenth, at most every 5 seconds, and every minute anyway."""


class Silent:
    """Progress that shows nothing, for output that goes to no terminal."""

    def __call__(self, done: int, whole: int) -> None: ...

    def going_on(self, done: int) -> None:
        """Start timing now; `done` was done before, and does not count for the time left."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...


class Progress(Silent):
    """Progress with the time left, estimated from the time that has passed."""

    def __init__(
        self, words: Words, screen: TextIO, clock: Callable[[], float] = monotonic
    ) -> None:
        self._words = words
        self._screen = screen
        self._clock = clock
        self._begun = self._last = clock()
        self._before = 0

    def going_on(self, done: int) -> None:
        self._before = done
        self._begun = self._last = self._clock()

    def __call__(self, done: int, whole: int) -> None:
        now = self._clock()
        if self._before < done < whole and self._is_due(now, done / whole):
            self._last = now
            left = (now - self._begun) * (whole - done) / (done - self._before)
            self._show(time_left(self._words, done / whole, left), done / whole)

    def _is_due(self, now: float, share: float) -> bool:
        return now - self._last >= SHOWN_EVERY

    def _show(self, text: str, share: float = 0) -> None:
        raise NotImplementedError


class Bar(Progress):
    """One line that is redrawn, and erased at the end."""

    def _show(self, text: str, share: float = 0) -> None:
        full = round(share * BAR)
        room = shutil.get_terminal_size().columns - 1
        line = f"{'━' * full}{'─' * (BAR - full)} {text}"
        self._screen.write(CLEAR + (line if len(line) <= room else text[:room]))
        self._screen.flush()

    def __exit__(self, *_: object) -> None:
        self._screen.write(CLEAR)
        self._screen.flush()


class Lines(Progress):
    """A line now and then, for screen readers."""

    _shown_share = 0.0

    def _is_due(self, now: float, share: float) -> bool:
        much = self._shown_share == 0 or share - self._shown_share >= TOLD_SHARE
        return now - self._last >= (TOLD_EVERY if much else TOLD_ANYWAY)

    def _show(self, text: str, share: float = 0) -> None:
        self._shown_share = share
        self._screen.write(text + "\n")
        self._screen.flush()


def progress_on(screen: TextIO, words: Words, plain: bool) -> Silent:
    """Progress for a stream: a bar, lines if `plain`, nothing if it is no terminal."""
    if not screen.isatty():
        return Silent()
    return Lines(words, screen) if plain else Bar(words, screen)


def time_left(words: Words, done: float, seconds: float) -> str:
    """Sentence with the share done (0 to 1) and the time left, in seconds."""
    time = duration(words, max(1, round(seconds)))
    return words.t("{share} done, about {time} left", share=percent(words, done, 0), time=time)
