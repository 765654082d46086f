"""All that the playroom answers, as text files: asked for by stories, compared with the files.

A file holds the answers of one place, one after the other; one that is much like an earlier one of
the story stands there as what differs. Ids, tokens, times and the like have stable names, and
white space at the ends of lines is left out. VOLTE_REMAKE_GOLDENS=1 writes the files anew.
"""

from __future__ import annotations

import io
import json
import os
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from difflib import unified_diff
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple
from unicodedata import normalize
from urllib.parse import urlencode
from zipfile import ZipFile

from babel.dates import format_date
from kit.browsing import Page
from kit.requests import Reply, request
from kit.sites import Site, run, serving
from starlette.routing import Match, Route

from volte.people.account_agents import agent_of
from volte.people.sessions import Sessions
from volte.people.store import Accounts
from volte.server.app import make_app
from volte.store import Person
from volte.web.security import csrf_of

GOLDENS: Final = Path(__file__).parent / "pages"
AGENT: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
HEADERS: Final = (
    *("location", "content-type", "content-disposition", "cache-control", "retry-after"),
    *("allow", "set-cookie", "vary"),
)
"""Those that are written down."""

USUAL: Final = ("content-type: text/html; charset=utf-8", "cache-control: no-store", "vary: cookie")
"""Those of a page; only others, and those that are missing, are written down."""

SECRETS: Final = tuple(
    (re.compile(pattern), f"\\1⟨{name}⟩\\2")
    for pattern, name in (
        (r'(name="csrf" value=")[0-9a-f]{64}(")', "csrf"),
        (r'(name="nonce" value=")[\w-]{12}(")', "nonce"),
        (r'(name="at" value=")[\d.]+(")', "at"),
        (r'(name="session" value=")[0-9a-f]{24}(")', "session"),
        (r"(/static/)[0-9a-f]{16}(-)", "files"),
        (r"(/invited/)[0-9a-f]{32}()", "invitation"),
        (r"(/clubs/[^/]+/invited/)[\w-]{16}(?![\w-])()", "key"),
        (r'("invitation": ")[0-9a-f]{32}(")', "invitation"),
        (r'("person": ")[\w-]{16}(")', "person"),
        (r'(name="code" value=")[\w-]{16,24}(")', "code"),
        (r"(/seen/)[\w-]{12}(?![\w-])()", "key"),
        (r"(/device/)[\w-]{43}()", "token"),
        (r"(/account/passkeys/)[0-9a-f]{32}()", "passkey"),
        (r"(<code>)[\w-]{16,24}(</code>)", "code"),
        (r'("(?:challenge|id)": ")[\w-]{22,}(")', "bytes"),
        (r"(\bvolte\w*=)[\w.-]{20,}(;)", "token"),
        (r"(\(UTC)[+−]\d\d:\d\d(\))", "…"),
        (r"(DTSTAMP:)\d{8}T\d{6}Z()", "now"),
        (r"(retry-after: )\d+()", "seconds"),
        (r"(expires=)[^;]+(;|$)", "now"),
    )
)
"""What is never the same twice, and its name."""

OWN: Final = re.compile(r"\b(?:[0-9a-f]{20}|[0-9a-f]{16})\b")
"""Ids of tables, matches and the like that the server has made."""

ODD: Final = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u2028\u202a-\u202e]")
SECONDS: Final = re.compile(r"\b1\d{9}(?:\.\d+)?\b")
CLOCK: Final = re.compile(r"(⟨day⟩[^<>\d]{0,6}?)\d{1,2}:\d{2}(?::\d{2})?(?:[\s\u202f\xa0]?[AP]M)?")
TOLD: Final = re.compile(r"⟨day⟩T[\d:.]+(?:Z|\+00:00)?")
PLACE: Final = re.compile(r"/(tables|clubs|evenings|score)/([\w-]+)")
PAGE: Final = re.compile(
    r"(?P<head>.*?)<title>(?P<title>.*?)</title>(?P<rest>.*?</head>)(?P<above>.*?)"
    r'<main id="content" tabindex="-1">\n?(?P<main>.*)</main>(?P<below>.*)',
    re.DOTALL,
)
RANDOM: Final = re.compile(r"[0-9a-f]{16}|[0-9a-f]{20}|[\w-]{16}")
"""What the server makes up; ids of stories have another length."""

