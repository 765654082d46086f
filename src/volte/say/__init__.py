"""Every sentence that a person reads or hears, in French and in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from volte.say.catalogue import N_
from volte.say.verbosity import Verbosity

if TYPE_CHECKING:
    from volte.say.words import Words, words_of

__all__ = ["N_", "Verbosity", "Words", "words_of"]


def __getattr__(name: str) -> Any:
    """`Words` brings the whole game along, and comes when it is asked for."""
    if name not in ("Words", "words_of"):
        raise AttributeError(name)
    from volte.say import words

    return getattr(words, name)
