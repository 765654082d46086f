"""The door through which the server asks push services, whose addresses strangers give it.

An address is checked twice: as text when it is stored, and by the numbers to which its name leads
whenever it is asked. The connection goes to the very number that was checked, so a name that leads
elsewhere a moment later gains nothing.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from functools import cached_property
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from threading import Thread
from typing import Final, NamedTuple

import h11

from volte.cards import VolteError

LONGEST_ENDPOINT: Final = 2000  # letters of an address
SECONDS: Final = 5.0  # for one request, with everything from the look-up to the answer
MOST_TRIED: Final = 2  # numbers of one name that are tried
MOST_LOOKUPS: Final = 16  # at a time; a name server may take its time
LONGEST_ANSWER: Final = 16 * 1024  # bytes that are read of an answer, all told
LONGEST_WAIT: Final = 3600  # seconds for which a service may ask not to be asked

USUAL_PORT: Final = 443

Address = IPv4Address | IPv6Address
Resolver = Callable[[str, int], Awaitable[Sequence[Address]]]

_ENDPOINT: Final = re.compile(
    r"https://(?P<host>[a-z0-9.-]{1,253})(?::(?P<port>[0-9]{1,5}))?(?P<target>/[!-~]*)"
)
_NAME: Final = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?"
)
"""A name of several labels. As the last begins with a letter, it is no number in any writing."""

_CLOSED_4: Final = tuple(
    map(
        IPv4Network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
            *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24"),
            *("192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24"),
            *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
        ),
    )
)
"""Networks that are not for everybody, by IANA's registry of special addresses, with multicast and
the rest above it. `is_global` of `ipaddress` has changed its mind from version to version."""

_OPEN_6: Final = IPv6Network("2000::/3")
_CLOSED_6: Final = tuple(
    map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"))
)
"""Within the global addresses: Teredo and other protocols, examples, 6to4. Outside of these is all
that holds an IPv4 address or leads into a house: mapped ones, NAT64, link-local, local, multicast.
"""


class DoorFault(VolteError):
    """An address that is no push service's, or leads to where the server asks nobody."""


class TooManyLookups(OSError):
    """A name that is not looked up, as others take long: its own service is not to blame."""


class Endpoint(NamedTuple):
    """The address of a browser at its push service, taken apart."""

    host: str
    port: int
    target: str  # path and query

    @property
    def place(self) -> str:
        """Host and port, as settings write them."""
        return f"{self.host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port, as browsers write them."""
        return f"https://{self.host if self.port == USUAL_PORT else self.place}"


class PushAnswer(NamedTuple):
    """The answer of a push service; its body is not read."""

    status: int
    wait: float = 0.0  # seconds for which it wants not to be asked; 0 where it does not say


