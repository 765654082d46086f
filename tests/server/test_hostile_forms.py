"""Hostile requests at every address: each is answered, none fails, and nothing said becomes HTML.

The addresses come from the application's own table of routes, so that new ones are tried as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit import Guest, Page, Playroom, few
from kit.hostile import HOSTILE, JSON, SETUP, Address, Eve, failures, faults, filled, raw, with_hole

from volte.rules import OPTIONS, described, make_ruleset
from volte.table import Access, Setup
from volte.table import commands as cmd
from volte.web.assets import ROOMS
from volte.wire.api import Meet, NewTable

MANY = settings(
    max_examples=settings().max_examples,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
IN_FULL: Final = settings().max_examples >= 1000
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW")
PLACES: Final = (
    *("x", "%00", "%ff", "%C3%A9", "..%2f..%2fapp.py", "%2e%2e", "a" * 300, "a" * 5000),
    *("%0d%0aX:y", "{table}", "%3Cscript%3E", "'", '"', "%22%3E%3Cxss%3E", "-", "0"),
    *("%E2%80%AE", ".", "*", "9" * 5000),
)
INJECTED: Final = (
    *("<xss a=1>", '"><xss a=1>', "'><xss a=1>", '" onxss=1 x="', "</title><xss>"),
    *("</textarea><xss>", "{{7*7}}<xss>", "<!--<xss>", "javascript:xss", "<XSS/ONXSS=1>"),
    *("</script><xss>", "\r\nSet-Cookie: xss=1", "\x00", "\x1b[2J", "\u202e", "\ud800"),
    *("é" * 150, "1e400", "9" * 900, "-1", "NaN", "on", "coeurs", "deals:1"),
    *("limit:" + "9" * 400, "none", "[]", "2D, 2D", "XX"),
)


@pytest.fixture(autouse=True)
def nothing_fails(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Check that the server has logged no fault of its own."""
    yield
    assert failures(caplog) == []


# Every address


def test_every_address_by_every_method(eve: Eve, addresses: list[Address]) -> None:
    step = few(9, 1)  # what an address does not allow, by some of the methods there are
    for number, (path, allowed) in enumerate(addresses):
        some = METHODS[number % step :: step]
        for method in [each for each in METHODS if each in allowed or each in some]:
            reply = eve.asks(path, method)
            assert faults(reply) == [], (method, path)
            if method not in allowed:
                assert reply.status in (404, 405), (method, path)


def test_every_address_with_something_else_in_it(eve: Eve, addresses: list[Address]) -> None:
    places = [place.replace("{table}", eve.table) for place in PLACES]
    for number, (path, methods) in enumerate(addresses):
        for place in places[number % few(19, 1) :: few(19, 1)]:
            asked = f"lang={place}&next={place}&preset={place}&players={place}&kept={place}"
            named = re.sub(r"\{[\w:]+\}", place.replace("\\", "%5c"), path)
            for where in (named, f"{path}?{asked}"):
                reply = eve.asks(where, "POST" if "POST" in methods else "GET")
                assert faults(reply) == [], where


HOSTS: Final = ("[", "]", "a b", "a/b?c#d", "a@b", "é", "a:b:c", "x" * 3000, '"><xss>', "[::1", "")


@pytest.mark.parametrize("host", HOSTS)
def test_every_page_asked_for_by_a_made_up_name(
    eve: Eve, addresses: list[Address], host: str
) -> None:
    step = few(10, 1)  # every page by one, then
    for path, methods in addresses[HOSTS.index(host) % step :: step]:
        if "GET" in methods:
            assert faults(eve.asks(path, host=host)) == [], path


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/%00"),
        *("/static//etc/passwd", "/static/....//app.py", "/static/..%5capp.py", "//etc/passwd"),
        *("/static/" + "a" * 5000, "/static/%252e%252e/app.py", "/../../etc/passwd"),
        *("/static/.", "/static/"),
    ],
)
def test_no_path_leads_out_of_the_static_files(eve: Eve, path: str) -> None:
    reply = eve.asks(path)
    assert reply.status in (307, 400, 404, 405)
    assert b"import" not in reply.body
    assert b"root:" not in reply.body


# Every form


@pytest.fixture(scope="module")
def fields(eve: Eve, addresses: list[Address]) -> dict[str, list[str]]:
    """Fields of the forms of all pages, by the path that they are posted to."""
    names = {
        name for path, methods in addresses if "GET" in methods for name in names_on(eve, path)
    }
    names |= {"name", "next", "lang", "password", "do", "preset", *OPTIONS}
    return {
        path: sorted(names - {"csrf"})
        for path, methods in addresses
        if "POST" in methods and not path.startswith("/api/")
    }


