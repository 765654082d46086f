"""Passing on: what concerns a table goes to the process that has it, and its answer comes back."""

from __future__ import annotations

import asyncio
import re
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import inf
from time import monotonic
from typing import Final, NamedTuple, TypeVar

import h11
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from volte.server.cluster.inside import CLIENT, SCHEME, SECRET, passed_on, without_ours
from volte.server.refused import Refused
from volte.server.room import Room
from volte.server.visit import refusal, room_of
from volte.store import Unavailable
from volte.store.processes import Process

TABLE: Final = re.compile(r"/(?:api/)?tables/([0-9a-f]{20})(?:/|\Z)")
"""The addresses that are a table's own; that of its WebSocket passes itself on."""

TAKING_OVER: Final = 6.0
"""Seconds for which one waits for somebody to take over a table whose process does not answer."""

AGAIN: Final = 0.2
"""Seconds until it is looked again who has it."""

REACHING: Final = 2.0
"""Seconds for another process to take a connection."""

ANSWERING: Final = 30.0
"""Seconds for it to answer, or to go on."""

AT_ONCE: Final = 64 * 1024
"""Bytes of an answer that are read in one go."""

HOP: Final = frozenset(
    [
        *(b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"upgrade"),
        *(b"transfer-encoding", b"content-length", b"expect"),
    ]
)
"""Headers that speak of a connection and not of what is asked."""

SAFE: Final = ("GET", "HEAD")
"""What may be asked twice."""

Headers = list[tuple[bytes, bytes]]
Result = TypeVar("Result")


class NotReached(Exception):
    """The other process does not take a connection; nothing was said to it."""


class BrokenOff(Exception):
    """It has gone in the middle."""


class PassOn:
    """Middleware: asks the process that has the table, where that is another one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = TABLE.match(scope["path"]) if scope["type"] == "http" else None
        if found is None or passed_on(scope):
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        room = room_of(request)

        async def ask(owner: Process) -> Answer:
            return await _ask(owner, found[1], request, await request.body())

        try:
            asked = await by_owner(room, found[1], ask)
        except ClientDisconnect:
            return  # nobody reads an answer
        except (Refused, Unavailable) as error:
            response = await refusal(request, error)
            await response(scope, receive, send)
            return
        if asked is None:
            await self._app(scope, _again(request, receive), send)
        else:
            await asked.send(send)


async def by_owner(
    room: Room, table: str, ask: Callable[[Process], Awaitable[Result]]
) -> Result | None:
    """What the process says that has the table; None where it is this one's, or could be.

    Where that process does not answer any more, it is waited for another one to take over. Raises
    `Unavailable` where none does, and `Refused` where nobody knows what has been done.
    """
    end = inf
    while (owner := await room.cluster.elsewhere(table)) is not None:
        try:
            return await ask(owner)
        except NotReached:
            end = min(end, monotonic() + TAKING_OVER)
        except BrokenOff:
            raise Refused(503, "broken_off", table=table) from None
        if monotonic() > end:
            raise Unavailable("the process that has the table does not answer")
        await asyncio.sleep(AGAIN)
    return None


def said_for(connection: HTTPConnection, owner: Process) -> list[tuple[str, str]]:
    """Headers by which the owner knows us, and for whom we ask."""
    client = connection.client.host if connection.client else ""
    return [
        (SECRET, owner.secret.hex()),
        (CLIENT, client),
        (SCHEME, connection.scope["scheme"]),
    ]


# HTTP


class Answer(NamedTuple):
    """What another process has answered. It is read whole: what breaks off can be asked again."""

    status: int
    headers: Headers
    body: bytes

    async def send(self, send: Send) -> None:
        """Passes it back."""
        start = {"type": "http.response.start", "status": self.status}
        await send(start | {"headers": self.headers})
        await send({"type": "http.response.body", "body": self.body})


class Asked:
    """A request that is with another process. See `membership.Passed`."""

    def __init__(self, table: str, owner: Process, writer: StreamWriter) -> None:
        self.table = table
        self.owner = owner
        self._writer = writer

    def hang_up(self, reason: str) -> None:
        """That process has the table no more: it may never answer."""
        self._writer.transport.abort()


async def _ask(owner: Process, table: str, request: Request, body: bytes) -> Answer:
    """Raises `NotReached` and `BrokenOff`."""
    passed = room_of(request).cluster.passed
    async with reaching(owner.address) as (reader, writer):
        talk = h11.Connection(h11.CLIENT)
        asked = Asked(table, owner, writer)
        passed.add(asked)
        try:
            writer.write(_bytes(talk, _head(owner, request, body)))
            if body:
                writer.write(_bytes(talk, h11.Data(body)))
            writer.write(_bytes(talk, h11.EndOfMessage()))
            await writer.drain()
            return await _answer(talk, reader)
        except (OSError, h11.ProtocolError, EOFError) as error:
            safe = request.method in SAFE
            raise (NotReached if safe else BrokenOff)(request.method) from error
        finally:
            passed.discard(asked)


async def _answer(talk: h11.Connection, reader: StreamReader) -> Answer:
    """Raises what goes wrong with connections."""
    head, body = await _heard(talk, reader), bytearray()
    assert isinstance(head, h11.Response)
    while isinstance(event := await _heard(talk, reader), h11.Data):
        body += event.data
    kept = [pair for pair in head.headers if pair[0] not in HOP - {b"content-length"}]
    return Answer(head.status_code, kept, bytes(body))


@asynccontextmanager
async def reaching(address: str) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    """A connection, while the context lasts. Raises `NotReached`."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(REACHING):
            reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except OSError as error:
        raise NotReached(address) from error
    try:
        yield reader, writer
    finally:
        writer.close()


def _head(owner: Process, request: Request, body: bytes) -> h11.Request:
    scope = request.scope
    target = scope.get("raw_path", b"") or request.url.path.encode()
    if scope["query_string"]:
        target += b"?" + scope["query_string"]
    headers: Headers = [pair for pair in without_ours(scope["headers"]) if pair[0] not in HOP]
    headers += [(name.encode(), text.encode()) for name, text in said_for(request, owner)]
    headers += [(b"connection", b"close"), (b"content-length", str(len(body)).encode())]
    return h11.Request(method=request.method, target=target, headers=headers)


def _bytes(talk: h11.Connection, event: h11.Event) -> bytes:
    return talk.send(event) or b""


async def _heard(talk: h11.Connection, reader: StreamReader) -> h11.Event:
    """What comes next. Raises what goes wrong with connections."""
    while True:
        event = talk.next_event()
        if event is h11.NEED_DATA:
            async with asyncio.timeout(ANSWERING):
                talk.receive_data(await reader.read(AT_ONCE))
        elif isinstance(event, h11.Response | h11.Data | h11.EndOfMessage):
            return event
        elif not isinstance(event, h11.InformationalResponse):
            raise EOFError


def _again(request: Request, receive: Receive) -> Receive:
    """The same, for somebody who wants to read from the beginning what has been read already."""
    body = getattr(request, "_body", None)
    if body is None:
        return receive
    told = False

    async def receive_again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again
