"""What a connection may do before, and between, the messages that the rest of the server sees.

uvicorn gives everybody as long as they like for half a request or to take what they are sent, and
answers as many pings as there are; here, whoever does not come to the point is cut off.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

from volte.server.faults import client_faults
from volte.server.limits import BURST, Bucket
from volte.server.settings import Settings
from volte.table.bell import Bell

TOO_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


TEXTS: Final = "volte.texts"
"""In a `websocket.send`: texts, as bytes, each of them a message, which are sent together."""

OVERFLOW: Final = "volte.overflow"
"""In a `websocket.receive`: in place of all that waited, which was too much."""


class Requests(H11Protocol):
    """HTTP for those who say what they want within `Settings.patience`."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._wait_no_more()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        """For a whole request, body and all, as long as the client owes us one."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY) or self.transport.is_closing():
            self._wait_no_more()
        elif self._patience is None and self.transport.get_protocol() is self:
            patience = _settings(self.config).patience
            self._patience = self.loop.call_later(patience, self._cut_off)

    def _wait_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def send_400_response(self, msg: str) -> None:
        client_faults.count("bad_http")
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:  # it is being answered already
            self.transport.close()
        if self.cycle is not None:  # whoever reads that request, or answers it, is not to fail
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _cut_off(self) -> None:
        self._patience = None
        if self.conn.our_state is h11.IDLE:
            self.transport.write(TOO_LATE)
        self.transport.close()


class Messages:
    """What has come in and waits for its one reader: a queue for next to no memory."""

    __slots__ = ("_bell", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[Any] = []
        self._bell = Bell()

    def put_nowait(self, message: Any) -> None:
        self._waiting.append(message)
        self._bell.ring()

    def overflow(self) -> None:
        """Puts one that says so in the place of all that wait."""
        self._waiting = [{"type": "websocket.receive", OVERFLOW: True}]
        self._bell.ring()

    def __len__(self) -> int:
        return len(self._waiting)

    async def get(self) -> Any:
        while not self._waiting:
            await self._bell.wait()
        return self._waiting.pop(0)

    def empty(self) -> bool:
        return not self._waiting


class Sockets(WebSocketsSansIOProtocol):
    """WebSockets on which what is no message counts as one: pings, pongs, and splinters.

    Sending raises `TimeoutError` where the client takes nothing for `Settings.patience`. Instead of
    accepting a connection the application may have somebody else look after it: its `state` has
    `hand_over` and `give_away` for that.
    """

    _bucket: Bucket | None = None
    _patience: asyncio.TimerHandle | None = None
    _heard_at = 0.0
    _handed_over = False
    _speaking = False

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:  # nothing is read before it is known who does that
            self.scope["state"] |= {"hand_over": self.hand_over, "give_away": self.give_away}
            self.read_paused = True
            self.transport.pause_reading()

    def hand_over(self, to: asyncio.Protocol) -> None:
        """Has that protocol answer the handshake, and do all the rest.

        Raises `ClientDisconnected`. The application returns when the connection is closed.
        """
        self._check()
        self._let_go(to)
        to.connection_made(self.transport)
        self.transport.resume_reading()

    async def give_away(self, offer: Callable[[int], Awaitable[bool | None]]) -> bool | None:
        """Has another process answer the handshake, and do all the rest, if it takes the offer.

        Raises `ClientDisconnected`.

        Args:
            offer: gets the number of a file that is the connection; its answer is that of this.
        """
        self._check()
        number = os.dup(self.transport.get_extra_info("socket").fileno())
        try:
            taken = await offer(number)
        finally:
            os.close(number)
        if taken:
            self._let_go(asyncio.Protocol())
            self.transport.abort()  # here; the other process has it, too
        return taken

    def _check(self) -> None:
        if self.disconnected or self.transport.is_closing():
            raise ClientDisconnected

    def _let_go(self, to: asyncio.Protocol) -> None:
        self.handshake_complete = self.close_sent = self.disconnected = True  # as uvicorn sees it
        self._handed_over = True
        del self.conn, self.request, self.response
        self.transport.set_protocol(to)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._patience is not None:
            self._patience.cancel()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._messages = Messages()
        self.queue = self._messages  # type: ignore[assignment]

    async def send(self, message: Any) -> None:
        if not self.writable.is_set():
            async with asyncio.timeout(_settings(self.config).patience):
                await self.writable.wait()
        talking = self.handshake_complete and not (self.close_sent or self.disconnected)
        if TEXTS not in message or not talking:
            await super().send(message)
            if message["type"] == "websocket.accept":
                del self.request, self.response  # which would take their place until the end
            elif message["type"] == "websocket.http.response.body" and self.close_sent:
                self.handshake_complete = True  # or uvicorn logs that it never was
            return
        try:
            for text in message[TEXTS]:
                self.conn.send_text(text)
        except InvalidState:
            raise ClientDisconnected from None
        if not self._speaking:
            self._speaking = True
            self.loop.call_soon(self._speak)

    def _speak(self) -> None:
        """An answer, and what has happened by it, come at the same time, and leave together."""
        self._speaking = False
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The server has done with the client, who may not want to hear the rest of it."""
        super().on_task_complete(task)
        del self.scope  # which knows this object
        if self._handed_over:
            self.connections.discard(self)
        elif not self.disconnected:
            patience = _settings(self.config).patience
            self._patience = self.loop.call_later(patience, self.transport.abort)

    def send_keepalive_ping(self) -> None:
        """Whoever has just said something need not be asked whether they are still there."""
        quiet_at = self._heard_at + _settings(self.config).patience
        if self.loop.time() < quiet_at:
            self.ping_timer = self.loop.call_at(quiet_at, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def handle_text(self, event: Frame) -> None:
        self._heard_at = self.loop.time()
        super().handle_text(event)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            client_faults.count("bad_text")
            self.conn.send_close(CloseCode.INVALID_DATA)
            super().handle_parser_exception()
            return
        if self.curr_msg_data_type == "text" and not any(self.frames):
            self._answer_at_once()
            return
        super().send_receive_event_to_app()
        if len(self._messages) > BURST * _settings(self.config).messages_per_second:
            client_faults.count("too_fast")
            self._messages.overflow()

    def _answer_at_once(self) -> None:
        """An empty text, by which a script tries its line, comes back, and wakes nobody: scripts
        cannot send pings."""
        self.frames.clear()
        if self._may() and not (self.close_sent or self.disconnected):
            self.conn.send_text(b"")
            self.transport.write(b"".join(self.conn.data_to_send()))

    def handle_parser_exception(self) -> None:
        client_faults.count("bad_frame")
        super().handle_parser_exception()

    def handle_ping(self) -> None:
        if self._may():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._may():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._may():
            super().handle_cont(event)

    def _may(self) -> bool:
        """Counts one more, and hangs up where that is too much."""
        if self._bucket is None:
            self._bucket = Bucket(_settings(self.config).messages_per_second)
        if self._bucket.take():
            return True
        self.transport.abort()
        return False


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _settings(config: Any) -> Settings:
    settings: Settings = config.app.state.settings
    return settings
