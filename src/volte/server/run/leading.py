"""Redirects to the node that has a table, where several nodes are one playroom.

Nothing is forwarded from node to node. The address is a path of ours, made from the database's
table of nodes alone: hosts and schemes that a client names have no part in it.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from volte.people.sessions import identify
from volte.say import words_of
from volte.server.live.closing import close
from volte.server.run.membership import Membership
from volte.store import Unavailable
from volte.store.nodes import Node
from volte.web.addresses import BY_NAME, path_of_node
from volte.web.page import refusal
from volte.web.refused import Refused
from volte.web.room import Room, room_of
from volte.web.visit import visitor_of

TABLE: Final = re.compile(r"/(?:api/)?tables/([0-9a-f]{20})(?:/|\Z)")
"""Paths of a table, with its id as a group."""

ENTER: Final = re.compile(r"/(?:api/)?tables/[0-9a-f]{20}/enter")
"""Paths to which a password is posted: every node answers, so that it is sent only once."""

TWICE: Final = "led_twice"
"""Parameter of an address: marks a second redirect; there is no third, even if a table moves."""


class LeadToOwner:
    """Middleware that redirects requests for a table of another node."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        found = TABLE.match(path) if scope["type"] == "http" else None
        if found is None or (scope["method"] == "POST" and ENTER.fullmatch(path)):
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            owner = await _owner(request, found[1])
        except Unavailable as error:
            response = await refusal(request, error)
            await response(scope, receive, send)
            return
        if owner is None:
            await self._app(scope, receive, send)
            return
        if TWICE in request.query_params:
            response = await refusal(request, Refused(503, "moved_away"))
        else:
            response = RedirectResponse(_address(request, owner), 307)
        await response(scope, receive, send)


async def _owner(connection: HTTPConnection, table: str) -> Node | None:
    """The other node that has the table, for people who may know that the table exists; others get
    None, so that this node answers that there is none. Raises `Unavailable`."""
    room, person = room_of(connection), visitor_of(connection).person
    owner = await room[Membership].elsewhere(table)
    if owner is None or await room.store.may_know(table, person.id if person is not None else ""):
        return owner
    return None


def _address(request: Request, owner: Node) -> str:
    """Address of the request at the other node; marked `TWICE` if it named this node, as it has
    been redirected once already."""
    path: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    query: bytes = request.scope["query_string"]
    if BY_NAME in request.scope["state"]:
        query += b"&" * bool(query) + TWICE.encode()
    to = path + b"?" * bool(query) + query
    return path_of_node(request, owner.name) + to.decode("latin-1")


def own_path(connection: HTTPConnection) -> str:
    """Prefix of paths that leads to this node; empty if it has no name."""
    node = room_of(connection).settings.node
    return path_of_node(connection, node) if node else ""


async def is_led(socket: WebSocket, room: Room) -> bool:
    """Send a WebSocket client to the node that has the table; whether that is another node.

    Raises `Refused` if the database does not tell.
    """
    table = str(socket.path_params["table"])
    if not table.isascii() or len(table) > 64:
        return False
    try:
        if await room[Membership].elsewhere(table) is None:  # no query if the table is here
            return False
        await identify(socket)
        owner = await _owner(socket, table)
    except Unavailable:  # before there is a connection, a proxy asks the next node
        raise Refused(503, "unavailable") from None
    if owner is None:
        return False
    await socket.accept()
    at = f"{path_of_node(socket, owner.name)}/live/{table}"
    await close(socket, words_of(visitor_of(socket).lang), room.settings.patience, "elsewhere", at)
    return True
