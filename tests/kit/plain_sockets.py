"""Sockets without a library: somebody listens, talks as the test says, and hangs up."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from kit.sites import Site
from websockets.frames import Close, Frame, Opcode

PATIENCE: Final = 30

Talk = Callable[[StreamReader, StreamWriter], Awaitable[None]]


def text(data: bytes) -> bytes:
    """A frame, as a server says it."""
    return Frame(Opcode.TEXT, data).serialize(mask=False)


def closing(code: int) -> bytes:
    return Frame(Opcode.CLOSE, Close(code, "").serialize()).serialize(mask=False)


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


async def nobody_left(*sites: Site) -> None:
    """Returns when no connection is left there."""
    async with asyncio.timeout(PATIENCE):
        while any(site.room.live for site in sites):
            await asyncio.sleep(0.01)
