"""Ratings: the games in which people are rated, and who plays each of them best."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.history.ratings import ENOUGH, MIDDLE, UNKNOWN, Skill
from volte.history.store import Rating, Results, Standing
from volte.rules import PRESETS
from volte.say import Words
from volte.say.rulesheet.options import preset_title
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route

A_PAGE: Final = 50
MOST_PAGES: Final = 10_000
MOST_PROVISIONAL: Final = 50
"""People with few rated matches who are named, those with the most points."""


def routes() -> list[BaseRoute]:
    return [route("/ratings", ratings, named=True), route("/ratings/{ladder}", ladder, named=True)]


async def ratings(visit: Visit) -> Response:
    """`/ratings`: the games, how many are rated in each, and one's own ratings."""
    words = visit.words
    results = visit.room.store[Results]
    counts = await results.ladders()
    own = {each.ladder: each for each in await results.ratings_of(visit.known().id)}
    return page(
        visit,
        "ratings.html",
        ladders=[
            {
                "name": name,
                "title": preset_title(words, name),
                "people": words.number(counts[name]),
                "own": told(words, own[name]) if name in own else "–",
            }
            for name in PRESETS
            if name in counts
        ],
        **_meaning(words),
    )


async def ladder(visit: Visit) -> Response:
    """`/ratings/{ladder}`: who plays a game best."""
    words = visit.words
    name = visit.path_params["ladder"]
    if name not in PRESETS:
        raise Refused(404, "not_found")
    number = page_asked(visit)
    results, skip = visit.room.store[Results], (number - 1) * A_PAGE
    placed = await results.standings(name, ENOUGH, skip=skip, limit=A_PAGE + 1)
    few = await results.standings(name, ENOUGH, fewer=True, limit=MOST_PROVISIONAL)
    me = visit.known().id
    own = await results.rating(me, name)
    return page(
        visit,
        "ladder.html",
        ladder=name,
        title=preset_title(words, name),
        own=told(words, own) if own is not None else "",
        rows=[_row(words, each, me, skip + place) for place, each in enumerate(placed[:A_PAGE], 1)],
        few=[_row(words, each, me) for each in few] if number == 1 else [],
        further=f"/ratings/{name}?page={number + 1}" if len(placed) > A_PAGE else "",
        before=f"/ratings/{name}?page={number - 1}" if number > 1 else "",
        **_meaning(words),
    )


def told(words: Words, rating: Rating) -> str:
    """A rating and how sure it is: "1512 ± 80"; with few matches, that it may still change."""
    skill = Skill(rating.mu, rating.sigma)
    points, margin = str(skill.points), str(skill.margin)
    if rating.matches >= ENOUGH:
        return words.t("{points} ± {margin}", points=points, margin=margin)
    return words.t("{points} ± {margin}, provisional", points=points, margin=margin)


def _row(words: Words, standing: Standing, me: str, place: int = 0) -> dict[str, Any]:
    rating = standing.rating
    skill = Skill(rating.mu, rating.sigma)
    own = standing.person == me
    return {
        "place": words.number(place) if place else "",
        "name": words.t("{name} (you)", name=standing.name) if own else standing.name,
        "own": own,
        "rating": f"{skill.points} ± {skill.margin}",
        "matches": words.number(rating.matches),
    }


def _meaning(words: Words) -> dict[str, Any]:
    """What the numbers mean."""
    numbers = {"start": str(MIDDLE), "margin": str(UNKNOWN.margin), "least": ENOUGH}
    return {
        "meaning": words.t(
            "Everybody begins with {start} points and rises by finishing before others who have"
            " many. The number behind ± says how sure that is: 19 times in 20 the true strength"
            " lies so close. It begins with {margin} and shrinks with every rated match; with"
            " fewer than {least} of them a rating is provisional, and has no place among the"
            " others.",
            **numbers,
        )
    }


def page_asked(visit: Visit) -> int:
    """The number of the page that the address asks for, from 1."""
    text = visit.query_params.get("page", "")
    known = text.isascii() and text.isdecimal() and len(text) <= 5
    return min(max(int(text), 1), MOST_PAGES) if known else 1
