"""What has come of matches, and what it makes people's ratings: worked out from the logs.

Nothing here is the truth: it can be thrown away (`forget_all`) and is worked out again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Integer, case, cast, func, select

from volte.store.part import Part
from volte.store.reader import AnyRow, Query, Reader
from volte.store.schema import (
    LISTINGS,
    MATCHES,
    PEOPLE,
    PLAYERS,
    RATINGS,
    RECKONED,
    RESULTS,
)
from volte.store.writer import Change, Writer

PEOPLE_THERE: Final = RESULTS.c.people > 1
"""Whether other people have played, beside the one whose result it is."""


FLAGS: Final = ("left", "late", "rated")
"""What is kept as 0 or 1."""


class Result(msgspec.Struct, frozen=True):
    """What a match has come to for somebody who played in it.

    Attributes:
        person: id; empty for a bot.
        name: as it was told there.
        level: of a bot.
        rules: the preset, or `other`.
        players: seats.
        people: who began the match, bots left out.
        place: from 1, among the sides; whoever has equal points shares the better one.
        stake: won, or lost as a minus; None where nothing was played for.
        moons: shot, alone or by the side; slams among them.
        queens: of spades, taken in tricks or with the kitty.
        left: whether they had left before the end.
        late: whether they came while it was played, and so have not played all of it.
        rated: whether it counts for the ratings.
        ended: in seconds since 1970.
    """

    match: str
    seat: int
    person: str
    name: str
    level: str
    rules: str
    players: int
    people: int
    deals: int
    total: int
    place: int
    stake: int | None
    moons: int
    queens: int
    left: bool
    late: bool
    rated: bool
    ended: float


class Rating(msgspec.Struct, frozen=True):
    """How well somebody plays a game, by the model of Plackett and Luce.

    Attributes:
        ladder: the game, by its preset.
        mu: the mean.
        sigma: how unsure it is, one standard deviation.
        matches: that have made it.
        at: when the last of them was over, in seconds since 1970.
    """

    person: str
    ladder: str
    mu: float
    sigma: float
    matches: int
    at: float


class Standing(NamedTuple):
    """A place in the standings."""

    person: str
    name: str
    rating: Rating


class Statistics(msgspec.Struct, frozen=True):
    """What somebody's matches of a game come to, among people or with bots alone.

    Attributes:
        people: whether other people played.
        matches: played from the beginning to the end; all that follows is of these.
        won: first places, shared ones too.
        places: all together.
        left: matches that were left, which count nowhere else.
    """

    rules: str
    people: bool
    matches: int
    won: int
    places: int
    deals: int
    points: int
    moons: int
    queens: int
    left: int


class Results(Part):
    """Results and ratings."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        super().__init__(reader, writer)
        self._listeners: list[Callable[[str], None]] = []

    # Matches that are over

    def listen(self, listener: Callable[[str], None]) -> None:
        """Has it told the id of every match that ends at this node."""
        self._listeners.append(listener)

    def over(self, match: str) -> None:
        """A match has ended, and its log is kept."""
        for listener in self._listeners:
            listener(match)

    async def unreckoned(self, before: float, since: float = 0.0, limit: int = 100) -> list[str]:
        """Matches that ended between then and then, and have no results yet: as they ended."""
        query = select(MATCHES.c.id).outerjoin(RECKONED, RECKONED.c.match == MATCHES.c.id)
        query = query.where(MATCHES.c.ended <= before, MATCHES.c.ended >= since)
        query = query.where(RECKONED.c.match.is_(None))
        ordered = query.order_by(MATCHES.c.ended, MATCHES.c.id).limit(limit)
        return [match for (match,) in await self._reader.rows(ordered)]

    async def lying(self, before: float) -> list[str]:
        """Tables where a rated match goes on, and whose line has not changed since then."""
        query = select(MATCHES.c.table).join(LISTINGS, LISTINGS.c.table == MATCHES.c.table)
        query = query.where(MATCHES.c.ended.is_(None), MATCHES.c.rated == 1)
        query = query.where(LISTINGS.c.updated <= before, LISTINGS.c.state != "closed")
        return [table for (table,) in await self._reader.rows(query.order_by(MATCHES.c.begun))]

    async def reckoned(self, match: str) -> bool:
        """Whether what has come of a match is kept."""
        query = select(RECKONED.c.match).where(RECKONED.c.match == match)
        return bool(await self._reader.rows(query, match))

    async def keep(
        self,
        match: str,
        results: Collection[Result],
        ratings: Sequence[Rating] = (),
        before: Collection[Rating] = (),
    ) -> None:
        """Keeps what has come of a match, once.

        Args:
            ratings: as they are after it.
            before: those of them that were known before it.

        Raises `Conflict` where that has been done, or where a rating has changed meanwhile; then
        nothing is kept.
        """
        known = {rating.person: rating.matches for rating in before}
        await self._write(
            Change("reckoned", (match,), {"match": match, "at": time.time()}),
            *(Change("result", _key(result), _values(result)) for result in results),
            *(_rated(rating, known.get(rating.person)) for rating in ratings),
        )

    async def number(self) -> int:
        """How many matches are over."""
        query = select(func.count()).select_from(MATCHES).where(MATCHES.c.ended.is_not(None))
        return int((await self._reader.rows(query))[0][0])

    async def forget_all(self) -> None:
        """Throws all results and ratings away, so that they are worked out anew from the logs."""
        names = ("reckoned_over", "results_over", "ratings_over")
        await self._write(*(Change(name, (), {}) for name in names))

    # Results

    async def of_matches(self, matches: Collection[str]) -> dict[str, list[Result]]:
        """By match, its results in the order of the seats."""
        query = select(RESULTS).where(RESULTS.c.match.in_(sorted(matches)))
        found: dict[str, list[Result]] = {match: [] for match in matches}
        if not matches:
            return found
        query = query.order_by(RESULTS.c.match, RESULTS.c.seat, RESULTS.c.late)
        for result in await self._results(query, *matches):
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
        rows = await self._reader.rows(query.offset(skip).limit(limit), person, rules)
        return [match for (match,) in rows]

    async def all_of(self, person: str) -> list[Result]:
        """All results of a person, latest first."""
        query = select(RESULTS).where(RESULTS.c.person == person)
        return await self._results(query.order_by(RESULTS.c.ended.desc()), person)

    async def statistics(self, person: str) -> list[Statistics]:
        """What a person's matches come to, game by game, with people and with bots apart."""
        columns = RESULTS.c
        whole = case((columns.left == 0, 1), else_=0)
        sums = (
            whole,
            case((columns.place == 1, whole), else_=0),
            *(column * whole for column in (columns.place, columns.deals, columns.total)),
            *(column * whole for column in (columns.moons, columns.queens)),
            columns.left,
        )
        people = cast(case((PEOPLE_THERE, 1), else_=0), Integer)
        query = select(columns.rules, people, *(func.sum(each) for each in sums))
        query = query.where(columns.person == person, columns.late == 0)
        rows = await self._reader.rows(query.group_by(columns.rules, people), person)
        return [Statistics(rules, bool(with_), *map(int, rest)) for rules, with_, *rest in rows]

    # Ratings

    async def rating(self, person: str, ladder: str) -> Rating | None:
        """Of one person in one game."""
        return (await self.ratings([person], ladder)).get(person)

    async def ratings(self, people: Collection[str], ladder: str) -> dict[str, Rating]:
        """Of those people in one game, by person, as far as they have one."""
        query = select(RATINGS).where(RATINGS.c.ladder == ladder)
        query = query.where(RATINGS.c.person.in_(sorted(people)))
        rows = await self._reader.rows(query, ladder, *people) if people else ()
        return {row.person: Rating(*row) for row in rows}

    async def ratings_of(self, person: str) -> list[Rating]:
        """Of one person in all games."""
        query = select(RATINGS).where(RATINGS.c.person == person).order_by(RATINGS.c.ladder)
        return [Rating(*row) for row in await self._reader.rows(query, person)]

    async def known(self, people: Collection[str]) -> frozenset[str]:
        """Those of them who are still here."""
        query = select(PEOPLE.c.id).where(PEOPLE.c.id.in_(sorted(people)))
        rows = await self._reader.rows(query, *people) if people else ()
        return frozenset(person for (person,) in rows)

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
        rows = await self._reader.rows(query, ladder)
        return [Standing(row.person, row.name, Rating(*row[:-1])) for row in rows]

    async def export(self, person: str) -> dict[str, Any]:
        """See `Part`."""
        asdict = msgspec.structs.asdict
        return {
            "results": [asdict(each) for each in await self.all_of(person)],
            "ratings": [asdict(each) for each in await self.ratings_of(person)],
        }

    def forgetting(self, person: str) -> tuple[Change, ...]:
        """See `Part`: the others' matches stay what they were, with nobody at that seat."""
        names = (
            *("player_forgotten", "beginner_forgotten", "latecomer_forgotten"),
            *("result_forgotten", "rating_forgotten"),
        )
        return tuple(Change(name, (person,), {"gone": person}) for name in names)

    async def _results(self, query: Query, *texts: str) -> list[Result]:
        return [_result(row) for row in await self._reader.rows(query, *texts)]


def _key(result: Result) -> tuple[str, int, str]:
    return result.match, result.seat, result.person


def _values(result: Result) -> dict[str, Any]:
    return msgspec.structs.asdict(result) | {name: int(getattr(result, name)) for name in FLAGS}


def _result(row: AnyRow) -> Result:
    values = row._asdict()
    flags = {name: bool(values[name]) for name in FLAGS}
    return Result(**values | flags)


def _rated(rating: Rating, before: int | None) -> Change:
    """A first rating; or one in place of that after so many matches, and of no other."""
    key, values = (rating.person, rating.ladder), msgspec.structs.asdict(rating)
    if before is None:
        return Change("rating_first", key, values)
    person, ladder = values.pop("person"), values.pop("ladder")
    where = {"of_person": person, "of_ladder": ladder, "before": before}
    return Change("rating_next", key, values | where)
