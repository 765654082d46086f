"""What a connection may do before, and between, the messages that the rest of the server sees.

uvicorn gives everybody as long as they like for half a request or to take what they are sent, and
answers as many pings as there are; here, whoever does not come to the point is cut off. uvicorn is
watched from outside: by the methods that asyncio calls, and as ASGI.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import Future, TimerHandle
from collections.abc import Callable
from time import monotonic
from typing import Final, cast

import h11
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from websockets.frames import CloseCode, Opcode

from volte.server.faults import client_faults
from volte.server.limits import BURST, Bucket
from volte.server.settings import Settings

TOO_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

TEXTS: Final = "volte.texts"
"""In a `websocket.send`: texts, as bytes, each of them a message, which are sent together."""

OVERFLOW: Final = "volte.overflow"
"""In a `websocket.receive`: in place of all that waits, which is too much."""

FAULTS: Final[dict[int, str]] = {
    CloseCode.PROTOCOL_ERROR: "bad_frame",
    CloseCode.INVALID_DATA: "bad_text",
    CloseCode.MESSAGE_TOO_BIG: "bad_frame",
}
"""What a client has done on which uvicorn hangs up with that code."""

LAST: Final = 0x80
"""In the first byte of a frame: its message ends with it."""

EMPTY_TEXT: Final = (LAST | Opcode.TEXT, 0x80)
"""How a client's empty text begins."""

PING: Final = bytes((LAST | Opcode.PING, 0))

Ends = tuple[tuple[str, int] | None, tuple[str, int] | None]
"""The client's address and ours: no two connections have the same ones."""


class Doors:
    """Middleware in front of all other: has each connection watched while it is open.

    Attributes:
        open: all of them.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.open: dict[Ends, Door] = {}
        self.patience = settings.patience
        self.messages_per_second = settings.messages_per_second
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        door = self.open.get((scope["client"], scope["server"]))
        if door is not None:  # or the client has gone meanwhile
            await door.serve(self._app, scope, receive, send)

    def guard(self, config: uvicorn.Config) -> None:
        """Puts what watches in front of the protocols that uvicorn would use."""
        config.load()
        ours = {"doors": self}
        http, websocket = config.http_protocol_class, config.ws_protocol_class
        assert websocket is not None
        config.http_protocol_class = type(http.__name__, (Requests, http), ours)
        config.ws_protocol_class = type(websocket.__name__, (Sockets, websocket), ours)
        logging.getLogger("uvicorn.error").addFilter(_is_no_clients_fault)


class Door(asyncio.Protocol):
    """A connection, in front of the class that speaks its protocol.

    Whoever takes nothing of what waits for them is cut off: then writing raises `OSError`.
    """

    doors: Doors
    _line: asyncio.Transport
    _ends: Ends
    _lost: Future[None]
    _stalled: TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast(asyncio.Transport, transport)
        self._lost = asyncio.get_running_loop().create_future()
        self._ends = (_address(transport, "peername"), _address(transport, "sockname"))
        self.doors.open[self._ends] = self
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.doors.open.get(self._ends) is self:
            del self.doors.open[self._ends]
        _cancel(self._stalled)
        if not self._lost.done():
            self._lost.set_result(None)
        super().connection_lost(exc)

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Has the application deal with the client."""
        raise NotImplementedError

    def pause_writing(self) -> None:
        self._stalled = self._later(self._look, self._line.get_write_buffer_size())
        super().pause_writing()

    def resume_writing(self) -> None:
        _cancel(self._stalled)
        self._stalled = None
        super().resume_writing()

    def _look(self, before: int) -> None:
        """Cuts off whoever has taken nothing since."""
        left = self._line.get_write_buffer_size()
        if left < before:
            self._stalled = self._later(self._look, left)
        else:
            self._line.abort()

    def _later(self, do: Callable[..., object], *args: object) -> TimerHandle:
        """Does that when patience is at its end."""
        return asyncio.get_running_loop().call_later(self.doors.patience, do, *args)


class Requests(Door):
    """HTTP for those who say what they want within `Settings.patience`."""

    _due: TimerHandle | None = None
    _answering = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except h11.LocalProtocolError:  # it is no HTTP, and what came before is being answered
            self._line.abort()
        if self._line.get_protocol() is not self:  # it has become a WebSocket
            self._wait_no_more()
        elif self._line.is_closing():
            client_faults.count("bad_http")

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        whole = done = False

        async def receive_on() -> Message:
            nonlocal whole
            if not (whole or done):
                self._wait()
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body", False):
                whole = True
                self._wait_no_more()
            return message

        async def send_on(message: Message) -> None:
            nonlocal done
            if self._line.is_closing():  # uvicorn has answered that it is no HTTP
                return
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                done = True
                self._answering = False
                self._wait()

        self._answering = True
        self._wait_no_more()
        await app(scope, receive_on, send_on)
        if self._line.is_closing() and not done:
            await self._lost  # or uvicorn logs that there is no answer

    def _wait(self) -> None:
        """For a whole request, body and all, since the client owes us one."""
        if self._due is None and not self._line.is_closing():
            self._due = self._later(self._cut_off)

    def _wait_no_more(self) -> None:
        _cancel(self._due)
        self._due = None

    def _cut_off(self) -> None:
        if not self._answering:
            self._line.write(TOO_LATE)
        self._line.close()


