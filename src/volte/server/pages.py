"""The pages of the playroom beside its tables: settings, rules and explanations."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.lessons import lesson_page, puzzle_page
from volte.people.settings_page import (
    keep_helped,
    keep_settings,
    keep_verbosity,
    list_keys,
    settings_form,
    show_settings,
)
from volte.rules import PRESETS, make_ruleset, preset
from volte.say import N_
from volte.say.rulesheet.options import preset_summary, preset_title
from volte.say.rulesheet.sheet import rule_sheet
from volte.say.texts import sections
from volte.server import accessibility_page
from volte.server.tables import arriving
from volte.server.tables import pages as table_pages
from volte.server.tables.lobby import first_page
from volte.web.controls import presets_told
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route


def routes() -> list[BaseRoute]:
    return [
        route("/", first_page),
        route("/lobby", first_page),
        route("/me", show_settings, methods=["GET"]),
        route("/me", keep_settings, methods=["POST"]),
        route("/me/form", settings_form),
        route("/me/helped", keep_helped, methods=["POST"]),
        route("/me/verbosity", keep_verbosity, methods=["POST"]),
        route("/help", help_page),
        route("/rules", rules),
        route("/rules/{preset}", rules_of),
        route("/history", history),
        route("/fair", fair),
        *accessibility_page.routes(),
        *arriving.routes(),
        *lesson_page.routes(),
        *puzzle_page.routes(),
        *table_pages.routes(),
    ]


async def help_page(visit: Visit) -> Response:
    words = visit.words
    return page(
        visit, "help.html", presets=presets_told(words), keys_told=list_keys(words, visit.person)
    )


# Rules


async def rules(visit: Visit) -> Response:
    return page(visit, "rules.html", presets=presets_told(visit.words))


async def rules_of(visit: Visit) -> Response:
    words = visit.words
    name = visit.path_params["preset"]
    if name not in PRESETS:
        raise Refused(404, "not_found")
    chosen = preset(name)
    wanted = visit.query_params.get("players", "")
    players = next((each for each in chosen.players if str(each) == wanted), chosen.players[0])
    return page(
        visit,
        "preset.html",
        name=name,
        title=preset_title(words, name),
        summary=preset_summary(words, name),
        numbers=sorted(chosen.players),
        players=players,
        sections=rule_sheet(make_ruleset(name, {"players": players}), words),
        sheet_fault="",
    )


# Texts


async def history(visit: Visit) -> Response:
    """The page that tells where the game comes from."""
    return _text(visit, N_("Where the game comes from"), "origins")


async def fair(visit: Visit) -> Response:
    """The page that tells how cards are dealt so that nobody can choose them."""
    return _text(visit, N_("Why nobody can cheat when dealing"), "fairness")


def _text(visit: Visit, title: str, name: str) -> Response:
    words = visit.words
    return page(visit, "text.html", title=words.t(title), sections=sections(words, name))
