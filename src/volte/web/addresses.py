"""Addresses of a playroom: its host, its base path, its nodes, and all of that as a picture."""

from __future__ import annotations

import io
import ipaddress
import socket
from typing import Final

import segno
from starlette.datastructures import URL, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from volte.web.refused import Refused
from volte.web.visit import Visit, room_of

ANYWHERE: Final = "192.0.2.1"  # an address for documentation: nothing is sent there


def addresses(host: str, port: int, base: str = "") -> tuple[str, str]:
    """The address for this machine, and for others in the house; empty where they cannot come.

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
    """What the others in the house call this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ANYWHERE, 9))
            address: str = probe.getsockname()[0]
        except OSError:
            return socket.gethostname()
    return address


def shared(visit: Visit) -> str:
    """How others can name the playroom that somebody asks, without a slash at the end."""
    settings = visit.room.settings
    return named(visit.url, settings.host) + settings.base_path


def named(url: URL, host: str) -> str:
    """How others can name the server that somebody knows by `url`.

    Args:
        host: at which the server listens. Where that is everywhere, the own machine's name for
            itself, which means another machine to everybody else, gives way.
    """
    if host in ("0.0.0.0", "::") and _names_itself(url.hostname or ""):
        port = f":{url.port}" if url.port else ""
        return f"{url.scheme}://{house_address()}{port}"
    return f"{url.scheme}://{url.netloc}"


def _names_itself(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


MODULES: Final = 4  # pixels of a module of the picture


async def picture_of(visit: Visit, address: str, **headers: str) -> Response:
    """The address as an SVG. Raises `Refused` for one that fits into no picture."""

    def drawn() -> bytes:
        file = io.BytesIO()
        code = segno.make(address, error="m", micro=False)
        code.save(file, kind="svg", scale=MODULES, light="#fff", svgclass=None, lineclass=None)
        return file.getvalue()

    try:
        picture = await visit.room.work.do(visit.whose, drawn)
    except segno.DataOverflowError:  # somebody has made up a name of thousands of letters for us
        raise Refused(400, "wrong_form") from None
    return Response(picture, media_type="image/svg+xml", headers=headers)


BY_NAME: Final = "by_name"  # in the state of a request: it was sent to this node and no other


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