def names_on(eve: Eve, path: str) -> list[str]:
    reply = eve.asks(path.replace("{preset}", "coeurs"))
    if not reply.header("content-type").startswith("text/html"):
        return []
    page = Page.of(reply)
    return [found["name"] for tag, found in page.elements if tag != "meta" and "name" in found]


NEWCOMERS: Final = ("/logout", "/guest")
"""Paths after which the sender is another person."""


def test_every_field_of_every_form_with_every_hostile_value(
    playroom: Playroom, fields: dict[str, list[str]]
) -> None:
    eve = Eve(playroom)
    assert {"/guest", "/tables", "/me", "/play", "/logout"} <= set(fields)
    for number, (path, names) in enumerate(fields.items()):
        for value in INJECTED[number % few(30, 1) :: few(30, 1)]:
            eve = eve if path not in NEWCOMERS else Eve(playroom)
            for csrf in (eve.stale, eve.csrf):
                reply = eve.posts(path, {**dict.fromkeys(names, value), "csrf": csrf})
                assert faults(reply) == [], (path, value)


@MANY
@given(data=st.data())
def test_forms_filled_in_at_random(eve: Eve, fields: dict[str, list[str]], data: Any) -> None:
    path = data.draw(st.sampled_from(sorted(fields.keys() - NEWCOMERS)))
    values = st.sampled_from(INJECTED) | st.text(st.characters(exclude_categories=["Cs"]))
    filled_in = data.draw(
        st.dictionaries(st.sampled_from(fields[path]), st.lists(values, max_size=3), max_size=8)
    )
    assert faults(eve.posts(path, filled_in | {"csrf": eve.csrf})) == []


KINDS: Final = (
    *("", "text/plain", "application/json", "application/xml", "multipart/form-data", "x" * 999),
    *("multipart/form-data; boundary=", "application/x-www-form-urlencoded; charset=utf-7"),
    *("multipart/form-data; boundary=x", "multipart/form-data; boundary=" + "x" * 999, "/;/="),
)


@pytest.mark.parametrize("kind", KINDS)
def test_bodies_of_other_kinds(
    playroom: Playroom, eve: Eve, addresses: list[Address], kind: str
) -> None:
    bodies = [b"", b"\x00\xff" * 100, b"--x\r\n\r\n--x--", b"&" * 5000, b"=" * 5000, b"%" * 999]
    part = b'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n' + eve.csrf.encode()
    bodies += [part, part + b"\r\n--x--", part.replace(b'"csrf"', b'"a"; filename="../../b"')]
    more = {"x_volte": "1", "content_encoding": "gzip", "origin": playroom.address}
    for place, (path, methods) in enumerate(addresses, KINDS.index(kind)):
        if "POST" in methods and path not in NEWCOMERS:
            for body in bodies[place % few(24, 1) :: few(24, 1)]:
                reply = eve.asks(path, "POST", body, content_type=kind, **more)
                assert faults(reply) == [], (path, body)


# JSON


def test_json_with_something_else_in_it(playroom: Playroom) -> None:
    """Every hostile value, as the whole of a body, and in every field of one that is good."""
    eve = Eve(playroom)
    good: dict[str, Any] = {
        "/api/tables/{table}/enter": {"password": "x"},
        "/api/tables": NewTable(SETUP, ("casual",), ""),
        "/api/signin": {"login": "eve", "password": "x"},
        "/api/meet": Meet("coeurs", "calm", ("fr",)),
        "/api/companions": {"person": "x", "apart": False},
        "/api/friends/invited/{by}": {"yes": True},
        "/api/guest": {"name": "Eve", "lang": "en"},  # last: it makes somebody else of her
    }
    for path, content in good.items():
        templates = with_hole(content)
        for number, template in enumerate(templates):
            step = 1 if IN_FULL else 9 if len(templates) < 9 else 53
            for value in HOSTILE[number % step :: step]:
                body = filled(template, value).encode(errors="surrogatepass")
                reply = eve.says(path, body)
                assert faults(reply) == [], (path, body[:200])
                assert json.loads(reply.body or b"{}") is not None


