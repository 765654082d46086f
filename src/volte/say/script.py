"""What the scripts of the pages say: `client_sentences` goes to the browser as JSON."""

from __future__ import annotations

from typing import Final

from volte.say.language import Language
from volte.say.levels import LEVEL_WORDS
from volte.say.texts import table
from volte.say.verbosity import CHANGED

CLIENT: Final = {
    **table("script")["script"],
    **{f"level_{name}": each.name for name, each in LEVEL_WORDS.items()},
    **{f"told_{verbosity}": sentence for verbosity, sentence in CHANGED.items()},
}
"""By the name that the scripts call each sentence."""

PLACES: Final = (
    *("bot", "card", "count", "key", "keys", "line", "most", "name", "names", "number", "points"),
)
"""What the scripts can fill in."""


def client_sentences(words: Language) -> dict[str, str]:
    """The sentences of the scripts, their places left open."""
    places = {place: f"{{{place}}}" for place in PLACES}
    return {name: words.t(message, **places) for name, message in CLIENT.items()}
