"""Many people at a server, at little cost: connections that hardly look at their messages.

A client that folds all its messages costs more than the server that sends them. Here the four
people of a table share one fold, made of the first person's messages and of the cards shown to each
of the others; other messages are only looked at for their kind.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import secrets
from asyncio import Future, TimerHandle
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Final, TypeVar
from urllib.parse import SplitResult, urlsplit

from kit.requests import PATH, post_json
from msgspec.structs import replace

from volte import game
from volte.game.codec import encode
from volte.lab.bench.live import SEATS, due_now
from volte.table import Happening, Setup, TableState, evolve
from volte.table import commands as cmd
from volte.wire.messages import (
    PROTOCOL,
    Answer,
    Do,
    Happened,
    Hello,
    Notice,
    Prefer,
    Welcome,
    decode_saying,
)

Result = TypeVar("Result")

PATIENCE: Final = 120
"""Seconds after which an answer counts as missing."""

HEAD: Final = 100
"""Bytes of a message that contain its kind."""

SCENE: Final = b'{"say":"scene"'
HAPPENED: Final = b'{"say":"happened"'
ANSWER: Final = b'{"say":"answer"'
NOTICE: Final = b'{"say":"notice"'
WELCOME: Final = b'{"say":"welcome"'
PLAYED: Final = b'"event":"Played"'
SECRET: Final = (b'"event":"Dealt"', b'"event":"Passed"', b'"event":"Exchanged"')
"""Happenings that each person is shown another part of."""


class Line(asyncio.Protocol):
    """A connection to a table. It speaks just enough of RFC 6455 to play, and follows a redirection
    before its first message.
    """

    def __init__(self, site: SplitResult, headers: str, heard: Callable[[bytes], None]) -> None:
        self.heard = heard  # called with every text
        self.open = asyncio.Event()  # set once the server has taken the connection
        self.lost = asyncio.Event()  # set once it is gone
        self._site, self._headers = site, headers
        self._data = b""
        self._said: list[bytes] | None = []
        self._moving: asyncio.Task[None] | None = None
        self._left = False
        self._transport: asyncio.Transport

    @classmethod
    async def dial(
        cls,
        address: str,
        table: str,
        cookie: str,
        heard: Callable[[bytes], None],
        headers: Mapping[str, str] | None = None,
    ) -> Line:
        """Connect. Raises `ConnectionError`.

        Args:
            headers: in addition to those that a client must send.
        """
        said = {"Cookie": cookie} | dict(headers or {})
        lines = "".join(f"{name}: {value}\r\n" for name, value in said.items())
        line = cls(urlsplit(address), lines, heard)
        await line._call(f"/live/{table}")
        if line.lost.is_set():
            raise ConnectionError(f"no connection to {table}")
        return line

    async def _call(self, path: str) -> None:
        site = self._site
        assert site.hostname is not None
        assert site.port is not None
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        head = (
            f"GET {path} HTTP/1.1\r\nHost: {site.netloc}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{self._headers}\r\n"
        )
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, site.hostname, site.port)
        self._transport.write(head.encode())
        await self.open.wait()

    def say(self, data: bytes) -> None:
        """Send a text: masked, as clients have to, with a mask of zeros."""
        if self._said is not None:
            self._said.append(data)
        if self.open.is_set():
            self._frame(0x81, data)

    def close(self) -> None:
        self._transport.close()

    def _hear(self, data: bytes) -> None:
        """Take a message; the first may be a redirection, after which all texts are sent again."""
        if self._said is not None and data.startswith(NOTICE):
            notice = decode_saying(data)
            if isinstance(notice, Notice) and PATH.fullmatch(notice.at):
                self.open.clear()
                self._left = True
                self._moving = asyncio.create_task(self._move(notice.at))
                return
        self._said = None
        self.heard(data)

    async def _move(self, path: str) -> None:
        self._transport.abort()
        self._data = b""
        await self._call(path)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if self._left:
            self._left = False
            return
        self.lost.set()
        self.open.set()

    def data_received(self, data: bytes) -> None:
        self._data = data = self._data + data if self._data else data
        place = 0
        if not self.open.is_set():
            place = data.find(b"\r\n\r\n") + 4
            if place < 4:
                return
            if data.startswith(b"HTTP/1.1 101"):
                self.open.set()
                for said in self._said or ():
                    self._frame(0x81, said)
            else:
                self.close()
        while (found := _frame_at(data, place)) is not None:
            kind, begins, place = found
            if kind == 0x1:
                self._hear(data[begins:place])
            elif kind == 0x9:
                self._frame(0x8A, data[begins:place])
        self._data = data[place:]

    def _frame(self, first: int, data: bytes) -> None:
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self._transport.write(bytes([first]) + length + bytes(4) + data)


def _frame_at(data: bytes, place: int) -> tuple[int, int, int] | None:
    """Kind, beginning and end of the frame there; None while it is incomplete."""
    if len(data) < place + 2:
        return None
    size, begins = data[place + 1], place + 2
    if size >= 126:
        begins += 2 if size == 126 else 8
        if len(data) < begins:
            return None
        size = int.from_bytes(data[place + 2 : begins], "big")
    end = begins + size
    return (data[place] & 0xF, begins, end) if len(data) >= end else None


async def arrive(address: str, name: str, headers: Mapping[str, str] | None = None) -> str:
    """Make a new guest; returns their cookie."""
    content = {"name": name, "lang": "en"}
    reply = await post_json(address, "/api/guest", content, headers=headers)
    assert reply.status == 200, reply
    return reply.cookie


async def open_table(address: str, cookie: str, setup: Setup, levels: Sequence[str] = ()) -> str:
    """Open a table with bots of those levels; returns its id."""
    content = {"setup": json.loads(encode(setup)), "levels": levels, "password": ""}
    reply = await post_json(address, "/api/tables", content, cookie)
    assert reply.status == 201, reply
    table: str = reply.json["table"]
    return table


async def gathered(making: Iterable[Coroutine[None, None, Result]], together: int) -> list[Result]:
    """The results of all coroutines, so many of which run at the same time."""
    gate = asyncio.Semaphore(together)

    async def made(each: Coroutine[None, None, Result]) -> Result:
        async with gate:
            return await each

    return list(await asyncio.gather(*(made(each) for each in making)))


def hello(told: bool) -> bytes:
    """The first message of a page, or of a terminal."""
    return encode(Hello("hello", PROTOCOL, 0, told))


class Company:
    """Four people at a table of their own, who play on and on.

    Args:
        told: whether they have pages, with sentences and scenes; else terminals.
    """

    def __init__(self, told: bool) -> None:
        # seconds from sending a play to having it (on a page: its scene) at another seat
        self.latencies: list[float] = []
        self.plays = 0  # plays that reached the first person
        self.happened = 0  # happenings of any kind that did
        self.refused: Counter[str] = Counter()  # commands, by reason
        self._told = told
        self._lines: list[Line] = []
        self._state: TableState | None = None
        self._waiting: deque[Happened] = deque()
        self._shown: list[dict[int, Happening]] = [{} for _ in range(SEATS)]
        self._answers: dict[str, Future[Answer]] = {}
        self._ids = itertools.count(1)
        self._asked: dict[int, tuple[object, ...]] = {}
        self._going = False
        self._every = self._due = 0.0
        self._later: TimerHandle | None = None
        self._sent: list[tuple[int, float]] = []
        self._told_of = [0] * SEATS
        self._seen = [0] * SEATS

    @classmethod
    async def come(cls, address: str, setup: Setup, name: str, told: bool) -> Company:
        """Sit down at a new table, and begin a match."""
        company = cls(told)
        cookies = [await arrive(address, f"{name}.{seat}") for seat in range(SEATS)]
        table = await open_table(address, cookies[0], setup)
        for seat, cookie in enumerate(cookies):
            line = await Line.dial(address, table, cookie, partial(company._hear, seat))
            company._lines.append(line)
            line.say(hello(told))
            await company._ask(seat, Prefer(company._id(seat), bot_pace=0, trick_pace=0))
            if seat:
                await company._ask(seat, company._doing(seat, cmd.Sit(seat)))
        await company._ask(0, company._doing(0, cmd.Start()))
        return company

    def go(self, every: float) -> None:
        """Play, with so many seconds between two plays, or as fast as possible."""
        self._going, self._every, self._due = True, every, perf_counter()
        self._go_on()

    def forget(self) -> None:
        """Count anew from here on."""
        self.latencies.clear()
        self.plays = self.happened = 0

    def stop(self) -> None:
        """Hang up."""
        self._going = False
        if self._later is not None:
            self._later.cancel()
        for line in self._lines:
            line.close()

    # Hearing

    def _hear(self, seat: int, data: bytes) -> None:
        head = data[:HEAD]
        if head.startswith(SCENE):
            self._sees(seat)
        elif head.startswith(HAPPENED):
            if PLAYED in head:
                self._told_of[seat] += 1
                if not self._told:
                    self._sees(seat)
            if not seat or any(kind in head for kind in SECRET):
                self._take(seat, data)
        elif head.startswith(ANSWER):
            self._answered(seat, data)
        elif not seat and head.startswith(WELCOME):
            self._greet(data)

    def _sees(self, seat: int) -> None:
        """Note the delay of all plays that are now before this seat."""
        while self._seen[seat] < self._told_of[seat]:
            who, sent = self._sent[self._seen[seat]]
            self._seen[seat] += 1
            if who != seat:
                self.latencies.append(perf_counter() - sent)

    def _greet(self, data: bytes) -> None:
        """Take the table as it is before a match."""
        welcome = decode_saying(data)
        assert isinstance(welcome, Welcome)
        self._state = TableState(
            setup=welcome.setup,
            host=welcome.host_id,
            host_name=welcome.host_name,
            version=welcome.number,
            seats=welcome.seats,
            extra=(0,) * SEATS,
            saw=(frozenset(),) * SEATS,
            laid=(0,) * SEATS,
        )

    def _take(self, seat: int, data: bytes) -> None:
        """Take one happening; it is folded as soon as all have been shown their parts of it."""
        message = decode_saying(data)
        assert isinstance(message, Happened)
        self._shown[seat][message.number] = message.happening
        if seat == 0:
            self.happened += 1
            self.plays += isinstance(message.happening, game.Played)
            self._waiting.append(message)
        while self._waiting and (whole := self._whole(self._waiting[0])) is not None:
            number = self._waiting.popleft().number
            for shown in self._shown:
                shown.pop(number, None)
            assert self._state is not None
            assert number == self._state.version + 1, number
            self._state = evolve(self._state, whole)
        if self._going:
            self._go_on()

    def _whole(self, message: Happened) -> Happening | None:
        """The happening with everybody's cards; None while some are missing."""
        happening = message.happening
        if not isinstance(happening, game.Dealt | game.Passed | game.Exchanged):
            return happening
        parts = [shown[message.number] for shown in self._shown if message.number in shown]
        return _joined(parts) if len(parts) == SEATS else None

    def _answered(self, seat: int, data: bytes) -> None:
        answer = decode_saying(data)
        assert isinstance(answer, Answer)
        if answer.refusal is not None:
            self.refused[answer.refusal.reason] += 1
            self._asked.pop(seat, None)
            self._go_on()
        waiting = self._answers.pop(answer.id, None)
        if waiting is not None:
            waiting.set_result(answer)

    # Doing

    def _go_on(self) -> None:
        """Send the commands that are due, each once; a play waits for its moment."""
        assert self._state is not None
        for seat, command in due_now(self._state):
            play = isinstance(command, cmd.Act) and isinstance(command.action, game.Play)
            mark = self._mark(command)
            if self._asked.get(seat) == mark:
                continue
            self._asked[seat] = mark
            wait = self._due - perf_counter() if play and self._every else 0.0
            if wait > 0:
                loop = asyncio.get_running_loop()
                self._later = loop.call_later(wait, self._say, seat, command)
            else:
                self._say(seat, command)

    def _mark(self, command: cmd.Command) -> tuple[object, ...]:
        """Mark of a command, to send it once: it changes with what is asked of the seat."""
        assert self._state is not None
        match = self._state.match
        assert match is not None
        deal = match.deal
        cards = len(deal.tricks) * SEATS + len(deal.trick) if deal is not None else 0
        proof = match.proof.number if match.proof is not None else 0
        return type(command), match.phase, match.deals, proof, cards

    def _say(self, seat: int, command: cmd.Command) -> None:
        if isinstance(command, cmd.Act) and isinstance(command.action, game.Play):
            now = perf_counter()
            self._sent.append((seat, now))
            self._due = max(self._due + self._every, now)
        self._lines[seat].say(encode(self._doing(seat, command)))

    def _doing(self, seat: int, command: cmd.Command) -> Do:
        seen = self._state.version if self._state is not None else 0
        return Do(self._id(seat), command, seen)

    def _id(self, seat: int) -> str:
        return f"{seat}.{next(self._ids)}"

    async def _ask(self, seat: int, asking: Do | Prefer) -> None:
        """Send that, and wait for the answer."""
        waiting = self._answers[asking.id] = asyncio.get_running_loop().create_future()
        self._lines[seat].say(encode(asking))
        async with asyncio.timeout(PATIENCE):
            answer = await waiting
        assert answer.ok, answer


def _joined(parts: Sequence[Happening]) -> Happening:
    """One happening, joined from the parts that the seats were shown."""
    first = parts[0]
    match first:
        case game.Dealt():
            hands = tuple(part.hands[seat] for seat, part in enumerate(parts))  # type: ignore[union-attr]
            return replace(first, hands=hands, kitty=())
        case game.Passed():
            return parts[first.seat]
        case game.Exchanged():
            transfers = (
                parts[each.giver].transfers[place]  # type: ignore[union-attr]
                for place, each in enumerate(first.transfers)
            )
            return game.Exchanged(tuple(transfers))
    raise AssertionError(first)
