"""A connection that another process answers: what is said there passes by here, byte for byte."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.harness import run
from server.plain_sockets import (
    PATIENCE,
    Talk,
    closing,
    for_ever,
    hung_up,
    listening,
    text,
)

from volte.server.cluster.pipe import End, Frames

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
    for said, gone in ((text(b"\x88\x02"), False), (closing(4404), True)):
        for at in range(0, len(said), size):
            assert not followed.closing or gone
            followed.follow(said[at : at + size])
        assert followed.closing == gone
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
