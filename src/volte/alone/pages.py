"""Pages of the person of a browser, answered by the handlers of a server in this process."""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from email.message import Message as Headers
from typing import Final
from urllib.parse import unquote, urlencode

from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import Message, Scope

from volte.alone import deals, records
from volte.alone.room import AloneRoom, SitePaths
from volte.history import pages as history
from volte.lessons import lesson_page, puzzle_page
from volte.lessons.lesson_page import BEGINNERS, first_deal
from volte.say import words_of
from volte.say.formats import LOCAL
from volte.scorekeeper.web import clerk_page
from volte.scorekeeper.web import pages as score_pages
from volte.solo.answer import SoloAnswer
from volte.solo.room import SoloRoom
from volte.store import Conflict, Unavailable
from volte.table import Access
from volte.table.setup import Talk
from volte.web import rules_page
from volte.web.page import REFUSALS, refusal
from volte.web.visit import Visit, Visitor, route, see_other

FORM: Final = b"application/x-www-form-urlencoded"

log: Final = logging.getLogger(__name__)


class AlonePages:
    """The pages of the person of a browser."""

    def __init__(self, solo: SoloRoom, paths: SitePaths) -> None:
        self._solo = solo
        self._paths = paths
        self._app = Starlette(routes=routes(), exception_handlers={**REFUSALS, Exception: _failed})
        self._app.state.room = AloneRoom(solo, paths)

    async def respond(
        self, method: str, target: str, fields: Mapping[str, Sequence[str]]
    ) -> SoloAnswer:
        """Answer a request: of a page with its query, or of a form with its fields.

        Args:
            target: the address below the language, from the slash on.
        """
        scope = self._scope(method, target)
        body, sent = urlencode(fields, doseq=True).encode(), list[Message]()

        async def receive() -> Message:
            return {"type": "http.request", "body": body}

        async def send(message: Message) -> None:
            sent.append(message)

        visit = Visit(scope, receive)
        try:
            visit.visitor.person = replace(await self._solo.person(), lang=self._solo.lang)
        except Unavailable as error:
            await (await refusal(visit, error))(scope, receive, send)
        else:
            with suppress(Exception):  # it is answered by then, and in the log
                await self._app(scope, receive, send)
        return self._answer(sent)

    def _scope(self, method: str, target: str) -> Scope:
        path, _, query = target.partition("?")
        return {
            "type": "http",
            "method": method,
            "scheme": self._paths.scheme,
            "path": unquote(path).rstrip("/") or "/",
            "query_string": query.encode(),
            "headers": [
                (b"host", self._paths.host.encode()),
                (b"accept", b"text/html"),
                (b"content-type", FORM),
                (b"sec-fetch-site", b"same-origin"),  # nobody else can ask
            ],
            "app": self._app,
            "state": {"visitor": Visitor("", self._solo.lang, zone=LOCAL)},
        }

    def _answer(self, sent: Sequence[Message]) -> SoloAnswer:
        if not sent:  # not even the page that says so could be made
            return SoloAnswer(500, "text/plain", words_of(self._solo.lang).why("failed"))
        start, *parts = sent
        body = b"".join(part.get("body", b"") for part in parts)
        headers = Headers()
        for name, value in start["headers"]:
            headers[name.decode()] = value.decode()
        location = headers.get("location", "")
        try:
            text, coded = body.decode(), False
        except UnicodeDecodeError:
            text, coded = b64encode(body).decode(), True
        return SoloAnswer(
            start["status"],
            headers.get("content-type", ""),
            text,
            coded,
            f"{self._paths.base}{location}" if location else "",
            headers.get_filename(""),
        )


def routes() -> list[BaseRoute]:
    """The routes to all that a browser answers by itself."""
    return [
        *lesson_page.routes(),
        route("/learn/deal", deal_of_lesson, methods=["POST"]),
        *puzzle_page.routes(),
        *clerk_page.routes(),
        *score_pages.routes(),
        *deals.routes(),
        *history.routes(),
        *records.routes(),
        *rules_page.routes(),
    ]


async def deal_of_lesson(visit: Visit) -> Response:
    """Open a table for the real deal at the end of the lesson, once however often it is asked."""
    table = visit.key_of(await visit.fields())[:20]
    setup = replace(first_deal(visit.words), access=Access.PRIVATE, talk=Talk.NOBODY)
    with suppress(Conflict):
        await visit.room[SoloRoom].open(setup, BEGINNERS, table)
    return see_other(f"/tables/{table}")


async def _failed(request: Request, error: Exception) -> Response:
    """Answer an error of ours with a page; the log says where it was raised."""
    log.error("request_failed", extra={"method": request.method}, exc_info=error)
    return await refusal(request, error)
