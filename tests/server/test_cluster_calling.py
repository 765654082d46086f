"""Calling the process that has a table: what it is told, and how a connection to it ends."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from server.guests import Guest
from server.harness import Site, run, serving
from server.plain_sockets import (
    PATIENCE,
    Talk,
    closing,
    for_ever,
    hung_up,
    listening,
    nobody_left,
    text,
)

from volte.server.cluster import calling
from volte.server.cluster.inside import CLIENT, SCHEME, SECRET
from volte.store.processes import Process
from volte.wire.messages import Closing, Notice, decode_saying

KEY: Final = "dGhlIHNhbXBsZSBub25jZQ=="
AGREED: Final = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
)
TABLE: Final = "0123456789abcdef0123"


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