Story = Callable[["Net"], Awaitable[None]]


class Whole(NamedTuple):
    """An answer that stands in a file in full."""

    name: str
    content: list[str]
    lines: frozenset[str]


class Net:
    """A playroom, and what it has answered.

    Attributes:
        lang: that everybody speaks.
        files: by name, the answers of each.
    """

    def __init__(self, site: Site, lang: str) -> None:
        self.site = site
        self.lang = lang
        self.files: dict[str, list[str]] = {}
        self.room = site.room
        self.store = site.room.store
        self._whole: list[Whole] = []
        self._seen: dict[str, str] = {}
        self._shells: set[str] = set()
        self._ids: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        routes = make_app(site.room).routes
        self._routes = [route for route in routes if isinstance(route, Route)]
        self._days = list(_days(lang))

    # People

    def nobody(self) -> Visitor:
        return Visitor(self, "nobody")

    async def person(self, name: str, role: str = "", **settings: Any) -> Visitor:
        """Somebody who is known, whose id is their name in small letters."""
        plain = normalize("NFD", name.lower()).encode("ascii", "ignore").decode()
        person = Person(f"id-of-{plain}", name, self.lang, settings, time.time())
        await self.store.put_person(person)
        if role:
            await self.store[Accounts].put_role(person.id, role)
        visitor = Visitor(self, name)
        visitor.id = person.id
        visitor.cookies["volte"] = await self.room[Sessions].begin(person, agent_of(AGENT))
        return visitor

    # Writing down

    def call(self, name: str, kind: str) -> None:
        """Gives an id that the server has made a stable name."""
        if name not in self._ids:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._ids[name] = f"⟨{kind} {self._counts[kind]}⟩"

    def write(
        self, file: str, method: str, path: str, reply: Reply, who: str, note: str, body: bool
    ) -> None:
        """Adds an answer to a file."""
        asked = self.plain(path)
        told = f"{who}: {note}" if note else who
        lines = [f"=== {method} {self._route(method, path)} = {asked}, {told}", str(reply.status)]
        heads = [
            self.plain(f"{name}: {value}")
            for kept in HEADERS
            for name, value in reply.headers
            if name == kept
        ]
        usual = USUAL if reply.header("content-type").startswith("text/html") else ()
        lines += [each for each in heads if each not in usual]
        lines += [f"(no {each})" for each in usual if each not in heads]
        shell, content = self._content(reply) if body else ([], ["(not kept)"] * bool(reply.body))
        content = self._short(file, content)
        self.files.setdefault(file, []).append("\n".join([*lines, *shell, *content, ""]))

    def _short(self, file: str, content: list[str]) -> list[str]:
        """What differs from the answer most like it that the story has had before; all of it where
        that is much."""
        if len(content) < 4:
            return content
        own = f"{file}, {len(self.files.get(file, ())) + 1}"
        same = self._seen.setdefault("\n".join(content), own)
        if same != own:
            return [f"(as {same})"]
        lines = frozenset(content)
        like = max(self._whole, key=lambda each: len(each.lines & lines), default=None)
        if like is not None and 2 * len(like.lines & lines) > len(lines):
            diff = list(unified_diff(like.content, content, n=0, lineterm=""))[2:]
            if 2 * sum(map(len, diff)) < sum(map(len, content)):
                told = ["@@" if line.startswith("@@") else line for line in diff]
                return [f"(as {like.name}, but)", *told]
        self._whole.append(Whole(own, content, lines))
        return content

    def _route(self, method: str, path: str) -> str:
        bare = path.partition("?")[0]
        scope = {"type": "http", "path": bare, "method": method, "root_path": ""}
        for wanted in (Match.FULL, Match.PARTIAL):
            for route in self._routes:
                if route.matches(scope)[0] == wanted:
                    return shape(route.path)
        return "(none)"

    def plain(self, text: str) -> str:
        """The text with stable names for what is never the same twice."""
        port = self.site.address.rpartition(":")[2]
        if text.startswith("allow: "):
            return "allow: " + ", ".join(sorted(text[7:].split(", ")))
        text = re.sub(rf"(127\.0\.0\.1|localhost):{port}\b", r"\1", text)
        for own in sorted(self._ids, key=len, reverse=True):
            text = text.replace(own, self._ids[own])
        for pattern, named in SECRETS:
            text = pattern.sub(named, text)
        for day in self._days:
            text = text.replace(day, "⟨day⟩")
        text = CLOCK.sub(r"\1⟨time⟩", TOLD.sub("⟨day⟩T⟨time⟩", text))
        text = SECONDS.sub(lambda told: "⟨now⟩" if _near(told[0]) else told[0], text)
        text = ODD.sub(lambda sign: f"⟨{ord(sign[0]):02x}⟩", text)
        found: dict[str, str] = {}
        return OWN.sub(lambda own: found.setdefault(own[0], f"⟨id {len(found) + 1}⟩"), text)

    def _content(self, reply: Reply) -> tuple[list[str], list[str]]:
        """The lines of an answer; before them what stands around a page, if that is new."""
        kind = reply.header("content-type").partition(";")[0]
        if kind == "text/html":
            return self._page(reply.text)
        if kind in ("application/json", "application/manifest+json"):
            told = "\n".join(_pretty(reply.json))
        elif kind == "application/zip":
            with ZipFile(io.BytesIO(reply.body)) as packed:
                read = {name: packed.read(name).decode() for name in packed.namelist()}
            told = "\n".join(f"--- {name}\n{text}" for name, text in read.items())
        elif kind in ("text/plain", "text/csv", "text/calendar"):
            told = reply.text
        else:
            return [], ["(not kept)"] * bool(reply.body)
        return [], self.plain(told).splitlines()

    def _page(self, text: str) -> tuple[list[str], list[str]]:
        plain = "\n".join(filter(None, map(str.strip, self.plain(text).splitlines())))
        found = PAGE.fullmatch(plain)
        if found is None:
            return [], plain.splitlines()
        head = found["head"] + found["rest"]
        above = re.sub(r' aria-current="page"|name="next" value="[^"]*"', "", found["above"])
        shell = []
        for name, part in (("head", head), ("above", above), ("below", found["below"])):
            if part not in self._shells:
                self._shells.add(part)
                shell += [f"--- {name}", *part.strip().splitlines()]
        return shell, [f"<title>{found['title']}</title>", *found["main"].splitlines()]


