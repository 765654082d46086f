"""Pages of the ratings of all: the games, and the standings of each."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.history.pages import page_number
from volte.history.ratings import ENOUGH, MIDDLE, UNKNOWN, Skill
from volte.history.rows import Rating, Standing
from volte.history.store import Results
from volte.rules import PRESETS
from volte.say import Words
from volte.say.rulesheet.options import preset_title
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route

LADDER_PAGE: Final = 50  # people
MOST_PROVISIONAL: Final = 50
"""Most people with few rated matches in a ladder; the ones with the most points are shown."""


def routes() -> list[BaseRoute]:
    return [
        route("/ratings", ratings, named=True),
        route("/ratings/{ladder}", ladder, named=True),
    ]


async def ratings(visit: Visit) -> Response:
    """`/ratings`: the games, the number of people rated in each, and the visitor's ratings."""
    words, results = visit.words, room_of(visit).store[Results]
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
                "own": rating_text(words, own[name]) if name in own else "–",
            }
            for name in PRESETS
            if name in counts
        ],
        meaning=_meaning(words),
    )


async def ladder(visit: Visit) -> Response:
    """`/ratings/{ladder}`: the standings of a game."""
    words = visit.words
    name = visit.path_params["ladder"]
    if name not in PRESETS:
        raise Refused(404, "not_found")
    number = page_number(visit)
    results, skip = room_of(visit).store[Results], (number - 1) * LADDER_PAGE
    placed = await results.standings(name, ENOUGH, skip=skip, limit=LADDER_PAGE + 1)
    few = await results.standings(name, ENOUGH, fewer=True, limit=MOST_PROVISIONAL)
    me = visit.known().id
    own = await results.rating(me, name)
    return page(
        visit,
        "ladder.html",
        ladder=name,
        title=preset_title(words, name),
        own=rating_text(words, own) if own is not None else "",
        rows=[
            _ladder_row(words, each, me, place)
            for place, each in enumerate(placed[:LADDER_PAGE], skip + 1)
        ],
        few=[_ladder_row(words, each, me) for each in few] if number == 1 else [],
        further=f"/ratings/{name}?page={number + 1}" if len(placed) > LADDER_PAGE else "",
        before=f"/ratings/{name}?page={number - 1}" if number > 1 else "",
        meaning=_meaning(words),
    )


def rating_text(words: Words, rating: Rating) -> str:
    """A rating with its margin: "1512 ± 80"; with few matches also "provisional"."""
    skill = Skill(rating.mu, rating.sigma)
    points, margin = str(skill.points), str(skill.margin)
    if rating.matches >= ENOUGH:
        return words.t("{points} ± {margin}", points=points, margin=margin)
    return words.t("{points} ± {margin}, provisional", points=points, margin=margin)


def _ladder_row(words: Words, standing: Standing, me: str, place: int = 0) -> dict[str, Any]:
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


def _meaning(words: Words) -> str:
    """The explanation of the numbers."""
    return words.t(
        "Everybody starts with a rating of {start}, and gains most by finishing ahead of people "
        "with a high rating. The number after ± says how sure the rating is: 19 times in 20, "
        "the true strength is no further away than that. This number starts at {margin} and "
        "shrinks with every rated match. With fewer than {least} rated matches, a rating is "
        "provisional and is not ranked.",
        start=str(MIDDLE),
        margin=str(UNKNOWN.margin),
        least=ENOUGH,
    )
