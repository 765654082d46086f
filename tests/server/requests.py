"""Somebody who asks for whatever they like at every address, and what no answer may be."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from server.guests import Guest
from server.visiting import House, Page
from server.web import Reply, request
from starlette.routing import Route

from volte.server.app import make_app
from volte.web.security import csrf_of


class Address(NamedTuple):
    """Where something is answered."""

    path: str
    methods: frozenset[str]


def addresses_of(house: House) -> list[Address]:
    """All that the application answers at."""
    found: dict[str, set[str]] = {}
    for route in make_app(house.site.room).routes:
        if isinstance(route, Route):
            found.setdefault(route.path, set()).update(route.methods or ())
    assert len(found) > 20
    return [Address(path, frozenset(methods)) for path, methods in found.items()]


class Eve:
    """Somebody with a session, and a table of their own."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.guest = house.do(Guest.come(house.address, "Eve"))
        self.table = house.do(self.guest.open_table())
        self.csrf = csrf_of(self.guest.cookie.partition("=")[2])

    def asks(self, path: str, method: str = "GET", body: bytes = b"", **more: str) -> Reply:
        said = {name.replace("_", "-"): value for name, value in more.items()}
        headers = {"cookie": self.guest.cookie} | said
        return self.house.do(request(self.house.address, method, path, body, headers))

    def posts(self, path: str, fields: dict[str, Any], **more: str) -> Reply:
        body = urlencode(fields, doseq=True, errors="surrogatepass").encode()
        kind = "application/x-www-form-urlencoded"
        return self.asks(path, "POST", body, content_type=kind, origin=self.house.address, **more)

    def says(self, path: str, content: bytes) -> Reply:
        return self.asks(path, "POST", content, content_type="application/json", x_volte="1")


def faults(reply: Reply) -> list[str]:
    """What an answer must never be, or have."""
    found = []
    if reply.status >= 500 or reply.status < 200:
        found.append(f"status {reply.status}")
    if b"Traceback" in reply.body or b"xss=1" in dict(reply.headers).get("set-cookie", "").encode():
        found.append("a traceback, or a header of theirs")
    location = reply.header("location")
    if location and not (location.startswith("/") and not location.startswith(("//", "/\\"))):
        found.append(f"sent to {location}")
    if reply.header("content-type").startswith("text/html"):
        found += injected(reply.text)
    return found


def injected(text: str) -> list[str]:
    """The elements and attributes of a page that somebody has made by what they typed."""

    class Answer:
        status_code = 200

    answer: Any = Answer()
    answer.text = text
    page = Page(answer)
    return [
        f"<{tag} {found}>"
        for tag, found in page.elements
        if "xss" in tag
        or any(name.startswith("on") or "<" in name for name in found)
        or any(value.strip().startswith("javascript:") for value in found.values() if tag == "a")
    ]
