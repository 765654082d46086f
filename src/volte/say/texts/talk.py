"""Talk at tables: the prepared phrases, and the reasons for a report."""

from __future__ import annotations

from typing import Final

from volte.say.language import Language
from volte.say.texts import table

PHRASES: Final = table("talk")["phrases"]
"""Prepared phrases by name, in the order in which they are offered."""

REASONS: Final = table("talk")["reasons"]
"""Reasons for reporting somebody, by name."""


def phrase_line(language: Language, phrase: str) -> str:
    """A prepared phrase; “…” for one that no longer exists."""
    return language.t(PHRASES[phrase]) if phrase in PHRASES else "…"
