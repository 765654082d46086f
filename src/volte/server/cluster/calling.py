"""The WebSocket of a table that another process has: every message is passed to and fro."""

from __future__ import annotations

import asyncio
from asyncio import Future
from contextlib import suppress
from typing import Final

from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from volte.server.closing import close
from volte.server.cluster.passing import REACHING, NotReached, by_owner, said_for
from volte.server.refused import Refused
from volte.server.room import Room
from volte.store import Unavailable
from volte.store.processes import Process

PASSED: Final = ("cookie", "accept-language", "user-agent", "x-volte")
"""Headers of the client's that the other process gets."""

MOST_WAITING: Final = 4
"""Messages for a slow client that wait here; more of them wait where they are made."""

UNSAID: Final = (1005, 1006, 1015)
"""Codes that nobody sends: they stand for a connection that just ends."""


async def called_elsewhere(socket: WebSocket, room: Room) -> bool:
    """Passes a call on if another process has the table; whether one had it."""
    table = str(socket.path_params["table"])
    if not table.isascii() or len(table) > 64:
        return False
    call = PassedCall(socket, room, table)
    try:
        return bool(await by_owner(room, table, call.pass_on))
    except (Refused, Unavailable):
        await call.give_up("unavailable")
        return True


class PassedCall:
    """One connection. See `connections.Caller` for its attributes, and `membership.Passed`."""

    owner: Process

    def __init__(self, socket: WebSocket, room: Room, table: str) -> None:
        self.session = b""  # the process that has the table hangs up
        self.table = table
        self.person = self.name = ""
        self.seated = True
        self.gone: Future[None] = asyncio.get_running_loop().create_future()
        self._socket = socket
        self._room = room
        self._hung_up = ""
        self._ending = asyncio.Event()

    def hang_up(self, reason: str) -> None:
        """Ends the connection soon, with that reason."""
        self._hung_up = reason
        self._ending.set()

    async def pass_on(self, owner: Process) -> bool:
        """Talks with that process, from the beginning to the end. Raises `NotReached`."""
        self.owner = owner
        try:
            inner = await connect(
                f"ws://{owner.address}/live/{self.table}{self._query()}",
                additional_headers=[*self._headers(), *said_for(self._socket, owner)],
                compression=None,
                max_queue=MOST_WAITING,
                max_size=None,
                open_timeout=REACHING,
                ping_interval=None,
                proxy=None,
                user_agent_header=None,
            )
        except InvalidStatus as refused:
            await self._deny(refused)
            return True
        except (OSError, EOFError, WebSocketException) as error:
            raise NotReached(owner.address) from error
        try:
            await self._socket.accept()
            self._room.live.add(self)
            self._room.cluster.passed.add(self)
            try:
                await self._talk(inner)
            finally:
                self._room.live.remove(self)
                self._room.cluster.passed.discard(self)
        except WebSocketDisconnect:
            pass  # before it began
        finally:
            self.gone.set_result(None)
            with suppress(TimeoutError):
                async with asyncio.timeout(REACHING):
                    await inner.close()
            inner.transport.abort()
        return True

    async def give_up(self, reason: str) -> None:
        """Says that it cannot be."""
        with suppress(WebSocketDisconnect, RuntimeError):
            if self._socket.application_state is WebSocketState.CONNECTING:
                await self._socket.accept()
            await self._close(reason)

    def _query(self) -> str:
        query = self._socket.scope["query_string"].decode("latin-1")
        return f"?{query}" if query else ""

    def _headers(self) -> list[tuple[str, str]]:
        return [pair for pair in self._socket.headers.items() if pair[0] in PASSED]

    async def _deny(self, refused: InvalidStatus) -> None:
        said = refused.response
        kind = said.headers.get("content-type", "text/plain")
        await self._socket.send_denial_response(
            Response(bytes(said.body or b""), said.status_code, media_type=kind)
        )

    async def _talk(self, inner: ClientConnection) -> None:
        ways = {
            asyncio.create_task(self._outward(inner)),
            asyncio.create_task(self._inward(inner)),
            asyncio.create_task(self._ending.wait()),
        }
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        if self._hung_up:
            await self._close(self._hung_up)

    async def _inward(self, inner: ClientConnection) -> None:
        """What the client says, until it hangs up."""
        while (message := await self._socket.receive())["type"] == "websocket.receive":
            text = message.get("text")
            try:
                await inner.send(message.get("bytes") or b"" if text is None else text)
            except ConnectionClosed:
                await asyncio.Event().wait()  # the other way tells the client

    async def _outward(self, inner: ClientConnection) -> None:
        """What the table says, until it hangs up."""
        try:
            while True:
                text = await inner.recv(decode=True)
                async with asyncio.timeout(self._room.settings.patience):
                    await self._socket.send_text(str(text))
        except ConnectionClosed:
            await self._closed(inner.close_code or UNSAID[0], inner.close_reason or "")
        except TimeoutError:
            await self._close("too_slow")
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass

    async def _closed(self, code: int, reason: str) -> None:
        """The table has hung up: with a code, or because its process is gone."""
        if code in UNSAID:
            await self._close("moved_away")
            return
        with suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
            async with asyncio.timeout(self._room.settings.patience):
                await self._socket.close(code, reason)

    async def _close(self, reason: str) -> None:
        await close(self._socket, self._socket.state.words, self._room.settings.patience, reason)
