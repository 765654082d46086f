"""Rows of results, ratings and reviews, and what pages of matches want of any store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from volte.history.luck import LuckSum, SeatLuck
from volte.store.rows import Entry, Listing, MatchRow, Person


class Result(msgspec.Struct, frozen=True):
    """The result of a match for one of its players."""

    match: str
    seat: int
    person: str  # id; empty for a bot
    name: str  # at the time of the match
    level: str  # of a bot
    rules: str  # the preset, or `other`
    players: int  # seats
    people: int  # number of people who began the match, without bots
    deals: int
    total: int
    place: int  # from 1, among the sides; equal points share the better place
    stake: int | None  # stakes won, negative if lost; None where nothing was played for
    moons: int  # moons shot, alone or by the side, slams included
    queens: int  # queens of spades taken, in tricks or with the kitty
    left: bool  # whether the player left before the end
    late: bool  # whether the player came in the middle, and so has not played all of it
    rated: bool  # whether it counts for the ratings
    ended: float  # seconds since 1970


class Rating(msgspec.Struct, frozen=True):
    """The rating of a person in a game, by the model of Plackett and Luce."""

    person: str
    ladder: str  # the game, by its preset
    mu: float  # the mean
    sigma: float  # one standard deviation
    matches: int  # number of rated matches behind it
    at: float  # end of the last of them, in seconds since 1970


class Standing(NamedTuple):
    """A place in the standings."""

    person: str
    name: str
    rating: Rating


class StoredReview(msgspec.Struct, frozen=True):
    """A review of a match for one of its players, finished or not."""

    match: str
    person: str
    seat: int
    at: float  # last sign of life, in seconds since 1970
    percent: int  # part of the work that is done; `FAILED` after a failure
    found: dict[str, Any] | None = None  # `Findings` as JSON; None before the end


FAILED: Final = -1
"""Percentage of a review that has failed."""


class Statistics(msgspec.Struct, frozen=True):
    """Sums over a person's matches of a game, among people or with bots alone."""

    rules: str
    people: bool  # whether other people played
    matches: int  # matches played from the beginning to the end; the sums below are of these
    won: int  # first places, shared ones too
    places: int  # sum of all places
    deals: int
    points: int
    moons: int
    queens: int
    left: int  # matches that the person left, which count in no other sum


class MatchStore(Protocol):
    """Matches with their logs, tables and people: in a database, or in a browser.

    Every method raises `Unavailable` while nothing can be read.
    """

    async def match(self, match: str) -> MatchRow | None:
        """The row of a match, by its id; None where there is none."""

    async def matches_at(self, table: str) -> list[MatchRow]:
        """The matches of a table, in their order."""

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> list[Entry]:
        """The entries of a stream after version `after`, up to version `until`."""

    async def listing(self, table: str) -> Listing | None:
        """The line of a table, by its id; None where there is none."""

    async def listings_at(self, tables: Collection[str]) -> Mapping[str, Listing]:
        """Table → its line, for those of the tables that there are."""

    async def person(self, person: str) -> Person | None:
        """The row of a person, by id; None where there is none."""


class MatchResults(Protocol):
    """Results of matches that are over, and lists of the matches of a person."""

    async def of_matches(self, matches: Collection[str]) -> Mapping[str, Sequence[Result]]:
        """Match → its results, in the order of the seats."""

    async def matches_of(
        self,
        person: str,
        *,
        rules: str = "",
        people: bool | None = None,
        skip: int = 0,
        limit: int = 50,
    ) -> list[str]:
        """Ids of the matches in which a person played, the latest first.

        Args:
            rules: only matches of this game, and only matches with results.
            people: True for matches with other people, False for bots alone; likewise.
        """

    async def statistics(self, person: str) -> list[Statistics]:
        """Sums over a person's matches, by game, apart for matches with people and with bots."""


class MatchLuck(Protocol):
    """Luck in matches that are over, as far as it is known.

    A match counts for people who have played it from beginning to end.
    """

    @property
    def able(self) -> bool:
        """Whether what is missing is worked out here."""

    async def own(self, match: str, person: str) -> SeatLuck | None:
        """The luck of a person in a match that counts for them; None while it is not known."""

    async def sums(self, person: str) -> list[LuckSum]:
        """Sums over the matches that count for a person, by game and day."""

    async def waiting(self, person: str) -> int:
        """Number of matches that count for a person, and whose luck is not known yet."""
