"""Results of matches, ratings, luck and reviews, as they are stored.

Results, ratings and luck are worked out from the logs: they can be deleted (`forget_all`) and are
worked out again. Reviews can be made again too, if their person asks for it.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import (
    ColumnElement,
    Index,
    Integer,
    case,
    cast,
    delete,
    func,
    select,
    type_coerce,
    update,
)

from volte.history.luck import LuckSum, SeatLuck
from volte.history.rows import Rating, Result, Standing, Statistics, StoredReview
from volte.store.part import Part
from volte.store.schema import LISTINGS, MATCHES, PEOPLE, PLAYERS, table
from volte.store.writer import NewRow, One, Write, insert, one, put

RECKONED: Final = table("reckoned", {"match": str, "at": float}, "match", match=MATCHES)
"""The table of matches whose results are stored."""


RESULTS: Final = table(
    "results",
    Result,
    "match seat person",
    Index("results_by_person", "person", "ended"),
    match=MATCHES,
)

PEOPLE_THERE: Final = RESULTS.c.people > 1
"""Whether other people began the match too, besides the person of the result."""


RATINGS: Final = table(
    "ratings",
    Rating,
    "person ladder",
    Index("ratings_by_ladder", "ladder", "mu"),
    person=PEOPLE,
)


REVIEWS: Final = table(
    "reviews",
    StoredReview,
    "match person",
    Index("reviews_by_person", "person"),
    match=MATCHES,
    person=PEOPLE,
)


LUCK: Final = table("luck", SeatLuck, "match seat", match=MATCHES)


class Results(Part):
    """Results and ratings in the store."""

    met = (RESULTS.c.person,)

    # Matches that are over

    async def unreckoned(self, before: float, since: float = 0.0, limit: int = 100) -> list[str]:
        """Ids of matches without results that ended from `since` to `before`, in that order."""
        query = select(MATCHES.c.id).outerjoin(RECKONED, RECKONED.c.match == MATCHES.c.id)
        query = query.where(MATCHES.c.ended <= before, MATCHES.c.ended >= since)
        query = query.where(RECKONED.c.match.is_(None))
        return await self._column(query.order_by(MATCHES.c.ended, MATCHES.c.id).limit(limit))

    async def lying(self, before: float) -> list[str]:
        """Tables where a rated match goes on, and whose listing has not changed since `before`."""
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
        """Store the results of a match, once.

        Args:
            ratings: the ratings after the match.
            before: the ratings of the same people before it, as far as they had one.

        Raises `Conflict` if they are stored already, or a rating has changed meanwhile; then
        nothing is written.
        """
        known = {rating.person: rating.matches for rating in before}
        await self._write(
            insert(RECKONED, match=match, at=time.time()),
            *(insert(RESULTS, result) for result in results),
            *(_rated(rating, known.get(rating.person)) for rating in ratings),
        )

    async def number(self) -> int:
        """Number of matches that are over."""
        query = select(func.count()).select_from(MATCHES).where(MATCHES.c.ended.is_not(None))
        return await self._value(query, 0)

    async def forget_all(self) -> None:
        """Delete all results and ratings, so that they are worked out again from the logs."""
        await self._write(delete(RECKONED), delete(RESULTS), delete(RATINGS))

    # Results

    async def of_matches(self, matches: Collection[str]) -> dict[str, list[Result]]:
        """Match → its results, in the order of the seats."""
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
        """Ids of the matches in which a person played, the latest first.

        Args:
            rules: only matches of this game, and only matches with results.
            people: True for matches with other people, False for bots alone; likewise.
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
        """All results of a person, or the latest `limit` of them, the latest first."""
        query = select(RESULTS).where(RESULTS.c.person == person)
        return await self._all(Result, query.order_by(RESULTS.c.ended.desc()).limit(limit))

    async def statistics(self, person: str) -> list[Statistics]:
        """Sums over a person's matches, by game, apart for matches with people and with bots."""
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
        """The rating of a person in a game; None without one."""
        return (await self.ratings([person], ladder)).get(person)

    async def ratings(self, people: Collection[str], ladder: str) -> dict[str, Rating]:
        """Person → rating in a game, for the people who have one."""
        query = select(RATINGS).where(RATINGS.c.ladder == ladder)
        rows = await self._among(query, RATINGS.c.person, people)
        return {row.person: Rating(*row) for row in rows}

    async def ratings_of(self, person: str) -> list[Rating]:
        """The ratings of a person in all games."""
        query = select(RATINGS).where(RATINGS.c.person == person).order_by(RATINGS.c.ladder)
        return await self._all(Rating, query)

    async def ladders(self) -> dict[str, int]:
        """Game → number of people rated in it."""
        query = select(RATINGS.c.ladder, func.count()).group_by(RATINGS.c.ladder)
        return {row[0]: row[1] for row in await self._reader.rows(query)}

    async def standings(
        self, ladder: str, least: int, *, fewer: bool = False, skip: int = 0, limit: int = 50
    ) -> list[Standing]:
        """The standings of a game, best first: people with at least `least` rated matches; with
        `fewer`, people with fewer."""
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
        """Writes that forget a person; the results of others stay, with nobody at that seat."""
        theirs = RESULTS.c.person == person
        return (
            update(PLAYERS).where(PLAYERS.c.person == person).values(person=""),
            update(PLAYERS).where(PLAYERS.c.began == person).values(began=""),
            delete(RESULTS).where(theirs, RESULTS.c.late == 1),
            update(RESULTS).where(theirs).values(person="", name=""),
            delete(RATINGS).where(RATINGS.c.person == person),
        )


