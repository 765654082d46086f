"""Actions and events as JSON: how logs are stored, and how they travel."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from volte.cards import Card
from volte.game.actions import SeatAction
from volte.game.events import Event

T = TypeVar("T")


def card_text(value: object) -> str:
    """A card as the text it is stored by; the `enc_hook` of every encoder of ours."""
    if isinstance(value, Card):
        return value.text
    raise NotImplementedError(f"{type(value).__name__} is never stored")


def read_card(kind: type, value: object) -> Any:
    """The way back; the `dec_hook` of every decoder of ours. Raises `ValueError`."""
    if kind is Card:
        return Card(str(value))
    raise NotImplementedError(f"{kind.__name__} is never stored")


_ENCODER: Final = msgspec.json.Encoder(enc_hook=card_text)
_EVENTS: Final[msgspec.json.Decoder[Event]] = msgspec.json.Decoder(Event, dec_hook=read_card)
_ACTIONS: Final[msgspec.json.Decoder[SeatAction]] = msgspec.json.Decoder(
    SeatAction, dec_hook=read_card
)


def encode(value: object) -> bytes:
    """Any action, event or other structure with cards in it."""
    return _ENCODER.encode(value)


def decoded(decoder: msgspec.json.Decoder[T], data: bytes) -> T:
    """What those bytes say. Raises `msgspec.ValidationError`, whatever is wrong with them.

    By itself a decoder raises more than that: for what is no JSON, no UTF-8, or nested too deep.
    """
    try:
        return decoder.decode(data)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise msgspec.ValidationError(str(error)) from None


def decode_event(data: bytes) -> Event:
    """An event from what `encode` made of it. Raises `msgspec.ValidationError`."""
    return decoded(_EVENTS, data)


def decode_action(data: bytes) -> SeatAction:
    """A seat's action from what `encode` made of it. Raises `msgspec.ValidationError`."""
    return decoded(_ACTIONS, data)
