"""Matches, statistics and ratings for programs, in JSON, without ids of people."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.history.match_page import made_from, match_over
from volte.history.pages import MatchQuery, matches_of, page_number
from volte.history.ratings import ENOUGH, Skill
from volte.history.ratings_page import LADDER_PAGE
from volte.history.results import outcome_of
from volte.history.rows import MatchResults, Result
from volte.history.store import Results
from volte.rules import PRESETS
from volte.store import MatchRow
from volte.web.page import as_json
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route


def routes() -> list[BaseRoute]:
    return [
        route("/api/matches", matches),
        route("/api/matches/{match}", match),
        route("/api/statistics", statistics),
        route("/api/ratings/{ladder}", ratings),
    ]


class PlayerResult(msgspec.Struct, frozen=True):
    """The result of a match for one of its players; see `volte.history.rows.Result`."""

    seat: int
    name: str
    level: str
    own: bool  # whether it is the visitor's
    place: int
    total: int
    stake: int | None
    moons: int
    queens: int
    left: bool
    late: bool


class MatchSummary(msgspec.Struct, frozen=True):
    """A match with its results."""

    match: str
    table: str
    begun: float  # seconds since 1970
    ended: float | None  # seconds since 1970; null while it goes on
    rated: bool
    rules: str
    results: tuple[PlayerResult, ...]  # empty before it is over; see `Outcome` if broken off


class Rated(msgspec.Struct, frozen=True):
    """A person's place in the standings."""

    place: int
    name: str
    own: bool
    rating: int
    margin: int
    matches: int


async def matches(visit: Visit) -> Response:
    """The visitor's matches, the latest first; filtered by `rules`, `company` and `page`."""
    who, room = visit.someone().id, visit.room
    rows, more = await matches_of(room, who, MatchQuery.of(visit))
    results = await room[MatchResults].of_matches([row.id for row in rows])
    own = [_match(row, results[row.id], who) for row in rows]
    return as_json({"matches": own, "more": more})


async def match(visit: Visit) -> Response:
    """A match that is over, for a visitor who may see it."""
    row = await match_over(visit)
    outcome = await made_from(visit, row, lambda log: outcome_of(row, log))
    return as_json(_match(row, outcome.results, visit.who))


async def statistics(visit: Visit) -> Response:
    """The visitor's statistics; see `volte.history.rows.Statistics`."""
    found = await visit.room[MatchResults].statistics(visit.someone().id)
    return as_json({"statistics": found})


async def ratings(visit: Visit) -> Response:
    """The standings of a game: people with enough rated matches, page by page."""
    who, ladder = visit.someone().id, visit.path_params["ladder"]
    if ladder not in PRESETS:
        raise Refused(404, "not_found")
    results, skip = room_of(visit).store[Results], (page_number(visit) - 1) * LADDER_PAGE
    found = await results.standings(ladder, ENOUGH, skip=skip, limit=LADDER_PAGE)
    standings = []
    for place, each in enumerate(found, skip + 1):
        skill, matches = Skill(each.rating.mu, each.rating.sigma), each.rating.matches
        own = each.person == who
        standings.append(Rated(place, each.name, own, skill.points, skill.margin, matches))
    return as_json({"ladder": ladder, "standings": standings})


def _match(row: MatchRow, results: Sequence[Result], who: str) -> MatchSummary:
    shared = [name for name in PlayerResult.__struct_fields__ if name != "own"]
    came = tuple(
        PlayerResult(
            own=bool(who) and each.person == who, **{name: getattr(each, name) for name in shared}
        )
        for each in results
    )
    rules = results[0].rules if results else ""
    return MatchSummary(row.id, row.table, row.begun, row.ended, row.rated, rules, came)
