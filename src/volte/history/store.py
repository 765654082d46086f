"""What has come of matches, and what it makes people's ratings: worked out from the logs.

Nothing here is the truth: it can be thrown away (`forget_all`) and is worked out again. So can
reviews, which are made where somebody asks for one.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Index, Integer, case, cast, delete, func, select, type_coerce, update

from volte.store.part import Part
from volte.store.schema import LISTINGS, MATCHES, PEOPLE, PLAYERS, table
from volte.store.writer import NewRow, One, Write, insert, one, put

RECKONED: Final = table("reckoned", {"match": str, "at": float}, "match", match=MATCHES)
"""The matches whose results are stored."""


class Result(msgspec.Struct, frozen=True):
    """The result of a match for somebody who played in it."""

    match: str
    seat: int
    person: str  # id; empty for a bot
    name: str  # at that time
    level: str  # of a bot
    rules: str  # the preset, or `other`
    players: int  # seats
    people: int  # who began the match, without bots
    deals: int
    total: int
    place: int  # from 1, among the sides; equal points share the better place
    stake: int | None  # won, negative if lost; None where nothing was played for
    moons: int  # shot, alone or by the side; slams among them
    queens: int  # of spades, taken in tricks or with the kitty
    left: bool  # whether they had left before the end
    late: bool  # whether they came while it was played, and so have not played all of it
    rated: bool  # whether it counts for the ratings
    ended: float  # seconds since 1970


RESULTS: Final = table(
    "results",
    Result,
    "match seat person",
    Index("results_by_person", "person", "ended"),
    match=MATCHES,
)

PEOPLE_THERE: Final = RESULTS.c.people > 1
"""Whether other people have played, beside the one whose result it is."""


class Rating(msgspec.Struct, frozen=True):
    """How well somebody plays a game, by the model of Plackett and Luce."""

    person: str
    ladder: str  # the game, by its preset
    mu: float  # the mean
    sigma: float  # one standard deviation
    matches: int  # how many it was worked out from
    at: float  # when the last of them ended, in seconds since 1970


RATINGS: Final = table(
    "ratings",
    Rating,
    "person ladder",
    Index("ratings_by_ladder", "ladder", "mu"),
    person=PEOPLE,
)


class Standing(NamedTuple):
    """A place in the standings."""

    person: str
    name: str
    rating: Rating


class StoredReview(msgspec.Struct, frozen=True):
    """A match that is looked back on for somebody who played in it, or has been."""

    match: str
    person: str
    seat: int
    at: float  # the last sign of the work, in seconds since 1970
    percent: int  # of the work that is done; `FAILED` where it came to nothing
    found: dict[str, Any] | None = None  # `Findings`, as JSON has them; None before the end


FAILED: Final = -1

REVIEWS: Final = table(
    "reviews",
    StoredReview,
    "match person",
    Index("reviews_by_person", "person"),
    match=MATCHES,
    person=PEOPLE,
)


class Statistics(msgspec.Struct, frozen=True):
    """Sums over a person's matches of a game, among people or with bots alone."""

    rules: str
    people: bool  # whether other people played
    matches: int  # played from the beginning to the end; all that follows is of these
    won: int  # first places, shared ones too
    places: int  # the sum of all places
    deals: int
    points: int
    moons: int
    queens: int
    left: int  # matches that were left, which count nowhere else


