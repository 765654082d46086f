"""JSON of structures that contain cards, as logs are stored and sent."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from volte.cards import Card

T = TypeVar("T")


def card_text(value: object) -> str:
    """Return the text that a card is stored as; the `enc_hook` of every encoder of Volte."""
    if isinstance(value, Card):
        return value.text
    raise NotImplementedError(f"{type(value).__name__} is never stored")


def read_card(kind: type, value: object) -> Any:
    """Read a card from its text; the `dec_hook` of every decoder of Volte. Raises `ValueError`."""
    if kind is Card:
        if not isinstance(value, str):
            raise TypeError("a card is a text")
        return Card(value)
    raise NotImplementedError(f"{kind.__name__} is never stored")


_ENCODER: Final = msgspec.json.Encoder(enc_hook=card_text)


def encode(value: object) -> bytes:
    """Return any action, event or other structure with cards as JSON."""
    return _ENCODER.encode(value)


def decoded(decoder: msgspec.json.Decoder[T], data: bytes | str) -> T:
    """Return the decoded data. Raises `msgspec.ValidationError`, whatever is wrong with it.

    A bare decoder raises other errors as well: for invalid JSON or UTF-8, or nesting too deep.
    """
    try:
        return decoder.decode(data)
    except msgspec.ValidationError:
        raise
    except (ValueError, RecursionError) as error:
        raise msgspec.ValidationError(str(error)) from None