@MANY
@given(template=st.sampled_from(with_hole(NewTable(SETUP))), value=st.sampled_from(HOSTILE) | JSON)
def test_whatever_table_is_opened_can_be_shown_played_and_told(
    playroom: Playroom, eve: Eve, template: str, value: str
) -> None:
    reply = eve.says("/api/tables", filled(template, value).encode(errors="surrogatepass"))
    assert faults(reply) == []
    if reply.status == 201:
        table = reply.json["table"]
        for path in (f"/tables/{table}", f"/tables/{table}/setup", "/", "/api/tables"):
            page = eve.asks(path)
            assert page.status == 200
            assert faults(page) == []
        rules = playroom.live(table).state.setup.rules
        assert make_ruleset(*described(rules)) == rules


def test_bombs(eve: Eve) -> None:
    for body in (
        *(b"[" * 60_000, b'{"a":' * 12_000, b'"' + b"\\u0041" * 10_000 + b'"', b"[0," * 20_000),
        *(b'{"name":"' + b"x" * 60_000 + b'"}', b"9" * 65_000, b" " * 65_000, b"\x00" * 65_000),
        *(b"[" + b"1," * 30_000 + b"1]", b"x" * 70_000, b"x" * 1_000_000, b"\xef\xbb\xbf{}"),
    ):
        for path in ("/api/guest", "/api/tables", "/api/tables/{table}/enter"):
            reply = eve.says(path, body)
            assert reply.status in (400, 413, 422), (path, body[:20])
            assert faults(reply) == []


# HTML in everything that is kept, and shown to others


NAMES: Final = ("<xss a=1>", '"><xss onxss=1>', "'><xss>&lt;xss&gt;", "{{xss}}<xss>")


@pytest.mark.parametrize("text", NAMES[few(1, 0) :: few(4, 1)])
def test_names_are_shown_as_they_are_and_are_never_html(
    playroom: Playroom, addresses: list[Address], text: str
) -> None:
    eve = Eve(playroom)
    eve.guest = playroom.do(Guest.come(playroom.address, text))
    eve.table = playroom.do(eve.guest.open_table(setup=Setup(text, SETUP.rules, Access.PUBLIC)))

    async def shown() -> list[str]:
        await eve.guest.join(eve.table, told=True)
        assert (await eve.guest.do(cmd.Start())).ok
        scene = eve.guest.scenes[-1]
        return [scene.seats[0].name, eve.guest.state.setup.name if eve.guest.state else ""]

    assert playroom.do(shown()) == [text, text]
    first_pages = 0
    for reader in (eve, Eve(playroom)):
        for path, methods in addresses:
            if "GET" in methods:
                page = reader.asks(path.replace("{table}", eve.table))
                assert faults(page) == [], path
                first_pages += b"xss" in page.body and path == "/"
    assert first_pages == 2
    playroom.do(eve.guest.leave())


def test_the_scripts_make_no_html_of_text() -> None:
    """They write text into nodes; nothing that a server or a person says is parsed."""
    ways = re.compile(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(")
    for script in ROOMS.rglob("static/*.js"):
        assert not ways.search(script.read_text()), script.name


# Slow, large and broken requests


def test_large_and_broken_heads(playroom: Playroom, eve: Eve) -> None:
    head = f"GET / HTTP/1.1\r\nHost: x\r\nCookie: {eve.guest.cookie}\r\nConnection: close\r\n"
    for more in (
        *("X: " + "y" * 70_000, "Cookie: " + "x" * 70_000, "\r\n".join(["A: b"] * 5000)),
        *("Content-Length: -1", "Content-Length: x", "Content-Length: 1\r\nContent-Length: 2"),
        *("Transfer-Encoding: x", "Transfer-Encoding: chunked\r\nContent-Length: 5", " folded"),
        *("Accept-Language: " + "aa;q=1.2.3," * 3000, "Accept-Language: é;q=" + "9" * 900),
        *("X-Forwarded-For: " + "a," * 5000, "X-Forwarded-Proto: javascript", "Cookie: volte=é"),
        *("Upgrade: websocket", "Upgrade: h2c", "Expect: 100-continue", "Range: bytes=0-1", "é: é"),
    ):
        answer = playroom.do(raw(playroom.address, (head + more + "\r\n\r\n").encode()))
        assert answer.split(b" ")[1:2] < [b"500"], (more[:50], answer[:200])
        assert b"Traceback" not in answer
    nonsense = (b"\x00" * 100, b"GET\r\n\r\n", b"\r\n" * 1000, b"\x16\x03\x01" * 50, b"x" * 70_000)
    for broken in nonsense:
        answer = playroom.do(raw(playroom.address, broken, b"\r\n\r\n"))
        assert answer.split(b" ")[1:2] in ([], [b"400"], [b"431"])
    assert eve.asks("/api/me").status == 200
