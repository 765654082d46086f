"""Visitors of a server's pages, without scripts, and the requirements of every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, Final, Self

import httpx
import pytest
from kit.requests import Reply
from kit.sites import Playroom

PATIENCE: Final = 60
VOID: Final = frozenset(["meta", "link", "input", "img", "br", "hr", "source"])
CONTROLS: Final = frozenset(("input", "select", "textarea"))
CSRF: Final = re.compile(r'name="csrf" value="([^"]+)"')


class Page:
    """An answer, read as HTML."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.status = answer.status_code
        reader = _Reader()
        reader.feed(answer.text)
        reader.close()
        self.elements = reader.elements  # each as its tag and attributes, in order
        self.text = " ".join(" ".join(reader.texts).split())  # all that can be read
        # Faults of the page
        self.wrong = reader.wrong + list(_faults(self.elements, reader.named))

    @classmethod
    def of(cls, reply: Reply) -> Self:
        """Read the page of a reply."""
        return cls(httpx.Response(reply.status, text=reply.text))

    def all(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        """The attributes of all elements of that tag that have those."""
        return [
            found
            for name, found in self.elements
            if name == tag and all(found.get(key) == value for key, value in attributes.items())
        ]

    @property
    def table(self) -> str:
        """The id of the table whose page it is."""
        assert self.status == 200, self.text
        return self.all("div", id="table")[0]["data-table"]

    @property
    def csrf(self) -> str:
        return self.all("input", name="csrf")[0]["value"]

    def fields(self, form: str) -> dict[str, Any]:
        """The fields that a browser would send of the form with that id."""
        names = [found.get("id") for found in self.all("form")]
        return self._fields_of(names.index(form)) if form in names else {}

    def forms(self) -> list[tuple[str, dict[str, Any]]]:
        """All forms that are posted: the address, and the fields that a browser would send,
        without buttons."""
        found = list[tuple[str, dict[str, Any]]]()
        for place, form in enumerate(self.all("form")):
            if form.get("method") == "post":
                found.append((form["action"], self._fields_of(place)))
        return found

    def _fields_of(self, place: int) -> dict[str, Any]:
        """The fields that a browser would send of a form, by its place among all."""
        fields: dict[str, Any] = {}
        form, select = -1, ""
        for tag, found in self.elements:
            form += tag == "form"
            if form != place or (tag in CONTROLS and not found.get("name")):
                continue
            if tag == "select":
                select = found["name"]
                fields.setdefault(select, [])
                fields[select].append("")
            if tag == "option" and "selected" in found:
                fields[select][-1] = found["value"]
            sent = found.get("type") not in ("checkbox", "radio") or "checked" in found
            if tag in ("input", "textarea") and sent:
                before = fields.get(found["name"])
                value = found.get("value", "")
                several = before if isinstance(before, list) else [before]
                fields[found["name"]] = value if before is None else [*several, value]
        return fields

    def value(self, name: str) -> str:
        """The content of a text field."""
        return self.all("input", name=name)[0].get("value", "")


class Visitor:
    """Somebody's browser, without scripts."""

    def __init__(self, address: str, lang: str = "en") -> None:
        self.client = httpx.Client(
            base_url=address,
            headers={"accept-language": lang, "accept": "text/html"},
            follow_redirects=True,
            timeout=PATIENCE,
            verify=False,  # there is no HTTPS here, and reading certificates takes a while
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def get(self, path: str) -> Page:
        return Page(self.client.get(path))

    def post(self, path: str, fields: dict[str, Any] | None = None, **headers: str) -> Page:
        """Send a form as if it came from a page of the site."""
        csrf = self._csrf("/rules")
        origin = str(self.client.base_url).rstrip("/")
        sent = {"csrf": csrf} | (fields or {})
        return Page(self.client.post(path, data=sent, headers={"origin": origin} | headers))

    def send_file(self, path: str, content: bytes | str) -> Page:
        """Send the form of a page that is at the same address, with a file chosen in it."""
        origin = str(self.client.base_url).rstrip("/")
        form = {"csrf": self._csrf(path)}
        files, headers = {"file": ("a", content)}, {"origin": origin}
        return Page(self.client.post(path, data=form, files=files, headers=headers))

    def _csrf(self, path: str) -> str:
        """The token in a page, which is not read: that takes as long as the server's answer."""
        found = CSRF.search(self.client.get(path).text)
        assert found is not None
        return found[1]

    def come_in(self, name: str = "Zoé") -> Page:
        return self.post("/guest", {"name": name, "next": "/"})

    def open_table(self, **changes: Any) -> Page:
        """Send the form for a new table with those changes; return the answer."""
        fields = self.get("/tables/new").fields("table-form") | {"do": "open"}
        return self.post("/tables", fields | changes)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.wrong: list[str] = []
        self.named: list[tuple[str, str]] = []
        self._open: list[tuple[str, int]] = []

    def updatepos(self, i: int, j: int) -> int:
        """Count no lines: nobody asks for the place of an element."""
        return j

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        if len(set(names)) < len(names):
            self.wrong.append(f"<{tag}> says something twice: {names}")
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append((tag, len(self.texts)))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1][0] != tag:
            self.wrong.append(f"</{tag}> closes nothing")
            return
        _, since = self._open.pop()
        if tag in ("button", "a", "h1", "h2", "h3", "label", "legend", "summary", "title", "th"):
            self.named.append((tag, " ".join(self.texts[since:]).strip()))

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] == "textarea":
            found = self.elements[-1][1]
            found["value"] = (found.get("value", "") + data).removeprefix("\n")
        if data.strip():
            self.texts.append(data)


