"""Limits for connections, below the messages that the rest of the server sees.

uvicorn has no time limit for half a request, nor for reading its answers, and answers any number of
pings; here, such clients are cut off. uvicorn is watched from outside: by overriding the methods
that asyncio calls, and as ASGI.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import Future, TimerHandle
from collections.abc import Callable
from typing import Final, cast

import h11
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from websockets.frames import CloseCode

from volte.web.limits import Bucket
from volte.web.metrics import client_faults
from volte.web.settings import Settings

TOO_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

TEXTS: Final = "volte.texts"
"""Key of a `websocket.send` that holds several texts, as bytes, to be sent together."""

USUAL_MESSAGE: Final = 128
"""Bytes of an ordinary message: a client may send this many for each message it may send."""

MOMENT: Final = 30.0  # seconds' worth of bytes that a client may send at once: a long message

FAULTS: Final[dict[int, str]] = {
    CloseCode.PROTOCOL_ERROR: "bad_frame",
    CloseCode.INVALID_DATA: "bad_text",
    CloseCode.MESSAGE_TOO_BIG: "bad_frame",
}
"""The client's fault behind each code with which uvicorn closes a connection."""

EMPTY: Final = b"\x81\x80"
MASK: Final = 4
"""Start of a client's empty text, and the bytes that follow it (RFC 6455, 5.2). Page scripts send
one to test a quiet connection, so it comes in a packet of its own."""

Addresses = tuple[tuple[str, int] | None, tuple[str, int] | None]
"""The client's address and ours, which identify a connection."""


class Doors:
    """Outermost middleware, which finds the connection of each request."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.open: dict[Addresses, Door] = {}  # all open connections
        self.patience = settings.patience
        self.messages_per_second = settings.messages_per_second
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        door = self.open.get((scope["client"], scope["server"]))
        if door is not None:  # else the client has gone meanwhile
            await door.serve(self._app, scope, receive, send)

    def guard(self, config: uvicorn.Config) -> None:
        """Make uvicorn use subclasses of its protocols that are doors."""
        config.load()
        ours = {"doors": self}
        http, websocket = config.http_protocol_class, config.ws_protocol_class
        assert websocket is not None
        config.http_protocol_class = type(http.__name__, (Requests, http), ours)
        config.ws_protocol_class = type(websocket.__name__, (Sockets, websocket), ours)
        logging.getLogger("uvicorn.error").addFilter(  # a client's fault, which is counted
            lambda record: not record.getMessage().startswith("Invalid UTF-8")
        )


class Door(asyncio.Protocol):
    """A connection: a mixin for the class that speaks its protocol.

    A client that reads nothing is cut off; after that, writing raises `OSError`.
    """

    doors: Doors
    _transport: asyncio.Transport
    _addresses: Addresses
    _closed: Future[None]
    _stalled: TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._closed = asyncio.get_running_loop().create_future()
        self._addresses = (_address(transport, "peername"), _address(transport, "sockname"))
        self.doors.open[self._addresses] = self
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.doors.open.get(self._addresses) is self:
            del self.doors.open[self._addresses]
        _cancel(self._stalled)
        if not self._closed.done():
            self._closed.set_result(None)
        super().connection_lost(exc)

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application for a request."""
        raise NotImplementedError

    def pause_writing(self) -> None:
        self._stalled = self._after_patience(
            self._check_progress, self._transport.get_write_buffer_size()
        )
        super().pause_writing()

    def resume_writing(self) -> None:
        _cancel(self._stalled)
        self._stalled = None
        super().resume_writing()

    def _check_progress(self, before: int) -> None:
        """Cut the client off if it has read nothing since."""
        left = self._transport.get_write_buffer_size()
        if left < before:
            self._stalled = self._after_patience(self._check_progress, left)
        else:
            self._transport.abort()

    def _after_patience(self, do: Callable[..., object], *args: object) -> TimerHandle:
        """Call `do` after `Settings.patience` seconds."""
        return asyncio.get_running_loop().call_later(self.doors.patience, do, *args)


class Requests(Door):
    """HTTP, for clients that send their requests within `Settings.patience`."""

    _timer: TimerHandle | None = None
    _answering = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except h11.LocalProtocolError:  # no HTTP, while the last request is still being answered
            self._transport.abort()
        if self._transport.get_protocol() is not self:  # it has become a WebSocket
            self._stop_timer()
        elif self._transport.is_closing():
            client_faults.count("bad_http")

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        whole = done = False

        async def receive_on() -> Message:
            nonlocal whole
            if not (whole or done):
                self._start_timer()
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body", False):
                whole = True
                self._stop_timer()
            return message

        async def send_on(message: Message) -> None:
            nonlocal done
            if self._transport.is_closing():  # uvicorn has answered bad HTTP
                return
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                done = True
                self._answering = False
                self._start_timer()

        self._answering = True
        self._stop_timer()
        await app(scope, receive_on, send_on)
        if self._transport.is_closing() and not done:
            await self._closed  # or uvicorn logs that there is no answer

    def _start_timer(self) -> None:
        """Start the timer within which the client has to send a whole request with its body."""
        if self._timer is None and not self._transport.is_closing():
            self._timer = self._after_patience(self._cut_off)

    def _stop_timer(self) -> None:
        _cancel(self._timer)
        self._timer = None

    def _cut_off(self) -> None:
        if not self._answering:
            self._transport.write(TOO_LATE)
        self._transport.close()


class Sockets(Door):
    """WebSockets, for clients that keep to the bytes of their allowed messages, pings included."""

    _bucket: Bucket | None = None
    _leaving: TimerHandle | None = None
    _talking = False

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._leaving)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._bucket is None:
            self._bucket = Bucket(self.doors.messages_per_second * USUAL_MESSAGE, MOMENT)
        if self._bucket.spend(len(data)):
            client_faults.count("too_fast")
            self._transport.abort()
        elif self._talking and data.startswith(EMPTY) and len(data) == len(EMPTY) + MASK:
            self._transport.write(_frame(b""))  # answered at once, however busy the table is
        else:
            super().data_received(data)

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_on() -> Message:
            message = await receive()
            if fault := FAULTS.get(message.get("code", 0)):
                client_faults.count(fault)
            return message

        async def send_on(message: Message) -> None:
            texts = message.get(TEXTS, ())
            stalled = self._stalled is not None or self._transport.is_closing()
            if texts and self._talking and not stalled:
                self._transport.write(b"".join(map(_frame, texts)))
                return
            for text in texts:
                await send({"type": "websocket.send", "text": text.decode()})
            if not texts:
                self._talking = message["type"] in ("websocket.accept", "websocket.send")
                await send(message)

        try:
            await app(scope, receive_on, send_on)
        finally:
            self._talking = False
            if not self._closed.done():
                self._leaving = self._after_patience(self._transport.abort)
        if self._transport.is_closing():
            await self._closed  # or uvicorn logs that a connection which we refused is open


def _frame(text: bytes) -> bytes:
    """A text for a client as a WebSocket frame (RFC 6455, 5.2)."""
    size = len(text)
    if size < 126:
        return b"\x81%c%b" % (size, text)
    more = 2 if size < 2**16 else 8
    return b"\x81%c%b%b" % (126 if more == 2 else 127, size.to_bytes(more, "big"), text)


def _address(transport: asyncio.BaseTransport, which: str) -> tuple[str, int] | None:
    """An address as in an ASGI scope: host and port, without the other two parts of IPv6."""
    address = transport.get_extra_info(which)
    return address and (address[0], address[1])


def _cancel(timer: TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
