"""One HTTP request at a time, as a browser or a program would send it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from prometheus_client.parser import text_string_to_metric_families

PATH: Final = re.compile(r"(?:/[\w-]+)+", re.ASCII)  # paths to which a playroom may redirect
ONCE: Final = re.compile(r'(?<=name="csrf" value=")([^".]*\.[^".]*\.)[^"]*')
"""The token of a form, whose last part differs on each page."""

MOST_LEADS: Final = 2  # most redirects that a client follows in a row
FOUND: Final = {
    "browser": "Windows 11, Firefox 140",
    "reader": "NVDA 2025.1",
    "script": "keys",
    "outcome": "failed",
    "remarks": "Nothing was heard\nafter <b>S</b>.",
}
"""The form of a volunteer who has tried the pages with a screen reader, filled in."""


class Reply(NamedTuple):
    """The answer of a server."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        """The value of a header; empty where there is none."""
        return next((value for key, value in self.headers if key == name.lower()), "")

    @property
    def cookie(self) -> str:
        """The session that the answer begins, as a `Cookie` header; empty for none."""
        for key, value in self.headers:
            if key == "set-cookie" and value.startswith("volte="):
                return value.partition(";")[0]
        return ""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def lasting(self) -> str:
        """The text without the parts that differ each time that a page is made."""
        return ONCE.sub(r"\1", self.text)


async def request(
    address: str,
    method: str,
    path: str,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """Send one request, and return the answer.

    Args:
        address: `http://host:port`, with or without a path.
    """
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    said = {"host": parts.netloc, "connection": "close", "content-length": str(len(body))}
    said |= {name.lower(): value for name, value in (headers or {}).items()}
    head = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in said.items())]
    try:
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        await writer.drain()
        answered = await reader.read()
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    return _read(answered)


async def post_json(
    address: str,
    path: str,
    content: Any,
    cookie: str = "",
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """Post JSON as a program does, and follow redirects."""
    said = {"content-type": "application/json", "x-volte": "1", "cookie": cookie}
    said |= headers or {}
    body = json.dumps(content).encode()
    reply = await request(address, "POST", path, body, said)
    for _ in range(MOST_LEADS):
        if reply.status != 307 or not PATH.fullmatch(reply.header("location")):
            break
        reply = await request(address, "POST", reply.header("location"), body, said)
    return reply


async def post_form(
    address: str, path: str, fields: Mapping[str, Any], cookie: str = "", origin: str | None = ""
) -> Reply:
    """Post a form as a browser does; the origin is the address by default, None for none."""
    cookie = cookie or "volte_zone=UTC"  # shows that the browser keeps cookies
    headers = {"content-type": "application/x-www-form-urlencoded", "cookie": cookie}
    if origin is not None:
        headers["origin"] = origin or address.rstrip("/")
    return await request(address, "POST", path, urlencode(fields, doseq=True).encode(), headers)


def _read(answered: bytes) -> Reply:
    head, _, body = answered.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = [
        (name.lower(), value.strip()) for name, _, value in (x.partition(":") for x in lines)
    ]
    chunked = any(pair == ("transfer-encoding", "chunked") for pair in headers)
    return Reply(int(status.split()[1]), headers, _joined(body) if chunked else body)


def _joined(chunks: bytes) -> bytes:
    """A chunked body, joined."""
    body = b""
    while chunks:
        size, _, rest = chunks.partition(b"\r\n")
        length = int(size, 16)
        body += rest[:length]
        chunks = rest[length + 2 :]
    return body


# Metrics

Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def scrape(address: str, headers: Mapping[str, str] | None = None) -> Figures:
    """The metrics of a server, by name and labels; the text must be valid for Prometheus."""
    reply = await request(address, "GET", "/metrics", headers=headers)
    assert reply.status == 200
    assert reply.header("content-type").startswith("text/plain; version=0.0.4")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(reply.text)
        for sample in family.samples
    }


def grown(before: Figures, after: Figures, name: str, **labels: str) -> float:
    key = (name, tuple(sorted(labels.items())))
    return after.get(key, 0) - before.get(key, 0)
