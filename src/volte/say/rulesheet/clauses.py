"""Every clause of the rules in words for players, as in refusals and docs/rules/clauses.md."""

from __future__ import annotations

from typing import Final

from volte.say.language import Language
from volte.say.texts import table

PARTS: Final = tuple(
    (part["title"], {name: text for name, text in part.items() if name != "title"})
    for part in table("clauses").values()
)
"""The clauses by part, in the order in which a deal runs: title, then sentences by id."""

CLAUSES: Final = {name: message for _, clauses in PARTS for name, message in clauses.items()}
"""The sentence of every clause, by its id."""


def clause(words: Language, name: str) -> str:
    """The clause of that id, such as `T5`, without the id. Raises `KeyError` for no clause."""
    return words.t(CLAUSES[name])