class Visitor:
    """Somebody's browser, without scripts.

    Attributes:
        id: of the person, if they were there from the beginning.
        host: by which name they know the server; empty for its number.
    """

    def __init__(self, net: Net, name: str) -> None:
        self.net = net
        self.name = name
        self.id = ""
        self.host = ""
        self.cookies: dict[str, str] = {}

    @property
    def address(self) -> str:
        known = self.net.site.address
        return known.replace("127.0.0.1", self.host) if self.host else known

    @property
    def csrf(self) -> str:
        return csrf_of(self.cookies.get("volte", ""))

    async def get(
        self,
        path: str,
        file: str = "",
        note: str = "",
        *,
        body: bool = True,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Asks for something, and adds the answer to that file, if one is named."""
        return await self._ask("GET", path, b"", file, note, body, headers or {})

    async def post(
        self,
        path: str,
        fields: Mapping[str, Any] | None = None,
        file: str = "",
        note: str = "",
        *,
        body: bool = True,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Sends a form of ours."""
        sent = urlencode({"csrf": self.csrf} | dict(fields or {}), doseq=True).encode()
        said = {"content-type": "application/x-www-form-urlencoded", "origin": self.address}
        return await self._ask("POST", path, sent, file, note, body, {**said, **(headers or {})})

    async def say(self, path: str, content: Any, file: str = "", note: str = "") -> Reply:
        """Sends JSON, as a program does."""
        said = {"content-type": "application/json", "x-volte": "1", "accept": "application/json"}
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        return await self._ask("POST", path, body, file, note, True, said)

    async def _ask(
        self,
        method: str,
        path: str,
        sent: bytes,
        file: str,
        note: str,
        body: bool,
        more: Mapping[str, str],
    ) -> Reply:
        headers = {"accept-language": self.net.lang, "accept": "text/html", "user-agent": AGENT}
        headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers |= more
        reply = await request(self.address, method, path, sent, headers)
        for name, value in reply.headers:
            if name == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0].strip('"')
        found = PLACE.search(reply.header("location"))
        if found and RANDOM.fullmatch(found[2]):
            self.net.call(found[2], {"score": "sheet"}.get(found[1], found[1][:-1]))
        if file:
            self.net.write(file, method, path, reply, self.name, note, body)
        return reply


