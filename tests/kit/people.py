"""People at a real server: guests with a session and a WebSocket, and players who fold events."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Self
from urllib.parse import urljoin
from weakref import WeakSet

import pytest
from kit import tables
from kit.requests import MOST_LEADS, PATH, Reply, post_form, post_json, request
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from volte import referee
from volte.game import MatchStarted, MatchState
from volte.game.codec import encode
from volte.referee import SeatAction
from volte.table import Happening, OpenSeats, Setup, TableEvent, TableState, evolve
from volte.table import commands as cmd
from volte.view import View
from volte.web.security import csrf_of
from volte.wire import messages as wire

PATIENCE: Final = 60  # limit for anything awaited, in seconds


def one_deal_table(**more: Any) -> Setup:
    """A setup for matches of one deal, at a table where anybody may sit."""
    return tables.setup(name="Table", open_seats=OpenSeats.ALL, **more)


ONE_DEAL: Final = one_deal_table().rules
MOST_TOLD: Final = 10_000
CONNECTED: Final[WeakSet[Guest]] = WeakSet()


class Lost(Exception):
    """The connection is lost; `code` is its close code."""

    def __init__(self, code: int | None, reason: str = "") -> None:
        super().__init__(f"{code} {reason}")
        self.code = code


class Guest:
    """A person with a session, and at most one connection."""

    # Arguments for `connect` of websockets that find dead connections
    keepalive: Mapping[str, Any] = {}

    def __init__(self, address: str, cookie: str, person: str, name: str) -> None:
        self.address = address
        self.cookie = cookie
        self.person = person
        self.name = name
        self.table = ""
        self.welcome: wire.Welcome | None = None
        self.number = 0  # of the last happening received
        self.state: TableState | None = None  # of the table; None until all missed has come
        self.match: MatchState | None = None  # in the person's view
        self.told = deque[wire.Happened](maxlen=MOST_TOLD)  # the last ones received
        self.scenes: list[wire.Scene] = []
        self.notices: list[wire.Notice] = []
        self.answers: dict[str, wire.Answer] = {}
        self.closed: int | None = None  # close code, once the connection is closed
        self.led: list[str] = []  # paths to which the last call was redirected
        self._hello = ""
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._news = asyncio.Condition()
        self._device = secrets.token_hex(4)
        self._ids = itertools.count(1)

    @classmethod
    async def come(cls, address: str, name: str = "Zoé", lang: str = "en") -> Self:
        """Let a new person in; the server must accept them."""
        reply = await post_json(address, "/api/guest", {"name": name, "lang": lang})
        assert reply.status == 200, reply
        return cls(address, reply.cookie, reply.json["person"], name)

    @property
    def token(self) -> str:
        """The secret of the session."""
        return self.cookie.partition("=")[2]

    @property
    def csrf(self) -> str:
        """The token that forms of the session carry."""
        return csrf_of(self.token)

    @property
    def line(self) -> ClientConnection:
        """The open connection."""
        assert self._socket is not None
        return self._socket

    def device(self) -> Self:
        """Another device of the same person."""
        return type(self)(self.address, self.cookie, self.person, self.name)

    async def get(self, path: str, **headers: str) -> Reply:
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return await request(self.address, "GET", path, headers={"cookie": self.cookie} | more)

    async def post(self, path: str, content: Mapping[str, Any] | None = None) -> Reply:
        """Send JSON to `/api/…`, as a program does, and a form of the session elsewhere."""
        if "/api/" in path:
            return await post_json(self.address, path, content or {}, self.cookie)
        fields = {"csrf": self.csrf} | dict(content or {})
        return await post_form(self.address, path, fields, self.cookie)

    async def open_table(
        self,
        levels: Sequence[str] = ("casual", "casual", "casual"),
        setup: Setup | None = None,
        password: str = "",
    ) -> str:
        """Open a table, by default one where anybody may sit; return its id."""
        setup = setup or one_deal_table()
        content = {"setup": json.loads(encode(setup)), "levels": levels, "password": password}
        reply = await post_json(self.address, "/api/tables", content, self.cookie)
        assert reply.status == 201, reply
        table: str = reply.json["table"]
        return table

    @classmethod
    async def with_table(cls, address: str, name: str = "Zoé") -> tuple[Self, str]:
        """A new person, and the id of their table, to which they are not connected."""
        host = await cls.come(address, name)
        return host, await host.open_table()

    @classmethod
    async def at_table(
        cls, address: Any, *, name: str = "Zoé", told: bool = False, **table: Any
    ) -> Self:
        """A new person who has opened a table and joined it; see `open_table`."""
        host = await cls.come(address, name)
        await host.join(await host.open_table(**table), told=told)
        return host

    async def hurry(self) -> None:
        """Set the pace of bots and tricks to 0, so that they wait for nobody."""
        assert (await self.prefer(bot_pace=0, trick_pace=0)).ok

    async def dial(self, table: str, *, at: str = "", **headers: str) -> ClientConnection:
        """Open a connection to a table, without a hello.

        Args:
            at: a path to which the call was redirected, instead of the usual one.
        """
        address = self.address.replace("http", "ws", 1).rstrip("/") + f"/live/{table}"
        said = {"Cookie": self.cookie} | headers
        return await connect(
            urljoin(address, at),
            additional_headers=said,
            compression=None,
            max_size=None,
            proxy=None,
            **self.keepalive,
        )

    async def denied(self, table: str, **headers: str) -> Reply:
        """Try to connect, and return the HTTP answer of the refusal."""
        with pytest.raises(InvalidStatus) as caught:
            await self.dial(table, **headers)
        response = caught.value.response
        given = [(name.lower(), value) for name, value in response.headers.raw_items()]
        return Reply(response.status_code, given, bytes(response.body or b""))

    async def join(self, table: str = "", *, told: bool = False, seen: int | None = None) -> None:
        """Connect, and wait until all missed happenings are here. Raises `Lost`."""
        await self.call(table or self.table, told=told, seen=seen)
        await self.until(lambda: self.state is not None)

    async def call(self, table: str, *, told: bool = False, seen: int | None = None) -> None:
        """Connect, say hello and read on in a task; redirects before the welcome are followed."""
        await self.leave()
        if table != self.table:
            self.number, self.match = 0, None
        self.table = table
        seen = self.number if seen is None else seen
        await self._begin(wire.Hello(self.next_id(), wire.PROTOCOL, seen, told))

    async def _begin(self, hello: wire.Hello) -> None:
        self.state = self.welcome = self.closed = None
        self.led, self._hello = [], encode(hello).decode()
        self._socket = await self.dial(self.table)
        self._reading = asyncio.create_task(self._read(self._socket))
        self.loop = asyncio.get_running_loop()
        CONNECTED.add(self)
        with suppress(Lost):  # the reading task knows why, and may follow a redirect
            await self.send(self._hello)

    def next_id(self) -> str:
        """A message id that none of this person's devices has used."""
        return f"{self._device}.{next(self._ids)}"

    async def leave(self) -> None:
        """Close the connection, if there is one."""
        CONNECTED.discard(self)
        if self._socket is not None:
            await self._socket.close()
            assert self._reading is not None
            await self._reading
        self._socket = None

    def drop(self) -> None:
        """Lose the connection, as when a cable is pulled."""
        self.line.transport.abort()

    def stop_reading(self) -> None:
        """Read nothing more from the connection."""
        self.line.transport.pause_reading()

    async def send(self, text: str | bytes) -> None:
        """Send a message. Raises `Lost`."""
        socket = self.line
        try:
            await socket.send(text)
        except ConnectionClosed:
            raise Lost(socket.close_code) from None

    async def _read(self, socket: ClientConnection) -> None:
        try:
            while at := await self._listen(socket):
                self.led.append(at)
                socket = self._socket = await self.dial(self.table, at=at)
                with suppress(ConnectionClosed):
                    await socket.send(self._hello)
        except (OSError, WebSocketException):
            pass
        finally:
            async with self._news:
                self.closed = socket.close_code or 1006
                self._news.notify_all()

    async def _listen(self, socket: ClientConnection) -> str:
        """Take messages until the end; the path of a redirect before the welcome, or empty."""
        heard = len(self.notices)
        with suppress(ConnectionClosed):
            async for text in socket:
                async with self._news:
                    self._hear(wire.decode_saying(text))
                    self._news.notify_all()
        if self.welcome is not None or len(self.led) == MOST_LEADS:
            return ""
        return next((at for notice in self.notices[heard:] if PATH.fullmatch(at := notice.at)), "")

    async def until(self, done: Callable[[], object], *, lost: bool = False) -> None:
        """Wait until `done` holds. Raises `Lost` if the connection ends, unless `lost`."""
        async with asyncio.timeout(PATIENCE), self._news:
            while not done():
                if self.closed is not None and not lost:
                    raise Lost(self.closed)
                await self._news.wait()

    async def until_closed(self) -> int:
        """Wait for the server to close the connection; return the close code."""
        await self.until(lambda: self.closed is not None, lost=True)
        assert self.closed is not None
        return self.closed

    # Asking

    async def do(
        self, command: cmd.Command, seen: int | None = None, asking: str = ""
    ) -> wire.Answer:
        """Give a command, and wait for the answer. Raises `Lost`."""
        number = self.number if seen is None else seen
        return await self.request(wire.Do, command, number, asking=asking)

    async def act(self, action: SeatAction) -> wire.Answer:
        """Do an action in the match."""
        return await self.do(cmd.Act(action))

    async def ask(self, what: wire.Question, card: int = 0, **more: Any) -> wire.Answer:
        """Ask a question."""
        return await self.request(wire.Ask, what, card, **more)

    async def prefer(self, **settings: Any) -> wire.Answer:
        """Set preferences at the table."""
        return await self.request(wire.Prefer, **settings)

    async def request(
        self, kind: Callable[..., wire.Asking], *fields: Any, asking: str = "", **more: Any
    ) -> wire.Answer:
        """Send a message of a kind under an id, and wait for the answer."""
        asking = asking or self.next_id()
        return await self.say(asking, encode(kind(asking, *fields, **more)).decode())

    async def say(self, asking: str, text: str) -> wire.Answer:
        """Send a text, and wait for the answer to the id `asking`."""
        self.answers.pop(asking, None)
        await self.send(text)
        await self.until(lambda: asking in self.answers)
        return self.answers[asking]

    # Hearing

    def _hear(self, saying: wire.Saying) -> None:
        match saying:
            case wire.Welcome():
                self._greet(saying)
            case wire.Happened():
                self.told.append(saying)
                self._fold(saying.number, saying.happening)
            case wire.Answer():
                self.answers[saying.id] = saying
            case wire.Scene():
                self.scenes.append(saying)
            case wire.Notice():
                self.notices.append(saying)

    def _greet(self, welcome: wire.Welcome) -> None:
        if welcome.first != self.number + 1:
            self.match = None
        self.welcome, self.state, self.number = welcome, None, welcome.first - 1
        self._settle()

    def _fold(self, number: int, happening: Happening) -> None:
        assert number == self.number + 1, (number, self.number)
        self.number = number
        if self.state is not None:
            self.state = evolve(self.state, happening)
            self.match = self.state.match
            return
        if not isinstance(happening, TableEvent):
            begins = isinstance(happening, MatchStarted)
            self.match = referee.evolve(None if begins else self.match, happening)
        self._settle()

    def _settle(self) -> None:
        """Make the state of the table from the welcome, once all missed happenings have come."""
        welcome = self.welcome
        assert welcome is not None
        if self.number < welcome.number:
            return
        self.state = TableState(
            setup=welcome.setup,
            host=welcome.host_id,
            host_name=welcome.host_name,
            version=welcome.number,
            seats=welcome.seats,
            paused=welcome.paused,
            closed=welcome.closed,
            match=self.match,
            match_began=welcome.began,
            matches=welcome.matches,
            moved=welcome.moved,
            extra=(0,) * len(welcome.seats),
            saw=(frozenset(),) * len(welcome.seats),
        )

    @property
    def seat(self) -> int | None:
        return self.state.seat_of(self.person) if self.state is not None else None

    @property
    def view(self) -> View:
        assert self.match is not None
        return View(self.seat, self.match)


async def part() -> None:
    """Close the connections of all guests of this event loop."""
    here = [guest for guest in CONNECTED if guest.loop is asyncio.get_running_loop()]
    for guest in here:
        await guest.leave()
