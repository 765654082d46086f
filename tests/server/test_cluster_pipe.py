"""A connection that another process answers: what is said there passes by here, byte for byte."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.guests import Guest
from server.harness import Site, run, serving
from websockets.frames import Close, Frame, Opcode

from volte.server.cluster import calling
from volte.server.cluster.inside import CLIENT, SCHEME, SECRET
from volte.server.cluster.pipe import End, Frames
from volte.store.processes import Process
from volte.wire.messages import LONGEST_MESSAGE, Closing, Notice, decode_saying

PATIENCE: Final = 30
KEY: Final = "dGhlIHNhbXBsZSBub25jZQ=="
AGREED: Final = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
)
TABLE: Final = "0123456789abcdef0123"

Talk = Callable[[StreamReader, StreamWriter], Awaitable[None]]


def text(data: bytes) -> bytes:
    """A frame, as a server says it."""
    return Frame(Opcode.TEXT, data).serialize(mask=False)


def closing(code: int) -> bytes:
    return Frame(Opcode.CLOSE, Close(code, "").serialize()).serialize(mask=False)


# Where a message ends

FRAMES: Final = st.lists(
    st.builds(text, st.sampled_from((0, 1, 125, 126, 127, 300, 65535, 65536)).map(bytes)),
    max_size=6,
)


@given(frames=FRAMES, random=st.randoms(use_true_random=False))
def test_one_is_between_messages_where_a_frame_ends_and_nowhere_else(
    frames: list[bytes], random: Random
) -> None:
    said, ends = b"".join(frames), {0}
    for frame in frames:
        ends.add(max(ends) + len(frame))
    places = [end + by for end in ends for by in range(-3, 12) if 0 < end + by <= len(said)]
    cuts = sorted({*random.sample(places, random.randint(0, len(places))), len(said)})
    followed = Frames()
    assert followed.between
    for before, at in pairwise([0, *cuts]):
        followed.follow(said[before:at])
        assert followed.between == (at in ends)
    assert not followed.closing


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_it_is_known_that_somebody_has_hung_up(size: int) -> None:
    followed = Frames()
    for said, hung_up in ((text(b"\x88\x02"), False), (closing(4404), True)):
        for at in range(0, len(said), size):
            assert not followed.closing or hung_up
            followed.follow(said[at : at + size])
        assert followed.closing == hung_up
        assert followed.between


# A pipe, between anybody


class Pipe:
    """A client, a pipe, and somebody at its other end."""

    def __init__(self, client: tuple[StreamReader, StreamWriter], near: End, far: End) -> None:
        self.reader, self.writer = client
        self.near = near
        self.far = far

    async def closed(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.near.lost
            await self.far.lost


@asynccontextmanager
async def pipe_to(talk: Talk, patience: float = PATIENCE) -> AsyncIterator[Pipe]:
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        owner = await stack.enter_async_context(listening(talk))
        near, far = End(patience), End(patience)
        near.other, far.other = far, near
        door = await loop.create_server(lambda: near, "127.0.0.1", 0)
        stack.push_async_callback(door.wait_closed)
        stack.callback(door.close)
        client = await asyncio.open_connection("127.0.0.1", door.sockets[0].getsockname()[1])
        stack.push_async_callback(hung_up, client[1])
        while near.transport is None:
            await asyncio.sleep(0)
        await loop.create_connection(lambda: far, "127.0.0.1", owner)
        pipe = Pipe(client, near, far)
        async with asyncio.timeout(PATIENCE):
            yield pipe
        near.abort()
        far.abort()
        await pipe.closed()


@asynccontextmanager
async def listening(talk: Talk) -> AsyncIterator[int]:
    """Somebody listens, and talks so with each who comes; the port."""
    talks: set[asyncio.Task[None]] = set()

    async def begin(reader: StreamReader, writer: StreamWriter) -> None:
        talks.add(asyncio.current_task())  # type: ignore[arg-type]
        try:
            with suppress(ConnectionError):
                await talk(reader, writer)
        finally:
            await hung_up(writer)

    server = await asyncio.start_server(begin, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


async def hung_up(writer: StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def for_ever(reader: StreamReader, writer: StreamWriter) -> None:
    await asyncio.Event().wait()


def test_everything_arrives_as_it_was_said() -> None:
    """Any bytes, in both directions, at whatever pace they are taken."""
    said = Random(1).randbytes(4_000_000)

    async def echo(reader: StreamReader, writer: StreamWriter) -> None:
        while data := await reader.read(50_000):
            writer.write(data)
            await writer.drain()

    async def story() -> None:
        async with pipe_to(echo) as pipe:

            async def speak() -> None:
                pipe.writer.write(said)
                await pipe.writer.drain()
                pipe.writer.write_eof()

            speaking = asyncio.create_task(speak())
            await asyncio.sleep(0.1)
            assert await pipe.reader.read() == said
            await speaking
            await pipe.closed()

    run(story())


def test_what_is_not_taken_is_not_read_either() -> None:
    sent = 0

    async def chatter(reader: StreamReader, writer: StreamWriter) -> None:
        nonlocal sent
        while True:
            writer.write(bytes(100_000))
            await writer.drain()
            sent += 100_000

    async def story() -> None:
        async with pipe_to(chatter) as pipe:
            assert pipe.near.transport is not None
            pipe.writer.transport.pause_reading()  # type: ignore[attr-defined]
            before = -1
            while sent != before:
                before = sent
                await asyncio.sleep(0.2)
            assert pipe.near.transport.get_write_buffer_size() < 1_000_000
            pipe.writer.transport.resume_reading()  # type: ignore[attr-defined]
            taken = 0
            while taken < before + 1_000_000:  # and on it goes
                taken += len(await pipe.reader.read(100_000))

    run(story())


def test_whoever_takes_nothing_is_cut_off() -> None:
    async def chatter(reader: StreamReader, writer: StreamWriter) -> None:
        while True:
            writer.write(bytes(100_000))
            await writer.drain()

    async def story() -> None:
        async with pipe_to(chatter, patience=0.2) as pipe:
            pipe.writer.transport.pause_reading()  # type: ignore[attr-defined]
            await pipe.closed()
        async with pipe_to(for_ever, patience=0.2) as pipe:
            pipe.writer.write(bytes(20_000_000))
            await pipe.closed()

    run(story())


def test_the_end_of_one_is_the_end_of_the_other_after_its_last_word() -> None:
    async def answers_in_the_end(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(b"You said: " + await reader.read())

    async def goes_first(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(b"Goodbye")
        writer.write_eof()
        assert await reader.read() == b"Goodbye to you"

    async def story() -> None:
        async with pipe_to(answers_in_the_end) as pipe:
            pipe.writer.write(b"Hello")
            pipe.writer.write_eof()
            assert await pipe.reader.read() == b"You said: Hello"
            await pipe.closed()
        async with pipe_to(goes_first) as pipe:
            assert await pipe.reader.read() == b"Goodbye"
            pipe.writer.write(b"Goodbye to you")
            pipe.writer.write_eof()
            await pipe.closed()

    run(story())


def test_whoever_does_not_hang_up_is_cut_off() -> None:
    async def leaves(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(b"Goodbye")

    async def story() -> None:
        async with pipe_to(leaves, patience=0.2) as pipe:
            assert await pipe.reader.read() == b"Goodbye"
            await pipe.closed()
        async with pipe_to(for_ever, patience=0.2) as pipe:
            pipe.writer.write_eof()
            await pipe.closed()

    run(story())


# A connection, to a process that is played here


class Owner:
    """Somebody who says to have all tables.

    Attributes:
        address: theirs.
        heads: of the handshakes that have come.
    """

    def __init__(self, answer: Talk) -> None:
        self.address = ""
        self.heads: list[bytes] = []
        self._answer = answer

    async def talk(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.heads.append(await reader.readuntil(b"\r\n\r\n"))
        await self._answer(reader, writer)


@asynccontextmanager
async def owned(
    folder: Path, owner: Owner, monkeypatch: pytest.MonkeyPatch, **settings: Any
) -> AsyncIterator[Site]:
    """A server, all of whose tables somebody else has; until it is asked for the second time."""
    async with listening(owner.talk) as port, serving(folder, **settings) as site:
        owner.address = f"127.0.0.1:{port}"
        process = Process("other", owner.address, b"secret")
        answers = iter([process])

        async def elsewhere(table: str) -> Process | None:
            return next(answers, None)

        monkeypatch.setattr(site.room.cluster, "elsewhere", elsewhere)
        yield site


@asynccontextmanager
async def dialled(
    site: Site, *more: str, target: str = f"/live/{TABLE}", after: bytes = b""
) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    """A client who has asked for a WebSocket, and says something more without waiting."""
    parts = urlsplit(site.address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    asked = [
        *(f"GET {target} HTTP/1.1", f"Host: {parts.netloc}", "Connection: keep-alive, Upgrade"),
        *("Upgrade: websocket", f"Sec-WebSocket-Key: {KEY}", "Sec-WebSocket-Version: 13"),
        *(*more, "", ""),
    ]
    writer.write("\r\n".join(asked).encode("latin-1"))
    if after:
        await asyncio.sleep(0.05)
        writer.write(after)
    try:
        async with asyncio.timeout(PATIENCE):
            yield reader, writer
    finally:
        await hung_up(writer)


async def nobody_left(*sites: Site) -> None:
    """Returns when no connection is left there."""
    async with asyncio.timeout(PATIENCE):
        while any(site.room.live for site in sites):
            await asyncio.sleep(0.01)


def test_the_owner_gets_what_is_known_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def agree(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(AGREED)

    owner = Owner(agree)
    more = (
        *("Cookie: volte=x; a=\xe9", "Accept-Language: fr", "X-Volte: 1"),
        *(f"{SECRET}: guessed", f"{CLIENT}: 203.0.113.9", f"{SCHEME}: wss"),
        *("X-Forwarded-For: 203.0.113.5", "Sec-WebSocket-Extensions: permessage-deflate"),
        *("Origin: https://volte.example", "Authorization: Basic eDp5", "Content-Type: text/plain"),
    )

    async def story() -> None:
        async with (
            owned(tmp_path, owner, monkeypatch, origins=("https://volte.example",)) as site,
            dialled(site, *more, target=f"/live/{TABLE}?lang=fr&a=%0d%0ab") as (reader, _),
        ):
            assert await reader.readuntil(b"\r\n\r\n") == AGREED

    run(story())
    (head,) = owner.heads
    first, *rest = head.decode("latin-1").split("\r\n")
    assert first == f"GET /live/{TABLE}?lang=fr&a=%0d%0ab HTTP/1.1"
    said = [(name, value) for name, _, value in (line.partition(": ") for line in rest[:-2])]
    assert len({name for name, _ in said}) == len(said)
    passed = {"cookie": "volte=x; a=\xe9", "accept-language": "fr", "x-volte": "1"}
    passed |= {"sec-websocket-key": KEY, "sec-websocket-version": "13"}
    ours = {SECRET: b"secret".hex(), CLIENT: "203.0.113.5", SCHEME: "ws"}
    ours |= {"host": owner.address, "connection": "Upgrade", "upgrade": "websocket"}
    assert dict(said) == passed | ours


def test_a_refusal_reaches_the_client_as_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = b"HTTP/1.1 403 Forbidden\r\nx-reason: none\r\ncontent-length: 4\r\n\r\nNo!\n"

    async def refuse(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(refusal)

    async def story() -> None:
        async with (
            owned(tmp_path, Owner(refuse), monkeypatch) as site,
            dialled(site) as (reader, _),
        ):
            assert await reader.read() == refusal

    run(story())


def test_what_a_client_says_too_early_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = b"early " * 50_000

    async def listen(reader: StreamReader, writer: StreamWriter) -> None:
        await asyncio.sleep(0.2)
        writer.write(AGREED)
        writer.write(text(b"%d" % (await reader.readexactly(len(early)) == early)))

    async def story() -> None:
        async with (
            owned(tmp_path, Owner(listen), monkeypatch) as site,
            dialled(site, after=early) as (reader, _),
        ):
            said = AGREED + text(b"1")
            assert await reader.readexactly(len(said)) == said

    run(story())


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 101", b"x" * 20_000, None])
def test_an_owner_who_gives_no_answer_has_been_told_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes | None
) -> None:
    """It is asked again who has the table, and here this time."""
    monkeypatch.setattr(calling, "REACHING", 0.3)

    async def fail(reader: StreamReader, writer: StreamWriter) -> None:
        if answer is None:
            await for_ever(reader, writer)
        writer.write(answer or b"")

    owner = Owner(fail)

    async def story() -> None:
        async with owned(tmp_path, owner, monkeypatch) as site:
            guest = await Guest.come(site.address)
            table = await guest.open_table()
            await guest.join(table)
            assert len(owner.heads) == 1
            assert not site.room.cluster.passed
            await guest.leave()

    run(story())


def last_words(said: bytes) -> tuple[Notice, int]:
    """The notice and the code that are all that was said."""
    size = said[1] if said[1] < 126 else int.from_bytes(said[2:4], "big")
    begin = 2 if said[1] < 126 else 4
    notice = decode_saying(said[begin : begin + size].decode())
    assert isinstance(notice, Notice)
    rest = said[begin + size :]
    assert rest[0] == 0x88
    assert len(rest) == 2 + rest[1]
    return notice, int.from_bytes(rest[2:4], "big")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([text(b"one"), text(b"x" * 300)], True),
        ([text(b"one"), text(b"x" * 300)[:-1]], False),
        ([text(b"one"), b"\x81"], False),
        ([text(b"one"), closing(4404)], False),
    ],
    ids=["between", "within", "at the beginning", "after the goodbye"],
)
@pytest.mark.parametrize("stopping", [False, True], ids=["its end", "ours"])
def test_the_client_hears_why_it_ends_where_no_message_is_broken(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: Sequence[bytes],
    told: bool,
    stopping: bool,
) -> None:
    """The process that has the table dies, or this one stops."""

    async def story() -> None:
        ending = asyncio.Event()

        async def talk(reader: StreamReader, writer: StreamWriter) -> None:
            for part in (AGREED, *said):
                writer.write(part)
            await ending.wait()
            if stopping:
                assert await reader.read() == b""
            else:
                writer.transport.abort()

        all_said = AGREED + b"".join(said)
        async with owned(tmp_path, Owner(talk), monkeypatch) as site:
            async with dialled(site) as (reader, _):
                assert await reader.readexactly(len(all_said)) == all_said
                assert len(site.room.cluster.passed) == len(site.room.live) == 1
                ending.set()
                if stopping:
                    goodbye = asyncio.create_task(site.room.live.say_goodbye(PATIENCE))
                rest = await reader.read()
            if stopping:
                await goodbye
            await nobody_left(site)
            assert not site.room.cluster.passed
        if told:
            notice, code = last_words(rest)
            reason = "stopping" if stopping else "moved_away"
            assert (notice.reason, code) == (reason, Closing[reason.upper()])
            assert notice.line
        else:
            assert rest == b""

    run(story())


def test_a_server_that_stops_ends_also_what_has_come_since_its_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def agree(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(AGREED)
        await reader.read()

    async def nothing(seconds: float) -> None:
        pass

    async def story() -> None:
        async with AsyncExitStack() as stack:
            async with owned(tmp_path, Owner(agree), monkeypatch) as site:
                reader, _ = await stack.enter_async_context(dialled(site))
                assert await reader.readuntil(b"\r\n\r\n") == AGREED
                monkeypatch.setattr(site.room.live, "say_goodbye", nothing)
            assert await reader.read() == b""
            assert not site.room.live

    run(story())
    assert not caplog.records  # no task had to be cancelled


def test_a_connection_counts_until_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def agree(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(AGREED)
        await reader.read()

    async def story() -> None:
        async with owned(tmp_path, Owner(agree), monkeypatch, sockets_per_address=1) as site:
            async with dialled(site) as (reader, _):
                assert await reader.readuntil(b"\r\n\r\n") == AGREED
                async with dialled(site) as (other, _):
                    assert (await other.readline()).startswith(b"HTTP/1.1 429 ")
            await nobody_left(site)
            guest = await Guest.come(site.address)
            await guest.join(await guest.open_table())
            await guest.leave()

    run(story())


# What clients do, is judged by the process that has the table


async def says_too_much(guest: Guest) -> int:
    await guest.send("x" * (LONGEST_MESSAGE + 1))
    return await guest.until_closed()


async def says_far_too_much(guest: Guest) -> int:
    await guest.send("x" * (10 * LONGEST_MESSAGE))
    return await guest.until_closed()


async def floods(guest: Guest) -> int:
    for _ in range(200):
        await guest.send('{"say":"ask","id":"1","what":"rules"}')
    return await guest.until_closed()


async def splinters(guest: Guest) -> int:
    say(guest, b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 10_000)
    return await guest.until_closed()


async def pings(guest: Guest) -> int:
    say(guest, (b"\x89\xfd\0\0\0\0" + bytes(125)) * 10_000)
    return await guest.until_closed()


async def says_no_frames(guest: Guest) -> int:
    say(guest, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 10)
    return await guest.until_closed()


async def stays_and_is_served(guest: Guest) -> int:
    async def in_pieces() -> AsyncIterator[str]:
        for sign in '{"say":"ask","id":"pieces","what":"rules"}':
            yield sign

    assert guest._socket is not None
    await guest._socket.send(in_pieces())
    await guest.until(lambda: "pieces" in guest.answers)
    await (await guest._socket.ping())
    await guest.leave()
    assert guest.closed == 1000
    return 4000


def say(guest: Guest, data: bytes) -> None:
    assert guest._socket is not None
    guest._socket.transport.write(data)


@pytest.mark.parametrize(
    "deed",
    [
        says_too_much,
        says_far_too_much,
        floods,
        splinters,
        pings,
        says_no_frames,
        stays_and_is_served,
    ],
)
def test_by_another_door_one_may_do_what_one_may_by_its_own(
    postgres_url: str, tmp_path: Path, deed: Callable[[Guest], Awaitable[int]]
) -> None:
    async def story() -> None:
        settings = {"messages_per_second": 6}
        async with (
            serving(tmp_path, postgres_url, **settings) as one,
            serving(tmp_path, postgres_url, **settings) as other,
        ):
            host = await Guest.come(one.address)
            table = await host.open_table()
            codes = []
            for site in (one, other):
                guest = await Guest.come(site.address)
                await guest.join(table)
                assert len(other.room.cluster.passed) == (site is other)
                codes.append(await deed(guest))
                await guest.leave()
            by_its_own, by_another = codes
            # Where the owner does not wait for the rest, its word may not arrive.
            assert by_another in {by_its_own, Closing.MOVED_AWAY if by_its_own < 4000 else 0}
            await nobody_left(one, other)

    run(story())


def test_somebody_who_vanishes_is_gone_at_both(postgres_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            serving(tmp_path, postgres_url) as one,
            serving(tmp_path, postgres_url) as other,
        ):
            host = await Guest.come(one.address)
            table = await host.open_table()
            guest = await Guest.come(other.address)
            for _ in range(3):
                await guest.join(table)
                assert (len(one.room.live), len(other.room.live)) == (1, 1)
                guest.drop()
                await nobody_left(one, other)
            assert not other.room.cluster.passed

    run(story())
