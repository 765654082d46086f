"""What is announced, repeated and looked up."""

from __future__ import annotations

from typing import Final

from volte.say.language import N_
from volte.say.verbosity import CHANGED

CLIENT: Final = {
    "nothing_said": N_("Nothing has been said yet."),
    "nothing_before": N_("There is no message before that one."),
    "nothing_after": N_("There is no message after that one."),
    "why_again": N_(
        "A key had cut that off, so it was said again. Under “Settings” you can say how fast your"
        " screen reader speaks, or switch this off."
    ),
    "ask_verbosity": N_("How much is told: less, and after the least everything"),
    **{f"told_{verbosity}": sentence for verbosity, sentence in CHANGED.items()},
    "kind_everything": N_("Everything"),
    "kind_plays": N_("Plays"),
    "kind_points": N_("Points"),
    "kind_talk": N_("Talk"),
    "kind_table": N_("The table"),
    "kind_silenced": N_("{name}: silenced"),
    "silenced": N_("Silenced: {line}"),
}
