"""Talk at tables: the prepared phrases, and why somebody is reported."""

from __future__ import annotations

from typing import Final

from volte.say.language import Language
from volte.say.texts import table

PHRASES: Final = table("talk")["phrases"]
"""What can be said without writing, by name, in the order in which it is offered."""

REASONS: Final = table("talk")["reasons"]
"""Why somebody is reported, by name."""


def phrase_line(language: Language, phrase: str) -> str:
    """A prepared phrase; “…” for one that no longer exists."""
    return language.t(PHRASES[phrase]) if phrase in PHRASES else "…"
