"""A host of files, as one rents it: it sends what lies in a folder, and knows nothing of Volte."""

from __future__ import annotations

import gzip
import socket
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import inf
from mimetypes import guess_type
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, Self

import brotli
from kit.ports import free_port

CODED: Final = Path("build/coded")
"""Folder of files that were compressed before, as that takes long."""

CODINGS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "br": lambda data: brotli.compress(data, quality=11),
    "gzip": lambda data: gzip.compress(data, 9, mtime=0),
}
KINDS: Final = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
HEAD: Final = 500
"""Bytes of the headers of an answer, roughly."""

CODED_ALREADY: Final = (".png", ".woff2", ".zip")
PIECE: Final = 16_384
"""Bytes that are sent at once over a slow line."""


@cache
def coded(content: bytes, coding: str) -> bytes:
    """The content in a coding, as hosts keep it beside the file."""
    kept = CODED / f"{sha256(content).hexdigest()}.{coding}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(CODINGS[coding](content))
    return kept.read_bytes()


class Host:
    """Serves folders below the root of one origin, until it is stopped.

    Args:
        folders: by path, such as `/games/volte`, or empty for the root.
        coding: in which files are sent, `br` or `gzip`; empty for none.
        headers: whether the host sends the headers in the folder's file `_headers`.
        delay: seconds before each answer.
        rate: bytes a second, of all answers together.

    Attributes:
        address: of the origin, without a slash at its end.
        sent: bytes of all answers so far, by path, with their headers.
    """

    def __init__(
        self,
        folders: Mapping[str, Path],
        *,
        coding: str = "",
        headers: bool = True,
        delay: float = 0.0,
        rate: float = inf,
    ) -> None:
        self.folders = dict(folders)
        self.coding, self.delay, self.rate = coding, delay, rate
        self.headers = {
            path: _headers(folder / "_headers") if headers else {}
            for path, folder in folders.items()
        }
        self.sent = Counter[str]()
        self._line = threading.Lock()
        self._free = 0.0  # time when the line is free again
        self._server: _Server | None = None
        self._port = free_port()
        for folder in folders.values() if coding else ():
            for file in folder.rglob("*"):
                if file.is_file() and file.suffix not in CODED_ALREADY:
                    coded(file.read_bytes(), coding)  # may take a minute
        self.start()
        self.address = f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Serve, at the same address as before."""
        handler = type("Handler", (_Handler,), {"host": self})
        self._server = _Server(("127.0.0.1", self._port), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        """Answer nothing more: calls are refused, and those that are open break off."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server.hang_up()
            self._server = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def wait(self, size: int) -> None:
        """Wait until the line has carried some more bytes."""
        if self.rate == inf:
            return
        with self._line:
            self._free = max(self._free, monotonic()) + size / self.rate
            until = self._free
        sleep(max(0.0, until - monotonic()))

    def found(self, path: str) -> tuple[str, Path] | None:
        """The path of the folder, and the file or folder below it, that an address names."""
        for base, folder in sorted(self.folders.items(), reverse=True):
            if path == base or path.startswith(f"{base}/"):
                wanted = (folder / path.removeprefix(base).lstrip("/")).resolve()
                inside = wanted.is_relative_to(folder.resolve())
                return (base, wanted) if inside and wanted.exists() else None
        return None


def _headers(path: Path) -> dict[str, str]:
    """Headers for all files of a folder: those that a file in the manner of Netlify gives `/*`."""
    found: dict[str, str] = {}
    here = False
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line[:1] not in (" ", "\t"):
            here = line.strip().endswith("/*")
        elif here:
            name, _, value = line.strip().partition(":")
            found[name.lower()] = value.strip()
    return found


class _Server(ThreadingHTTPServer):
    """A server whose open calls can be broken off."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._calls = set[socket.socket]()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._calls.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._calls.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        for each in [*self._calls]:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: browsers break calls off."""


class _Handler(BaseHTTPRequestHandler):
    """One call. A subclass names the host."""

    host: Host
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:  # the name that the library calls
        host = self.host
        sleep(host.delay)
        path = self.path.partition("?")[0]
        found = host.found(path)
        if found is None:
            self._send(404, b"Not found.", {"content-type": "text/plain"})
            return
        base, file = found
        if file.is_dir() and not path.endswith("/"):
            self._send(301, b"", {"location": f"{path}/"})
            return
        file = file / "index.html" if file.is_dir() else file
        if not file.is_file():
            self._send(404, b"Not found.", {"content-type": "text/plain"})
            return
        kind = KINDS.get(file.suffix) or guess_type(file.name)[0] or "application/octet-stream"
        headers = {"content-type": kind, "cache-control": "max-age=600"} | host.headers[base]
        content = file.read_bytes()
        if host.coding and file.suffix not in CODED_ALREADY:
            content = coded(content, host.coding)
            headers["content-encoding"] = host.coding
        self._send(200, content, headers)

    def _send(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        try:
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.host.wait(HEAD)
            for first in range(0, len(content), PIECE):
                piece = content[first : first + PIECE]
                self.host.wait(len(piece))
                self.wfile.write(piece)
        except OSError:
            self.close_connection = True  # the browser has gone
            return
        self.host.sent[self.path.partition("?")[0]] += HEAD + len(content)

    def log_message(self, format: str, *args: object) -> None:  # a name of the library's
        """Say nothing."""
