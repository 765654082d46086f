"""Score sheets shown to watchers, at a server alone: their address, its QR code, and their page."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.scorekeeper.web.pages import address_of, to_the_sheet
from volte.scorekeeper.web.shown import own_sheet, sheet_context, sheets_of
from volte.web.page import page
from volte.web.pictures import picture_of
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other


def routes() -> list[BaseRoute]:
    return [
        route("/score/{sheet}/watch", change, methods=["POST"]),
        route("/score/{sheet}/watch", to_the_sheet),
        route("/score/{sheet}/qr.svg", qr),
        route("/score/{sheet}/seen/{key}", seen),
    ]


async def change(visit: Visit) -> Response:
    """Make an address for watchers, or make it invalid."""
    button = (await visit.fields()).get("do")
    stored = await own_sheet(visit)
    if button not in ("share", "unshare"):
        raise Refused(400, "wrong_form")
    await sheets_of(visit).show(stored, button == "share")
    return see_other(f"/score/{stored.id}#share")


async def qr(visit: Visit) -> Response:
    """The address for watchers as a QR code."""
    stored = await own_sheet(visit)
    if not stored.key:
        raise Refused(404, "not_found")
    return await picture_of(visit, address_of(visit, stored))


async def seen(visit: Visit) -> Response:
    """Show the sheet to a visitor with its address for watchers."""
    stored = await sheets_of(visit).find(visit.path_params["sheet"])
    if not stored.shows(visit.path_params["key"]):
        raise Refused(404, "no_sheet")
    return page(visit, "score_seen.html", owned=False, **sheet_context(visit.words, stored))
