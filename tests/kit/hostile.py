"""Hostile requests: hostile values, and good messages with one of them inside."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

import httpx
import pytest
from hypothesis import strategies as st
from kit.browsing import Page
from kit.people import Guest
from kit.requests import Reply, request
from kit.sites import Playroom
from starlette.routing import Route

from volte.cards import Card
from volte.game import AnswerUndo, AskUndo, Claim, Pass, Play, TakeBackPass
from volte.game.codec import encode
from volte.rules import make_ruleset
from volte.server.app import make_app
from volte.table import Access, Setup, Watching
from volte.table import commands as cmd
from volte.web.security import mark_of
from volte.wire import messages as wire

NUMBERS: Final = (
    *("0", "7", "10", "99", "-1", "2147483648", "9007199254740993", "18446744073709551616"),
    *("9" * 400, "9" * 4299, "-" + "9" * 4300, "9" * 6000),
    *("1e5", "1e400", "-0.0", "0.1", "NaN", "Infinity", "-Infinity", "0x10", "1_000", "01"),
)
STRINGS: Final = (
    *('""', '" "', '"x"', '"\\u0000"', '"\\u001b[2J"', '"a\\nb"', '"\\u202e"', '"\\ud800"'),
    *('"\\udc00\\ud800"', '"\u0000"', '"\t"', '"é\u0301\u0301"', '"' + "x" * 5000 + '"'),
    *('"<script>alert(1)</script>"', '"{0.__class__}"', '"%s%n"', '"\' OR 1=1 --"', '"../../x"'),
    *('"Start"', '"Act"', '"hello"', '"do"', '"casual"', '"QS"', '"AAAA"', '"="', '"\\"'),
)
SHAPES: Final = (
    *("null", "true", "false", "[]", "{}", "[null]", "[[[[]]]]", '{"":{}}', '{"do":"Start"}'),
    *("[" * 3000 + "]" * 3000, '{"a":' * 1500 + "0" + "}" * 1500, "[" * 9000),
    *('{"do":"Sit","do":"Start","seat":0,"seat":1}', "", "nul", "[1,]", '{"a":1,}', "//"),
    *("[" + ",".join(["0"] * 4000) + "]", '["QS"]', '["QS","QS","QS"]', '[{"card":"QS"}]'),
)
HOSTILE: Final = (*NUMBERS, *STRINGS, *SHAPES)
"""Texts that stand where a value of JSON should; many of them are no JSON."""

RULES: Final = make_ruleset("coeurs", {"match_end": "deals:1"})
SETUP: Final = Setup("Table", RULES, Access.PUBLIC, Watching.HIDDEN, 30, True)

COMMANDS: Final[tuple[cmd.Command, ...]] = (
    *(cmd.Sit(1), cmd.Stand(), cmd.Next(), cmd.Away(), cmd.Back(), cmd.MoreTime(), cmd.Anew()),
    *(cmd.Promise(1, bytes(32)), cmd.Contribute(1, bytes(16)), cmd.AcceptClock(True)),
    *(
        cmd.Pause(),
        cmd.Unpause(),
        cmd.Start(),
        cmd.DealAgain(),
        cmd.SeatBot(1, "casual"),
        cmd.Remove(1, True),
    ),
    *(cmd.Replace(1), cmd.Swap(0, 1), cmd.HandOver(1), cmd.Change(SETUP), cmd.Close()),
    *(cmd.Act(Play(0, Card("QS"))), cmd.Act(Pass(0, tuple(map(Card, ("QS", "2C", "3C")))))),
    *(cmd.Act(TakeBackPass(0)), cmd.Act(Claim(0)), cmd.Act(AskUndo(0))),
    *(cmd.Act(AnswerUndo(0, True)), cmd.Invite(), cmd.AnswerSeat(1, "x", True)),
)
"""One command of each kind."""

MESSAGES: Final = (
    *(wire.Do("x", command, 0) for command in COMMANDS),
    *(wire.Ask("x", question, 1) for question in wire.Question),
    *(wire.Prefer("x", 0, 0, True, "en"), wire.Heard("x")),
    wire.Hello("x", wire.PROTOCOL, 0, True, "en", 0),
    *(wire.Speak("x", "table", "hello"), wire.Speak("x", "watchers", "", "Hello")),
    *(wire.Mute("x", "y"), wire.Avoid("x", "y"), wire.Report("x", "y", "insult", (1,), "Search")),
)

HOLE: Final = "hole 2b1e"


def with_hole(message: Any) -> list[str]:
    """A message as JSON, once for each of its fields, which is left open."""
    return [json.dumps(each) for each in _holes(json.loads(encode(message)))]


def _holes(value: Any) -> Iterator[Any]:
    yield HOLE
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: filled} for filled in _holes(inner))
        yield {**value, "more": HOLE}
        yield {HOLE: value}
    elif isinstance(value, list):
        for place, inner in enumerate(value[:2]):
            yield from ([*value[:place], x, *value[place + 1 :]] for x in _holes(inner))


def filled(text: str, value: str) -> str:
    return text.replace(json.dumps(HOLE), value)


TEMPLATES: Final = tuple(text for message in MESSAGES for text in with_hole(message))
JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
    max_leaves=6,
).map(json.dumps)
MUTATED: Final = st.builds(filled, st.sampled_from(TEMPLATES), st.sampled_from(HOSTILE) | JSON)
"""A good message with something else in one of its fields."""


def garbled(text: str, places: Sequence[int]) -> str:
    """The text with some of its signs left out, doubled, or changed."""
    signs = list(text)
    for place in places:
        at = place % max(len(signs), 1)
        signs[at : at + 1] = ([], signs[at : at + 1] * 2, ['"'], ["{"], ["\x00"], ["é"])[place % 6]
    return "".join(signs)


GARBLED: Final = st.builds(
    garbled,
    st.sampled_from([encode(message).decode() for message in MESSAGES]),
    st.lists(st.integers(0, 10**6), min_size=1, max_size=5),
)


async def raw(address: str, *parts: bytes, patience: float = 30) -> bytes:
    """Answer of the server to those bytes until it hangs up; empty where it says nothing."""
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        return await asyncio.wait_for(reader.read(), patience)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def failures(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Errors that the server has logged."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


class Address(NamedTuple):
    """A path that the application answers, and its methods."""

    path: str
    methods: frozenset[str]


class Eve:
    """A guest with a session and a table of her own."""

    def __init__(self, playroom: Playroom) -> None:
        self.playroom = playroom
        self.guest = playroom.do(Guest.come(playroom.address, "Eve"))
        self.table = playroom.do(self.guest.open_table())
        self.csrf = self.guest.csrf
        self.stale = f"0.{mark_of(self.guest.person)}.x"  # the token of another session of hers

    def asks(self, path: str, method: str = "GET", body: bytes = b"", **more: str) -> Reply:
        """Send a request as Eve and return the reply; `{table}` in the path is her table."""
        path = path.replace("{table}", self.table)
        said = {name.replace("_", "-"): value for name, value in more.items()}
        headers = {"cookie": self.guest.cookie} | said
        return self.playroom.do(request(self.playroom.address, method, path, body, headers))

    def posts(self, path: str, fields: dict[str, Any], **more: str) -> Reply:
        body = urlencode(fields, doseq=True, errors="surrogatepass").encode()
        said = {"content_type": "application/x-www-form-urlencoded", "accept": "text/html"} | more
        return self.asks(path, "POST", body, origin=self.playroom.address, **said)

    def says(self, path: str, content: bytes) -> Reply:
        return self.asks(path, "POST", content, content_type="application/json", x_volte="1")


def faults(reply: Reply) -> list[str]:
    """Faults of an answer: a wrong status, a traceback, an injected header or element."""
    found = []
    if reply.status >= 500 or reply.status < 200:
        found.append(f"status {reply.status}")
    if b"Traceback" in reply.body or b"xss=1" in dict(reply.headers).get("set-cookie", "").encode():
        found.append("a traceback, or a header of theirs")
    location = reply.header("location")
    if location and not (location.startswith("/") and not location.startswith(("//", "/\\"))):
        found.append(f"sent to {location}")
    if b"xss" in reply.body and reply.header("content-type").startswith("text/html"):
        found += injected(reply.text)
    return found


def injected(text: str) -> list[str]:
    """Elements and attributes of a page that come from a typed text."""
    page = Page(httpx.Response(200, text=text))
    return [
        f"<{tag} {found}>"
        for tag, found in page.elements
        if "xss" in tag
        or any(name.startswith("on") or "<" in name for name in found)
        or any(value.strip().startswith("javascript:") for value in found.values() if tag == "a")
    ]


@pytest.fixture(scope="module")
def addresses(playroom: Playroom) -> list[Address]:
    """Every address that the application answers."""
    found: dict[str, set[str]] = {}
    for route in make_app(playroom.site.room).routes:
        if isinstance(route, Route):
            found.setdefault(route.path, set()).update(route.methods or ())
    assert len(found) > 20
    return [Address(path, frozenset(methods)) for path, methods in found.items()]


@pytest.fixture(scope="module")
def eve(playroom: Playroom) -> Eve:
    return Eve(playroom)
