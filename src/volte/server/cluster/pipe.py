"""A pipe between two connections: what one of them hears, the other one says, byte for byte."""

from __future__ import annotations

import asyncio
from asyncio import Future, TimerHandle


class End(asyncio.Protocol):
    """The connection at one end of a pipe.

    Where one end has heard all, the other one says no more, and then both are closed. Whoever takes
    nothing for a while although much waits for them, or does not hang up in the end, is cut off.

    Attributes:
        other: the other end; None before there is one, and once this one is closed.
        lost: done once this one is closed.

    Args:
        patience: the while, in seconds.
    """

    transport: asyncio.Transport | None = None
    other: End | None = None
    _silent = False
    _deaf = False
    _cutting: TimerHandle | None = None

    def __init__(self, patience: float) -> None:
        self._loop = asyncio.get_running_loop()
        self.lost: Future[None] = self._loop.create_future()
        self._patience = patience

    def say(self, data: bytes) -> None:
        """Sends that, unless it is too late."""
        if self.transport is not None and not (self._silent or self.transport.is_closing()):
            self.transport.write(data)

    def end(self) -> None:
        """Sends what still waits and no more, and gives them a while to hang up, too."""
        if self._silent:
            return
        self._silent = True
        if self.transport is not None and not self.transport.is_closing():
            if self._deaf:
                self.transport.close()
            else:
                self.transport.write_eof()
            self._hurry()

    def abort(self) -> None:
        """Closes it at once."""
        if self.transport is not None:
            self.transport.abort()

    def listen(self, whether: bool = True) -> None:
        """Goes on reading, or leaves what they say where it is."""
        if self.transport is None or self._deaf or self.transport.is_closing():
            return
        if whether:
            self.transport.resume_reading()
        else:
            self.transport.pause_reading()

    # What the connection tells

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self.other is not None:
            self.other.say(data)

    def eof_received(self) -> bool:
        self._deaf = True
        if self.other is not None:
            self.other.end()
        return not self._silent

    def connection_lost(self, exc: Exception | None) -> None:
        self._silent = self._deaf = True
        if self._cutting is not None:
            self._cutting.cancel()
        if not self.lost.done():
            self.lost.set_result(None)
        if self.other is not None:
            self.other.end()
            self.other = None

    def pause_writing(self) -> None:
        if self.other is not None:
            self.other.listen(False)
        self._hurry()

    def resume_writing(self) -> None:
        if self._cutting is not None and not self._silent:
            self._cutting.cancel()
            self._cutting = None
        if self.other is not None:
            self.other.listen()

    def _hurry(self) -> None:
        if self._cutting is None:
            self._cutting = self._loop.call_later(self._patience, self.abort)


class Frames:
    """Follows what a server says, to know where a message ends (RFC 6455, 5.2: it has no masks).

    Attributes:
        closing: whether it has said that it hangs up.
    """

    __slots__ = ("_begun", "_left", "closing")

    def __init__(self) -> None:
        self.closing = False
        self._left = 0  # bytes until the next frame begins
        self._begun = b""  # the beginning of a frame, too short to say how long it is

    @property
    def between(self) -> bool:
        """Whether the last frame that has begun is whole."""
        return not (self._left or self._begun)

    def follow(self, data: bytes) -> None:
        """The server says that."""
        if self._begun:
            data, self._begun = self._begun + data, b""
        at, end = self._left, len(data)
        while at < end:
            after = _end_of_frame(data, at)
            if after is None:
                self._begun = data[at:]
                break
            self.closing |= data[at] & 15 == 8
            at = after
        self._left = max(0, at - end)


def _end_of_frame(data: bytes, at: int) -> int | None:
    """Where the frame ends that begins there; None where its length has not been said yet."""
    head = data[at : at + 10]
    size = head[1] & 127 if len(head) > 1 else 0
    more = {126: 2, 127: 8}.get(size, 0)
    if len(head) < 2 + more:
        return None
    return at + 2 + more + (int.from_bytes(head[2 : 2 + more], "big") if more else size)
