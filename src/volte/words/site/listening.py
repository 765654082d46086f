"""What is announced, repeated and looked up."""

from __future__ import annotations

from typing import Final

from volte.words.language import N_
from volte.words.verbosity import CHANGED

CLIENT: Final = {
    "nothing_said": N_("Nothing has been said yet."),
    "nothing_before": N_("There is no message before that one."),
    "nothing_after": N_("There is no message after that one."),
    "ask_verbosity": N_("How much is told: less, and after the least everything"),
    **{f"told_{verbosity}": sentence for verbosity, sentence in CHANGED.items()},
}
