"""The WebSocket of a table that another process has.

On one machine it is handed over. From another one, what is said there is passed to and fro: the
owner of the table answers the client's own handshake, and from then on nobody here looks into what
they say to each other: whatever is too long, too much or no WebSocket at all is the owner's to
refuse, as it is for clients that come to its own door.
"""

from __future__ import annotations

import asyncio
from asyncio import Future
from contextlib import suppress
from functools import partial
from typing import Final

import h11
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from websockets.frames import Close, Frame, Opcode

from volte.game.codec import encode
from volte.server.closing import CLOSINGS, close
from volte.server.cluster.handing import hand_in
from volte.server.cluster.passing import REACHING, NotReached, by_owner, said_for
from volte.server.cluster.pipe import End, Frames
from volte.server.refused import Refused
from volte.server.room import Room
from volte.store import Unavailable
from volte.store.processes import Process
from volte.wire.messages import Notice
from volte.words import Words
from volte.words.serving import serving_sentence

PASSED: Final = (
    *("cookie", "accept-language", "user-agent", "x-volte"),
    *("sec-websocket-key", "sec-websocket-version"),
)
"""Headers of the client's that the other process gets."""

LONGEST_HEAD: Final = 16 * 1024
"""Bytes within which it has to answer the handshake."""


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
    _far: OwnersEnd

    def __init__(self, socket: WebSocket, room: Room, table: str) -> None:
        self.session = b""  # the process that has the table hangs up
        self.table = table
        self.person = self.name = ""
        self.seated = True
        self.gone: Future[None] = asyncio.get_running_loop().create_future()
        self._socket = socket
        self._room = room
        self._patience = room.settings.patience

    def hang_up(self, reason: str) -> None:
        """Ends the connection soon, with that reason."""
        self._far.hang_up(reason)

    async def pass_on(self, owner: Process) -> bool:
        """Has that process talk with the client, to the end. Raises `NotReached`."""
        if await self._hand_in(owner):
            self.gone.set_result(None)
            return True
        self.owner = owner
        near, far = End(self._patience), await self._reach(owner)
        self._far = far
        try:
            self._socket.state.hand_over(near)
            far.join(near)
            await self._until_closed(near, far)
        except OSError:
            pass  # before it began
        finally:
            far.abort()
            near.abort()
            self.gone.set_result(None)
        return True

    async def give_up(self, reason: str) -> None:
        """Says that it cannot be."""
        with suppress(WebSocketDisconnect, RuntimeError):
            if self._socket.application_state is WebSocketState.CONNECTING:
                await self._socket.accept()
            await close(self._socket, self._socket.state.words, self._patience, reason)

    async def _hand_in(self, owner: Process) -> bool:
        """Whether that process has taken the connection itself. Raises `NotReached`."""
        handshake = self._handshake(owner)
        offer = partial(hand_in, owner, handshake=handshake, within=REACHING)
        try:
            taken = await self._socket.state.give_away(offer)
        except OSError:
            return True
        if taken is False:
            raise NotReached(owner.address)
        return bool(taken)

    async def _reach(self, owner: Process) -> OwnersEnd:
        """The connection to that process, which answers. Raises `NotReached`."""
        far = OwnersEnd(self._patience, self._socket.state.words)
        host, _, port = owner.address.rpartition(":")
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(REACHING):
                await loop.create_connection(lambda: far, host.strip("[]"), int(port))
                far.say(self._handshake(owner))
                await far.settled
        except (OSError, h11.LocalProtocolError) as error:
            raise NotReached(owner.address) from error
        finally:
            if not far.answers:
                far.abort()
        if not far.answers:
            raise NotReached(owner.address)
        return far

    def _handshake(self, owner: Process) -> bytes:
        """The client's own, as far as it is known what it says."""
        target = f"/live/{self.table}".encode()
        if query := self._socket.scope["query_string"]:
            target += b"?" + query
        headers = [("host", owner.address), ("connection", "Upgrade"), ("upgrade", "websocket")]
        headers += [pair for pair in self._socket.headers.items() if pair[0] in PASSED]
        headers += said_for(self._socket, owner)
        said = [(name.encode(), text.encode("latin-1", "replace")) for name, text in headers]
        request = h11.Request(method="GET", target=target, headers=said)
        return h11.Connection(h11.CLIENT).send(request) or b""

    async def _until_closed(self, *ends: End) -> None:
        self._room.live.add(self)
        self._room.cluster.passed.add(self)
        try:
            for end in ends:
                await end.lost
        finally:
            self._room.live.remove(self)
            self._room.cluster.passed.discard(self)


class OwnersEnd(End):
    """The connection to the process that has the table.

    Attributes:
        answers: whether it has answered the handshake.
        settled: done once that is known.

    Args:
        words: those of the client.
    """

    answers = False

    def __init__(self, patience: float, words: Words) -> None:
        super().__init__(patience)
        self.settled: Future[None] = self._loop.create_future()
        self._words = words
        self._heard = b""
        self._frames = Frames()

    def join(self, client: End) -> None:
        """From now on the client hears what it says, from its answer to the handshake on."""
        self.other, client.other = client, self
        head, _, rest = self._heard.partition(b"\r\n\r\n")
        self._frames.closing = not head.startswith(b"HTTP/1.1 101 ")
        self._frames.follow(rest)
        client.say(self._heard)
        self._heard = b""
        self.listen()
        if self.lost.done():
            self.hang_up("moved_away")

    def hang_up(self, reason: str) -> None:
        """Ends the pipe. The client hears why, where it has not heard that already."""
        if self.other is not None:
            if self._frames.between and not self._frames.closing:
                self.other.say(_farewell(self._words, reason))
            self.other.end()
        self.abort()

    def data_received(self, data: bytes) -> None:
        if self.other is not None:
            self._frames.follow(data)
            self.other.say(data)
            return
        self._heard += data
        self.answers = b"\r\n\r\n" in self._heard
        if self.answers or len(self._heard) > LONGEST_HEAD:
            self.listen(False)
            self._settle()

    def eof_received(self) -> bool:
        self.hang_up("moved_away")
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._settle()
        self.hang_up("moved_away")
        super().connection_lost(exc)

    def _settle(self) -> None:
        if not self.settled.done():
            self.settled.set_result(None)


def _farewell(words: Words, reason: str) -> bytes:
    """As `closing.close` says it."""
    line = serving_sentence(words, reason)
    said = Frame(Opcode.TEXT, encode(Notice(reason, line)))
    code = Frame(Opcode.CLOSE, Close(CLOSINGS[reason], reason).serialize())
    return said.serialize(mask=False) + code.serialize(mask=False)
