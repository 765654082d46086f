"""The pages of the playroom beside its tables: who one is, settings, rules, fair dealing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from volte.cards import Fault
from volte.rules import PRESETS, make_ruleset, preset
from volte.server import table_pages
from volte.server.guests import new_guest
from volte.server.lobby_page import lobby
from volte.server.page import STATIC, local_path, page
from volte.server.refused import Refused
from volte.server.sessions import begin
from volte.server.settings_page import keep_helped, keep_settings, show_settings
from volte.server.table_pages import BEGIN
from volte.server.tables import open_table
from volte.server.visit import LANGUAGE_COOKIE, read_form, see_other, someone
from volte.store import Person, Store
from volte.table import Setup
from volte.table.setup import LONGEST_NAME
from volte.words import Words
from volte.words.catalogue import LANGUAGES
from volte.words.fairness import fairness_page
from volte.words.pages import page_sentence
from volte.words.sheet import rule_sheet
from volte.words.sheet_options import preset_summary, preset_title

USUAL_BOTS: Final = ("casual", "casual", "casual")
YEAR: Final = 365 * 86_400


def routes() -> list[BaseRoute]:
    """Every page, and the files that pages need."""
    return [
        Route("/", lobby),
        Route("/lobby", lobby),
        Route("/guest", guest, methods=["POST"]),
        Route("/play", play, methods=["POST"]),
        Route("/language", language, methods=["POST"]),
        Route("/me", show_settings, methods=["GET"]),
        Route("/me", keep_settings, methods=["POST"]),
        Route("/me/helped", keep_helped, methods=["POST"]),
        Route("/rules", rules),
        Route("/rules/{preset}", rules_of),
        Route("/fair", fair),
        *table_pages.routes(),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


# Who one is


async def guest(request: Request) -> Response:
    """Somebody says their name, and is known from then on."""
    form = await read_form(request)
    following = local_path(str(form.get("next", "")))
    return await _come_in(request, form, following, see_other(following))


async def _come_in(
    request: Request, form: Mapping[str, Any], following: str, response: Response
) -> Response:
    name, lang = str(form.get("name", "")), str(form.get("lang", ""))
    try:
        person = await new_guest(request, name, lang)
    except Fault as fault:
        wrong = {"name": request.state.words.fault(fault)}
        return page(request, "name.html", 422, wrong=wrong, name=name, next=following)
    await begin(request, person, response)
    return response


async def play(request: Request) -> Response:
    """A table with three bots at once; whoever is not known yet becomes a guest on the way."""
    form = await read_form(request)
    words: Words = request.state.words
    if request.state.person is not None:
        return see_other(await _table_with_bots(request))
    name = str(form.get("name", "")).strip() or page_sentence(words, "guest")
    try:
        person = await new_guest(request, name, str(form.get("lang", "")))
    except Fault as fault:
        wrong = {"name": words.fault(fault)}
        return page(request, "name.html", 422, wrong=wrong, name=name, play=True, next="/")
    request.state.person = person
    response = see_other(await _table_with_bots(request))
    await begin(request, person, response)
    return response


async def _table_with_bots(request: Request) -> str:
    """Opens it, and says where it is.

    The page begins the match once it is there: so the person adds to the first shuffle too.
    """
    who = someone(request)
    name = page_sentence(request.state.words, "table_of", name=who.name)
    setup = Setup(name if len(name) <= LONGEST_NAME else who.name, make_ruleset())
    live = await open_table(request, setup, USUAL_BOTS)
    return f"/tables/{live.id}?{BEGIN}"


async def language(request: Request) -> Response:
    """Another language, kept with the person, or by the browser of somebody who is nobody yet."""
    form = await read_form(request)
    lang = str(form.get("lang", ""))
    if lang not in LANGUAGES:
        raise Refused(422, "no_such_language")
    response = see_other(local_path(str(form.get("next", ""))))
    person: Person | None = request.state.person
    if person is not None:
        await _store(request).put_person(replace(person, lang=lang))
    response.set_cookie(LANGUAGE_COOKIE, lang, max_age=YEAR, samesite="lax", httponly=True)
    return response


# Rules and fair dealing


async def rules(request: Request) -> Response:
    words: Words = request.state.words
    told = [
        {
            "name": each.name,
            "title": preset_title(words, each.name),
            "summary": preset_summary(words, each.name),
            "players": words.listed(sorted(each.players)),
        }
        for each in PRESETS.values()
    ]
    return page(request, "rules.html", presets=told)


async def rules_of(request: Request) -> Response:
    words: Words = request.state.words
    name = request.path_params["preset"]
    if name not in PRESETS:
        raise Refused(404, "not_found")
    chosen = preset(name)
    asked = request.query_params.get("players", "")
    players = next((each for each in chosen.players if str(each) == asked), chosen.players[0])
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


async def fair(request: Request) -> Response:
    return page(request, "fair.html", sections=fairness_page(request.state.words))


def _store(request: Request) -> Store:
    store: Store = request.app.state.room.store
    return store
