"""Pages of the rules: all games, and the rules of one."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.rules import PRESETS, make_ruleset, preset
from volte.say import Words
from volte.say.rulesheet.options import preset_summary, preset_title
from volte.say.rulesheet.sheet import rule_sheet
from volte.web.controls import presets_told
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route


def routes() -> list[BaseRoute]:
    return [route("/rules", rules), route("/rules/{preset}", rules_of)]


async def rules(visit: Visit) -> Response:
    return page(visit, "rules.html", presets=presets_told(visit.words))


async def rules_of(visit: Visit) -> Response:
    words = visit.words
    name = visit.path_params["preset"]
    if name not in PRESETS:
        raise Refused(404, "not_found")
    chosen = preset(name)
    wanted = visit.query_params.get("players", "")
    real_cards = visit.query_params.get("cards") == "real"
    players = next((each for each in chosen.players if str(each) == wanted), chosen.players[0])
    return page(visit, "preset.html", **rules_context(words, name, players, real_cards))


def rules_context(
    words: Words, name: str, players: int, real_cards: bool = False
) -> dict[str, Any]:
    """Context for the page of the rules of a game, for a number of players."""
    return {
        "name": name,
        "title": preset_title(words, name),
        "summary": preset_summary(words, name),
        "numbers": sorted(PRESETS[name].players),
        "players": players,
        "cards": "&cards=real" if real_cards else "",
        "sections": rule_sheet(make_ruleset(name, {"players": players}), words, real_cards),
        "sheet_fault": "",
    }
