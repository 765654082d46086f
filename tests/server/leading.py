"""In front of a real server: stands for all nodes of a playroom, and leads from one to another."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from volte.game.codec import encode
from volte.wire.messages import Closing, Notice

NODE: Final = re.compile(r"/node/([a-z]+)(?=/)")


class Nodes:
    """All nodes of a playroom, which are the one server behind this; `gone` is none.

    Attributes:
        address: of the playroom, once it is open.
        leads: where the next calls to tables are led, one after the other: what `Notice.at` says.
        redirects: to where the next requests are led.
        calls: the paths of calls to tables, in order.
        requests: method and path of all requests.
    """

    def __init__(self) -> None:
        self.address = ""
        self.leads: deque[str] = deque()
        self.redirects: deque[str] = deque()
        self.calls: list[str] = []
        self.requests: list[tuple[str, str]] = []
        self._app: ASGIApp
        self._open: list[asyncio.Future[tuple[int, str]]] = []

    def front(self, app: ASGIApp) -> ASGIApp:
        """Stands before that application."""
        self._app = app
        return self

    def hang_up(self, code: Closing, at: str = "") -> None:
        """Ends all calls that go on. May be said in any thread."""
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
    text = encode(Notice("elsewhere", "It is elsewhere.", at)).decode()
    if at:
        await send({"type": "websocket.send", "text": text})
    await send({"type": "websocket.close", "code": code})
