"""The WebSocket of a table: one client, from its hello to its goodbye."""

from __future__ import annotations

import asyncio
from asyncio import Future

import msgspec
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from volte.game.codec import encode
from volte.people.sessions import hashed, identify
from volte.say import Words
from volte.say.catalogue import language_of
from volte.say.serving import serving_sentence
from volte.server.live.at_table import AtTable, Ended
from volte.server.live.closing import close
from volte.server.live.costs import READING, cost_of, cost_of_telling
from volte.server.run.doors import TEXTS
from volte.server.run.leading import is_led
from volte.server.tables.entrance import entrance, is_invited
from volte.store import Person, Unavailable
from volte.table import Someone
from volte.table.failing import where_it_failed
from volte.table.subscriptions import Watcher
from volte.web.faults import client_faults
from volte.web.logs import get_logger
from volte.web.refused import Refused
from volte.web.room import Room
from volte.web.security import own_origin
from volte.web.visit import Refusing, prepare, words_of
from volte.wire.messages import (
    LONGEST_MESSAGE,
    PROTOCOL,
    Asking,
    Hello,
    Saying,
    decode_asking,
)

log = get_logger("volte.server")


async def live(socket: WebSocket) -> None:
    """`/live/{table}`: lets somebody talk with a table."""
    room: Room = socket.app.state.room
    prepare(socket)
    address = socket.state.address
    try:
        gone = room.lobby.living(str(socket.path_params["table"])) is None
        if room.stopping and gone:  # as long as there is no connection, a proxy asks the next node
            raise Refused(503, "stopping")
        await room.limits.spend("page", address)
        with room.limits.socket(address):
            if not own_origin(socket, room.settings.origins):
                client_faults.count("wrong_origin")
                await room.limits.spend("foreign", address)
                raise Refused(403, "wrong_origin")
            if not await is_led(socket, room):
                await _Call(socket, room).run()
    except Refused as refused:
        await _deny(socket, refused)


async def _deny(socket: WebSocket, refused: Refused) -> None:
    """Turns somebody away before there is a connection."""
    line = serving_sentence(socket.state.words, refused.reason, **refused.params)
    body = msgspec.json.encode(Refusing(refused.reason, line))
    await socket.send_denial_response(
        Response(body, refused.status_code, refused.headers, "application/json")
    )


class _Call:
    """One connection. See `connections.Caller` for its attributes."""

    def __init__(self, socket: WebSocket, room: Room) -> None:
        self.session = b""
        self.table = str(socket.path_params["table"])
        self.person = self.name = ""
        self.seated = True  # nobody is told of somebody who has not come in yet
        self.gone: Future[None] = asyncio.get_running_loop().create_future()
        self._socket = socket
        self._room = room
        self._words: Words = socket.state.words
        self._budget = room.limits.budget(socket.state.address)
        self._watcher: Watcher | None = None
        self._hung_up = ""

    async def run(self) -> None:
        try:
            try:
                await self._socket.accept()
            except (WebSocketDisconnect, OSError):
                return  # they went before it began
            await self._talk()
        except Ended as ended:
            await self._close(ended.reason, **ended.params)
        except Refused as refused:
            await self._close(refused.reason, **refused.params)
        except Unavailable:
            await self._close("unavailable")
        except Exception as error:
            log.error("connection_failed", table=self.table, where=where_it_failed(error))
            await self._close("failed")
        finally:
            self.gone.set_result(None)

    def hang_up(self, reason: str) -> None:
        """Ends the connection soon, with that reason."""
        self._hung_up = reason
        if self._watcher is not None:
            self._watcher.end(reason)

    def sits(self, seated: bool) -> None:
        """Whether the person has a seat, as others are told."""
        self._room.live.sits(self, seated)

    async def _talk(self) -> None:
        hello = await self._hello()
        await self.afford(hello)
        await identify(self._socket)
        person: Person | None = self._socket.state.person
        if person is None:
            raise Ended("no_session")
        self._words = words_of(language_of(hello.lang) or self._socket.state.lang)
        self.session = hashed(self._socket.state.token)
        self.person, self.name = person.id, person.name
        with self._room.limits.socket_of(person.id):
            self._budget.belongs_to(person.id)
            self._room.live.add(self)
            try:
                await self._stay(person, hello)
            finally:
                self._room.live.remove(self)

    async def _stay(self, person: Person, hello: Hello) -> None:
        """Comes to the table, and stays there to the end."""
        table = await entrance(self._socket, self.table)
        if self._hung_up:  # meanwhile
            raise Ended(self._hung_up)
        invited = await is_invited(self._room, table, person.id)
        watcher = self._watcher = table.watch(Someone(person.id, person.name, invited))
        try:
            await AtTable(self, self._room, table, person, watcher, self._words, hello).talk()
        finally:
            watcher.close()

    async def _hello(self) -> Hello:
        """The first message. Raises `Ended` for any other."""
        try:
            async with asyncio.timeout(self._room.settings.patience):
                asking = self.read(await self.receive())
        except TimeoutError:
            raise Ended("no_hello") from None
        except msgspec.DecodeError:
            raise Ended("malformed") from None
        if not isinstance(asking, Hello):
            raise Ended("malformed")
        if asking.protocol != PROTOCOL:
            raise Ended("old_protocol", version=PROTOCOL)
        return asking

    async def receive(self) -> str | bytes:
        """What the client says next. Raises `Ended` once it has gone, or says too much.

        An empty text comes back: scripts try their line by it, since they cannot send pings.
        """
        text: str | bytes = ""
        while not text:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                raise Ended
            text = message.get("text") or message.get("bytes") or ""
            if not text:
                await self.afford(None)
                await self._send([b""])
        size = len(text.encode()) if isinstance(text, str) else len(text)
        if size > LONGEST_MESSAGE:
            raise Ended("too_big", most=LONGEST_MESSAGE)
        return text

    @staticmethod
    def read(text: str | bytes) -> Asking:
        """What it means. Raises `msgspec.DecodeError`."""
        if isinstance(text, bytes):
            raise msgspec.DecodeError("not text")
        return decode_asking(text)

    async def afford(self, asking: Asking | None) -> None:
        """Waits until that may be done; None is what cannot be read."""
        await self._budget.afford(READING if asking is None else cost_of(asking))

    async def say(self, *sayings: Saying) -> None:
        """Raises `Ended` where the client does not take it."""
        if self._socket.application_state is not WebSocketState.CONNECTED:
            raise Ended
        texts = [*map(encode, sayings)]
        self._budget.told(cost_of_telling(texts))
        await self._send(texts)

    async def _send(self, texts: list[bytes]) -> None:
        try:
            await self._socket.send({"type": "websocket.send", TEXTS: texts})
        except (WebSocketDisconnect, RuntimeError, OSError):
            raise Ended from None

    async def _close(self, reason: str, **params: object) -> None:
        """Says why, and hangs up."""
        await close(self._socket, self._words, self._room.settings.patience, reason, "", **params)
