"""The files that pages need, and those that make them an application to install."""

from __future__ import annotations

from functools import partial
from typing import Final

from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from volte.say import N_
from volte.say.catalogue import LANGUAGES
from volte.web import assets
from volte.web.addresses import base_path
from volte.web.assets import static, stylesheet, version
from volte.web.page import page
from volte.web.visit import Visit, route, words_of

PAPER: Final = "#fbfaf6"
"""The background that an installed page shows first."""

CLOTH: Final = "#1d4d3a"
"""The colour of the game."""


def routes() -> list[BaseRoute]:
    return [
        *assets.routes(),
        route("/manifest.webmanifest", manifest),
        route("/worker.js", worker),
        route("/offline", offline),
    ]


async def manifest(visit: Visit) -> Response:
    words, base = visit.words, base_path(visit)
    sizes = {"icon-192.png": "192x192", "icon-512.png": "512x512"}
    icons = [{"src": static(name, base=base), "sizes": size} for name, size in sizes.items()]
    content = {
        "id": f"{base}/",
        "name": "Volte",
        "short_name": "Volte",
        "description": words.t("Hearts, for everybody at one table."),
        "lang": words.lang,
        "dir": "ltr",
        "start_url": f"{base}/",
        "scope": f"{base}/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": CLOTH,
        "categories": ["games"],
        "icons": [
            *icons,
            {
                "src": static("icon-maskable-512.png", base=base),
                "sizes": "512x512",
                "purpose": "maskable",
            },
            {"src": static("icon.svg", base=base), "sizes": "any", "type": "image/svg+xml"},
        ],
    }
    return JSONResponse(content, media_type="application/manifest+json")


async def worker(_: Visit) -> Response:
    """The service worker, whose text changes whenever a file does."""
    source = assets.assets()["worker.js"].content.decode()
    return Response(
        source.replace('"VERSION"', f'"{version()}-{LANGUAGES[0]}"'),
        media_type="text/javascript",
        headers={"cache-control": "no-cache"},
    )


async def offline(visit: Visit) -> Response:
    """The page without a connection, in all languages, as browsers cache it for everybody."""
    texts = (
        N_("You are offline"),
        N_(
            "Your match is kept, just as it is. This page comes back by itself as soon as the"
            " connection does."
        ),
        N_("Try again now"),
    )
    spoken = [(lang, *map(words_of(lang).t, texts)) for lang in LANGUAGES]
    base = base_path(visit)
    return page(
        visit,
        "offline.html",
        spoken=spoken,
        static=partial(static, base=base),
        stylesheet=partial(stylesheet, base=base),
    )
