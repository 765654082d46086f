"""A person's stored data: downloading it, and deleting the person for good."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute

from volte.evenings.conducting import Evenings
from volte.evenings.results import own_part
from volte.evenings.store import Clubs
from volte.history.match_page import Log, made_from, written
from volte.names import looks
from volte.people.account import CHANGED_MEANWHILE, confirm
from volte.people.account_form import CONFIRMED, Form, LabelledField, show
from volte.people.passwords import AccountFault, has_password
from volte.people.sessions import Sessions, hashed, still_here, take_cookie
from volte.people.store import Accounts
from volte.say import N_
from volte.scorekeeper.model import to_record
from volte.scorekeeper.web.shown import sheets_of
from volte.server.tables.departing import Departures
from volte.store import Conflict
from volte.store.store import session_lasts
from volte.store.writer import Writing
from volte.web.disclosure import Disclosure
from volte.web.logs import get_logger
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route

log = get_logger("volte.server")

MOST_MATCHES: Final = 10_000
IN_MEMORY: Final = 2**20
"""Bytes up to which a file is made in memory; a larger one is on the disk until it is sent."""

CHUNK: Final = 2**16

BY_PASSWORD: Final = Form(
    N_("Delete your data for good"), N_("Delete me"), (CONFIRMED,), template="delete.html"
)
BY_NAME: Final = Form(
    N_("Delete your data for good"),
    N_("Delete me"),
    (
        LabelledField(
            "confirm",
            label=N_("Type your name"),
            help=N_(
                "Type your name exactly as it is shown here, so that nothing is deleted by "
                "accident."
            ),
        ),
    ),
    template="delete.html",
)
"""The form for guests, who have no password: nobody types a name by accident."""


def routes() -> list[BaseRoute]:
    return [
        route("/me/data", show_data, methods=["GET"]),
        route("/me/data", export, methods=["POST"]),
        route("/me/data/delete", ask, methods=["GET"]),
        route("/me/data/delete", delete, methods=["POST"]),
    ]


async def show_data(visit: Visit) -> Response:
    visit.someone()
    return page(visit, "data.html")


async def export(visit: Visit) -> Response:
    """Send a ZIP file: the stored data as JSON, records of finished matches, and score sheets."""
    await visit.fields()
    who = visit.someone()
    await visit.room.limits.spend("export", who.id)
    made = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115, closed once it has been sent
    try:
        await _pack(visit, made)
    except BaseException:
        made.close()
        raise
    return StreamingResponse(
        _sent(made),
        media_type="application/zip",
        headers={"content-disposition": 'attachment; filename="volte.zip"'},
    )


async def _pack(visit: Visit, made: IO[bytes]) -> None:
    person = visit.known()
    room = room_of(visit)
    store = room.store
    stored = {"person": msgspec.structs.asdict(person), **await store.export(person.id)}
    with ZipFile(made, "w", ZIP_DEFLATED) as packed:

        async def pack(name: str, content: Callable[[], str | bytes]) -> None:
            await room.work.do(visit.whose, lambda: packed.writestr(name, content()))

        await pack("volte.json", lambda: msgspec.json.format(msgspec.json.encode(stored), indent=2))
        matches = await store.matches_of(person.id, limit=MOST_MATCHES)
        waiting = await room[Disclosure].withheld(matches)
        for match in matches:
            if match.id not in waiting:
                name = f"matches/{match.id}.volte"
                await made_from(visit, match, partial(_record, packed, name))
        for row in await store[Clubs].evenings_of(person.id):
            evening = await room[Evenings].find(row.id)
            if evening is not None:
                await pack(f"evenings/{row.id}.json", partial(own_part, evening, person.id))
        sheets = sheets_of(visit)
        for each in await sheets.listed(person.id):
            sheet = (await sheets.find(each.id)).sheet
            await pack(f"sheets/{each.id}.volte", partial(to_record, sheet))


def _record(packed: ZipFile, name: str, log: Log) -> None:
    packed.writestr(name, written(log))


async def _sent(made: IO[bytes]) -> AsyncIterator[bytes]:
    with made:
        made.seek(0)
        while chunk := await asyncio.to_thread(made.read, CHUNK):
            yield chunk


async def ask(visit: Visit) -> Response:
    """The page that asks for confirmation."""
    visit.someone()
    return show(visit, await _sure(visit))


async def _sure(visit: Visit) -> Form:
    return BY_PASSWORD if await has_password(visit) else BY_NAME


async def delete(visit: Visit) -> Response:
    """Delete the person for good."""
    sent = await visit.fields()
    who = visit.someone()
    asked = await _sure(visit)
    form = asked.typed(sent)
    room, own = room_of(visit), hashed(visit.token)
    sure: Writing = room.store.write
    try:
        if asked is BY_PASSWORD:
            sure = partial(room.store[Accounts].sure, await confirm(visit, form))
        elif looks(form["confirm"]).isdisjoint(looks(visit.known().name)):
            raise AccountFault("wrong_name", "confirm", player=visit.known().name)
        await room[Sessions].end_all(who.id, writing=partial(sure, session_lasts(own)))
    except Conflict:
        await still_here(visit)
        return show(visit, asked, form, CHANGED_MEANWHILE)
    except (AccountFault, Refused) as fault:
        return show(visit, asked, form, fault)
    await room[Departures].forget(visit.known())
    log.info("person_deleted", person=who.id)
    visit.visitor.person, visit.visitor.token = None, ""
    response = page(visit, "deleted.html")
    take_cookie(visit, response)
    return response
