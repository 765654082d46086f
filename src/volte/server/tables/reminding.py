"""The page of a planned table, on which one asks to be reminded."""

from __future__ import annotations

from functools import partial
from time import time

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.evenings.disclosure import outlines
from volte.say.measures import planned_told
from volte.server.tables.entrance import check_there
from volte.server.tables.planned import BEFORE, REMINDED, with_reminder
from volte.server.tables.rows import row_of
from volte.talk.company import Avoided
from volte.web.page import page
from volte.web.room import change_person, room_of
from volte.web.visit import NameWanted, Visit, route, see_other


def routes() -> list[BaseRoute]:
    return [
        route("/tables/{table}/remind", show_plan, named=True),
        route("/tables/{table}/remind", remind, methods=["POST"]),
    ]


async def show_plan(visit: Visit) -> Response:
    """Show when a table is planned; one that is not planned (any more) is shown itself."""
    table, store = visit.path_params["table"], room_of(visit).store
    found = await store.listing(table) if table.isascii() else None
    listing = check_there(found, visit.person)
    at = listing.planned
    if at is None:
        return see_other(f"/tables/{table}")
    apart = await store[Avoided].apart_from(visit.who)
    (outline,) = await outlines(store, [listing], visit.who, apart)
    return page(
        visit,
        "remind.html",
        table=row_of(visit.words, outline),
        when=planned_told(visit.words, at, time()),
        reminded=table in visit.known().settings.get(REMINDED, ()),
        minutes=round(BEFORE / 60),
    )


async def remind(visit: Visit) -> Response:
    """Note that the person wants to be reminded of a table, or no longer."""
    sent, table = await visit.fields(), visit.path_params["table"]
    if visit.person is None:
        raise NameWanted(f"/tables/{table}/remind")
    found = await room_of(visit).store.listing(table) if table.isascii() else None
    check_there(found, visit.person)
    await change_person(visit, partial(with_reminder, table=table, wanted=sent.get("do") != "off"))
    return see_other(f"/tables/{table}/remind")
