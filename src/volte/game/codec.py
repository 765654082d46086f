"""Structures with cards in them as JSON: how logs are stored, and how they travel."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from volte.cards import Card

T = TypeVar("T")


def card_text(value: object) -> str:
    """A card as the text it is stored by; the `enc_hook` of every encoder of ours."""
    if isinstance(value, Card):
        return value.text
    raise NotImplementedError(f"{type(value).__name__} is never stored")


def read_card(kind: type, value: object) -> Any:
    """The way back; the `dec_hook` of every decoder of ours. Raises `ValueError`."""
    if kind is Card:
        if not isinstance(value, str):
            raise TypeError("a card is a text")
        return Card(value)
    raise NotImplementedError(f"{kind.__name__} is never stored")


_ENCODER: Final = msgspec.json.Encoder(enc_hook=card_text)


def encode(value: object) -> bytes:
    """Any action, event or other structure with cards in it."""
    return _ENCODER.encode(value)


def decoded(decoder: msgspec.json.Decoder[T], data: bytes | str) -> T:
    """What those bytes say. Raises `msgspec.ValidationError`, whatever is wrong with them.

    By itself a decoder raises more than that: for what is no JSON, no UTF-8, or nested too deep.
    """
    try:
        return decoder.decode(data)
    except msgspec.ValidationError:
        raise
    except (ValueError, RecursionError) as error:
        raise msgspec.ValidationError(str(error)) from None
