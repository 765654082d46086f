"""Before every request: whose it is, what may be said to them, and how much they may send."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from volte.people.known_devices import keep_device_known
from volte.people.sessions import Sessions, give_cookie, identify
from volte.server.run.health import OPEN
from volte.store import Unavailable
from volte.talk.measures import to_tell
from volte.web import metrics
from volte.web.limits import counted_address
from volte.web.logs import get_logger, mask
from volte.web.refused import Refused
from volte.web.visit import LONGEST_BODY, prepare, refusal, room_of

OPEN_TO_ALL: Final = (
    "/static/",
    *OPEN,
    "/wire.json",
    "/favicon.ico",
    "/manifest.webmanifest",
    "/worker.js",
    "/offline",
)
"""Where nobody is asked who they are."""


LONGEST_READ: Final = 2**21


class Visits:
    """Middleware: `request.state` gets `person`, `token`, `csrf`, `lang`, `words`, `address`,
    `told` (what moderators have to say to the person)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive, send)
        prepare(request)
        try:
            if not request.url.path.startswith(OPEN_TO_ALL):
                await room_of(request).limits.spend("page", request.state.address)
                await identify(request)
                await _news(request)
                if await _renewed(request):
                    send = await _with_cookies(request, send)
        except (Refused, Unavailable) as error:
            response = await refusal(request, error)
            await response(scope, receive, send)
            return
        await self._app(scope, _bounded(receive), send)


async def _news(request: Request) -> None:
    """What moderators have to tell the person, for the head of the next page."""
    state = request.state
    if state.person is not None and request.method == "GET":
        state.told = await to_tell(room_of(request), state.person.id, state.words)


async def _renewed(request: Request) -> bool:
    """Whether the session lasts longer from now on, and so must its cookie."""
    state, sessions = request.state, room_of(request)[Sessions]
    return state.person is not None and await sessions.renew(state.token)


async def _with_cookies(request: Request, send: Send) -> Send:
    """The same, with the cookies of the session and of the device; what a handler says about them
    counts for more."""
    carrier = Response()
    lasting = room_of(request)[Sessions].lasting
    give_cookie(request, carrier, request.state.token, lasting)
    await keep_device_known(request, carrier)

    async def send_with_cookies(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            given = {said.partition("=")[0] for said in headers.getlist("set-cookie")}
            for cookie in carrier.headers.getlist("set-cookie"):
                if cookie.partition("=")[0] not in given:
                    headers.append("set-cookie", cookie)
        await send(message)

    return send_with_cookies


def _bounded(receive: Receive) -> Receive:
    """The same, as long as what is sent is no longer than a form can be.

    A little more is read all the same: whoever is cut off in the middle hears no answer.
    """
    size = 0

    async def receive_some() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size <= LONGEST_BODY:
            return message
        while message.get("more_body", False) and size <= LONGEST_READ:
            message = await receive()
            size += len(message.get("body", b""))
        raise Refused(413, "too_large")

    return receive_some


HEADER: Final = "x-request-id"
"""Says the number of a request that went wrong with us, which is also in the log."""


NOWHERE: Final = "(none)"
"""The route of what leads nowhere: addresses that people make up are not told apart."""


log = get_logger("volte.access")


class Observed:
    """Middleware. What is logged meanwhile has `request`, or `connection` on a WebSocket.

    Args:
        access: whether every request is logged.
    """

    def __init__(self, app: ASGIApp, access: bool = False) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        number = os.urandom(6).hex()
        # Nothing has to be unbound: each request, and each connection, is a task of its own.
        if scope["type"] == "websocket":
            bind_contextvars(connection=number)
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        bind_contextvars(request=number)
        scope.setdefault("state", {})["number"] = number
        begun, status = perf_counter(), 500

        async def send_with_number(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if status >= 500:
                    MutableHeaders(scope=message)[HEADER] = number
            await send(message)

        try:
            await self._app(scope, receive, send_with_number)
        finally:
            seconds = perf_counter() - begun
            metrics.answered(route_of(scope), status, seconds)
            if self._access:
                log.info("answered", **_access(scope, status, seconds))


def route_of(scope: Scope) -> str:
    """The address as it stands in our source, such as `/tables/{table}`: nobody's key is in it."""
    route = scope.get("route")
    path: str = getattr(route, "path", "")
    return path or NOWHERE


def _access(scope: Scope, status: int, seconds: float) -> dict[str, object]:
    client = scope.get("client")
    return {
        "method": scope["method"],
        "route": route_of(scope),
        "status": status,
        "milliseconds": round(seconds * 1000, 1),
        "from": mask(counted_address(client[0] if client else None)),
    }
