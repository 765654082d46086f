"""The JSON of the addresses for programs, as the server and its clients read and write it."""

from __future__ import annotations

import msgspec

from volte.table import Setup
from volte.wire.messages import PersonId


class Guest(msgspec.Struct, frozen=True):
    """A guest who comes in by a name alone."""

    name: str
    lang: str = ""


class SigningIn(msgspec.Struct, frozen=True):
    """Somebody who signs in to an account."""

    login: str
    password: str


class NewTable(msgspec.Struct, frozen=True):
    """A table to open, with its bots and its password."""

    setup: Setup
    levels: tuple[str, ...] = ()  # of the bots at the seats after the first; empty for no bot
    password: str = ""


class Meet(msgspec.Struct, frozen=True):
    """People to play with at a table where anybody may come, and what to play."""

    rules: str = ""  # a preset; empty for any
    pace: str = ""  # `calm` for no clock, `brisk` for a clock of 30 seconds; empty for either
    langs: tuple[str, ...] = ()  # languages of the others; empty for any
    near: bool = False  # only people of about the same rating
    empty: bool = False  # wait at the empty table, without bots


class PersonMet(msgspec.Struct, frozen=True):
    """Somebody with whom a person has played at their last meeting table."""

    person: str  # their id
    name: str
    apart: bool  # whether the person would rather not meet them again


class PeopleMet(msgspec.Struct, frozen=True):
    """The people with whom a person has played at their last meeting table."""

    companions: tuple[PersonMet, ...] = ()


class KeepApart(msgspec.Struct, frozen=True):
    """Somebody whom the person would rather not meet again, or would after all."""

    person: PersonId
    apart: bool = True


class FriendAnswer(msgspec.Struct, frozen=True):
    """The answer to a friend's invitation to a table."""

    yes: bool


class DoneLine(msgspec.Struct, frozen=True):
    """The sentence that tells what a request has done."""

    line: str


class Met(msgspec.Struct, frozen=True):
    """The table where the person goes on."""

    table: str  # its id
    begin: bool = False  # whether it is a new one of theirs, with bots, where they begin the match


class PlayDeal(msgspec.Struct, frozen=True):
    """A wish to play a deal by its link; nothing more is to be said."""


class DealResults(msgspec.Struct, frozen=True):
    """The results of a deal by its link, as sentences; none before one's own is in."""

    lines: tuple[str, ...] = ()


class Entering(msgspec.Struct, frozen=True):
    """The password of a table, as somebody types it to come in."""

    password: str


class Invitation(msgspec.Struct, frozen=True):
    """The invitation of a table's host, by whose link somebody comes."""

    invitation: str


class PushKeys(msgspec.Struct, frozen=True):
    """The keys of a browser that wants messages (RFC 8291), in base64url."""

    p256dh: str
    auth: str


class PushSubscription(msgspec.Struct, frozen=True):
    """The subscription of a browser to messages, as `PushSubscription.toJSON()` makes it."""

    endpoint: str  # URL at the push service of the browser's maker
    keys: PushKeys


class Identity(msgspec.Struct, frozen=True):
    """The identity of the person who asks, as the server knows them."""

    person: str
    name: str
    lang: str = ""


class ListedWay(msgspec.Struct, frozen=True):
    """A thing that the person can do at a table of the list."""

    kind: str  # `seat`, `bot`, `ask`, `watch`, `password`, `remind`; `go_on` at their own table
    name: str  # in words


class ListedTable(msgspec.Struct, frozen=True):
    """A table in the lobby; most fields are empty for people who may only know its name."""

    table: str  # its id
    name: str = ""
    access: str = "public"
    needs_password: bool = False  # whether the person has to enter it before coming in
    host: str = ""
    state: str = ""  # `waiting`, `playing` or `paused`
    rules: str = ""  # the preset, and differences from it as they are typed after `--set`
    told: str = ""  # the rules in a phrase; this and other words in the language of who asks
    pace: str = ""  # the time for a choice, in words
    players: str = ""  # the people and bots there, and the number of free seats, in words
    going: str = ""  # how far a match has come that goes on, in words
    languages: tuple[str, ...] = ()  # codes of those that people there read
    planned: float | None = None  # time for which it is planned, in seconds since 1970
    ways: tuple[ListedWay, ...] = ()  # the things to do there
    seats: int = 0
    free: int = 0  # seats that a person could take
    invitation: str = ""  # for the host of a public table: the part after `/invited/` in the link


class WaitingTable(msgspec.Struct, frozen=True):
    """The table with a match that waits for the person."""

    table: str  # its id
    name: str


class ListedTables(msgspec.Struct, frozen=True):
    """The tables that anybody can find, as the first page lists them."""

    tables: tuple[ListedTable, ...] = ()  # the person's own first, then seats to take, …
    waiting: WaitingTable | None = None  # of several the one that has changed last
