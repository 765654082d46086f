"""The page that replays a match, and the deals that its script asks for."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte import game, referee
from volte.game.codec import card_text
from volte.history.moments import Eyes, retold
from volte.history.records import Log, carried, made_from, match_over
from volte.people.settings_page import wishes
from volte.referee.scores import Table, rows_of_match
from volte.rules import Ruleset, described
from volte.say import Verbosity, Words
from volte.say.measures import day_and_time
from volte.say.rulesheet.options import preset_title
from volte.say.telling import spoken_order
from volte.store import MatchRow
from volte.table import TableEvent
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route

OUTLINE: Final = (game.MatchStarted, game.Dealt, game.Settled)
"""What the page knows from the beginning, beside the score sheet."""


def routes() -> list[BaseRoute]:
    return [
        route("/matches/{match}/replay", replay),
        route("/matches/{match}/replay/{deal:int}", deal),
    ]


async def replay(visit: Visit) -> Response:
    """The page."""
    row = await match_over(visit)
    words = visit.words
    outline, sheet = await made_from(visit, row, _outline)
    started = outline[0]
    assert isinstance(started, game.MatchStarted)
    preset, _ = described(started.rules)
    listing = await visit.room.store.listing(row.table)
    return page(
        visit,
        "replay.html",
        match=row.id,
        carried=carried(visit),
        date=day_and_time(words, row.begun),
        where=listing.name if listing is not None else "",
        rules=preset_title(words, preset),
        seat=_seat(visit, row),
        outline=msgspec.to_builtins(outline, enc_hook=card_text),
        sheet=msgspec.to_builtins(sheet, enc_hook=card_text),
        cards=_names(words, started.rules),
        chosen=wishes(visit),
    )


async def deal(visit: Visit) -> Response:
    """One deal, step by step: `eyes=own` as it was seen then, else with every card open."""
    row = await match_over(visit)
    words = visit.words
    number = visit.path_params["deal"]
    seat = _seat(visit, row)
    eyes = Eyes.OWN if visit.query_params.get("eyes") == Eyes.OWN else Eyes.OPEN
    verbosity = Verbosity(wishes(visit)["verbosity"])
    told = await made_from(
        visit, row, lambda log: retold(words, log, number, seat, eyes, verbosity)
    )
    if not told.moments:
        raise Refused(404, "not_found")
    return Response(msgspec.json.encode(told), media_type="application/json")


def _outline(log: Log) -> tuple[list[referee.Event], Table]:
    """The match deal by deal, no card told twice, and its score sheet."""
    events = [each for each in log if not isinstance(each, TableEvent)]
    outline = [referee.visible(each, None) for each in events if isinstance(each, OUTLINE)]
    return outline, rows_of_match(referee.replay(events))


def _seat(visit: Visit, row: MatchRow) -> int | None:
    """Where whoever asks has sat."""
    who = visit.known().id if visit.person is not None else ""
    for players in (row.players, row.beginners):
        if who and who in players:
            return players.index(who)
    return None


def _names(words: Words, rules: Ruleset) -> dict[str, Any]:
    """The cards of the match in the order in which hands are told: name, and as printed."""
    return {card.text: (words.card(card), words.short(card)) for card in spoken_order(rules.cards)}
