"""For whoever watches over servers: is it alive, may it be sent people, and what does it count?"""

from __future__ import annotations

import hmac
from typing import Final

from prometheus_client import generate_latest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from volte.server.pulse import Pulse
from volte.web.metrics import REGISTRY
from volte.web.refused import Refused
from volte.web.room import Room

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

OPEN: Final = ("/healthz", "/readyz", "/metrics")
"""Asked by machines, that have no session and come often."""

STUCK: Final = 5.0
"""Seconds late, from which on a server should be left alone for a while."""


def routes() -> list[BaseRoute]:
    return [
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/metrics", scrape),
    ]


async def healthz(_: Request) -> Response:
    """That the server answers at all."""
    return PlainTextResponse("ok\n")


async def readyz(request: Request) -> Response:
    """Whether it should be sent people now; a line for each thing that keeps it from that."""
    room: Room = request.app.state.room
    wrong = []
    if room.stopping:
        wrong.append("the server stops")
    if room[Pulse].late > STUCK:
        wrong.append("the server is too busy")
    if trouble := await room[Pulse].wrong_with_database():
        wrong.append(trouble)
    if wrong:
        return PlainTextResponse("".join(f"{line}\n" for line in wrong), 503)
    return PlainTextResponse("ok\n")


async def scrape(request: Request) -> Response:
    """The figures, for the addresses and the bearer that the settings name."""
    settings = request.app.state.settings
    host = request.client.host if request.client else ""
    if host not in settings.metrics_from and not _bears(request, settings.metrics_token):
        raise Refused(403, "forbidden")
    request.app.state.room[Pulse].look()
    return Response(generate_latest(REGISTRY), media_type=CONTENT_TYPE)


def _bears(request: Request, token: str) -> bool:
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    same = hmac.compare_digest(given.strip().encode(), token.encode())
    return bool(token) and kind.lower() == "bearer" and same