class StoredLuck(Part):
    """Luck of matches in the store: of all their seats or, before it is worked out, of none.

    It names nobody: who sat there, and whether it counts for them, stands in the results.
    """

    able = False  # whether this process works out what is missing

    async def missing(self, before: float, since: float = 0.0, limit: int = 100) -> list[str]:
        """Ids of matches that ended from `since` to `before`, and have results but no luck; the
        latest first."""
        query = select(MATCHES.c.id).join(RECKONED, RECKONED.c.match == MATCHES.c.id)
        query = query.outerjoin(LUCK, (LUCK.c.match == MATCHES.c.id) & (LUCK.c.seat == 0))
        query = query.where(MATCHES.c.ended <= before, MATCHES.c.ended >= since)
        query = query.where(LUCK.c.match.is_(None))
        return await self._column(query.order_by(MATCHES.c.ended.desc(), MATCHES.c.id).limit(limit))

    async def known(self, match: str) -> bool:
        """Whether the luck of a match is stored."""
        query = select(LUCK.c.match).where(LUCK.c.match == match, LUCK.c.seat == 0)
        return bool(await self._column(query))

    async def keep(self, seats: Collection[SeatLuck]) -> None:
        """Store the luck of all seats of a match, once. Raises `Conflict` if it is stored already,
        and `Gone` if there is no such match any more; then nothing is written."""
        await self._write(*(insert(LUCK, each) for each in seats))

    async def forget_all(self) -> None:
        """Delete all luck, so that it is worked out again from the logs."""
        await self._write(delete(LUCK))

    async def own(self, match: str, person: str) -> SeatLuck | None:
        """The luck of a person in a match that counts for them; None while it is not known."""
        query = select(LUCK).join(RESULTS, _SAME_SEAT).where(LUCK.c.match == match)
        return await self._first(SeatLuck, query.where(*_counts_for(person)).limit(1))

    async def sums(self, person: str) -> list[LuckSum]:
        """Sums over the matches that count for a person, by game and day; without those whose cards
        were set, since nobody drew them."""
        columns, some = LUCK.c, case((LUCK.c.deals > 0, 1), else_=0)
        parts = (columns.deals, columns.points, columns.luck, columns.play)
        sums = (some, 1 - some, *parts, columns.luck_squares, columns.play_squares)
        query = select(RESULTS.c.rules, columns.day, *(func.sum(each) for each in sums))
        query = query.select_from(LUCK.join(RESULTS, _SAME_SEAT)).where(*_counts_for(person))
        query = query.where(columns.given == 0)
        rows = await self._reader.rows(query.group_by(RESULTS.c.rules, columns.day))
        return [LuckSum(*row) for row in rows]

    async def waiting(self, person: str) -> int:
        """Number of matches that count for a person, and whose luck is not known yet."""
        query = select(func.count()).select_from(RESULTS.outerjoin(LUCK, _SAME_SEAT))
        return await self._value(query.where(*_counts_for(person), LUCK.c.match.is_(None)), 0)

    async def export(self, person: str) -> dict[str, Any]:
        query = select(LUCK).join(RESULTS, _SAME_SEAT).where(*_counts_for(person))
        found = await self._all(SeatLuck, query.order_by(LUCK.c.day, LUCK.c.match))
        return {"luck": [msgspec.structs.asdict(each) for each in found]}


_SAME_SEAT: Final = (LUCK.c.match == RESULTS.c.match) & (LUCK.c.seat == RESULTS.c.seat)


def _counts_for(person: str) -> tuple[ColumnElement[bool], ...]:
    """Conditions on results: the person has played the match from beginning to end."""
    theirs = (RESULTS.c.person == person) & (RESULTS.c.person != "")  # which stands for bots
    return theirs, RESULTS.c.late == 0, RESULTS.c.left == 0


class Reviews(Part):
    """Reads and writes the stored reviews of matches."""

    async def of(self, match: str, person: str) -> StoredReview | None:
        """The review of a match for a person, finished or not; None without one."""
        query = select(REVIEWS).where(REVIEWS.c.match == match, REVIEWS.c.person == person)
        return await self._first(StoredReview, query)

    async def finished(self, person: str) -> list[StoredReview]:
        """All finished reviews of a person, in the order in which the matches ended."""
        query = select(REVIEWS).join(MATCHES, MATCHES.c.id == REVIEWS.c.match)
        query = query.where(REVIEWS.c.person == person, REVIEWS.c.found.is_not(None))
        return await self._all(StoredReview, query.order_by(MATCHES.c.ended, MATCHES.c.id))

    async def begin(self, begun: StoredReview) -> None:
        """Store a review that is to be made, in place of one that failed or was broken off."""
        await self._write(put(REVIEWS, begun))

    async def go_on(self, review: StoredReview) -> None:
        """Store progress or findings of an unfinished review, unless its person is forgotten."""
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
    """Write a rating: a first one if `before` is None; else in place of the one after exactly
    `before` matches."""
    if before is None:
        return insert(RATINGS, rating)
    columns = RATINGS.c
    known = update(RATINGS).where(columns.person == rating.person, columns.matches == before)
    return one(known.where(columns.ladder == rating.ladder).values(msgspec.structs.asdict(rating)))
