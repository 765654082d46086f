"""Seeks: people who would play with anybody, what they wish, and where they sit meanwhile."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.rules import PRESETS, make_ruleset
from volte.table.setup import LEAST_CLOCK, Setup, game_of

BRISK: Final = LEAST_CLOCK
"""Seconds for a choice at a table opened for somebody who likes a clock."""

NEAR: Final = 200
"""Points of a rating within which somebody is of one's own level."""


class Tempo(StrEnum):
    """The pace of a table, as somebody wishes it."""

    ANY = ""
    CALM = "calm"  # no clock
    BRISK = "brisk"  # a clock


@cache
def game_named(preset: str) -> str:
    """The first of all presets with the same rules; what is no preset stays as it is."""
    return game_of(make_ruleset(preset)) if preset in PRESETS else preset


class Wish(msgspec.Struct, frozen=True):
    """A game that somebody would play with people, and with whom."""

    preset: str = ""  # the named ruleset; empty for any
    players: int = 0  # seats of the table; 0 for any number
    pace: Tempo = Tempo.ANY
    langs: tuple[str, ...] = ()  # languages of which others speak one; empty for any
    near: bool = False  # whether the others are to be of about one's own rating

    @property
    def game(self) -> str:
        """The preset by which the game is known whatever it is called; empty for any.

        >>> Wish("microsoft").game
        'dame-de-pique'
        """
        return game_named(self.preset)

    def suits(self, there: MeetingTable) -> bool:
        """Whether the game of a table is what is wished."""
        pace = Tempo.BRISK if there.clock else Tempo.CALM
        return (
            self.game in ("", there.preset)
            and self.players in (0, there.players)
            and self.pace in (Tempo.ANY, pace)
        )


class MeetingTable(msgspec.Struct, frozen=True):
    """A meeting table, as its node has seen it last."""

    preset: str = ""  # the first preset with its rules, or `other`
    players: int = 0  # its seats
    clock: int = 0  # seconds for a choice; 0 for no clock
    company: tuple[str, ...] = ()
    """Ids of the people who have a seat there, or who have asked for one by hand, in their order;
    empty as long as no node has looked."""
    names: tuple[str, ...] = ()  # of these people

    @classmethod
    def of(cls, setup: Setup) -> MeetingTable:
        return cls(game_of(setup.rules), setup.rules.players, setup.clock)


class Seek(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody who would play with anybody, until they stop or leave."""

    person: str  # id
    wish: Wish
    rating: int = 0  # points of the rating
    since: float = 0.0  # in seconds since 1970; it decides who comes first, and nothing else
    table: str = ""  # id of the meeting table where they sit; empty while one is being found
    there: MeetingTable = MeetingTable()  # that table
    joins: str = ""  # id of the table where they go on at its next chance; empty for none
    asks: bool = False  # whether they have to wait at `joins` for the end of a deal
    sat: bool = False  # whether they have a seat at `joins`, and have only to leave `table`
    back: bool = False  # whether they would rather not go to `joins` any more
    ends: bool = False  # whether they have stopped, and only `joins` has still to hear of it
    refused: tuple[str, ...] = ()  # ids of the tables that would not have them, the latest last
    version: int = 0  # counts the changes, so that nobody builds upon an old one

    @property
    def age(self) -> tuple[float, str]:
        """The key by which the eldest comes first."""
        return self.since, self.person

    @property
    def alone(self) -> bool:
        """Whether nobody else has a seat at their table, as far as its node has seen."""
        return self.there.company == (self.person,)


def seated(seek: Seek) -> Seek:
    """The seek of somebody who has left their table for the one that they joined."""
    return replace(staying(seek), table=seek.joins, there=MeetingTable())


def staying(seek: Seek) -> Seek:
    """The seek of somebody who no longer joins a table."""
    return replace(seek, joins="", asks=False, sat=False, back=False)


def agree(one: Seek, other: Seek) -> bool:
    """Whether two people wish each other's company: by their languages and ratings."""
    here, there = one.wish, other.wish
    speak = not (here.langs and there.langs) or bool({*here.langs} & {*there.langs})
    near = abs(one.rating - other.rating) <= NEAR or not (here.near or there.near)
    return speak and near
