"""Every sentence that a person reads or hears, in French and in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from volte.say.catalogue import N_
from volte.say.verbosity import Verbosity

if TYPE_CHECKING:
    from volte.say.words import Words

__all__ = ["N_", "Verbosity", "Words"]


def __getattr__(name: str) -> Any:
    """`Words` brings the whole game along, and comes when it is asked for."""
    if name != "Words":
        raise AttributeError(name)
    from volte.say.words import Words

    return Words
