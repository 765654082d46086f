"""A name that is written from right to left stands apart on every page, whatever is beside it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from kit import Playroom, keep, played
from kit.browsing import VOID, Page, Visitor
from kit.sheet_pages import begin, write

from volte.console.terminal import harmless
from volte.names import isolated
from volte.rules import make_ruleset
from volte.say import Words
from volte.table import Someone

NAME = "יוסף 2"
ISOLATED = re.compile("\u2068[^\u2069]*\u2069")
RAW = {"value", "content"}  # what somebody typed, and what programs read


class Beside(HTMLParser):
    """Finds the Hebrew on a page that is drawn together with what stands beside it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.together: list[str] = []
        self._apart: list[bool] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name not in RAW and not name.startswith("data-"):
                self._judge(value or "", f"<{tag} {name}>")
        if tag not in VOID:
            self._apart.append(tag in ("bdi", "textarea") or ("dir", "auto") in attrs)

    def handle_endtag(self, tag: str) -> None:
        self._apart.pop()

    def handle_data(self, data: str) -> None:
        if not any(self._apart):
            self._judge(data, self.get_starttag_text() or "")

    def _judge(self, text: str, where: str) -> None:
        if re.search("[א-ת]", ISOLATED.sub("", text)):
            self.together.append(f"{where} {text}")


@pytest.fixture
def joseph(visitor: Visitor) -> Visitor:
    visitor.come_in(NAME)
    return visitor


def path(page: Page) -> str:
    assert page.status == 200, page.text
    return page.answer.url.path


def test_a_name_from_right_to_left_stands_apart_on_every_page(
    playroom: Playroom, joseph: Visitor
) -> None:
    listed = {"access": "public", "name": NAME}
    table = path(joseph.open_table(**listed))
    club = path(joseph.post("/clubs/new", {"name": NAME, "about": f"{NAME}: 3", "listed": "on"}))
    form = joseph.get(f"{club}/evenings/new").fields("evening-form")
    typed = {name: each[0] if isinstance(each, list) else each for name, each in form.items()}
    evening = path(joseph.post(f"{club}/evenings/new", typed | {"name": NAME, "by_itself": ""}))
    joseph.post(f"{evening}/do", {"do": "come"})
    sheet = begin(joseph, seat0=NAME, title=NAME)
    write(joseph, sheet, 4, 9, 0, 0, queen="0")
    me = joseph.client.get("/api/me").json()
    log = played(make_ruleset("microsoft", {"match_end": "deals:1"}), name=NAME)
    match = playroom.do(keep(playroom.site.room.store, Someone(me["person"], NAME), log)).id
    pages = [
        *("/", table, "/clubs", club, f"{club}/edit", evening, f"{evening}/edit"),
        *("/score", sheet, f"{sheet}/print", f"{sheet}/head", f"{sheet}/lines/1"),
        *("/matches", f"/matches/{match}", f"/matches/{match}/replay"),
        *("/me", "/me/talk", "/account/name", "/tables/new"),
    ]
    found = {address: joseph.get(address) for address in pages}
    with Visitor(playroom.address) as stranger:
        found |= {f"a stranger’s {address}": stranger.get(address) for address in ("/", table)}
        for address, page in found.items():
            assert page.status == 200, address
            assert "יוסף" in page.answer.text, address
            assert Beside(page.answer.text).together == [], address


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_in_a_sentence_too(lang: str) -> None:
    words = Words(lang)
    assert words.t("{name}: {points}", name=NAME, points="3").startswith(f"\u2068{NAME}\u2069")
    assert words.listed([NAME, "Anne"]).startswith(f"\u2068{NAME}\u2069")
    assert isolated(isolated(NAME)) == isolated(NAME)


def test_a_terminal_is_sent_the_name_alone() -> None:
    assert harmless(Words("fr").t("{name} {count}", name=NAME, count=3)) == f"{NAME} 3"
