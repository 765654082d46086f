"""Requests that cannot be met: a reason, and parameters for the sentence in `volte.say`.

Of all other errors, where they come from.
"""

from __future__ import annotations

import traceback
from typing import Self

import volte


class VolteError(ValueError):
    """Something a person or a program asked for that cannot be.

    `str` of it is one English sentence, which says what is wrong and what to do about it.
    """

    __module__ = "volte"  # as programs import it

    field = ""  # of a form or of the rules, where it is; empty where that is not known

    def __init__(self, reason: str, /, **params: object) -> None:
        super().__init__(reason)  # no more than a copy is made with
        self.reason = reason  # a short name, the key of the sentence in `volte.say`
        self.params = params  # what the sentence speaks of

    def at(self, field: str) -> Self:
        """The same error, in that field."""
        self.field = field
        return self

    def say(self, lang: str = "en") -> str:
        """The sentence in a language, `en` or `fr`."""
        return volte.sentence(self, lang)

    def __str__(self) -> str:
        return self.say()


class CardFault(VolteError):
    """A text that names no card, or the same card twice."""


def where_it_failed(error: BaseException) -> str:
    """The type of an error and the lines that it came through; no values, which may be cards."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    return f"{type(error).__name__} at {'; '.join(lines) or 'no line'}"
