"""The least of a proxy: one address for several nodes, each of them below `/node/NAME/`."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Final
from urllib.parse import urlsplit

LONGEST: Final = 64 * 1024
BAD_GATEWAY: Final = b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Front:
    """It looks at the first line of a connection, and at nothing that comes after it.

    Attributes:
        nodes: by name the address of each. What is below no node's path goes to them in turn, and
            to the next one where one does not answer.
        address: its own.
        led: the paths that were asked for, in order.
    """

    def __init__(self, nodes: Mapping[str, str]) -> None:
        self.nodes = dict(nodes)
        self.address = ""
        self.led: list[str] = []
        self._turn = count()

    async def __call__(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError, EOFError):
            first = await reader.readuntil(b"\r\n")
            path = first.split(b" ")[1].decode()
            self.led.append(path)
            try:
                there, to = await self._reach(path)
            except OSError:
                writer.write(BAD_GATEWAY)
            else:
                to.write(first)
                await asyncio.gather(_pipe(reader, to), _pipe(there, writer))
        writer.close()

    async def _reach(self, path: str) -> tuple[StreamReader, StreamWriter]:
        if path.startswith("/node/"):
            return await _open(self.nodes.get(path.split("/")[2], ""))
        turn, addresses = next(self._turn), [*self.nodes.values()]
        for place in range(len(addresses)):
            with suppress(OSError):
                return await _open(addresses[(turn + place) % len(addresses)])
        raise OSError


@asynccontextmanager
async def fronting(**nodes: str) -> AsyncIterator[Front]:
    """A front before these nodes, while the context lasts."""
    front = Front(nodes)
    server = await asyncio.start_server(front, "127.0.0.1", 0, limit=LONGEST)
    front.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield front
    finally:
        server.close()


async def _open(address: str) -> tuple[StreamReader, StreamWriter]:
    """Raises `OSError`, also where there is no address."""
    parts = urlsplit(address)
    if not parts.port:
        raise ConnectionRefusedError
    return await asyncio.open_connection(parts.hostname, parts.port)


async def _pipe(reader: StreamReader, writer: StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(LONGEST):
            writer.write(data)
            await writer.drain()
    writer.close()
