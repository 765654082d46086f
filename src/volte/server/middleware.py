"""Middleware for every request: a number, the person, limits, metrics, and the access log."""

from __future__ import annotations

import asyncio
import os
from time import perf_counter, time
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from volte.friends.whereabouts import Whereabouts
from volte.news.desk import NewsDesk
from volte.news.pages import asked_by_worker
from volte.people.sessions import Sessions, cookie_name, cookies_used, give_cookies, identify
from volte.server.run.health import OPEN
from volte.server.tables.planned import reminders_of
from volte.server.tables.waits import WaitingMatches
from volte.store import Unavailable, acting
from volte.talk.reports import to_tell
from volte.web import metrics
from volte.web.logs import get_logger, mask
from volte.web.page import refusal
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import LONGEST_BODY, Visit, counted_address

OPEN_TO_ALL: Final = (
    "/static/",
    *OPEN,
    "/wire.json",
    "/favicon.ico",
    "/manifest.webmanifest",
    "/worker.js",
    "/offline",
    "/lobby/list",
)
"""Beginnings of the paths for which no session is looked up."""

LONGEST_READ: Final = 2**21


class Visits:
    """Middleware: identifies the `Visitor` of every request, within the limits of an address."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        receive = _bounded(receive)
        visit = Visit(scope, receive)
        visit.visitor.claimed = visit.cookies.get(cookie_name(visit), "")
        room = room_of(visit)
        send = _unhurried(send, visit)
        try:
            if not visit.url.path.startswith(OPEN_TO_ALL):
                await room.limits.spend("page", visit.address)
                await identify(visit)
                person = visit.person
                if person is not None:
                    room[NewsDesk].know(person)
                    if visit.headers.get("sec-fetch-mode") == "navigate":
                        room[NewsDesk].looked(person.id, True)
                    if not asked_by_worker(visit):
                        room[Whereabouts].note(person.id)
                if person is not None and visit.method == "GET":
                    visit.visitor.notices = await to_tell(room, person.id, visit.words)
                    news = await room[NewsDesk].told(person, visit.words)
                    near = await reminders_of(room.store, person, visit.words, time())
                    visit.visitor.news = (*news, *near)
                    visit.visitor.waits = await room[WaitingMatches].of(person.id)
                if person is not None and await room[Sessions].renew(visit.token):
                    send = await _with_cookies(visit, send)
        except (Refused, Unavailable) as error:
            response = await refusal(visit, error)
            await response(scope, receive, send)
            return
        with acting(visit.who):
            await self._app(scope, receive, send)


def _unhurried(send: Send, visit: Visit) -> Send:
    """Delay the refusals for too many requests, if an address gets many, so that asking again at
    once gains nothing."""

    async def send_in_time(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 429:
            await asyncio.sleep(room_of(visit).limits.refused(visit.address))
        await send(message)

    return send_in_time


async def _with_cookies(visit: Visit, send: Send) -> Send:
    """Add the renewed cookies of session and device to the response, unless the handler has."""
    carrier = Response()
    give_cookies(visit, carrier, await cookies_used(visit))

    async def send_with_cookies(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            given = {cookie.partition("=")[0] for cookie in headers.getlist("set-cookie")}
            for cookie in carrier.headers.getlist("set-cookie"):
                if cookie.partition("=")[0] not in given:
                    headers.append("set-cookie", cookie)
        await send(message)

    return send_with_cookies


def _bounded(receive: Receive) -> Receive:
    """Limit the body to the size of the longest form. Raises `Refused`.

    A little more is read all the same, as a client that is cut off in the middle sees no answer.
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
"""The header with the number of a request that has failed; log lines have it too."""

NOWHERE: Final = "(none)"  # stands for the route of unknown addresses

log = get_logger("volte.access")


class Observed:
    """Middleware that numbers, times and counts requests; their log lines get the number.

    Args:
        access: whether every request is logged.
    """

    def __init__(self, app: ASGIApp, access: bool = False) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        number = os.urandom(6).hex()
        # Nothing has to be unbound: each request and each connection is a task of its own.
        if scope["type"] == "websocket":
            bind_contextvars(connection=number)
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        bind_contextvars(request=number)
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
                client = scope.get("client")
                log.info(
                    "answered",
                    method=scope["method"],
                    route=route_of(scope),
                    status=status,
                    milliseconds=round(seconds * 1000, 1),
                    **{"from": mask(counted_address(client[0] if client else None))},
                )


def route_of(scope: Scope) -> str:
    """The path as our source has it, such as `/tables/{table}`: without anybody's key."""
    route = scope.get("route")
    path: str = getattr(route, "path", "")
    return path or NOWHERE