class Results(Part):
    """Results and ratings."""

    met = (RESULTS.c.person,)

    # Matches that are over

    async def unreckoned(self, before: float, since: float = 0.0, limit: int = 100) -> list[str]:
        """Matches that ended in that time and have no results yet, the first that ended first."""
        query = select(MATCHES.c.id).outerjoin(RECKONED, RECKONED.c.match == MATCHES.c.id)
        query = query.where(MATCHES.c.ended <= before, MATCHES.c.ended >= since)
        query = query.where(RECKONED.c.match.is_(None))
        return await self._column(query.order_by(MATCHES.c.ended, MATCHES.c.id).limit(limit))

    async def lying(self, before: float) -> list[str]:
        """Tables where a rated match goes on, and whose listing has not changed since then."""
        query = select(MATCHES.c.table).join(LISTINGS, LISTINGS.c.table == MATCHES.c.table)
        query = query.where(MATCHES.c.ended.is_(None), MATCHES.c.rated == 1)
        query = query.where(LISTINGS.c.updated <= before, LISTINGS.c.state != "closed")
        return await self._column(query.order_by(MATCHES.c.begun))

    async def reckoned(self, match: str) -> bool:
        """Whether the results of a match are stored."""
        return bool(await self._column(select(RECKONED.c.match).where(RECKONED.c.match == match)))

    async def keep(
        self,
        match: str,
        results: Collection[Result],
        ratings: Sequence[Rating] = (),
        before: Collection[Rating] = (),
    ) -> None:
        """Stores the results of a match, once.

        Args:
            ratings: as they are after it.
            before: those of them that were known before it.

        Raises `Conflict` where that has been done, or where a rating has changed meanwhile; then
        nothing is written.
        """
        known = {rating.person: rating.matches for rating in before}
        await self._write(
            insert(RECKONED, match=match, at=time.time()),
            *(insert(RESULTS, result) for result in results),
            *(_rated(rating, known.get(rating.person)) for rating in ratings),
        )

    async def number(self) -> int:
        """How many matches are over."""
        query = select(func.count()).select_from(MATCHES).where(MATCHES.c.ended.is_not(None))
        return await self._value(query, 0)

    async def forget_all(self) -> None:
        """Throws all results and ratings away, so that they are worked out anew from the logs."""
        await self._write(delete(RECKONED), delete(RESULTS), delete(RATINGS))

    # Results

    async def of_matches(self, matches: Collection[str]) -> dict[str, list[Result]]:
        """By match, its results in the order of the seats."""
        query = select(RESULTS).where(RESULTS.c.match.in_(sorted(matches)))
        found: dict[str, list[Result]] = {match: [] for match in matches}
        if not matches:
            return found
        query = query.order_by(RESULTS.c.match, RESULTS.c.seat, RESULTS.c.late)
        for result in await self._all(Result, query):
            found[result.match].append(result)
        return found

    async def matches_of(
        self,
        person: str,
        *,
        rules: str = "",
        people: bool | None = None,
        skip: int = 0,
        limit: int = 50,
    ) -> list[str]:
        """Ids of the matches in which that person played, latest first.

        Args:
            rules: of one game; then only matches that have come to something.
            people: those with other people, or those with bots alone; likewise.
        """
        if rules or people is not None:
            query = select(RESULTS.c.match).where(RESULTS.c.person == person)
            if rules:
                query = query.where(RESULTS.c.rules == rules)
            if people is not None:
                query = query.where(PEOPLE_THERE if people else RESULTS.c.people <= 1)
            query = query.order_by(RESULTS.c.ended.desc(), RESULTS.c.match)
        else:
            seats = select(PLAYERS.c.match).where(PLAYERS.c.person == person)
            began = select(PLAYERS.c.match).where(PLAYERS.c.began == person)
            query = select(MATCHES.c.id).where(MATCHES.c.id.in_(seats.union(began)))
            query = query.order_by(MATCHES.c.begun.desc(), MATCHES.c.id)
        return await self._column(query.offset(skip).limit(limit))

    async def all_of(self, person: str, limit: int | None = None) -> list[Result]:
        """All results of a person, or so many, latest first."""
        query = select(RESULTS).where(RESULTS.c.person == person)
        return await self._all(Result, query.order_by(RESULTS.c.ended.desc()).limit(limit))

    async def statistics(self, person: str) -> list[Statistics]:
        """What a person's matches come to, game by game, with people and with bots apart."""
        columns = RESULTS.c
        left = type_coerce(columns.left, Integer)
        whole = case((left == 0, 1), else_=0)
        won = case((columns.place == 1, whole), else_=0)
        parts = (columns.place, columns.deals, columns.total, columns.moons, columns.queens)
        sums = (whole, won, *(column * whole for column in parts), left)
        people = cast(case((PEOPLE_THERE, 1), else_=0), Integer)
        query = select(columns.rules, people, *(func.sum(each) for each in sums))
        query = query.where(columns.person == person, columns.late == 0)
        rows = await self._reader.rows(query.group_by(columns.rules, people))
        return [Statistics(rules, bool(with_), *map(int, rest)) for rules, with_, *rest in rows]

    # Ratings

    async def rating(self, person: str, ladder: str) -> Rating | None:
        """The rating of one person in one game; None where there is none."""
        return (await self.ratings([person], ladder)).get(person)

    async def ratings(self, people: Collection[str], ladder: str) -> dict[str, Rating]:
        """The ratings of those people in one game, by person, as far as they have one."""
        query = select(RATINGS).where(RATINGS.c.ladder == ladder)
        rows = await self._among(query, RATINGS.c.person, people)
        return {row.person: Rating(*row) for row in rows}

    async def ratings_of(self, person: str) -> list[Rating]:
        """The ratings of one person in all games."""
        query = select(RATINGS).where(RATINGS.c.person == person).order_by(RATINGS.c.ladder)
        return await self._all(Rating, query)

    async def ladders(self) -> dict[str, int]:
        """The games in which people are rated, and how many are."""
        query = select(RATINGS.c.ladder, func.count()).group_by(RATINGS.c.ladder)
        return {row[0]: row[1] for row in await self._reader.rows(query)}

    async def standings(
        self, ladder: str, least: int, *, fewer: bool = False, skip: int = 0, limit: int = 50
    ) -> list[Standing]:
        """Who plays that game best, those with so many rated matches at least; or with fewer."""
        query = select(RATINGS, PEOPLE.c.name).join(PEOPLE, PEOPLE.c.id == RATINGS.c.person)
        enough = RATINGS.c.matches < least if fewer else RATINGS.c.matches >= least
        query = query.where(RATINGS.c.ladder == ladder, enough)
        query = query.order_by(RATINGS.c.mu.desc(), RATINGS.c.person).offset(skip).limit(limit)
        rows = await self._reader.rows(query)
        return [Standing(row.person, row.name, Rating(*row[:-1])) for row in rows]

    async def export(self, person: str) -> dict[str, Any]:
        asdict = msgspec.structs.asdict
        return {
            "results": [asdict(each) for each in await self.all_of(person)],
            "ratings": [asdict(each) for each in await self.ratings_of(person)],
        }

    def forgetting(self, person: str) -> tuple[Write, ...]:
        """The matches of others stay what they were, with nobody at that seat."""
        theirs = RESULTS.c.person == person
        return (
            update(PLAYERS).where(PLAYERS.c.person == person).values(person=""),
            update(PLAYERS).where(PLAYERS.c.began == person).values(began=""),
            delete(RESULTS).where(theirs, RESULTS.c.late == 1),
            update(RESULTS).where(theirs).values(person="", name=""),
            delete(RATINGS).where(RATINGS.c.person == person),
        )