def _faults(
    elements: list[tuple[str, dict[str, str]]], named: list[tuple[str, str]]
) -> Iterator[str]:
    """Yield the faults of a page against the requirements of every page."""
    tags = [tag for tag, _ in elements]
    ids = [found["id"] for _, found in elements if "id" in found]
    for tag in ("html", "title", "h1", "main", "header", "footer"):
        if tags.count(tag) != 1:
            yield f"{tags.count(tag)} of <{tag}>"
    names = [found.get("aria-label") for tag, found in elements if tag == "nav"]
    if not names or len(set(names)) < len(names) or None in names:
        yield f"navigations called {names}"
    if not dict(elements).get("html", {}).get("lang"):
        yield "no language"
    known = set(ids)
    yield from (f"two of #{key}" for key in known if ids.count(key) > 1)
    labelled = {found.get("for") for tag, found in elements if tag == "label"}
    for tag, found in elements:
        yield from _element_faults(tag, found, known, labelled)
    yield from (f"empty <{tag}>" for tag, text in named if not text and tag != "button")
    levels = [int(tag[1]) for tag in tags if tag in ("h1", "h2", "h3", "h4")]
    for before, after in zip([0, *levels], levels, strict=False):
        if after > before + 1:
            yield f"h{after} after h{before}"


def _element_faults(
    tag: str, found: dict[str, str], ids: set[str], labelled: set[str | None]
) -> Iterator[str]:
    hidden = found.get("type") == "hidden"
    if tag in CONTROLS and not hidden and found.get("id") not in labelled:
        yield f"no label: {found}"
    if tag == "img" and not found.get("alt"):
        yield f"no words for a picture: {found}"
    if tag == "form" and found.get("method") not in ("post", "get"):
        yield f"a form that says not how it is sent: {found}"
    for name in ("aria-labelledby", "aria-describedby", "for"):
        if "hidden" in found:  # a script fills it before it is shown
            continue
        for key in found.get(name, "").split():
            if key not in ids:
                yield f"nothing is #{key}"
    if found.get("href", "").startswith("#") and found["href"][1:] not in ids:
        yield f"nothing is {found['href']}"
    if tag == "th" and "scope" not in found:
        yield "a head of nothing"
    inline = [name for name in found if name == "style" or name.startswith("on")]
    if inline or tag == "style" or (tag == "script" and not found.get("src")):
        yield f"the content policy forbids it: <{tag} {inline}>"


@pytest.fixture
def visitor(playroom: Playroom) -> Iterator[Visitor]:
    """Somebody who has not said their name."""
    with Visitor(playroom.address) as somebody:
        yield somebody