class PushDoor:
    """Asks push services, and nobody else.

    Args:
        exceptions: places, as HOST:PORT, that may be asked wherever they are; for tests.
        resolve: finds the numbers of a name.
        context: says whom TLS believes.
    """

    def __init__(
        self,
        exceptions: Collection[str] = (),
        *,
        resolve: Resolver | None = None,
        context: ssl.SSLContext | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self._exceptions = frozenset(exceptions)
        self._lookups = _Lookups()
        self._resolve = resolve or self._lookups.resolve
        self._seconds = seconds
        if context is not None:
            self._context = context

    @cached_property
    def _context(self) -> ssl.SSLContext:
        """Trust as the system has it; reading its certificates takes hundredths of a second."""
        return ssl.create_default_context()

    def endpoint(self, text: str) -> Endpoint:
        """The address in a text. Raises `DoorFault`."""
        found = _ENDPOINT.fullmatch(text)
        if found is None or len(text) > LONGEST_ENDPOINT or "#" in text:
            raise DoorFault("bad_push_address")
        port = int(found["port"] or USUAL_PORT)
        endpoint = Endpoint(found["host"], port, found["target"])
        named = _NAME.fullmatch(endpoint.host) is not None
        if endpoint.place not in self._exceptions and (port != USUAL_PORT or not named):
            raise DoorFault("bad_push_address")
        return endpoint

    async def post(
        self, endpoint: Endpoint, headers: Sequence[tuple[str, str]], body: bytes
    ) -> PushAnswer:
        """The answer to a request, without its body; a redirection is an answer like others.

        Raises `DoorFault`, with nothing sent, where the name leads to a number that is not for
        everybody, even beside others; and `OSError`, also in place of an answer that is none.
        """
        async with asyncio.timeout(self._seconds):
            addresses = await self._resolve(endpoint.host, endpoint.port)
            if endpoint.place not in self._exceptions and not all(map(is_public, addresses)):
                raise DoorFault("bad_push_address")
            reader, writer = await self._connected(endpoint, addresses)
            try:
                return await _asked(reader, writer, endpoint, headers, body)
            finally:
                writer.transport.abort()  # there is nothing more to hear or to say

    async def _connected(
        self, endpoint: Endpoint, addresses: Sequence[Address]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        failure: OSError = socket.gaierror(f"{endpoint.host} has no address")
        for address in addresses[:MOST_TRIED]:
            try:
                return await asyncio.open_connection(
                    str(address),
                    endpoint.port,
                    ssl=self._context,
                    server_hostname=endpoint.host,
                    ssl_handshake_timeout=self._seconds,
                    ssl_shutdown_timeout=self._seconds,
                )
            except OSError as error:
                failure = error
        raise failure


async def _asked(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    endpoint: Endpoint,
    headers: Sequence[tuple[str, str]],
    body: bytes,
) -> PushAnswer:
    host = endpoint.origin.removeprefix("https://")
    usual = [("Host", host), ("Content-Length", str(len(body))), ("Connection", "close")]
    connection, left = h11.Connection(h11.CLIENT), LONGEST_ANSWER
    request = h11.Request(method="POST", target=endpoint.target, headers=[*usual, *headers])
    for part in (request, h11.Data(data=body), h11.EndOfMessage()):
        writer.write(connection.send(part) or b"")
    await writer.drain()
    while True:
        try:
            event = connection.next_event()
        except h11.RemoteProtocolError as error:
            raise ConnectionError(str(error)) from None
        if event is h11.NEED_DATA and left > 0:
            data = await reader.read(left)
            left -= len(data)
            connection.receive_data(data)
        elif isinstance(event, h11.Response):
            return PushAnswer(event.status_code, _wait(dict(event.headers)))
        elif not isinstance(event, h11.InformationalResponse):
            break
    raise ConnectionError(f"{endpoint.host} gives no answer")


def _wait(headers: dict[bytes, bytes]) -> float:
    asked = headers.get(b"retry-after", b"")
    return float(min(int(asked), LONGEST_WAIT)) if re.fullmatch(rb"[0-9]{1,9}", asked) else 0.0


def is_public(address: Address) -> bool:
    """Whether an address is for everybody, and for one machine.

    >>> [is_public(ip_address(each)) for each in ("8.8.8.8", "2a00:1450::5e")]
    [True, True]
    >>> [is_public(ip_address(each)) for each in ("10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::808:808")]
    [False, False, False]
    """
    if isinstance(address, IPv4Address):
        return not any(address in each for each in _CLOSED_4)
    return address in _OPEN_6 and not any(address in each for each in _CLOSED_6)


class _Lookups:
    """Looks names up by the system, each in a thread of its own, which nobody waits for at the end:
    a name server that does not answer holds neither the loop nor the other threads up."""

    def __init__(self) -> None:
        self.under_way = 0

    async def resolve(self, host: str, port: int) -> list[Address]:
        """The numbers of a name. Raises `OSError`."""
        if self.under_way >= MOST_LOOKUPS:
            raise TooManyLookups("too many names are being looked up")
        loop = asyncio.get_running_loop()
        found: asyncio.Future[list[Address]] = loop.create_future()

        def settle(result: list[Address] | OSError) -> None:
            self.under_way -= 1
            if found.done():  # given up meanwhile
                return
            if isinstance(result, OSError):
                found.set_exception(result)
            else:
                found.set_result(result)

        def look() -> None:
            result: list[Address] | OSError
            try:
                rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
                result = [ip_address(row[4][0]) for row in rows]
            except OSError as error:
                result = error
            except ValueError as error:  # a name that cannot be one
                result = socket.gaierror(str(error))
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(settle, result)

        self.under_way += 1
        Thread(target=look, name="push lookup", daemon=True).start()
        return await found
