"""Limits of a connection before, and between, the messages that a table sees."""

from __future__ import annotations

import ast
import asyncio
import json
import re
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from kit import Guest, Site, SiteWith
from kit.hostile import failures, raw
from kit.talking import hello
from websockets.frames import Frame, Opcode

import volte
from volte.web.metrics import REGISTRY

PATIENCE = 60
ELSEWHERE = "https://elsewhere.example"
SOURCE = Path(volte.__file__).parent
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
BODY = (
    b"POST /guest HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nname=Zo"
)
PROGRAMS_BODY = (
    b"POST /api/guest HTTP/1.1\r\nHost: x\r\nX-Volte: 1\r\nContent-Length: 1000\r\n"
    b'Content-Type: application/json\r\n\r\n{"name":'
)
BAD_TEXT = b"\x81\x82\0\0\0\0\xff\xfe"
BAD_FRAME = b"\x83\x81\0\0\0\0x"
BAD_CHUNK = b"POST /guest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"


@pytest.fixture(autouse=True)
def nothing_fails(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Check that clients' faults are not logged as errors of the server."""
    yield
    assert failures(caplog) == []


def test_of_uvicorn_only_what_is_public_is_used() -> None:
    names = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "uvicorn" in text:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ImportFrom):
                    names |= {f"{node.module}.{each.name}" for each in node.names}
                elif isinstance(node, ast.Import):
                    names |= {each.name for each in node.names}
    used = {name for name in names if name.split(".")[0] == "uvicorn"}
    assert used == {"uvicorn", "uvicorn.middleware.proxy_headers.ProxyHeadersMiddleware"}


# Requests


async def opened(site: Site) -> tuple[StreamReader, StreamWriter]:
    place = urlsplit(site.address)
    return await asyncio.open_connection(place.hostname, place.port)


async def test_half_a_request_is_not_waited_for(site_with: SiteWith) -> None:
    """On a new connection or a kept one; if nothing has been answered yet, it gets a 408."""
    site = await site_with(patience=0.3)
    parts = (b"", b"G", HEALTH + b"GET", BODY, HEALTH + BODY, PROGRAMS_BODY)
    answers = await asyncio.gather(*(raw(site.address, part) for part in parts))
    statuses = [re.findall(rb"HTTP/1.1 (\d+)", each) for each in answers]
    assert statuses == [[b"408"], [b"408"], [b"200", b"408"], [], [b"200"], []]


async def test_a_request_that_drips_is_not_waited_for(site_with: SiteWith) -> None:
    site = await site_with(patience=0.3)
    for begun in (b"GET /healthz HTTP/1.1\r\n", BODY):
        _, writer = await opened(site)
        writer.write(begun)
        with suppress(ConnectionError):
            async with asyncio.timeout(PATIENCE):
                while True:
                    writer.write(b"x")
                    await writer.drain()
                    await asyncio.sleep(0.02)
        writer.close()
        assert not site.room.live


async def test_whoever_takes_no_answers_is_cut_off(site_with: SiteWith) -> None:
    site = await site_with(patience=0.3)
    _, writer = await opened(site)  # whose reader takes 128 KiB, and no more
    with suppress(ConnectionError):
        async with asyncio.timeout(PATIENCE):
            while not writer.transport.is_closing():
                writer.write(b"GET /static/web/static/cards.svg HTTP/1.1\r\nHost: x\r\n\r\n")
                await writer.drain()
                await asyncio.sleep(0)
    writer.close()


