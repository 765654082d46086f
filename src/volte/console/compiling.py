"""A line on the terminal that tells the user to wait while code is compiled."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from volte.cards import VolteError

CLEAR: Final = "\r\x1b[K"
"""Erases the line that the cursor is on."""


class Compiling(logging.Handler):
    """Log handler that says why a command waits, if its error stream is a terminal."""

    def __init__(self, lang: str, plain: bool) -> None:
        super().__init__()
        self._lang = lang
        self._clear = "" if plain else CLEAR  # a bar may be drawn there

    def emit(self, record: logging.LogRecord) -> None:
        if sys.stderr.isatty() and isinstance(record.msg, VolteError):
            print(self._clear + record.msg.say(self._lang), file=sys.stderr, flush=True)


@contextmanager
def compiling_told(lang: str, plain: bool) -> Iterator[None]:
    """Inside the context, print a line on a terminal when the kernel is being compiled."""
    log = logging.getLogger("volte.kernel")
    before = log.handlers, log.propagate
    log.handlers, log.propagate = [Compiling(lang, plain)], False
    try:
        yield
    finally:
        log.handlers, log.propagate = before
