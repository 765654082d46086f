"""What stands before all addresses: every request gets a number, is counted, and can be logged."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from volte.web import metrics
from volte.web.limits import counted_address
from volte.web.logs import get_logger, mask

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
