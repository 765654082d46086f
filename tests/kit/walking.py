"""Everything that the application answers at, asked for by people of every kind."""

from __future__ import annotations

import html
import io
import itertools
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from zipfile import ZipFile

from kit.people import Guest, Lost
from kit.requests import Reply, post_form, post_json, request
from kit.sites import Site
from starlette.routing import Route, WebSocketRoute
from websockets.exceptions import InvalidHandshake

from volte.game.codec import encode
from volte.server.app import make_app
from volte.web.security import csrf_of

LEAVING: Final = ("/logout",)
"""Where whoever asks would not be known any more."""

EXPORT: Final = "/me/data"
OWN: Final = (
    *("/", "/matches", "/matches/statistics", "/clubs"),
    *("/api/tables", "/api/matches", "/api/statistics"),
)
"""Lists of what there is, and of what is one's own."""

PARAMETER: Final = re.compile(r"\{(\w+)(?::\w+)?\}")

Filling = Mapping[str, Sequence[str]]
"""What stands in the place of parameters of an address, by their name."""


class Told(NamedTuple):
    """An answer, or all that a socket has said.

    Attributes:
        path: of the route.
        text: all of it that can be read, files of an archive too.
    """

    path: str
    asked: str
    status: int
    text: str


async def walked(
    site: Site, cookie: str, filling: Filling, *, whole: bool = True
) -> AsyncIterator[Told]:
    """Every page, every form with nothing in it, every file, for whoever has that cookie.

    Args:
        whole: else what is told without a form, of what `filling` names, and of one's own.
    """
    for path, method in routes_of(site):
        if not (whole or _matters(path, method, filling)):
            continue
        for asked in filled(path, filling):
            reply = await _answer(site, method, asked, cookie)
            assert reply.status < 500, (method, asked)
            yield Told(path, f"{method} {asked}", reply.status, readable(reply))


def _matters(path: str, method: str, filling: Filling) -> bool:
    if method != "GET":
        return path == EXPORT
    return path in OWN or any(name in filling for name in PARAMETER.findall(path))


def routes_of(site: Site) -> list[tuple[str, str]]:
    """The paths of the application, each with a method of it."""
    routes = [route for route in make_app(site.room).routes if isinstance(route, Route)]
    found = [
        (route.path, method)
        for route in routes
        for method in sorted((route.methods or set()) - {"HEAD"})
        if route.path not in LEAVING
    ]
    assert len(found) > 100
    return found


def filled(path: str, filling: Filling) -> Iterator[str]:
    """The path with everything that can stand in the place of its parameters."""
    names = PARAMETER.findall(path)
    for values in itertools.product(*(filling.get(name, ("x",)) for name in names)):
        asked = path
        for name, value in zip(names, values, strict=True):
            asked = re.sub(rf"\{{{name}(:\w+)?\}}", value, asked)
        yield asked


async def _answer(site: Site, method: str, path: str, cookie: str) -> Reply:
    if method == "GET":
        return await request(site.address, "GET", path, headers={"cookie": cookie})
    if path.startswith("/api/"):
        return await post_json(site.address, path, {}, cookie)
    csrf = csrf_of(cookie.partition("=")[2])
    return await post_form(site.address, path, {"csrf": csrf}, cookie)


def readable(reply: Reply) -> str:
    """The body as text; an archive by all that is in it."""
    if reply.header("content-type") == "application/zip":
        with ZipFile(io.BytesIO(reply.body)) as packed:
            return "\n".join(packed.read(name).decode() for name in packed.namelist())
    return html.unescape(reply.body.decode(errors="replace"))


async def listened(site: Site, guest: Guest, tables: Sequence[str]) -> AsyncIterator[Told]:
    """All that the sockets of those tables say to somebody who comes in, if they may."""
    paths = [r.path for r in make_app(site.room).routes if isinstance(r, WebSocketRoute)]
    assert paths == ["/live/{table}"]
    for table in tables:
        visitor = Guest(site.address, guest.cookie, guest.person, guest.name)
        try:
            await visitor.join(table, told=True)
        except (Lost, InvalidHandshake):
            yield Told(paths[0], table, 403, "")
            continue
        heard = [*visitor.told, *visitor.scenes, visitor.welcome]
        yield Told(paths[0], table, 200, "\n".join(encode(each).decode() for each in heard))
        await visitor.leave()
