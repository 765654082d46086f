"""Actions and events of every match as JSON; `encode` and `decoded` are those of `game.codec`."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, Final, get_args

import msgspec

from volte.cards import Card
from volte.game import Play
from volte.game.codec import decoded, encode, read_card
from volte.game.legal import MOST_SEATS
from volte.referee.actions import Action, SeatAction
from volte.referee.events import Event

__all__ = ["decode_action", "decode_event", "decoded", "encode", "read_action"]

_EVENTS: Final[msgspec.json.Decoder[Event]] = msgspec.json.Decoder(Event, dec_hook=read_card)
_ACTIONS: Final[msgspec.json.Decoder[SeatAction]] = msgspec.json.Decoder(
    SeatAction, dec_hook=read_card
)


def decode_event(data: bytes) -> Event:
    """Read an event from JSON made by `encode`. Raises `msgspec.ValidationError`."""
    return decoded(_EVENTS, data)


def decode_action(data: bytes) -> SeatAction:
    """Read a seat's action from JSON made by `encode`. Raises `msgspec.ValidationError`."""
    return decoded(_ACTIONS, data)


_KINDS: Final = get_args(Action)
_SEATS: Final = range(MOST_SEATS)


def read_action(action: object) -> Action | None:
    """Return a program's action with plain types: a card may be its text, a seat a NumPy integer.

    None if it is not an action, or if a seat or card in it cannot exist.
    """
    if not isinstance(action, _KINDS):
        return None
    if type(action) is Play and type(action.seat) is int and type(action.card) is Card:
        return action if action.seat in _SEATS else None  # the most frequent case, without a detour
    try:
        plain = msgspec.to_builtins(action, enc_hook=_plain)
        read: Action = msgspec.convert(plain, type(action), dec_hook=read_card)
    except (TypeError, ValueError):
        return None
    return read


def _plain(value: Any) -> object:
    if isinstance(value, Card):
        return value.text
    return list(value) if isinstance(value, Iterable) else index(value)
