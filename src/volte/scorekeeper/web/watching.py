"""A sheet watched by others, printed, and exported as a file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.say.formats import date_text
from volte.scorekeeper.model import Sheet, to_csv, to_json, to_record
from volte.scorekeeper.web.sheets import StoredSheet, own_sheet, sheets_of
from volte.scorekeeper.web.shown import sheet_context
from volte.web.addresses import picture_of, shared
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route

FILES: Final[dict[str, tuple[Callable[[Sheet], str | bytes], str]]] = {
    "sheet.csv": (to_csv, "text/csv; charset=utf-8"),
    "sheet.json": (to_json, "application/json"),
    "sheet.volte": (to_record, "text/plain; charset=utf-8"),
}
"""By name, what makes each, and what it is."""


def routes() -> list[BaseRoute]:
    return [
        route("/score/{sheet}/print", printed),
        route("/score/{sheet}/qr.svg", qr),
        route("/score/{sheet}/files/{name}", exported),
        route("/score/{sheet}/seen/{key}", seen),
    ]


async def seen(visit: Visit) -> Response:
    """The sheet, for whoever has its address for watching."""
    stored = await sheets_of(visit).find(visit.path_params["sheet"])
    if not stored.shows(visit.path_params["key"]):
        raise Refused(404, "no_sheet")
    words = visit.words
    return page(visit, "score_seen.html", owned=False, **sheet_context(words, stored))


async def printed(visit: Visit) -> Response:
    """The sheet on paper: A4, black on white."""
    stored = await own_sheet(visit)
    words = visit.words
    context = sheet_context(words, stored)
    day = stored.sheet.date and date_text(words.lang, date.fromisoformat(stored.sheet.date), "long")
    return page(visit, "score_print.html", owned=False, day=day, **context)


async def exported(visit: Visit) -> Response:
    stored = await own_sheet(visit)
    made = FILES.get(visit.path_params["name"])
    if made is None:
        raise Refused(404, "not_found")
    make, kind = made
    name = f"volte-{stored.id}.{visit.path_params['name'].rpartition('.')[2]}"
    return Response(
        make(stored.sheet),
        media_type=kind,
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def qr(visit: Visit) -> Response:
    """The address for watching, as a picture."""
    stored = await own_sheet(visit)
    if not stored.key:
        raise Refused(404, "not_found")
    return picture_of(address_of(visit, stored))


def address_of(visit: Visit, stored: StoredSheet) -> str:
    """The address at which others watch the sheet."""
    origin = shared(visit)
    return f"{origin}/score/{stored.id}/seen/{stored.key}"
