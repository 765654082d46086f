"""A minimal proxy: one address for several nodes, each of them below `/node/NAME/`."""

from __future__ import annotations

import asyncio
import re
from asyncio import StreamReader, StreamWriter
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Final
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from volte.game.codec import encode
from volte.wire.messages import Closing, Notice

LONGEST: Final = 64 * 1024
BAD_GATEWAY: Final = b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Front:
    """A proxy that routes each connection by its first line, and does not read the rest."""

    def __init__(self, nodes: Mapping[str, str]) -> None:
        # Name → address. Paths below no node's path go to the nodes in turn, and to the next node
        # if one does not answer.
        self.nodes = dict(nodes)
        self.address = ""  # of the proxy
        self.led: list[str] = []  # paths that were asked for, in order
        self._turn = count()

    async def __call__(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError, EOFError):
            first = await reader.readuntil(b"\r\n")
            path = first.split(b" ")[1].decode()
            self.led.append(path)
            try:
                there, to = await self._reach(path)
            except OSError:
                writer.write(BAD_GATEWAY)
            else:
                to.write(first)
                await asyncio.gather(_pipe(reader, to), _pipe(there, writer))
        writer.close()

    async def _reach(self, path: str) -> tuple[StreamReader, StreamWriter]:
        if path.startswith("/node/"):
            return await _open(self.nodes.get(path.split("/")[2], ""))
        turn, addresses = next(self._turn), [*self.nodes.values()]
        for place in range(len(addresses)):
            with suppress(OSError):
                return await _open(addresses[(turn + place) % len(addresses)])
        raise OSError


@asynccontextmanager
async def fronting(**nodes: str) -> AsyncIterator[Front]:
    """A proxy before the nodes, while the context lasts."""
    front = Front(nodes)
    server = await asyncio.start_server(front, "127.0.0.1", 0, limit=LONGEST)
    front.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield front
    finally:
        server.close()


async def _open(address: str) -> tuple[StreamReader, StreamWriter]:
    """Connect to an address. Raises `OSError`, also for an empty address."""
    parts = urlsplit(address)
    if not parts.port:
        raise ConnectionRefusedError
    return await asyncio.open_connection(parts.hostname, parts.port)


async def _pipe(reader: StreamReader, writer: StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(LONGEST):
            writer.write(data)
            await writer.drain()
    writer.close()


NODE: Final = re.compile(r"/node/([a-z]+)(?=/)")


class Nodes:
    """An application that acts as all nodes of a playroom, with one server behind it.

    The node `gone` does not answer.
    """

    def __init__(self) -> None:
        self.address = ""  # of the playroom, once it is open
        # `Notice.at` of the next calls to tables, which are led elsewhere, one after the other
        self.leads: deque[str] = deque()
        self.redirects: deque[str] = deque()  # locations to which the next requests are redirected
        self.calls: list[str] = []  # paths of calls to tables, in order
        self.requests: list[tuple[str, str]] = []  # method and path of all requests
        self._app: ASGIApp
        self._open: list[asyncio.Future[tuple[int, str]]] = []

    def front(self, app: ASGIApp) -> ASGIApp:
        """Set the application behind it; return itself."""
        self._app = app
        return self

    def hang_up(self, code: Closing, at: str = "") -> None:
        """End all open calls. May be called in any thread."""
        calls, self._open = self._open, []
        for call in calls:
            call.get_loop().call_soon_threadsafe(call.set_result, (code, at))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        here = dict(scope)
        here["path"] = NODE.sub("", path)
        here["raw_path"] = here["path"].encode()
        node = NODE.search(path)
        if scope["type"] == "http":
            self.requests.append((scope["method"], path))
            if self.redirects:
                away = Response(status_code=307, headers={"location": self.redirects.popleft()})
                await away(scope, receive, send)
            elif node is not None and node[1] == "gone":
                await Response(status_code=502)(scope, receive, send)
            else:
                await self._app(here, receive, send)
            return
        self.calls.append(path)
        if node is not None and node[1] == "gone":
            await Response(status_code=404)(scope, receive, send)
        elif self.leads:
            await receive()
            await send({"type": "websocket.accept"})
            await _lead(send, Closing.MOVED_AWAY, self.leads.popleft())
        else:
            await self._go_on(here, receive, send)

    async def _go_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        over: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self._open.append(over)

        async def say(message: Message) -> None:
            if not over.done():
                await send(message)

        async def end() -> None:
            await _lead(send, *await over)

        ending = asyncio.create_task(end())
        await self._app(scope, receive, say)
        ending.cancel()


async def _lead(send: Send, code: int, at: str) -> None:
    text = encode(Notice("elsewhere", "It is elsewhere.", at=at)).decode()
    if at:
        await send({"type": "websocket.send", "text": text})
    await send({"type": "websocket.close", "code": code})
