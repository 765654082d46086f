"""Actions and events of every match as JSON; `encode` and `decoded` are those of `game.codec`."""

from __future__ import annotations

from typing import Final

import msgspec

from volte.game.codec import decoded, encode, read_card
from volte.referee.actions import SeatAction
from volte.referee.events import Event

__all__ = ["decode_action", "decode_event", "decoded", "encode"]

_EVENTS: Final[msgspec.json.Decoder[Event]] = msgspec.json.Decoder(Event, dec_hook=read_card)
_ACTIONS: Final[msgspec.json.Decoder[SeatAction]] = msgspec.json.Decoder(
    SeatAction, dec_hook=read_card
)


def decode_event(data: bytes) -> Event:
    """An event from what `encode` made of it. Raises `msgspec.ValidationError`."""
    return decoded(_EVENTS, data)


def decode_action(data: bytes) -> SeatAction:
    """A seat's action from what `encode` made of it. Raises `msgspec.ValidationError`."""
    return decoded(_ACTIONS, data)