def fields_of(reply: Reply, form: str) -> dict[str, Any]:
    """What a browser would send of a form on a page."""
    answer: Any = SimpleNamespace(status_code=reply.status, text=reply.text)
    return {
        name: value[0] if isinstance(value, list) and len(value) == 1 else value
        for name, value in Page(answer).fields(form).items()
    }


def shape(path: str) -> str:
    """The path of a route, whatever its parameters are called."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def _pretty(value: Any, before: str = "", after: str = "") -> Iterator[str]:
    """JSON in lines that are not too long."""
    line = before + json.dumps(value, ensure_ascii=False) + after
    if len(line) < 100 or not isinstance(value, dict | list) or not value:
        yield line
        return
    yield before + "[{"[isinstance(value, dict)]
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for place, (key, part) in enumerate(parts, start=1):
        named = f"{json.dumps(key)}: " if isinstance(value, dict) else ""
        yield from _pretty(
            part, " " * (len(before) - len(before.lstrip()) + 1) + named, "," * (place < len(value))
        )
    yield " " * (len(before) - len(before.lstrip())) + "]}"[isinstance(value, dict)] + after


def _days(lang: str) -> Iterator[str]:
    """The days about today, in all the ways in which they are written."""
    days = [date.today() + timedelta(days=number) for number in range(-2, 12)]
    for form in ("full", "long", "medium"):
        for day in days:
            told = format_date(day, form, locale=lang)
            yield told
            yield told[0].upper() + told[1:]
    yield from (day.isoformat() for day in days)


def _near(text: str) -> bool:
    """Whether it is a time about now, or one at which what is kept now is over."""
    return -12 * 86_400 < float(text) - time.time() < 450 * 86_400


# Comparing


def check(folder: Path, lang: str, story: Story, **settings: Any) -> None:
    """All that a story is answered is as its files say."""
    usual = {"grace": 3600.0, "conducting": 3600.0, "assembling": 3600.0, "promise_within": 3600.0}

    async def visit() -> dict[str, list[str]]:
        async with serving(folder, **(usual | settings)) as site:
            net = Net(site, lang)
            await story(net)
            return net.files

    with universal_time():
        files = run(visit())
    place = GOLDENS / lang / story.__name__
    texts = {f"{name}.txt": "\n".join(answers) for name, answers in files.items()}
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        place.mkdir(parents=True, exist_ok=True)
        for stale in set(place.iterdir()) - {place / name for name in texts}:
            stale.unlink()
        for name, text in texts.items():
            (place / name).write_text(text, encoding="utf-8")
    kept = {path.name: path.read_text(encoding="utf-8") for path in sorted(place.iterdir())}
    assert sorted(texts) == sorted(kept), "look at what VOLTE_REMAKE_GOLDENS=1 changes"
    wrong = [
        line
        for name in kept
        for line in unified_diff(
            kept[name].splitlines(), texts[name].splitlines(), f"kept/{name}", f"now/{name}", n=1
        )
    ]
    assert not wrong, "\n".join(["look at what VOLTE_REMAKE_GOLDENS=1 changes:", *wrong[:200]])


@contextmanager
def universal_time() -> Iterator[None]:
    """Meanwhile the time of day is that of nowhere."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "UTC"
    time.tzset()
    try:
        yield
    finally:
        os.environ.pop("TZ")
        if before is not None:
            os.environ["TZ"] = before
        time.tzset()
