"""On one machine the process that has a table gets the client's connection itself."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from server.guests import Guest
from server.harness import run, serving
from server.plain_sockets import nobody_left
from websockets.exceptions import InvalidStatus

from volte.server.cluster import handing
from volte.server.cluster.handing import Hatch, hand_in
from volte.store.processes import Process
from volte.wire.messages import Question

pytestmark = pytest.mark.skipif(not handing.HERE, reason="only Linux knows how")

OWNER = Process("0123456789abcdef", "127.0.0.1:1", b"a secret")
SOON = 0.2


class Taken:
    """What has come in by a hatch."""

    def __init__(self) -> None:
        self.said: list[bytes] = []
        self.connections: list[socket.socket] = []

    def __call__(self, connection: socket.socket, said: bytes) -> None:
        self.connections.append(connection)
        self.said.append(said)


@asynccontextmanager
async def hatch(secret: bytes = OWNER.secret) -> AsyncIterator[Taken]:
    taken = Taken()
    opened = Hatch(secret, taken)
    opened.open()
    try:
        yield taken
    finally:
        opened.close()
        for connection in taken.connections:
            connection.close()


async def handed(said: bytes = b"hello") -> tuple[bool | None, socket.socket]:
    """Whether one end of a connection was taken, and the other end."""
    ours, theirs = socket.socketpair()
    ours.settimeout(SOON)
    with theirs:
        return await hand_in(OWNER, theirs.fileno(), said, SOON), ours


def connected() -> socket.socket:
    """Somebody at the hatch of the owner."""
    there = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    there.connect(handing._name(OWNER.secret))
    return there


def test_a_connection_comes_in_with_what_was_said_on_it() -> None:
    async def story() -> None:
        async with hatch() as taken:
            done, client = await handed(b"GET " + b"x" * 16_000)
            await asyncio.sleep(SOON)
            assert done is True
            assert taken.said == [b"GET " + b"x" * 16_000]
            taken.connections[0].sendall(b"welcome")
            assert client.recv(10) == b"welcome"
            client.close()

    run(story())


def test_nobody_is_there_where_the_secret_is_another() -> None:
    async def story() -> None:
        async with hatch(b"another secret") as taken:
            done, client = await handed()
            client.close()
            assert done is None
            assert not taken.said

    run(story())


def test_a_process_that_has_stopped_takes_nothing() -> None:
    async def story() -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as stopped:
            stopped.bind(handing._name(OWNER.secret))
            stopped.listen()
            done, client = await handed()
            assert done is False
            assert client.recv(1) == b""  # nobody else has it
            client.close()

    run(story())


def test_somebody_else_on_the_machine_neither_gives_nor_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        async with hatch() as taken:
            monkeypatch.setattr("volte.server.cluster.handing.os.getuid", lambda: 2**31 - 1)
            done, client = await handed()
            client.close()
            with connected() as there:
                there.settimeout(SOON)
                await asyncio.sleep(SOON)
                assert there.recv(1) == b""
            assert done is None
            assert not taken.said

    run(story())


def test_the_hatch_outlives_whoever_brings_nothing() -> None:
    async def story() -> None:
        async with hatch() as taken:
            for words in (b"", b"no connection"):
                with connected() as there:
                    await asyncio.sleep(SOON)
                    assert there.recv(1) == handing.ASKED
                    if words:
                        there.send(words)
            with connected():  # and stays, and says nothing
                done, client = await handed()
                await asyncio.sleep(SOON)
                assert done is True
                assert taken.said == [b"hello"]
                client.close()

    run(story())


def test_there_is_one_hatch_at_a_time() -> None:
    async def story() -> None:
        async with hatch() as taken, hatch() as shut:
            done, client = await handed()
            await asyncio.sleep(SOON)
            client.close()
            assert done is True
            assert (taken.said, shut.said) == ([b"hello"], [])
        done, client = await handed()
        client.close()
        assert done is None

    run(story())


# Servers


def test_who_is_handed_over_stays_when_the_door_they_came_by_is_shut(
    postgres_url: str, tmp_path: Path
) -> None:
    async def story() -> None:
        async with serving(tmp_path, postgres_url) as one, AsyncExitStack() as door:
            other = await door.enter_async_context(serving(tmp_path, postgres_url))
            table = await (await Guest.come(one.address)).open_table()
            guest = await Guest.come(other.address)
            await guest.join(table)
            await door.aclose()
            await guest.ask(Question.RULES)
            await guest.leave()
            await nobody_left(one)

    run(story())


def test_it_is_counted_where_it_is(postgres_url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            serving(tmp_path, postgres_url, sockets_per_address=1) as one,
            serving(tmp_path, postgres_url, sockets_per_address=1) as other,
        ):
            table = await (await Guest.come(one.address)).open_table()
            guest, second = await Guest.come(other.address), await Guest.come(other.address)
            await guest.join(table)
            with pytest.raises(InvalidStatus) as refused:
                await second.join(table)
            assert refused.value.response.status_code == 429
            await guest.leave()
            await nobody_left(one, other)
            await second.join(table)
            await second.leave()

    run(story())


def test_who_brings_no_secret_is_turned_away(postgres_url: str, tmp_path: Path) -> None:
    """They know where the hatch is, and belong to the same user, but to no playroom."""
    handshake = (
        b"GET /live/0123456789abcdef0123 HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\n"
        b"upgrade: websocket\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        b"sec-websocket-version: 13\r\n\r\n"
    )

    async def story() -> None:
        async with serving(tmp_path, postgres_url) as site:
            owner = Process("", "", site.room.cluster.secret)
            for said, answer in (
                (handshake, b"HTTP/1.1 403 "),
                (b"nonsense\r\n\r\n", b"HTTP/1.1 400 "),
            ):
                ours, theirs = socket.socketpair()
                with ours, theirs:
                    ours.setblocking(False)
                    assert await hand_in(owner, theirs.fileno(), said, SOON)
                    told = await asyncio.get_running_loop().sock_recv(ours, 1000)
                    assert told.startswith(answer)

    run(story())
