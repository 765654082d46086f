"""Addresses of a playroom: its host, base path and nodes."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

from starlette.datastructures import URL, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from volte.say.reach import Reach, reach_of
from volte.web.visit import Visit, page_room_of

ANYWHERE: Final = "192.0.2.1"  # an address for documentation: nothing is sent there


def addresses(host: str, port: int, base: str = "") -> tuple[str, str]:
    """Addresses of a server: from this machine, and from others nearby ("" if it is out of reach).

    Args:
        base: the base path of the playroom.
    """
    address = ipaddress.ip_address(host.partition("%")[0])
    if address.is_unspecified:
        return f"http://localhost:{port}{base}/", f"http://{house_address()}:{port}{base}/"
    shown = f"[{address}]" if address.version == 6 else str(address)
    own = f"http://{shown}:{port}{base}/"
    return own, "" if address.is_loopback else own


def house_address() -> str:
    """Address of this machine in its local network, or else its host name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ANYWHERE, 9))
            address: str = probe.getsockname()[0]
        except OSError:
            return socket.gethostname()
    return address


def shared(visit: Visit) -> str:
    """URL of the visited playroom that also works on other machines; no slash at the end."""
    return named(visit.url, visit.room.host) + visit.room.base_path


def named(url: URL, host: str) -> str:
    """Scheme and host of `url`, in a form that also works on other machines.

    Args:
        host: the address at which the server listens. If that is all addresses, a name such as
            `localhost` is replaced: on another machine it means that other machine.
    """
    if host in ("0.0.0.0", "::") and reach_of(str(url)) is Reach.MACHINE:
        port = f":{url.port}" if url.port else ""
        return f"{url.scheme}://{house_address()}{port}"
    return f"{url.scheme}://{url.netloc}"


BY_NAME: Final = "by_name"  # key in a request's state: its address named this node


def base_path(connection: HTTPConnection) -> str:
    """Path under which browsers find the playroom; empty where it has its host to itself."""
    return page_room_of(connection).base_path


def path_of_node(connection: HTTPConnection, node: str) -> str:
    """Prefix of paths by which the proxy in front leads to that node."""
    return f"{base_path(connection)}/node/{node}"


class BasePath:
    """Middleware that takes the base path, and the prefix of this node, off the paths of requests.

    A request may come with either or, from a proxy that takes it off, without. Redirects get
    the base path put back; addresses on pages have it already (`page.page`).

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
    """Scope with the prefix taken off its path; the scope itself if it has no such prefix."""
    path: str = scope["path"]
    if not prefix or not path.startswith(f"{prefix}/"):
        return scope
    raw = scope.get("raw_path") or b""
    return dict(scope) | {
        "path": path.removeprefix(prefix),
        "raw_path": raw.removeprefix(prefix.encode()),
    }
