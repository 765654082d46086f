"""What travels and what is stored, byte for byte, and the schema of the messages.

Of every type there is an instance with all its fields and one with as few as may be.
VOLTE_REMAKE_GOLDENS=1 writes the files in `wire` anew.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, Final

import msgspec
import pytest
from msgspec import inspect
from net.held import hold

from volte.cards import Card
from volte.evenings.evening import Event as EveningEvent
from volte.evenings.evening import decode_event as decode_evening_event
from volte.game.codec import encode, read_card
from volte.referee import Action, Event
from volte.referee.codec import decode_action, decode_event
from volte.rules import Ruleset, make_ruleset
from volte.scorekeeper.model.entries import Entry, Header, Told, decode_entry, decode_header
from volte.table.commands import Command
from volte.table.happenings import TableEvent, decode_happening
from volte.wire.messages import Asking, Saying, decode_asking, decode_saying
from volte.wire.schema import schema

pytestmark = pytest.mark.full

Decode = Callable[[bytes], Any]

COMMANDS: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(Command, dec_hook=read_card)
ACTIONS: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(Action, dec_hook=read_card)
TOLD: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(Told, dec_hook=read_card)

FAMILIES: Final[dict[str, tuple[Any, Decode]]] = {
    "asking": (Asking, decode_asking),
    "saying": (Saying, decode_saying),
    "command": (Command, COMMANDS.decode),
    "table": (TableEvent, decode_happening),
    "event": (Event, decode_event),
    "action": (Action, ACTIONS.decode),
    "evening": (EveningEvent, decode_evening_event),
    "sheet-header": (Header, decode_header),
    "sheet-entry": (Entry, decode_entry),
    "sheet-told": (Told, TOLD.decode),
}
CARDS: Final = ("QS", "TD", "RJ", "AH'", "2C")


class Maker:
    """Makes values of any type that is stored, the same every time."""

    def __init__(self, full: bool) -> None:
        self._full = full
        self._count = itertools.count(1)

    def made(self, kind: inspect.Type) -> Any:
        match kind:
            case inspect.Metadata():
                return self.made(kind.type)
            case inspect.StructType() | inspect.DataclassType():
                return self._structure(kind)
            case inspect.UnionType():
                return self._one_of(kind.types)
            case inspect.CustomType():
                assert kind.cls is Card
                return Card(CARDS[next(self._count) % len(CARDS)])
            case inspect.EnumType():
                members = list(kind.cls)
                return members[-1 if self._full else 0]
            case inspect.LiteralType():
                return kind.values[-1 if self._full else 0]
            case inspect.TupleType():
                return tuple(map(self.made, kind.item_types))
            case inspect.VarTupleType() | inspect.ListType() | inspect.FrozenSetType():
                return self._several(kind)
            case inspect.DictType():
                pair = [(self.made(kind.key_type), self.made(kind.value_type))]
                return dict(pair if self._full else [])
        return self._plain(kind)

    def _structure(self, kind: inspect.StructType | inspect.DataclassType) -> Any:
        if kind.cls is Ruleset:
            return make_ruleset("cancellation" if self._full else "coeurs")
        fields = [each for each in kind.fields if self._full or each.required]
        return kind.cls(**{each.name: self.made(each.type) for each in fields})

    def _one_of(self, kinds: tuple[inspect.Type, ...]) -> Any:
        some = [each for each in kinds if not isinstance(each, inspect.NoneType)]
        if len(some) < len(kinds) and not self._full:
            return None
        return self.made(min(some, key=lambda each: str(getattr(each, "tag", ""))))

    def _several(self, kind: Any) -> Any:
        count = 2 if self._full else kind.min_length or 0
        several = [self.made(kind.item_type) for _ in range(count)]
        collect = {inspect.ListType: list, inspect.FrozenSetType: frozenset}
        return collect.get(type(kind), tuple)(several)

    def _plain(self, kind: inspect.Type) -> Any:
        number = next(self._count)
        match kind:
            case inspect.BoolType():
                return self._full
            case inspect.IntType():
                least = kind.ge or 0
                return least + number % 5 if self._full else least
            case inspect.FloatType():
                return number + 0.25
            case inspect.StrType():
                return f"é{number}"
            case inspect.BytesType():
                return bytes([number, 255, 0]) * 6
            case inspect.NoneType():
                return None
            case inspect.AnyType():
                return f"any {number}"
        raise NotImplementedError(type(kind).__name__)


def kinds_of(union: Any) -> Iterator[inspect.StructType]:
    """The types of a union, in the order of their tags."""
    told = inspect.type_info(union)
    found = told.types if isinstance(told, inspect.UnionType) else (told,)
    for each in sorted(found, key=lambda kind: str(getattr(kind, "tag", ""))):
        assert isinstance(each, inspect.StructType)
        yield each


@pytest.mark.parametrize("family", FAMILIES)
def test_every_type_is_written_and_read_byte_for_byte(family: str) -> None:
    union, decode = FAMILIES[family]
    lines = []
    for kind in kinds_of(union):
        for full in (True, False):
            value = Maker(full).made(kind)
            data = encode(value)
            assert decode(data) == value
            assert encode(decode(data)) == data
            lines.append(data.decode())
    hold("\n".join(dict.fromkeys(lines)) + "\n", "wire", f"{family}.txt")


def test_what_seats_do_is_read_by_the_codec_of_their_actions() -> None:
    read = []
    for kind in kinds_of(Action):
        data = encode(Maker(True).made(kind))
        try:
            assert encode(decode_action(data)) == data
        except msgspec.ValidationError:
            continue
        read.append(str(kind.tag))
    hold("\n".join(read) + "\n", "wire", "seat-actions.txt")


# The schema


def canonical(value: Any, parts: dict[str, Any], known: dict[str, Any]) -> Any:
    """The schema without titles and descriptions, its definitions named by what they say."""
    match value:
        case dict():
            return {
                key: sorted(each) if key == "required" else canonical(each, parts, known)
                for key, each in sorted(value.items())
                if key not in ("title", "description") or not isinstance(each, str)
            }
        case list():
            each = [canonical(item, parts, known) for item in value]
            return sorted(each, key=lambda item: json.dumps(item, sort_keys=True))
        case str() if value.startswith("#/$defs/"):
            told = canonical(parts[value.removeprefix("#/$defs/")], parts, known)
            name = sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:10]
            known[name] = told
            return f"#/$defs/{name}"
    return value


def test_the_schema_says_the_same_but_for_titles_descriptions_and_names() -> None:
    said, known = dict(schema()), dict[str, Any]()
    whole = canonical(said, said.pop("$defs"), known)
    text = json.dumps({**whole, "$defs": known}, indent=1, sort_keys=True, ensure_ascii=False)
    hold(text + "\n", "wire", "schema.json")
