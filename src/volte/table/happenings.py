"""What happens at a live table: who comes and goes, and every event of the matches played there.

All of it is one log, numbered from 1: what the store keeps, and what clients are told.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from volte.game.codec import read_card
from volte.referee import Event, visible
from volte.table.setup import Setup


class Why(StrEnum):
    """Why a bot plays for somebody."""

    CONNECTION = "connection"  # it is lost
    CLOCK = "clock"  # it has run out
    HOST = "host"  # the host wants it so
    OWN = "own"  # the person wants it so


class _Happening(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """What all happenings have in common; their kinds differ from those of game events."""


class Opened(_Happening, frozen=True):
    """The first of every log: somebody has opened the table, and is its host."""

    setup: Setup
    host: str
    name: str


class Changed(_Happening, frozen=True):
    """The host has set the table up differently."""

    setup: Setup


class Sat(_Happening, frozen=True):
    """A person has taken a free seat, or a bot's; also while a match goes on.

    Attributes:
        person: who, by id.
        name: as it is told.
    """

    seat: int
    person: str
    name: str


class BotSat(_Happening, frozen=True):
    """A bot has taken a seat that was free."""

    seat: int
    name: str
    level: str


class SeatWanted(_Happening, frozen=True):
    """Somebody asks the host for a bot's seat in the middle of a deal.

    Attributes:
        person: who, by id.
        name: as it is told.
    """

    seat: int
    person: str
    name: str


class SeatDenied(_Happening, frozen=True):
    """The host does not want whoever has asked for a seat to take it during this deal."""

    seat: int


class SeatForgone(_Happening, frozen=True):
    """Whoever has asked for a seat has gone before there was an answer."""

    seat: int


class Stood(_Happening, frozen=True):
    """A seat is free again; while a match goes on a bot plays there (`BotSat` follows)."""

    seat: int


class Swapped(_Happening, frozen=True):
    """Two seats have changed places, before a match."""

    one: int
    other: int


class HandedOver(_Happening, frozen=True):
    """Somebody else is the host."""

    person: str
    name: str


class Barred(_Happening, frozen=True):
    """The host has sent somebody away, who cannot come back."""

    person: str
    name: str


class Paused(_Happening, frozen=True):
    """The match waits; empty name: because nobody is there."""

    name: str


class Unpaused(_Happening, frozen=True):
    """It goes on."""

    name: str


class StoodIn(_Happening, frozen=True):
    """A bot plays for the person at a seat, until they are back."""

    seat: int
    why: Why


class CameBack(_Happening, frozen=True):
    """They are."""

    seat: int


class Readied(_Happening, frozen=True):
    """The person at a seat is ready for the next deal."""

    seat: int


class ClockAccepted(_Happening, frozen=True):
    """The person at a seat agrees to a clock shorter than `LEAST_CLOCK`, or no longer does."""

    seat: int
    accepted: bool


class TimeGiven(_Happening, frozen=True):
    """A seat has asked for more time for the choice before it, and has it."""

    seat: int
    seconds: int


class Closed(_Happening, frozen=True):
    """The table is gone; its matches are kept."""


TableEvent = (
    Opened
    | Changed
    | Sat
    | BotSat
    | SeatWanted
    | SeatDenied
    | SeatForgone
    | Stood
    | Swapped
    | HandedOver
    | Barred
    | Paused
    | Unpaused
    | StoodIn
    | CameBack
    | Readied
    | ClockAccepted
    | TimeGiven
    | Closed
)
Happening = TableEvent | Event

_DECODER: Final[msgspec.json.Decoder[Happening]] = msgspec.json.Decoder(
    Happening, dec_hook=read_card
)


def decode_happening(data: bytes) -> Happening:
    """A happening from what `volte.referee.codec.encode` made of it.

    Raises `msgspec.ValidationError`.
    """
    return _DECODER.decode(data)


def seen_by(happening: Happening, seat: int | None) -> Happening:
    """The happening as that seat may see it; None is somebody who does not play."""
    return happening if isinstance(happening, _Happening) else visible(happening, seat)
