"""The messages as JSON Schema, for programs in other languages and for readers."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec

from volte.cards import Card
from volte.rules import OPTIONS, PRESETS
from volte.wire.api import (
    Entering,
    FriendAnswer,
    Guest,
    Invitation,
    KeepApart,
    Meet,
    NewTable,
    SigningIn,
)
from volte.wire.messages import PROTOCOL, Asking, Saying

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

BODIES: Final = (Guest, SigningIn, NewTable, Entering, Invitation, Meet, KeepApart, FriendAnswer)
"""Types of the bodies that programs post over HTTP."""

CARD: Final = {
    "type": "string",
    "pattern": "^([2-9TJQKA][CDSH]|[RB]J)'?$",
    "description": "A card: rank and suit, or RJ and BJ for the jokers.",
}


@cache
def schema() -> dict[str, Any]:
    """Schema of all messages: clients' (`Asking`), the server's (`Saying`), and `BODIES`."""
    (asking, saying, *_), parts = msgspec.json.schema_components(
        [Asking, Saying, *BODIES], schema_hook=_hook
    )
    closed = {"additionalProperties": False}
    asked = {"anyOf": [{"$ref": "#/$defs/Ruleset"}, {"$ref": "#/$defs/NamedRules"}]}
    setup = parts["Setup"] | {"title": "AskedSetup", **closed}
    parts["AskedSetup"] = setup | {"properties": {**setup["properties"], "rules": asked}}
    parts["NamedRules"] = _named_rules()
    for name in ("Change", NewTable.__name__):
        parts[name]["properties"]["setup"] = {"$ref": "#/$defs/AskedSetup"}
    for body in BODIES:
        parts[body.__name__] |= closed
    return {
        "$schema": DIALECT,
        "title": "Volte at a table",
        "version": PROTOCOL,
        "anyOf": [{"$ref": "#/$defs/Asking"}, {"$ref": "#/$defs/Saying"}],
        "$defs": {"Asking": asking, "Saying": saying} | _plain(parts),
    }


def _named_rules() -> dict[str, Any]:
    values = {name: {"description": f"{', '.join(each.values)}."} for name, each in OPTIONS.items()}
    return {
        "title": "NamedRules",
        "description": "Rules by the name of a preset, and the options in which they differ.",
        "type": "object",
        "properties": {"preset": {"enum": list(PRESETS)}, **values},
        "required": ["preset"],
        "additionalProperties": False,
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