@pytest.mark.parametrize(
    "begun",
    [
        b"POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        HEALTH + b"\x00\x00\r\n\r\n",
        b"GET /static/web/static/cards.svg HTTP/1.1\r\nHost: x\r\n\r\n" * 40 + b"\x00\x00\r\n\r\n",
        b"GET /live/x HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    ],
)
async def test_what_is_no_http_is_no_error_of_the_server(site: Site, begun: bytes) -> None:
    assert b" 400 " in await raw(site.address, begun)
    assert b" 200 " in await raw(site.address, HEALTH[:-2] + b"Connection: close\r\n\r\n")


async def test_a_body_that_turns_out_to_be_none_after_the_answer(site: Site) -> None:
    reader, writer = await opened(site)
    writer.write(b"PUT /rules HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    assert b" 405 " in await reader.readuntil(b"\r\n\r\n")
    writer.write(b"zz\r\n")
    with suppress(ConnectionError):
        async with asyncio.timeout(PATIENCE):
            await reader.read()
    writer.close()


# WebSockets


async def test_an_empty_text_comes_back_while_a_question_waits(site_with: SiteWith) -> None:
    site = await site_with(messages_per_second=1)
    guest = await Guest.come(site.address)
    socket = await guest.dial(await guest.open_table())
    await socket.send(hello())
    async with asyncio.timeout(PATIENCE):
        while '"welcome"' not in str(await socket.recv()):
            pass
        for number in range(12):  # more than may be asked at once
            await socket.send(json.dumps({"say": "ask", "id": str(number), "what": "rules"}))
        heard: list[str | bytes] = [""]
        while '"id":"8"' not in str(heard[-1]):
            heard.append(await socket.recv())
        await socket.send("")
        while heard[-1] != "":
            heard.append(await socket.recv())
        assert not any('"id":"11"' in str(each) for each in heard)
    await socket.close()


async def test_an_empty_text_comes_back(site: Site) -> None:
    guest = await Guest.come(site.address)
    socket = await guest.dial(await guest.open_table())
    for text in ("", hello(), ""):
        await socket.send(text)
    async with asyncio.timeout(PATIENCE):
        heard = [await socket.recv(), await socket.recv()]
        while heard[-1] != "":
            heard.append(await socket.recv())
    assert heard[0] == ""
    assert '"welcome"' in str(heard[1])
    await socket.close()


async def test_whoever_does_not_hang_up_is_cut_off(site_with: SiteWith) -> None:
    site = await site_with(patience=0.3)
    guest = await Guest.come(site.address)
    key = "AAAAAAAAAAAAAAAAAAAAAA=="
    head = f"GET /live/{await guest.open_table()} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket"
    head += f"\r\nConnection: upgrade\r\nSec-WebSocket-Key: {key}\r\n"
    head += "Sec-WebSocket-Version: 13\r\n\r\n"
    reader, writer = await opened(site)
    writer.write(head.encode())
    await reader.readuntil(b"\r\n\r\n")
    writer.write(Frame(Opcode.TEXT, b"no hello").serialize(mask=True))
    with suppress(ConnectionError):
        async with asyncio.timeout(PATIENCE):
            assert b"malformed" in await reader.read()
    writer.close()


@pytest.mark.parametrize("kind", [Opcode.TEXT, Opcode.PING, Opcode.PONG, Opcode.CONT])
async def test_more_than_anybody_has_to_say_is_not_read(site_with: SiteWith, kind: Opcode) -> None:
    site = await site_with(messages_per_second=5)
    guest = await Guest.come(site.address)
    socket = await guest.dial(await guest.open_table())
    frame = Frame(kind, b"", kind in (Opcode.PING, Opcode.PONG)).serialize(mask=True)
    socket.transport.write(frame * 10_000)
    async with asyncio.timeout(PATIENCE):
        await socket.wait_closed()
    assert socket.close_code == 1006


# Counts


def counted(kind: str) -> float:
    return REGISTRY.get_sample_value("volte_client_faults_total", {"kind": kind}) or 0.0


async def test_what_a_client_does_wrong_is_counted_and_no_error(site: Site) -> None:
    guest, table = await Guest.with_table(site.address)
    kinds = ("wrong_origin", "bad_text", "bad_frame", "bad_http")
    before = [counted(kind) for kind in kinds]
    assert (await guest.denied(table, Origin=ELSEWHERE)).status == 403
    for wrong in (BAD_TEXT, BAD_FRAME):
        socket = await guest.dial(table)
        socket.transport.write(wrong)
        await socket.wait_closed()
    assert b" 400 " in await raw(site.address, BAD_CHUNK)
    assert [counted(kind) for kind in kinds] == [each + 1 for each in before]


async def test_refused_handshakes_count_against_the_limits(site_with: SiteWith) -> None:
    site = await site_with(requests_per_minute=5)
    guest, table = await Guest.with_table(site.address)
    statuses = [(await guest.denied(table, Origin=ELSEWHERE)).status for _ in range(5)]
    assert statuses == [403] * 3 + [429] * 2
