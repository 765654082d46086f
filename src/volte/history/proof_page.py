"""The proof that the deals of a match were fair, for a browser to check by itself (D3)."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte import game
from volte.game.codec import encode
from volte.history.records import Log, carried, made_from, match_over
from volte.people.settings_page import wishes
from volte.say.measures import day_and_time
from volte.web.page import page
from volte.web.visit import Visit, route

PROVING: Final = (
    game.MatchStarted,
    game.Committed,
    game.Promised,
    game.Contributed,
    game.Revealed,
    game.DealerDrawn,
    game.Dealt,
    game.LotsDrawn,
)
"""What proves the cards and the lots."""


def routes() -> list[BaseRoute]:
    return [
        route("/matches/{match}/proof", proof),
        route("/matches/{match}/proof.json", proof_json),
    ]


async def proof(visit: Visit) -> Response:
    """The page, on which the browser checks what `proof.json` tells."""
    row = await match_over(visit)
    words = visit.words
    listing = await visit.room.store.listing(row.table)
    return page(
        visit,
        "proof.html",
        match=row.id,
        carried=carried(visit),
        date=day_and_time(words, row.begun),
        where=listing.name if listing is not None else "",
        chosen=wishes(visit),
    )


async def proof_json(visit: Visit) -> Response:
    """All events of the match that have to do with chance, as they are in the log."""
    row = await match_over(visit)
    content = await made_from(visit, row, _proving)
    return Response(content, media_type="application/json")


def _proving(log: Log) -> bytes:
    return encode([each for each in log if isinstance(each, PROVING)])
