"""The application: every address of the playroom, and what stands before all of them."""

from __future__ import annotations

import logging

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from volte.cards import Fault
from volte.server import (
    api,
    clerk_page,
    devices,
    files,
    pages,
    proof_page,
    replay_page,
    score_pages,
)
from volte.server.live import live
from volte.server.records import last_match, record
from volte.server.room import Room
from volte.server.score_sheets import Sheets
from volte.server.security import SecureHeaders
from volte.server.sessions import end
from volte.server.visit import Visits, read_form, refusal, room_of, see_other
from volte.store import Unavailable
from volte.wire.schema import schema

log = logging.getLogger("volte.server")


def make_app(room: Room) -> Starlette:
    """The application that serves that playroom."""
    app = Starlette(
        routes=[
            Route("/healthz", healthz),
            Route("/wire.json", wire),
            Route("/logout", logout, methods=["POST"]),
            Route("/matches/{match}/record", record),
            Route("/tables/{table}/record", last_match),
            WebSocketRoute("/live/{table}", live),
            *api.routes(),
            *devices.routes(),
            *replay_page.routes(),
            *proof_page.routes(),
            *pages.routes(),
            *clerk_page.routes(),
            *score_pages.routes(),
            *files.routes(),
        ],
        middleware=[Middleware(SecureHeaders), Middleware(Visits)],
        exception_handlers={
            HTTPException: refusal,
            Fault: refusal,
            Unavailable: refusal,
            ClientDisconnect: hung_up,
            Exception: failed,
        },
    )
    app.state.room = room
    app.state.store = room.store
    app.state.lobby = room.lobby
    app.state.settings = room.settings
    app.state.sheets = Sheets(room.store)
    return app


async def failed(request: Request, error: Exception) -> Response:
    """What a person reads in place of a traceback; the log has it."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return await refusal(request, error)


async def hung_up(request: Request, error: Exception) -> Response:
    """For somebody who left before they had said it all; nobody reads that."""
    return Response(status_code=400)


async def healthz(request: Request) -> Response:
    """Whether the server answers, and its database with it."""
    try:
        await room_of(request).store.listing("-")
    except Unavailable:
        return PlainTextResponse("the database does not answer\n", 503)
    return PlainTextResponse("ok\n")


async def wire(_: Request) -> Response:
    """The messages of `/live/…`, as JSON Schema."""
    return JSONResponse(schema(), headers={"cache-control": "max-age=3600"})


async def logout(request: Request) -> Response:
    """Forgets who the browser was."""
    await read_form(request)
    response = see_other("/")
    await end(request, response)
    return response
