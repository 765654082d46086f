"""Clients that do what no client should. Each returns once the server has dealt with it."""

from __future__ import annotations

import asyncio
import json
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

from kit.people import PATIENCE, Guest
from kit.requests import request
from kit.talking import ending, flood, reason
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus

from volte.table.commands import Command, Next, Sit, Start, Swap
from volte.wire.messages import Closing, Notice

MANY: Final = 1000
SOCKETS: Final = 40  # connections to tables that the server allows one address

Misuse = Callable[[str], Awaitable[None]]


# Half of something


async def half_a_request(address: str) -> None:
    """Send a part of a request, or nothing at all, and wait."""
    head = b"POST /guest HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n"
    form = b"content-type: application/x-www-form-urlencoded\r\n\r\nname=Zo"
    whole = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
    parts = [b"", b"G", head, head + form, whole + b"GET", b"\r\n"] * 10
    async with opened(address, len(parts)) as streams:
        for (_, writer), part in zip(streams, parts, strict=True):
            writer.write(part)
        await cut_off(streams)


async def a_thousand_idle_connections(address: str) -> None:
    """Open a thousand connections and send nothing; others are let in all the same."""
    async with opened(address, MANY) as streams:
        assert (await request(address, "GET", "/healthz")).status == 200
        await cut_off(streams)


async def half_a_message(address: str) -> None:
    """Begin a frame and never end it, as the first one or later."""
    guest, other = await Guest.come(address), await Guest.come(address)
    table = await guest.open_table()
    await guest.join(table)
    socket = await other.dial(table)
    for each in (socket, guest.line):
        each.transport.write(b"\x81\xfe\x10\x00half")  # of 4,096 bytes
    assert await closed(socket) == ("no_hello", Closing.TOO_SLOW)
    assert await guest.until_closed() in (1006, 1011)
    await guest.leave()


async def splinters(address: str) -> None:
    """Send a message in very many empty pieces."""
    guest = await Guest.at_table(address)
    guest.line.transport.write(b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 100_000)
    assert await guest.until_closed() == 1006
    await guest.leave()


# Too much


async def asks_and_asks(address: str) -> None:
    """Ask questions as fast as possible."""
    guest = await Guest.at_table(address, told=True)
    await flood(guest)
    # Cut off at once; or the client was too busy to answer the server's pings.
    assert await guest.until_closed() in (1006, 1011)
    assert guest.notices == []
    await guest.leave()


async def flood_of_pings(address: str) -> None:
    """Send pings without end: they are no messages, but the server must answer them."""
    guest = await Guest.at_table(address)
    ping = b"\x89\xfd\0\0\0\0" + bytes(125)
    while guest.closed is None:
        guest.line.transport.write(ping * 1000)
        await asyncio.sleep(0)
    assert await guest.until_closed() == 1006
    await guest.leave()


async def never_reads(address: str) -> None:
    """Ask many questions, and read none of the answers."""
    guest = await Guest.at_table(address, told=True)
    guest.stop_reading()
    await flood(guest)
    guest.drop()
    await guest.join()  # the guest may come back
    await guest.leave()


async def a_thousand_sockets(address: str) -> None:
    """Open a thousand sockets at one table, from one address."""
    guest, table = await Guest.with_table(address)
    tries: list[ClientConnection | BaseException] = []
    while len(tries) < MANY:
        dialling = (guest.dial(table) for _ in range(5 * SOCKETS))
        tries += await asyncio.gather(*dialling, return_exceptions=True)
    refused = [each for each in tries if isinstance(each, InvalidStatus)]
    sockets = [each for each in tries if isinstance(each, ClientConnection)]
    assert len(refused) + len(sockets) == MANY
    assert {each.response.status_code for each in refused} == {429}
    assert 0 < len(sockets) < MANY
    answers = [json.loads(each.response.body or b"") for each in refused]
    assert {answer["reason"] for answer in answers} == {"too_many_sockets"}
    for each in sockets:
        assert await closed(each) == ("no_hello", Closing.TOO_SLOW)


# Lies


async def repeats(address: str) -> None:
    """Send each command two hundred times."""
    guest = await Guest.at_table(address, levels=("casual", "casual", ""))
    commands: list[Command] = [Swap(0, 3), Swap(0, 3), Sit(1), Start()]
    for asking, command in zip("abcd", commands, strict=True):
        answers = [await guest.do(command, asking=asking) for _ in range(200)]
        assert all(answer == answers[0] for answer in answers)
    await guest.until(lambda: guest.state is not None and guest.state.match is not None)
    assert guest.seat == 0
    assert guest.state is not None
    assert guest.state.matches == 1
    await guest.leave()


async def lies_about_versions(address: str) -> None:
    """Claim to have seen versions that are ahead of the table, or long past."""
    guest = await Guest.come(address)
    await guest.join(await guest.open_table(), seen=2**53 - 1)
    assert (await guest.do(Start())).ok
    await guest.until(lambda: guest.match is not None)
    for seen, why in ((2**53 - 1, "ahead"), (0, "stale")):
        assert reason(await guest.do(Next(), seen=seen)) == why
    await guest.leave()


MISUSES: Final[Mapping[str, Sequence[Misuse]]] = {
    "halves": (half_a_request, half_a_message, splinters, a_thousand_idle_connections),
    "too much": (asks_and_asks, flood_of_pings, never_reads),
    "a thousand sockets": (a_thousand_sockets,),
    "lies": (repeats, lies_about_versions),
}
"""Name of a case → misuses that go on at the same time."""


# Helpers


@asynccontextmanager
async def opened(
    address: str, number: int
) -> AsyncIterator[Sequence[tuple[StreamReader, StreamWriter]]]:
    """Open plain connections for the time of the context."""
    parts = urlsplit(address)
    dialling = (asyncio.open_connection(parts.hostname, parts.port) for _ in range(number))
    streams = await asyncio.gather(*dialling)
    try:
        yield streams
    finally:
        for _, writer in streams:
            writer.close()


async def cut_off(streams: Sequence[tuple[StreamReader, StreamWriter]]) -> None:
    """Wait until the server has closed all streams."""
    async with asyncio.timeout(PATIENCE):
        for reader, _ in streams:
            with suppress(ConnectionError):
                await reader.read()


async def closed(socket: ClientConnection) -> tuple[str, int | None]:
    """Wait for the end of a connection: the reason in the last notice, and the close code."""
    messages, code = await ending(socket)
    return "".join(each.reason for each in messages[-1:] if isinstance(each, Notice)), code
