"""Matches, statistics and ratings for programs, in JSON: nobody's id but the names told there."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.game.codec import encode
from volte.history.pages import Asked, matches_asked
from volte.history.ratings import ENOUGH, Skill
from volte.history.ratings_page import A_PAGE, page_asked
from volte.history.records import made_from, match_over
from volte.history.results import outcome_of
from volte.history.store import Result, Results
from volte.rules import PRESETS
from volte.store import MatchRow
from volte.web.refused import Refused
from volte.web.visit import Visit, route


def routes() -> list[BaseRoute]:
    return [
        route("/api/matches", matches),
        route("/api/matches/{match}", match),
        route("/api/statistics", statistics),
        route("/api/ratings/{ladder}", ratings),
    ]


class Came(msgspec.Struct, frozen=True):
    """What a match has come to for one of its players; see `volte.history.store.Result`.

    Attributes:
        own: whether it is that of whoever asks.
    """

    seat: int
    name: str
    level: str
    own: bool
    place: int
    total: int
    stake: int | None
    moons: int
    queens: int
    left: bool
    late: bool


class Match(msgspec.Struct, frozen=True):
    """A match.

    Attributes:
        begun, ended: in seconds since 1970; `ended` is null while it goes on.
        results: none before it is over, nor of one that was broken off.
    """

    match: str
    table: str
    begun: float
    ended: float | None
    rated: bool
    rules: str
    results: tuple[Came, ...]


class Rated(msgspec.Struct, frozen=True):
    """Somebody's place in the standings."""

    place: int
    name: str
    own: bool
    rating: int
    margin: int
    matches: int


async def matches(visit: Visit) -> Response:
    """One's own, the latest first; `rules`, `company` and `page` choose among them."""
    who, room = visit.someone().id, visit.room
    rows, more = await matches_asked(room, who, Asked.by(visit))
    results = await room.store[Results].of_matches([row.id for row in rows])
    told = [_match(row, results[row.id], who) for row in rows]
    return _json({"matches": told, "more": more})


async def match(visit: Visit) -> Response:
    """One match that is over, for whoever may see it."""
    row = await match_over(visit)
    outcome = await made_from(visit, row, lambda log: outcome_of(row, log))
    who = visit.known().id if visit.person is not None else ""
    return _json(_match(row, outcome.results, who))


async def statistics(visit: Visit) -> Response:
    """One's own; see `volte.history.store.Statistics`."""
    found = await visit.room.store[Results].statistics(visit.someone().id)
    return _json({"statistics": found})


async def ratings(visit: Visit) -> Response:
    """The standings of a game, those with enough rated matches; `page` for further ones."""
    who, ladder = visit.someone().id, visit.path_params["ladder"]
    if ladder not in PRESETS:
        raise Refused(404, "not_found")
    results, skip = visit.room.store[Results], (page_asked(visit) - 1) * A_PAGE
    found = await results.standings(ladder, ENOUGH, skip=skip, limit=A_PAGE)
    told = []
    for place, each in enumerate(found, skip + 1):
        skill, matches = Skill(each.rating.mu, each.rating.sigma), each.rating.matches
        own = each.person == who
        told.append(Rated(place, each.name, own, skill.points, skill.margin, matches))
    return _json({"ladder": ladder, "standings": told})


def _match(row: MatchRow, results: list[Result] | tuple[Result, ...], who: str) -> Match:
    came = tuple(
        Came(
            seat=each.seat,
            name=each.name,
            level=each.level,
            own=bool(who) and each.person == who,
            place=each.place,
            total=each.total,
            stake=each.stake,
            moons=each.moons,
            queens=each.queens,
            left=each.left,
            late=each.late,
        )
        for each in results
    )
    rules = results[0].rules if results else ""
    return Match(row.id, row.table, row.begun, row.ended, row.rated, rules, came)


def _json(content: Any) -> Response:
    return Response(encode(content), media_type="application/json")
