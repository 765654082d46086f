"""Pages that a browser makes without a server: where they lead, and what they say of a fault."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import pytest
from kit.doors import LoneVisitor
from starlette.routing import Route

from volte.alone.pages import routes
from volte.alone.places import SECTIONS, there
from volte.lessons import puzzles
from volte.site.pages import rendered
from volte.solo.keeper import MemoryKeeper
from volte.solo.kept import KeptStore
from volte.solo.room import SoloRoom
from volte.store import Unavailable

NUMBERS = re.compile(r"\d+|(?<=/clerk/)[\w-]+|[?].*")
"""Parts of addresses that lead to pages of one kind."""


def test_no_page_leads_where_nothing_is() -> None:
    with LoneVisitor("en") as visitor:
        addresses = {NUMBERS.sub("", f"/{each}"): f"/{each}" for each in SECTIONS}
        for address in (waiting := list(addresses.values())):
            page = visitor.get(address)
            assert (page.status, page.wrong) == (200, []), address
            for href in {each["href"] for each in page.all("a")}:
                path = urlsplit(href).path
                if path and not href.startswith("#"):
                    assert there(path), (address, href)
                bare, kind = href.partition("#")[0], NUMBERS.sub("", href.partition("#")[0])
                if path.strip("/").partition("/")[0] in SECTIONS and kind not in addresses:
                    addresses[kind] = bare
                    waiting.append(bare)
            for action, fields in page.forms():
                answer = visitor.client.post(action, data=fields, follow_redirects=False)
                assert answer.status_code in (200, 303, 400, 422), (address, action)


def test_every_page_that_is_a_file_is_known_to_be_there() -> None:
    files = {path.removesuffix("index.html") for path in rendered("", {}) if path.startswith("en/")}
    pages = [path.removeprefix("en") for path in files if not path.endswith(".html")]
    assert [path for path in pages if not there(path)] == []


def test_an_error_that_nobody_foresaw_is_a_page_and_a_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(puzzles, "daily", failing)
    with caplog.at_level(logging.ERROR), LoneVisitor("en") as visitor:
        page = visitor.get("/puzzle")
    assert page.status == 500
    assert "Something went wrong" in page.text
    assert [record.message for record in caplog.records] == ["request_failed"]


class Locked(MemoryKeeper):
    """Texts that another window has."""

    async def texts(self, beginning: str) -> Mapping[str, str]:
        raise Unavailable(beginning)


def test_while_nothing_can_be_read_a_page_says_so() -> None:
    with LoneVisitor("en", SoloRoom(KeptStore(Locked()), "en")) as visitor:
        page = visitor.get("/score")
    assert page.status == 503
    assert page.wrong == []


def test_an_address_comes_as_browsers_write_it() -> None:
    with LoneVisitor("en") as visitor:
        assert visitor.get("/clerk/queen%2Dkept/").status == 200


def test_every_address_with_something_else_in_it_is_answered_with_a_page(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with LoneVisitor("en") as visitor:
        for place in ("9" * 5000, "%00", "x" * 5000):
            for path in {each.path for each in routes() if isinstance(each, Route)}:
                page = visitor.get(re.sub(r"\{[\w:]+\}", place, path))
                assert (page.status < 500, page.wrong) == (True, []), path
    assert caplog.records == []
