"""A playroom that means harm, or none at all: one sentence, and nothing that a terminal obeys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from cli.command import Command
from cli.conftest import folder, volte

__all__ = ["folder", "volte"]


@contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    """A server that has one answer to everything; its address."""

    class Other(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Other) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"null", b"[" * 100_000, b'{"person":' * 50_000, b'"\xff"', b"\x00" * 100, b"NaN"),
        *(b'{"person":1,"name":2}', b'{"person":"' + b"9" * 10**6 + b'"}', b"9" * 10_000),
    ],
)
def test_answers_that_are_none(body: bytes, volte: Command) -> None:
    with answering(200, body) as address:
        told = volte("play", "--connect", address, "--name", "Zoé")
    assert told.status == 1
    assert told.err.startswith((f"What answers at {address} is no playroom", address))
    assert told.err.count("\n") == 1


def test_nothing_in_a_sentence_moves_the_cursor(volte: Command) -> None:
    line = "No.\x1b[2J\x1b]0;mine\x07\x9b2J\u202e\r\x08 Really"
    with answering(403, json.dumps({"reason": "x", "line": line}).encode()) as address:
        told = volte("play", "--connect", address, "--name", "Zoé")
    assert told.status == 1
    assert "Really" in told.err
    for sign in "\x1b\x07\x9b\u202e\r\x08":
        assert sign not in told.err + told.out
