"""The application: every address of the playroom, and the middleware before them."""

from __future__ import annotations

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket
from structlog.contextvars import get_contextvars

from volte.boards import pages as boards_page
from volte.boards import set_pages as sets_page
from volte.boards import weeks
from volte.evenings import pages as evenings_page
from volte.history import api as history_api
from volte.history import pages as history
from volte.history import ratings_page, review_page
from volte.news import pages as news_pages
from volte.people import account, devices, passkeys
from volte.people.sessions import end, give_cookies
from volte.push import pages as push
from volte.say import words_of
from volte.scorekeeper.web import clerk_page, watching
from volte.scorekeeper.web import pages as score_pages
from volte.server import account_data, api, pages
from volte.server.live.session import TableSession
from volte.server.middleware import HEADER, Observed, Visits, route_of
from volte.server.run import health
from volte.server.run.leading import LeadToOwner, is_led
from volte.server.tables.arriving import name_first
from volte.studies import pages as studies
from volte.talk import moderation, reports
from volte.web.addresses import BasePath
from volte.web.logs import get_logger
from volte.web.metrics import client_faults
from volte.web.page import REFUSALS, Refusing, refusal
from volte.web.refused import Refused
from volte.web.room import Room, room_of
from volte.web.security import SecureHeaders, own_origin
from volte.web.visit import (
    KEPT,
    CookieWanted,
    NameWanted,
    Visit,
    route,
    see_other,
    visitor_of,
)
from volte.wire.schema import schema

log = get_logger("volte.server")


def make_app(room: Room) -> Starlette:
    """The application that serves that playroom."""
    app = Starlette(
        routes=[
            *health.routes(),
            route("/wire.json", wire),
            route("/logout", logout, methods=["POST"]),
            WebSocketRoute("/live/{table}", live),
            *api.routes(),
            *account.routes(),
            *account_data.routes(),
            *devices.routes(),
            *history.routes(),
            *review_page.routes(),
            *ratings_page.routes(),
            *history_api.routes(),
            *passkeys.routes(),
            *push.routes(),
            *moderation.routes(),
            *reports.routes(),
            *pages.routes(),
            *news_pages.routes(),
            *clerk_page.routes(),
            *score_pages.routes(),
            *watching.routes(),
            *evenings_page.routes(),
            *sets_page.routes(),
            *weeks.routes(),
            *boards_page.routes(),
            *studies.routes(),
            route("/node/{rest:path}", wrong_node),
        ],
        middleware=[
            Middleware(BasePath, base=room.settings.base_path, node=room.settings.node_name),
            Middleware(Observed, access=room.settings.access_log),
            Middleware(SecureHeaders),
            Middleware(Visits),
            Middleware(LeadToOwner),
        ],
        exception_handlers={
            **REFUSALS,
            ClientDisconnect: hung_up,
            CookieWanted: try_cookie,
            NameWanted: ask_name,
            Exception: failed,
        },
    )
    app.state.room = room
    return app


async def failed(request: Request, error: Exception) -> Response:
    """Answer an error of ours with a page; the log says where it was raised."""
    log.error(
        "request_failed", method=request.method, route=route_of(request.scope), exc_info=error
    )
    response = await refusal(request, error)
    response.headers[HEADER] = str(get_contextvars()["request"])
    return response


async def ask_name(request: Request, wanted: Exception) -> Response:
    """Answer with the page that asks for a name, in place of a page that needs one."""
    assert isinstance(wanted, NameWanted)
    return await name_first(Visit(request.scope), wanted.following)


async def try_cookie(request: Request, _: Exception) -> Response:
    """Redirect the browser so that it sends the same form once more, with a cookie."""
    address = request.url.include_query_params(**{KEPT: "1"})
    response = RedirectResponse(f"{address.path}?{address.query}", 307)
    give_cookies(Visit(request.scope), response, {f"volte_{KEPT}": "1"})
    return response


async def hung_up(request: Request, error: Exception) -> Response:
    """Answer a client that disconnected in the middle of its request: nobody reads this."""
    return Response(status_code=400)


async def wire(_: Visit) -> Response:
    """Answer with the messages of `/live/…` as JSON Schema."""
    return JSONResponse(schema(), headers={"cache-control": "max-age=3600"})


async def wrong_node(_: Visit) -> Response:
    """Refuse an address of another node, to which the proxy should have sent it."""
    raise Refused(421, "wrong_node")


async def logout(visit: Visit) -> Response:
    """End the session of the browser."""
    await visit.fields()
    response = see_other("/")
    await end(visit, response)
    return response


async def live(socket: WebSocket) -> None:
    """Admit a client at `/live/{table}`, and serve it for as long as it stays."""
    room, visitor = room_of(socket), visitor_of(socket)
    address = visitor.address
    try:
        asleep = room.lobby.living(str(socket.path_params["table"])) is None
        if room.stopping and asleep:  # before there is a connection, a proxy asks the next node
            raise Refused(503, "stopping")
        await room.limits.spend("page", address)
        with room.limits.connected("socket", address):
            if not own_origin(socket, room.settings.origins):
                client_faults.count("wrong_origin")
                await room.limits.spend("foreign", address)
                raise Refused(403, "wrong_origin")
            if not await is_led(socket, room):
                await TableSession(socket, room).run()
    except Refused as refused:
        line = words_of(visitor.lang).why(refused.reason, **refused.params)
        body = msgspec.json.encode(Refusing(refused.reason, line))
        await socket.send_denial_response(
            Response(body, refused.status_code, refused.headers, "application/json")
        )
