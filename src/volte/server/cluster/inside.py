"""What the processes of one playroom ask of each other, and how they know each other.

Each listens a second time, at an address of which only the database knows. Whoever asks there says
the secret that stands there as well, and for whom they ask: that is believed, and no request or
connection is counted by the limits, for it has been where it came in. What is said on a WebSocket
nobody has looked at there: it is judged here, as what comes in by the door of one's own.
"""

from __future__ import annotations

import asyncio
import hmac
import socket
from asyncio import Task
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, State
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from volte.server.addresses import house_address
from volte.server.cluster.handing import Hatch
from volte.server.doors import Doors
from volte.server.listening import listen
from volte.server.room import Room
from volte.wire.messages import LONGEST_MESSAGE

OURS: Final = "x-volte-inside"
SECRET: Final = f"{OURS}-secret"
CLIENT: Final = f"{OURS}-client"
SCHEME: Final = f"{OURS}-scheme"
"""Headers of what is passed on. From outside nobody looks at them."""

HANDED_IN: Final = f"{OURS}-handed-in"
"""In the state of a connection that has been."""

CLOSING: Final = 1
"""Seconds in which what others have asked may end, once all tables are stopped."""


class Inside:
    """The application, as other processes ask it.

    Attributes:
        state: as the application's.
    """

    def __init__(self, app: Starlette, secret: bytes) -> None:
        self.state: State = app.state
        self._app = app
        self._secret = secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if not hmac.compare_digest(headers.get(SECRET, "").encode(), self._secret.hex().encode()):
            await _turn_away(scope, receive, send)
            return
        secure = headers.get(SCHEME, "") in ("https", "wss")
        kinds = ("https", "http") if scope["type"] == "http" else ("wss", "ws")
        scope["scheme"] = kinds[not secure]
        scope["client"] = (headers.get(CLIENT, ""), 0)
        scope["headers"] = without_ours(scope["headers"])
        scope.setdefault("state", {})[OURS] = True
        await self._app(scope, receive, send)


async def _turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close"})
    else:
        await PlainTextResponse("This address is for the playroom itself.\n", 403)(
            scope, receive, send
        )


def passed_on(scope: Scope) -> bool:
    """Whether another process of the playroom asks, which has counted it."""
    return bool(scope.get("state", {}).get(OURS, False))


def handed_in(scope: Scope) -> bool:
    """Whether the process that asks has given away the connection, and counts it no longer."""
    return passed_on(scope) and HANDED_IN in scope["state"]


def without_ours(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers that do not speak of passing on."""
    return [pair for pair in headers if not pair[0].lower().startswith(OURS.encode())]


class Listener(uvicorn.Server):
    """Listens for the other processes, beside the server proper.

    Attributes:
        address: `HOST:PORT`, at which they reach it.
    """

    def __init__(self, room: Room, app: Starlette) -> None:
        doors = Doors(Inside(app, room.cluster.secret), room.settings)
        config = uvicorn.Config(
            doors,
            access_log=False,
            date_header=False,
            lifespan="off",
            log_config=None,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=CLOSING,
            http="h11",
            ws="websockets-sansio",
            ws_ping_interval=None,  # the doors ask
            ws_max_size=4 * LONGEST_MESSAGE,
            ws_per_message_deflate=False,
        )
        doors.guard(config)
        super().__init__(config)
        self.address = ""
        self._host = room.settings.internal_host
        self._task: Task[None] | None = None
        self._hatch = Hatch(room.cluster.secret, self._take)
        self._taking: set[Task[None]] = set()

    async def begin(self) -> None:
        """Listens from now on. Raises `ServingFault`."""
        listening = listen(self._host, 0)
        host, port = listening.getsockname()[:2]
        if host in ("0.0.0.0", "::"):
            host = house_address()
        self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._task = asyncio.create_task(self.serve([listening]), name="inside")
        self._hatch.open()

    async def end(self) -> None:
        """Listens no more."""
        self._hatch.close()
        if self._task is not None:
            self.should_exit = True
            await asyncio.wait({self._task})

    def _take(self, connection: socket.socket, handshake: bytes) -> None:
        task = asyncio.create_task(self._talk(connection, handshake))
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    async def _talk(self, connection: socket.socket, handshake: bytes) -> None:
        """With a client who has been handed in, as if they had come in here."""

        def requests() -> Any:
            kind: Any = self.config.http_protocol_class
            return kind(self.config, self.server_state, {HANDED_IN: True})

        connection.setblocking(False)
        loop = asyncio.get_running_loop()
        try:
            _, protocol = await loop.connect_accepted_socket(requests, connection)
        except OSError:
            connection.close()
        else:
            protocol.data_received(handshake)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are for the server proper."""
        yield
