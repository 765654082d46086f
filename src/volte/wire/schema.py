"""The messages as JSON Schema, for programs in other languages and for readers."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec

from volte.cards import Card
from volte.wire.messages import PROTOCOL, Asking, Saying

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

CARD: Final = {
    "type": "string",
    "pattern": "^([2-9TJQKA][CDSH]|[RB]J)'?$",
    "description": "A card: rank and suit, or RJ and BJ for the jokers.",
}


@cache
def schema() -> dict[str, Any]:
    """All messages: `Asking` are those of clients, `Saying` those of the server."""
    (asking, saying), parts = msgspec.json.schema_components([Asking, Saying], schema_hook=_hook)
    return {
        "$schema": DIALECT,
        "title": "Volte at a table",
        "version": PROTOCOL,
        "anyOf": [{"$ref": "#/$defs/Asking"}, {"$ref": "#/$defs/Saying"}],
        "$defs": {"Asking": asking, "Saying": saying} | _plain(parts),
    }


def schema_text() -> str:
    """The schema as text, for the file beside docs/wire.md."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=1).decode() + "\n"


def _hook(kind: type) -> dict[str, Any]:
    if kind is Card:
        return CARD
    raise NotImplementedError(kind.__name__)


def _plain(parts: dict[str, Any]) -> dict[str, Any]:
    """The definitions, each described by the first paragraph of its docstring."""
    for part in parts.values():
        if "description" in part:
            part["description"] = " ".join(part["description"].partition("\n\n")[0].split())
    return dict(sorted(parts.items()))