class Sockets(Door):
    """WebSockets on which what is no message counts as one: pings, pongs, and splinters.

    An empty text, by which a script tries its line, comes back, and wakes nobody: scripts cannot
    send pings. Whoever says nothing is asked whether they are there.
    """

    _bucket: Bucket | None = None
    _asking: TimerHandle | None = None
    _leaving: TimerHandle | None = None
    _heard_at = 0.0
    _shaken = False
    _talking = False
    _waiting = 0
    _overflowed = False
    _said_bye = False
    _begun = b""  # the beginning of a frame, too short to say how long it is
    _left = 0  # bytes until the next frame begins
    _skipped = 0  # as many of them, where the present one is not let in

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._asking)
        _cancel(self._leaving)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._shaken:  # the handshake, which was read as a request
            self._shaken = True
            super().data_received(data)
            return
        if self._begun:
            data, self._begun = self._begun + data, b""
        passed, at, end = [], self._left, len(data)
        since = self._skipped
        while at < end and not self._line.is_closing():
            after = _end_of_frame(data, at)
            if after is None:
                self._begun, end = data[at:], at
            elif self._lets_in(data[at], data[at + 1]):
                at = after
            else:
                passed.append(data[since:at])
                at = since = after
        self._left, self._skipped = max(0, at - end), max(0, since - end)
        passed.append(data[since:end])
        if not self._line.is_closing():
            super().data_received(b"".join(passed))

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_on() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                self._waiting -= 1
                return {**message, OVERFLOW: True} if self._overflowed else message
            fault = FAULTS.get(message.get("code", 0))
            if fault and not self._said_bye:
                client_faults.count(fault)
            return message

        async def send_on(message: Message) -> None:
            if TEXTS in message:
                if self._stalled is None and self._talking and not self._line.is_closing():
                    self._line.write(b"".join(map(_frame, message[TEXTS])))
                    return
                for text in message[TEXTS]:
                    await send({"type": "websocket.send", "text": text.decode()})
            elif message["type"] == "websocket.accept":
                await send(message)
                self._talking = True
                self._heard_at = monotonic()
                self._ask()
            else:
                self._talking = self._talking and message["type"] == "websocket.send"
                await send(message)

        try:
            await app(scope, receive_on, send_on)
        finally:
            self._talking = False
            if not self._lost.done():
                self._leaving = self._later(self._line.abort)
        if self._line.is_closing():
            await self._lost  # or uvicorn logs, of whom we turned away, that it is open

    def _ask(self) -> None:
        """Whether the client is there, once it has said nothing for a while."""
        patience, quiet = self.doors.patience, monotonic() - self._heard_at
        if self._waiting:  # for us: nothing more is read before
            quiet = 0.0
        if not self._talking:
            return
        if quiet >= 2 * patience:
            self._line.abort()
            return
        if quiet >= patience and not self._line.is_closing():
            self._line.write(PING)
        self._asking = asyncio.get_running_loop().call_later(patience - quiet % patience, self._ask)

    def _lets_in(self, first: int, second: int) -> bool:
        """Whether uvicorn gets the frame that begins so."""
        kind = first & 15
        self._heard_at = monotonic()
        if kind == Opcode.CLOSE:
            self._said_bye = True
            self._overflowed = False
            return True
        if self._overflowed:
            return False
        if (first, second) == EMPTY_TEXT:
            if self._may() and self._talking:
                self._line.write(_frame(b""))
            return False
        if kind == Opcode.PONG:
            self._may()
            return False
        if first & LAST and kind <= Opcode.BINARY:
            self._waiting += 1
            if self._waiting > BURST * self.doors.messages_per_second:
                if self._leaving is None:
                    client_faults.count("too_fast")
                self._overflowed = True
                return False
        return kind in (Opcode.TEXT, Opcode.BINARY) or self._may()

    def _may(self) -> bool:
        """Counts one more, and hangs up where that is too much."""
        if self._bucket is None:
            self._bucket = Bucket(self.doors.messages_per_second)
        if self._bucket.take():
            return True
        self._line.abort()
        return False


def _end_of_frame(data: bytes, at: int) -> int | None:
    """Where the frame ends that begins there; None where too little of it has come to say."""
    if len(data) < at + 2:
        return None
    size = data[at + 1] & 127
    begins = at + (6 if data[at + 1] & 128 else 2)  # with a mask or without
    if size > 125:
        more = 2 if size == 126 else 8
        size = int.from_bytes(data[at + 2 : at + 2 + more], "big")
        begins += more
    return begins + size if begins <= len(data) else None


def _frame(text: bytes) -> bytes:
    """A message to a client."""
    size = len(text)
    if size < 126:
        return b"\x81%c%b" % (size, text)
    more = 2 if size < 2**16 else 8
    return b"\x81%c%b%b" % (126 if more == 2 else 127, size.to_bytes(more, "big"), text)


def _address(transport: asyncio.BaseTransport, which: str) -> tuple[str, int] | None:
    """As a scope has it: of IPv6 the first two of four."""
    address = transport.get_extra_info(which)
    return address and (address[0], address[1])


def _cancel(timer: TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def _is_no_clients_fault(record: logging.LogRecord) -> bool:
    """What uvicorn takes for an error of the server although it is counted as a client's."""
    return not record.getMessage().startswith("Invalid UTF-8")
