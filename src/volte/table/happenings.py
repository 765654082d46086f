"""The happenings at a live table: people come and go, and every event of the matches there.

They make one log, numbered from 1, which is stored and sent to clients.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.cards import Card
from volte.game import CardsOrigin
from volte.game.codec import read_card
from volte.referee import Event, visible
from volte.table.setup import Setup


class Why(StrEnum):
    """The reason why a bot plays for a person."""

    CONNECTION = "connection"  # the person's connection is lost
    CLOCK = "clock"  # the person's time has run out
    HOST = "host"  # the host has asked for it
    OWN = "own"  # the person has asked for it


class _Happening(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """A happening, tagged with the name of its class; no event of a match has the same name."""


class _AtSeat(_Happening, frozen=True):
    """A happening at one seat."""

    seat: int


class Opened(_Happening, frozen=True):
    """Somebody has opened the table and is its host: the first happening of every log."""

    setup: Setup
    host: str
    name: str


class Changed(_Happening, frozen=True):
    """The host has changed how the table is set up."""

    setup: Setup


class Sat(_AtSeat, frozen=True):
    """A person (an id) has taken a free seat or a bot's, perhaps during a match."""

    person: str
    name: str


class BotSat(_AtSeat, frozen=True):
    """A bot has taken a free seat, or has another level from now on."""

    name: str
    level: str


class SeatWanted(_AtSeat, frozen=True):
    """A person asks the host for a bot's seat; or waits until no hands are out, where bots' seats
    are for anybody."""

    person: str
    name: str


class SeatDenied(_AtSeat, frozen=True):
    """The host has refused the seat, until another deal, to the person who has asked for it."""


class SeatForgone(_AtSeat, frozen=True):
    """The person who has asked for the seat wants it no longer, or has left."""


class Stood(_AtSeat, frozen=True):
    """A seat is free again; during a match, `BotSat` follows."""


class Swapped(_Happening, frozen=True):
    """Two seats have been swapped, before a match."""

    one: int
    other: int


class MovedOn(_Happening, frozen=True):
    """Everybody has moved one seat on, clockwise, between two matches."""


class CardsGiven(_Happening, frozen=True):
    """The cards of the coming match, which are given and not drawn. Nobody sees them from here: not
    a seat, not the public, not even whoever sees every card late."""

    # The decks, one for each deal, in the order in which they are dealt (`game.hands_of`); none
    # where hidden
    decks: tuple[tuple[Card, ...], ...]
    dealer: int  # the first
    origin: CardsOrigin


class HandedOver(_Happening, frozen=True):
    """Another person is the host from now on."""

    person: str
    name: str


class Barred(_Happening, frozen=True):
    """The host has sent a person away, who cannot come back."""

    person: str
    name: str


class Paused(_Happening, frozen=True):
    """Somebody has paused the match; the name is empty where nobody was there."""

    name: str


class Unpaused(_Happening, frozen=True):
    """The match goes on; the name is empty where nobody has asked for that."""

    name: str


class StoodIn(_AtSeat, frozen=True):
    """A bot plays for the person at a seat."""

    why: Why


class CameBack(_AtSeat, frozen=True):
    """The person at a seat plays again."""


class Readied(_AtSeat, frozen=True):
    """The person at a seat is ready for the next deal, or would play another match."""


class AnewWanted(_AtSeat, frozen=True):
    """The person at a seat would rather begin the match anew; once all people at seats want it, the
    match is broken off and another one begins."""


class AnewLapsed(_Happening, frozen=True):
    """The match can no longer be begun anew; it goes on."""


class ClockAccepted(_AtSeat, frozen=True):
    """The person at a seat agrees to a clock shorter than `LEAST_CLOCK`, or no longer does."""

    accepted: bool


class TimeGiven(_AtSeat, frozen=True):
    """A seat has more time for its present choice."""

    seconds: int


class Closed(_Happening, frozen=True):
    """The table is closed; its matches stay in the store."""

    onward: str = ""  # id of the table where its people go on; empty for none


_Seating = Sat | BotSat | SeatWanted | SeatDenied | SeatForgone | Stood | Swapped | MovedOn
_Playing = Paused | Unpaused | StoodIn | CameBack | Readied | ClockAccepted | TimeGiven
_Meeting = AnewWanted | AnewLapsed
_Hosting = HandedOver | Barred | CardsGiven | Closed
TableEvent = Opened | Changed | _Seating | _Hosting | _Playing | _Meeting
Happening = TableEvent | Event

_DECODER: Final[msgspec.json.Decoder[Happening]] = msgspec.json.Decoder(
    Happening, dec_hook=read_card
)


def decode_happening(data: bytes) -> Happening:
    """Undoes `volte.referee.codec.encode`. Raises `msgspec.ValidationError`."""
    return _DECODER.decode(data)


def seen_by(happening: Happening, seat: int | None) -> Happening:
    """The happening as a seat may see it; None for the public view."""
    if isinstance(happening, _Happening):
        return without_cards(happening)
    return visible(happening, seat)


def without_cards(happening: Happening) -> Happening:
    """The happening without cards that have not been dealt yet, which nobody may see."""
    return replace(happening, decks=()) if isinstance(happening, CardsGiven) else happening
