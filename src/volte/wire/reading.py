"""Reading of JSON from programs; the fault names the field that is unknown or wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import inspect

from volte.cards import VolteError
from volte.game.codec import card_text, read_card
from volte.rules import Preset, Ruleset, RulesetFault, make_ruleset, preset
from volte.table import Setup

EXAMPLE: Final = '{"preset": "salon", "players": 5}'
"""Example of the rules in a program's request, for the fault's sentence."""


class FieldFault(VolteError):
    """A wrong field in a program's JSON: unknown, missing, or with a value of another type."""

    def __init__(self, reason: str, /, **params: object) -> None:
        super().__init__(reason, **params)
        self.field = str(params.get("field", ""))


def read(kind: Any, data: bytes | str, *, lenient: bool = False) -> Any:
    """Read the JSON of a program. Raises `VolteError`, and `DecodeError` for text that is no JSON.

    Args:
        kind: the type of the structure, or a union of some.
        lenient: ignore unknown fields, except those of a table's setup.
    """
    try:
        value = msgspec.json.decode(data)
    except (ValueError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from None
    found: dict[str, inspect.Type] = {}
    try:
        found.update(_types(_info(kind), value, "$", lenient))
        return msgspec.convert(value, kind, dec_hook=read_card)
    except msgspec.ValidationError as error:
        if not isinstance(value, dict):
            raise
        raise _fault(error, found) from None
    except RecursionError as error:
        raise msgspec.DecodeError(str(error)) from None


_info: Final = cache(inspect.type_info)


def _types(
    kind: inspect.Type, value: Any, path: str, lenient: bool
) -> Iterator[tuple[str, inspect.Type]]:
    """Yield the type of each field, with its path as msgspec writes it.

    Replaces rules given by name with rules by groups, in `value` itself.

    Raises `VolteError` for an unknown field.
    """
    if isinstance(kind, inspect.UnionType):
        tags = {each.tag: each for each in kind.types if isinstance(each, inspect.StructType)}
        plain = [each for each in kind.types if each not in (*tags.values(), inspect.NoneType())]
        yield path, plain[0] if plain else kind
        if tags and isinstance(value, dict):
            name = next(iter(tags.values())).tag_field or ""
            yield f"{path}.{name}", inspect.LiteralType(tuple(tags))
            if isinstance(value.get(name), str) and value[name] in tags:
                yield from _types(tags[value[name]], value, path, lenient)
        return
    yield path, kind
    match kind, value:
        case inspect.StructType() | inspect.DataclassType(), dict():
            inner = {each.encode_name: each.type for each in kind.fields}
            if kind.cls is Setup:
                lenient = False
                if "rules" in value:
                    value["rules"] = _by_groups(value["rules"], f"{path}.rules")
            for name, each in value.items():
                if name in inner:
                    yield from _types(inner[name], each, f"{path}.{name}", lenient)
                elif not lenient and name != getattr(kind, "tag_field", None):
                    place = _plain(f"{path}.{name}")
                    raise FieldFault("unknown_field", field=place, fields=tuple(inner))
        case inspect.VarTupleType(), list():
            for number, each in enumerate(value):
                yield from _types(kind.item_type, each, f"{path}[{number}]", lenient)
        case inspect.TupleType(), list():
            for number, (item, each) in enumerate(zip(kind.item_types, value, strict=False)):
                yield from _types(item, each, f"{path}[{number}]", lenient)


_GROUPS: Final = {each.name for each in fields(Ruleset)}


def _by_groups(asked: Any, path: str) -> Any:
    """Rules group by group, as messages have them: those asked for, on top of the named preset.

    Without a preset, the groups that are missing have their defaults.
    """
    unnamed = FieldFault("rules_unnamed", field=_plain(path), example=EXAMPLE)
    name = asked.get("preset", "") if isinstance(asked, dict) else None
    if not isinstance(name, str):
        raise unnamed
    by_groups = any(isinstance(each, dict) and group in _GROUPS for group, each in asked.items())
    if name == "" and (by_groups or asked.keys() <= {"preset", "irregularities"}):
        return asked
    if name == "":
        raise unnamed
    try:
        if by_groups:
            return _on_top_of(preset(name), asked)
        options = {key: _typed(value) for key, value in asked.items() if key != "preset"}
        return _told(make_ruleset(name, options))
    except RulesetFault as fault:
        option = fault.params.get("option", fault.field)
        raise fault.at(_plain(f"{path}.{option}" if option else path)) from None


def _on_top_of(chosen: Preset, asked: dict[str, Any]) -> dict[str, Any]:
    """Complete groups of rules from the preset, for the number of players that they name."""
    deck = asked.get("deck")
    players = deck.get("players") if isinstance(deck, dict) else None
    fits = players if players in chosen.players else chosen.players[0]
    usual = _told(make_ruleset(chosen.name, {"players": fits}))
    for group, given in asked.items():
        whole = isinstance(given, dict) and isinstance(usual.get(group), dict)
        usual[group] = usual[group] | given if whole else given
    return usual


def _told(rules: Ruleset) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(rules, enc_hook=card_text)
    return told


def _typed(value: Any) -> str | int | list[str]:
    """The value of an option as in a file of rules; any other value as its JSON text."""
    if type(value) is int or isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return value
    return msgspec.json.encode(value).decode()


def _plain(path: str) -> str:
    """The path as faults write it: "setup.rules.slam"."""
    return path.removeprefix("$").removeprefix(".")


def _fault(error: msgspec.ValidationError, found: dict[str, inspect.Type]) -> VolteError:
    """The fault of the field at which decoding has failed."""
    message, mark, place = str(error).rpartition(" - at `")
    path = place.removesuffix("`") if mark else "$"
    if isinstance(error.__cause__, VolteError):
        return error.__cause__.at(_plain(path))
    message = message if mark else place
    if message.startswith("Object missing"):
        return FieldFault("missing_field", field=_plain(f"{path}.{message.split('`')[1]}"))
    return _wrong(found.get(path, inspect.AnyType()), _plain(path))


def _wrong(kind: inspect.Type, field: str) -> FieldFault:
    """The fault of a field whose value does not fit its type."""
    match kind:
        case inspect.StrType(max_length=int(most)):
            reason = "field_text_length" if kind.pattern is None else "field_text_without_null"
            return FieldFault(reason, field=field, least=kind.min_length or 0, most=most)
        case inspect.StrType():
            return FieldFault("field_text", field=field)
        case inspect.IntType(ge=int(least), lt=int(end)):
            return FieldFault("field_number_range", field=field, least=least, most=end - 1)
        case inspect.IntType(ge=int(least), le=int(most)):
            return FieldFault("field_number_range", field=field, least=least, most=most)
        case inspect.IntType():
            return FieldFault("field_number", field=field)
        case inspect.FloatType():
            return FieldFault("field_decimal", field=field)
        case inspect.BoolType():
            return FieldFault("field_truth", field=field)
        case inspect.BytesType():
            return FieldFault("field_bytes", field=field)
        case inspect.EnumType():
            values = tuple(str(each.value) for each in kind.cls)
            return FieldFault("field_one_of", field=field, values=values)
        case inspect.LiteralType():
            return FieldFault("field_one_of", field=field, values=tuple(map(str, kind.values)))
        case inspect.CustomType():
            return FieldFault("field_card", field=field)
        case inspect.TupleType():
            return FieldFault("field_list_exact", field=field, count=len(kind.item_types))
        case inspect.VarTupleType(max_length=int(most)):
            return FieldFault("field_list_most", field=field, most=most)
        case inspect.VarTupleType():
            return FieldFault("field_list", field=field)
    return FieldFault("field_object", field=field)
