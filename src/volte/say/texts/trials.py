"""Scripts by which volunteers try the pages with their screen readers."""

from __future__ import annotations

from typing import Final

from volte.say.language import Language
from volte.say.texts import Section, table

SCRIPTS: Final[dict[str, Section]] = {
    name: (title, tuple(steps))
    for name, (title, *steps) in (
        (name, script.values()) for name, script in table("trials").items()
    )
}
"""Title and steps of each script, by name; both are messages."""


def script_title(words: Language, name: str) -> str:
    """The title of a script for volunteers; its name where there is no such script now."""
    return words.t(SCRIPTS[name][0]) if name in SCRIPTS else name
