"""The commands that people give to a live table."""

from __future__ import annotations

from typing import Annotated

import msgspec

from volte.referee import SeatAction
from volte.table.setup import Setup

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=9)]
"""The number of a seat, which the table need not have."""

PersonKey = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]  # the id of a person
CommitmentNumber = Annotated[int, msgspec.Meta(ge=1, lt=2**31)]  # the number of a commitment


class Someone(msgspec.Struct, frozen=True):
    """A person, as a table knows them."""

    id: str  # never empty; it stays the same for good
    name: str
    invited: bool = False  # whether they have the host's invitation, or know the table's password
    apart: frozenset[str] = frozenset()  # ids of people who are not brought together with them


class _Command(msgspec.Struct, frozen=True, tag_field="do", tag=True):
    """A command, tagged with the name of its class."""


class SeatCommand(_Command, frozen=True):
    """A command about one seat of the table."""

    seat: SeatNumber


# Commands of anybody


class Sit(SeatCommand, frozen=True):
    """Takes a seat: a free one, or a bot's; during a match, with its cards.

    A bot's seat needs the host's consent. Where bots' seats are for anybody, it is given when no
    hands are out; at a meeting table at once, if nobody has passed or played in the deal.
    """


class Stand(_Command, frozen=True):
    """Gives up one's seat; during a match, a bot takes it. Somebody who waits for a bot's seat no
    longer does."""


# Commands of people with a seat


class Act(_Command, frozen=True):
    """Takes an action in the match."""

    action: SeatAction


class Promise(_Command, frozen=True):
    """Promises one's own bytes for commitment `number`, by their digest (D3)."""

    number: CommitmentNumber
    digest: bytes


class Contribute(_Command, frozen=True):
    """Reveals the bytes that were promised."""

    number: CommitmentNumber
    data: bytes


class Anew(_Command, frozen=True):
    """Would rather begin the match anew, since somebody has come to a meeting table."""


class Next(_Command, frozen=True):
    """Is ready for the next deal; after a match, would play another one."""


class Away(_Command, frozen=True):
    """Lets a bot play for one's seat."""


class Back(_Command, frozen=True):
    """Plays oneself again."""


class MoreTime(_Command, frozen=True):
    """Takes more time for the present choice."""


class AcceptClock(_Command, frozen=True):
    """Agrees to a clock shorter than `LEAST_CLOCK`, or withdraws that."""

    accept: bool


class Pause(_Command, frozen=True):
    """Pauses the match."""


class Unpause(_Command, frozen=True):
    """Lets the match go on."""


# Commands of the host


class Start(_Command, frozen=True):
    """Begins a match, the first or another one; bots take the free seats."""


class DealAgain(_Command, frozen=True):
    """Deals the cards of the last match again, with the same people, everybody one seat on."""


class SeatBot(SeatCommand, frozen=True):
    """Puts a bot of that level on a free seat, or changes the level of a bot."""

    level: str


class Remove(SeatCommand, frozen=True):
    """Frees a seat; with `bar`, its person cannot come back to the table."""

    bar: bool = False


class Replace(SeatCommand, frozen=True):
    """Lets a bot play for the person at a seat."""


class Swap(_Command, frozen=True):
    """Swaps two seats, before a match."""

    one: SeatNumber
    other: SeatNumber


class HandOver(SeatCommand, frozen=True):
    """Makes the person at a seat the host."""


class Change(_Command, frozen=True):
    """Changes how the table is set up, between matches."""

    setup: Setup


class Invite(_Command, frozen=True):
    """Opens a private table to everybody with its address, even during a match."""


class AnswerSeat(SeatCommand, frozen=True):
    """Lets somebody take the bot's seat that they have asked for, or refuses it."""

    person: PersonKey  # the person who has asked
    allow: bool


class Close(_Command, frozen=True):
    """Closes the table."""


# Commands of the server; no client can give them


class Vanish(_Command, frozen=True):
    """Leaves for good, as the person is deleted: the seat is freed; another person becomes the
    host, or the table closes."""


class Onward(_Command, frozen=True):
    """Closes a meeting table that its only person leaves for another one."""

    table: str  # id of the table where that person goes on


_Playing = (
    Act
    | Promise
    | Contribute
    | Anew
    | Next
    | Away
    | Back
    | MoreTime
    | AcceptClock
    | Pause
    | Unpause
)
_Hosting = (
    Start
    | DealAgain
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
Command = Sit | Stand | _Playing | _Hosting
TableCommand = Command | Vanish | Onward
