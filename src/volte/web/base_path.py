"""A playroom under a path of its own on a host that has other things, and its nodes below it."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from volte.web.visit import room_of

BY_NAME: Final = "by_name"
"""In the state of a request: it was sent to this node and no other."""


def base_path(connection: HTTPConnection) -> str:
    """Under which browsers find the playroom; empty where it has its host to itself."""
    return room_of(connection).settings.base_path


def path_of_node(connection: HTTPConnection, node: str) -> str:
    """Before the paths of the playroom, leads to that node, through the proxy in front."""
    return f"{base_path(connection)}/node/{node}"


class BasePath:
    """Middleware: all that stands behind it knows paths without the base path, and without what
    leads to this node.

    A request may come with either or, from a proxy that takes it off, without; addresses on
    pages have the base path (`page.page`), and so have those to which a response leads.

    Args:
        base: `/games/volte`, say; empty for a playroom that has its host to itself.
        node: the name of this node.
    """

    def __init__(self, app: ASGIApp, base: str, node: str) -> None:
        self._app = app
        self._base = base
        self._node = f"/node/{node}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if self._base and scope["path"] == self._base and scope["type"] == "http":
            await RedirectResponse(f"{self._base}/", 308)(scope, receive, send)
            return
        plain = _without(scope, self._base)
        scope = _without(plain, self._node)
        if scope is not plain:
            scope.setdefault("state", {})[BY_NAME] = True
        if not self._base:
            await self._app(scope, receive, send)
            return

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                leads = headers.get("location", "")
                if leads.startswith("/") and not leads.startswith(f"{self._base}/"):
                    headers["location"] = self._base + leads
            await send(message)

        await self._app(scope, receive, send_on)


def _without(scope: Scope, prefix: str) -> Scope:
    """The same, with a path that does not begin with that."""
    path: str = scope["path"]
    if not prefix or not path.startswith(f"{prefix}/"):
        return scope
    raw = scope.get("raw_path") or b""
    return dict(scope) | {
        "path": path.removeprefix(prefix),
        "raw_path": raw.removeprefix(prefix.encode()),
    }
