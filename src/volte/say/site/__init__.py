"""The sentences of the pages, part by part.

`PAGES` are said by templates, `CLIENT` by the script of the table. A place in braces in the latter
is filled in by the script, with a name or a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte.say.language import Language
from volte.say.site import (
    app,
    clerk,
    client,
    clubs,
    felt,
    helping,
    history,
    learning,
    listening,
    moderation,
    passkeys,
    playing,
    proof,
    puzzles,
    refereeing,
    replay,
    score,
    scores,
    settings,
    talk,
    trials,
    wider,
)

PAGES: Final[Mapping[str, str]] = {
    **settings.PAGES,
    **felt.PAGES,
    **helping.PAGES,
    **learning.PAGES,
    **passkeys.PAGES,
    **proof.PAGES,
    **puzzles.PAGES,
    **refereeing.PAGES,
    **replay.PAGES,
    **scores.PAGES,
    **app.PAGES,
    **clerk.PAGES,
    **score.PAGES,
    **clubs.PAGES,
    **talk.PAGES,
    **moderation.PAGES,
    **trials.PAGES,
    **history.PAGES,
}

CLIENT: Final[Mapping[str, str]] = {
    **client.CLIENT,
    **app.CLIENT,
    **felt.CLIENT,
    **helping.CLIENT,
    **listening.CLIENT,
    **playing.CLIENT,
    **proof.CLIENT,
    **refereeing.CLIENT,
    **replay.CLIENT,
    **scores.CLIENT,
    **talk.CLIENT,
    **wider.CLIENT,
}

PLACES: Final = (
    "bot",
    "card",
    "count",
    "key",
    "keys",
    "line",
    "most",
    "name",
    "names",
    "number",
    "points",
)
"""What the script can fill in."""


def client_sentences(words: Language) -> dict[str, str]:
    """What the script of the table says, its places left open."""
    places = {place: f"{{{place}}}" for place in PLACES}
    return {name: words.t(message, **places) for name, message in CLIENT.items()}
