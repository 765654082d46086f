"""The pages of the playroom beside its tables, and the files of an app that can be installed."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from volte.forms.settings import AT_TABLE
from volte.lessons import lesson_page, puzzle_page
from volte.people.settings_page import (
    keep_at_table,
    keep_settings,
    settings_form,
    show_settings,
)
from volte.people.settings_shown import list_keys
from volte.say import N_, Words, words_of
from volte.say.catalogue import TONGUES
from volte.say.rulesheet.vocabulary import all_terms
from volte.say.texts import sections
from volte.server import trials
from volte.server.tables import arriving, friends, full, meeting, open_tables, reminding
from volte.server.tables import pages as table_pages
from volte.server.tables.lobby import first_page
from volte.web import assets, rules_page, sending
from volte.web.addresses import base_path
from volte.web.assets import static, version
from volte.web.controls import presets_told
from volte.web.page import page
from volte.web.visit import Visit, route

PAPER: Final = "#fbfaf6"
"""The background of the installed app while it starts."""

CLOTH: Final = "#1d4d3a"
"""The colour of the game, for a telephone's bar and the app's icon."""


def routes() -> list[BaseRoute]:
    return [
        route("/", first_page),
        route("/lobby", first_page),
        route("/me", show_settings, methods=["GET"]),
        route("/me", keep_settings, methods=["POST"]),
        route("/me/form", settings_form),
        *(route(f"/me/{place}", keep_at_table, methods=["POST"]) for place in AT_TABLE),
        route("/help", help_page),
        *rules_page.routes(),
        route("/history", history),
        route("/fair", fair),
        route("/manifest.webmanifest", manifest),
        route("/worker.js", worker),
        route("/offline", offline),
        *sending.routes(),
        *trials.routes(),
        *open_tables.routes(),
        *arriving.routes(),
        *full.routes(),
        *friends.routes(),
        *reminding.routes(),
        *meeting.routes(),
        *lesson_page.routes(),
        *puzzle_page.routes(),
        *table_pages.routes(),
    ]


async def help_page(visit: Visit) -> Response:
    words = visit.words
    keys = list_keys(words, visit.person)
    return page(
        visit, "help.html", presets=presets_told(words), keys_told=keys, terms=all_terms(words)
    )


# Texts


async def history(visit: Visit) -> Response:
    """Show the page about the origins of the game."""
    return _text(visit, N_("Where the game comes from"), "origins")


async def fair(visit: Visit) -> Response:
    """Show the page about dealing: nobody can choose the cards."""
    return _text(visit, N_("Why nobody can cheat when dealing"), "fairness")


def _text(visit: Visit, title: str, name: str) -> Response:
    words = visit.words
    return page(visit, "text.html", title=words.t(title), sections=sections(words, name))


# An application to install


async def manifest(visit: Visit) -> Response:
    base = base_path(visit)
    content = app_manifest(visit.words, base, f"{base}/")
    return JSONResponse(content, media_type="application/manifest+json")


def app_manifest(words: Words, base: str, start: str) -> dict[str, Any]:
    """The description of the app that is installed.

    Args:
        base: path of the playroom at its host.
        start: path of the page that it opens.
    """
    sizes = {"icon-192.png": "192x192", "icon-512.png": "512x512"}
    icons = [
        {"src": static(f"web/static/{name}", base=base), "sizes": size}
        for name, size in sizes.items()
    ]
    return {
        "id": f"{base}/",
        "name": "Volte",
        "short_name": "Volte",
        "description": words.t("Hearts for everybody, at the same table."),
        "lang": words.lang,
        "dir": "ltr",
        "start_url": start,
        "scope": f"{base}/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": CLOTH,
        "categories": ["games"],
        "icons": [
            *icons,
            {
                "src": static("web/static/icon-maskable-512.png", base=base),
                "sizes": "512x512",
                "purpose": "maskable",
            },
            {
                "src": static("web/static/icon.svg", base=base),
                "sizes": "any",
                "type": "image/svg+xml",
            },
        ],
    }


async def worker(_: Visit) -> Response:
    """Send the service worker, whose text changes whenever a static file does."""
    source = assets.assets()["web/static/worker.js"].content.decode()
    return Response(
        source.replace('"VERSION"', f'"{version()}-{TONGUES[0]}"'),
        media_type="text/javascript",
        headers={"cache-control": "no-cache"},
    )


async def offline(visit: Visit) -> Response:
    """Show the page for browsers without a connection, in all languages, as it is cached once."""
    texts = (
        N_("You are offline"),
        N_(
            "Your match is saved, just as it is. This page comes back by itself as soon as you"
            " are online again."
        ),
        N_("Try again now"),
    )
    spoken = [(lang, *map(words_of(lang).t, texts)) for lang in TONGUES]
    given = partial(static, base=base_path(visit))
    return page(visit, "offline.html", spoken=spoken, static=given)
