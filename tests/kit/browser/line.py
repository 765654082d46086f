"""A line between a browser and a server that can be cut and mended, and counts of its bytes."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress
from typing import Any, Final, Self
from urllib.parse import urlsplit

from kit.ports import free_port
from playwright.sync_api import CDPSession

CHUNK: Final = 65_536


class Line:
    """Carries calls to a server. Chromium's own "offline" leaves open sockets alone.

    Args:
        sockets: whether it carries WebSockets; else it swallows them, and says nothing.

    Attributes:
        address: the address that the browser uses for the server.
    """

    def __init__(self, address: str, *, sockets: bool = True) -> None:
        self.sockets = sockets
        parts = urlsplit(address)
        assert parts.hostname is not None
        assert parts.port is not None
        self._server = (parts.hostname, parts.port)
        self._port = free_port()
        self._listening: socket.socket | None = None
        self._ends: list[socket.socket] = []
        self._dead: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.mend()
        self.address = f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def mend(self) -> None:
        """Let calls through."""
        self._listening = socket.create_server(("127.0.0.1", self._port))
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def cut(self) -> None:
        """Break all calls off, and let none through."""
        assert self._listening is not None
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        with self._lock:
            ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                near = listening.accept()[0]
                far = socket.create_connection(self._server)
            except OSError:
                return
            with self._lock:
                self._ends += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def die(self) -> None:
        """Carry nothing more on open calls, without closing them: neither end notices."""
        with self._lock:
            self._dead.update(self._ends)

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(CHUNK):
                if not self.sockets and b"upgrade: websocket" in data.lower():
                    self._dead.update((one, other))
                if one not in self._dead:
                    other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_WR)


def path_of(address: str) -> str:
    """The path of an address; that of a file of the pages without the digest of all files."""
    return re.sub(r"^https?://[^/]+|/static/[0-9a-f]{16}-\w+(?=/)", "", address)


class Weighed:
    """Bytes that come to a page from now on, except by its WebSocket or from its cache."""

    def __init__(self, session: CDPSession) -> None:
        self.bytes: dict[str, float] = {}  # bytes with headers, by address
        self._asked: dict[str, str] = {}
        session.on("Network.requestWillBeSent", self._ask)
        session.on("Network.loadingFinished", self._take)
        session.send("Network.enable")

    @property
    def total(self) -> float:
        return sum(self.bytes.values())

    def _ask(self, event: Any) -> None:
        redirected = event.get("redirectResponse")
        if redirected:
            self._count(redirected["url"], redirected["encodedDataLength"])
        self._asked[event["requestId"]] = event["request"]["url"]

    def _take(self, event: Any) -> None:
        self._count(self._asked.get(event["requestId"], ""), event["encodedDataLength"])

    def _count(self, address: str, size: float) -> None:
        if size and not address.startswith("data:"):
            self.bytes[address] = self.bytes.get(address, 0) + size
