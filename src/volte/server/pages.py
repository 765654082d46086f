"""The pages of the playroom beside its tables: settings, rules and explanations."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from volte.lessons import lesson_page, puzzle_page
from volte.people.keys_told import keys_told
from volte.people.settings_page import (
    keep_helped,
    keep_settings,
    keep_verbosity,
    settings_form,
    show_settings,
)
from volte.rules import PRESETS, make_ruleset, preset
from volte.say import N_, Words
from volte.say.rulesheet.options import preset_summary, preset_title
from volte.say.rulesheet.sheet import rule_sheet
from volte.say.texts import sections
from volte.server import accessibility_page
from volte.server.tables import arriving
from volte.server.tables import pages as table_pages
from volte.server.tables.lobby import lobby
from volte.web.controls import presets_told
from volte.web.page import page
from volte.web.refused import Refused


def routes() -> list[BaseRoute]:
    """Every page."""
    return [
        Route("/", lobby),
        Route("/lobby", lobby),
        Route("/me", show_settings, methods=["GET"]),
        Route("/me", keep_settings, methods=["POST"]),
        Route("/me/form", settings_form),
        Route("/me/helped", keep_helped, methods=["POST"]),
        Route("/me/verbosity", keep_verbosity, methods=["POST"]),
        Route("/help", help_page),
        Route("/rules", rules),
        Route("/rules/{preset}", rules_of),
        Route("/history", history),
        Route("/fair", fair),
        *accessibility_page.routes(),
        *arriving.routes(),
        *lesson_page.routes(),
        *puzzle_page.routes(),
        *table_pages.routes(),
    ]


async def help_page(request: Request) -> Response:
    """The help page."""
    words: Words = request.state.words
    return page(
        request,
        "help.html",
        presets=presets_told(words),
        keys_told=keys_told(words, request.state.person),
    )


# Rules


async def rules(request: Request) -> Response:
    return page(request, "rules.html", presets=presets_told(request.state.words))


async def rules_of(request: Request) -> Response:
    words: Words = request.state.words
    name = request.path_params["preset"]
    if name not in PRESETS:
        raise Refused(404, "not_found")
    chosen = preset(name)
    wanted = request.query_params.get("players", "")
    players = next((each for each in chosen.players if str(each) == wanted), chosen.players[0])
    return page(
        request,
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


async def history(request: Request) -> Response:
    """Where the game comes from."""
    return _text(request, N_("Where the game comes from"), "origins")


async def fair(request: Request) -> Response:
    """How cards are dealt so that nobody can choose them."""
    return _text(request, N_("Why nobody can cheat when dealing"), "fairness")


def _text(request: Request, title: str, name: str) -> Response:
    words = request.state.words
    return page(request, "text.html", title=words.t(title), sections=sections(words, name))
