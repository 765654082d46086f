"""Handing over: on one machine the process that has a table gets the client's connection itself.

It goes through a Unix socket in Linux's abstract namespace, whose name comes from the secret of
the process that listens there. From any other machine nobody answers at that name: then what is
said is passed to and fro instead (`calling`). Both ends make sure that the other one belongs to the
same user. A process that has stopped takes nothing: it must have asked for the connection first.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final

from volte.store.processes import Process

HERE: Final = sys.platform == "linux"
"""Whether this system knows how."""

ASKED: Final = b"?"
"""What a process says that takes a connection."""

LONGEST: Final = 32 * 1024
"""Bytes of a handshake, at most."""

WAITING: Final = 128
"""Connections that may wait to be asked for."""


class Hatch:
    """Where other processes of this machine hand their clients in.

    Args:
        secret: of this process.
        take: gets a connection, and the handshake with which it comes.
    """

    def __init__(self, secret: bytes, take: Callable[[socket.socket, bytes], None]) -> None:
        self._name = _name(secret)
        self._take = take
        self._loop = asyncio.get_running_loop()
        self._listening: socket.socket | None = None
        self._coming: set[socket.socket] = set()

    def open(self) -> None:
        """From now on. Where the system does not let it, it stays shut."""
        if not HERE:
            return
        with ExitStack() as undo, suppress(OSError):
            listening = undo.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            listening.setblocking(False)
            listening.bind(self._name)
            listening.listen(WAITING)
            undo.pop_all()
            self._listening = listening
            self._loop.add_reader(listening, self._come)

    def close(self) -> None:
        """No more."""
        for each in (self._listening, *self._coming):
            if each is not None:
                self._loop.remove_reader(each)
                each.close()
        self._listening = None
        self._coming.clear()

    def _come(self) -> None:
        assert self._listening is not None
        with suppress(OSError):
            other, _ = self._listening.accept()
            if not _ours(other):
                other.close()
                return
            other.setblocking(False)
            self._coming.add(other)
            self._loop.add_reader(other, self._get, other)
            other.send(ASKED)

    def _get(self, other: socket.socket) -> None:
        self._loop.remove_reader(other)
        self._coming.discard(other)
        with other, suppress(OSError):
            said, numbers, _, _ = socket.recv_fds(other, LONGEST, 1, socket.MSG_CMSG_CLOEXEC)
            for number in numbers:
                self._take(socket.socket(fileno=number), said)


async def hand_in(owner: Process, number: int, handshake: bytes, within: float) -> bool | None:
    """Offers a connection to that process; whether it has taken it. None: not in this way.

    Args:
        number: of the file that is the connection.
        within: seconds for the process to ask for it.
    """
    there = _reached(owner)
    if there is None:
        return None
    with there:
        try:
            async with asyncio.timeout(within):
                if await asyncio.get_running_loop().sock_recv(there, len(ASKED)) != ASKED:
                    return False
            return socket.send_fds(there, [handshake], [number]) == len(handshake)
        except OSError:
            return False


def _reached(owner: Process) -> socket.socket | None:
    """The way to the hatch of that process; None where there is none, or it is somebody else's."""
    if HERE:
        with ExitStack() as undo, suppress(OSError):
            there = undo.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            there.setblocking(False)
            there.connect(_name(owner.secret))
            if _ours(there):
                undo.pop_all()
                return there
    return None


def _name(secret: bytes) -> bytes:
    return b"\0volte-" + hashlib.sha256(b"hatch" + secret).hexdigest().encode()


def _ours(other: socket.socket) -> bool:
    """Whether whoever is at the other end belongs to the same user (`SO_PEERCRED`)."""
    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", other.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return bool(user == os.getuid())