class Reviews(Part):
    """What looking back on matches has come to."""

    async def of(self, match: str, person: str) -> StoredReview | None:
        """The review of a match for that person, finished or not."""
        query = select(REVIEWS).where(REVIEWS.c.match == match, REVIEWS.c.person == person)
        return await self._first(StoredReview, query)

    async def finished(self, person: str) -> list[StoredReview]:
        """All finished ones of a person, in the order in which the matches ended."""
        query = select(REVIEWS).join(MATCHES, MATCHES.c.id == REVIEWS.c.match)
        query = query.where(REVIEWS.c.person == person, REVIEWS.c.found.is_not(None))
        return await self._all(StoredReview, query.order_by(MATCHES.c.ended, MATCHES.c.id))

    async def begin(self, begun: StoredReview) -> None:
        """A review that is to be made, in place of one that has failed or was broken off."""
        await self._write(put(REVIEWS, begun))

    async def go_on(self, review: StoredReview) -> None:
        """How far it is, or what has come of it; nothing where its person has been forgotten."""
        columns = REVIEWS.c
        ours = update(REVIEWS).where(columns.match == review.match)
        ours = ours.where(columns.person == review.person, columns.found.is_(None))
        values = {"at": review.at, "percent": review.percent, "found": review.found}
        await self._write(ours.values(values))

    async def export(self, person: str) -> dict[str, Any]:
        return {"reviews": [msgspec.structs.asdict(each) for each in await self.finished(person)]}

    def forgetting(self, person: str) -> tuple[Write, ...]:
        return (delete(REVIEWS).where(REVIEWS.c.person == person),)


def _rated(rating: Rating, before: int | None) -> NewRow | One:
    """A first rating; or one in place of that after so many matches, and of no other."""
    if before is None:
        return insert(RATINGS, rating)
    columns = RATINGS.c
    known = update(RATINGS).where(columns.person == rating.person, columns.matches == before)
    return one(known.where(columns.ladder == rating.ladder).values(msgspec.structs.asdict(rating)))
