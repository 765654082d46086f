"""What people ask of a live table."""

from __future__ import annotations

from typing import Annotated

import msgspec

from volte.referee import SeatAction
from volte.table.setup import Setup

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=9)]
"""A seat; whether there is such a one at the table is for `decide` to say."""

PersonKey = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""The id of a person."""

CommitmentNumber = Annotated[int, msgspec.Meta(ge=1, lt=2**31)]
"""Of a commitment."""


class Someone(msgspec.Struct, frozen=True):
    """A person, as a table knows them.

    Attributes:
        id: never empty, the same for good.
        name: as it is told.
        invited: whether they have come by the host's invitation, or know the table's password.
    """

    id: str
    name: str
    invited: bool = False


class _Command(msgspec.Struct, frozen=True, tag_field="do", tag=True):
    """What all commands have in common."""


# Anybody's


class Sit(_Command, frozen=True):
    """Takes a seat: a free one, or a bot's. While a match goes on the person plays its cards on.

    For a bot's seat in the middle of a deal the host is asked first.
    """

    seat: SeatNumber


class Stand(_Command, frozen=True):
    """Gives the own seat up; while a match goes on a bot gets it."""


# Of whoever has a seat


class Act(_Command, frozen=True):
    """Does something in the match."""

    action: SeatAction


class Promise(_Command, frozen=True):
    """Promises the own bytes for commitment `number`, by their digest (D3)."""

    number: CommitmentNumber
    digest: bytes


class Contribute(_Command, frozen=True):
    """Tells the bytes promised."""

    number: CommitmentNumber
    data: bytes


class Next(_Command, frozen=True):
    """Is ready for the next deal."""


class Away(_Command, frozen=True):
    """Lets a bot play for the own seat."""


class Back(_Command, frozen=True):
    """Plays for the own seat again."""


class MoreTime(_Command, frozen=True):
    """Asks for more time for the choice that is due."""


class AcceptClock(_Command, frozen=True):
    """Agrees to a clock shorter than `LEAST_CLOCK`, or does no longer."""

    accept: bool


class Pause(_Command, frozen=True):
    """Lets the match wait."""


class Unpause(_Command, frozen=True):
    """Lets it go on."""


# The host's


class Start(_Command, frozen=True):
    """Begins a match, the first or another one; bots take the seats that are free."""


class SeatBot(_Command, frozen=True):
    """Puts a bot of that level on a free seat, or on another bot's."""

    seat: SeatNumber
    level: str


class Remove(_Command, frozen=True):
    """Frees a seat. `bar` also sends the person away for good."""

    seat: SeatNumber
    bar: bool = False


class Replace(_Command, frozen=True):
    """Lets a bot play for the person at a seat."""

    seat: SeatNumber


class Swap(_Command, frozen=True):
    """Lets two seats change places, before a match."""

    one: SeatNumber
    other: SeatNumber


class HandOver(_Command, frozen=True):
    """Makes the person at a seat the host."""

    seat: SeatNumber


class Change(_Command, frozen=True):
    """Sets the table up differently, between matches."""

    setup: Setup


class Invite(_Command, frozen=True):
    """Opens a private table to whoever has its address, also while a match goes on."""


class AnswerSeat(_Command, frozen=True):
    """Allows somebody to take the bot's seat that they have asked for, or does not.

    Attributes:
        person: who has asked, by id.
    """

    seat: SeatNumber
    person: PersonKey
    allow: bool


class Close(_Command, frozen=True):
    """Closes the table."""


Command = (
    Sit
    | Stand
    | Act
    | Promise
    | Contribute
    | Next
    | Away
    | Back
    | MoreTime
    | AcceptClock
    | Pause
    | Unpause
    | Start
    | SeatBot
    | Remove
    | Replace
    | Swap
    | HandOver
    | Change
    | Invite
    | AnswerSeat
    | Close
)
