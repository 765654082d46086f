"""A playroom that shares its host with other things, under a path of its own."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def base_path(connection: HTTPConnection) -> str:
    """Under which browsers find the playroom; empty where it has its host to itself."""
    base: str = connection.app.state.settings.base_path
    return base


def node_path(connection: HTTPConnection) -> str:
    """Under which this node is found by name, and no other; the base path where it has no name."""
    node: str = connection.app.state.settings.node
    base = base_path(connection)
    return f"{base}/node/{node}" if node else base


class BasePath:
    """Middleware: all that stands behind it knows paths without the base path.

    A request may come with the base path or, from a proxy that takes it off, without; addresses on
    pages have it (`page.page`), and so have those to which a response leads.

    Args:
        base: `/games/volte`, say; empty for a playroom that has its host to itself.
    """

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app = app
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._base or scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        if path == self._base and scope["type"] == "http":
            await RedirectResponse(f"{path}/", 308)(scope, receive, send)
            return
        if path.startswith(f"{self._base}/"):
            raw = scope.get("raw_path") or b""
            scope = dict(scope)
            scope["path"] = path.removeprefix(self._base)
            scope["raw_path"] = raw.removeprefix(self._base.encode())

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                leads = headers.get("location", "")
                if leads.startswith("/") and not leads.startswith(f"{self._base}/"):
                    headers["location"] = self._base + leads
            await send(message)

        await self._app(scope, receive, send_on)
