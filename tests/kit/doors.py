"""Two doors to the same pages: a server, and a browser without one."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest
from kit.browsing import Page, Visitor
from kit.sites import Playroom
from kit.visits import Visit

from volte.alone.pages import AlonePages
from volte.alone.room import SitePaths
from volte.solo.kept import KeptStore
from volte.solo.room import SoloRoom


class Alone(httpx.BaseTransport):
    """The way of a request to the pages of a browser, in this process."""

    def __init__(self, pages: AlonePages) -> None:
        self.pages = pages

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        target, fields = request.url.raw_path.decode(), parse_qs(request.read().decode(), True)
        asked = self.pages.respond(request.method, target, fields)
        with ThreadPoolExecutor(1) as aside:  # the test may have a loop of its own
            answer = aside.submit(asyncio.run, asked).result()
        headers = {"content-type": answer.type}
        if answer.location:
            headers["location"] = answer.location
        if answer.filename:
            headers["content-disposition"] = f'attachment; filename="{answer.filename}"'
        body = b64decode(answer.body) if answer.base64 else answer.body.encode()
        return httpx.Response(answer.status, headers=headers, content=body, request=request)


class LoneVisitor(Visitor):
    """The person of a browser without a server."""

    def __init__(self, lang: str = "en", room: SoloRoom | None = None) -> None:
        pages = AlonePages(room or SoloRoom(KeptStore(), lang), SitePaths("", f"/static/0-{lang}/"))
        self.client = httpx.Client(
            base_url="http://alone", transport=Alone(pages), follow_redirects=True
        )

    def post(self, path: str, fields: dict[str, Any] | None = None, **headers: str) -> Page:
        """Send a form as if it came from a page of the site."""
        sent = {"csrf": self.get("/score").csrf} | (fields or {})
        return Page(self.client.post(path, data=sent, headers=headers))

    def send_file(self, path: str, content: bytes | str) -> Page:
        """Send the form at an address, with the text of a file in it."""
        text = content if isinstance(content, str) else content.decode(errors="replace")
        return self.post(path, {"file": text})

    def come_in(self, name: str = "Zoé") -> Page:
        """Does nothing: whoever opens the browser is the person."""
        return self.get("/learn")


def visitor_at(playroom: Playroom, lang: str) -> Visitor:
    """Somebody at a server who reads French, or at the other door who reads English: so a test in
    both languages is one of both doors."""
    return Visitor(playroom.address, lang) if lang == "fr" else LoneVisitor(lang)


@pytest.fixture
def visit(playroom: Playroom) -> Iterator[Visit]:
    """Opens browsers, by the door of the language; those with a name come to the server."""
    with ExitStack() as browsers:

        def come(name: str = "", lang: str = "en") -> Visitor:
            visitor = visitor_at(playroom, "fr" if name else lang)
            visitor.client.headers["accept-language"] = lang
            browsers.enter_context(visitor)
            if name:
                visitor.come_in(name)
            return visitor

        yield come
