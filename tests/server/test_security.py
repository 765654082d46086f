"""What hostile pages and hostile clients cannot do: origins, CSRF, headers, words, bodies."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

import pytest
from kit.people import Guest
from kit.requests import post_form, post_json, request
from kit.sites import Site
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.routing import Route

from volte.server.app import make_app
from volte.web.refused import Refused
from volte.web.security import LONGEST_PASSWORD, WAITING, Passwords, csrf_of, own_origin

ELSEWHERE = "http://elsewhere.example"


def posted_to(site: Site) -> list[str]:
    """Every path that takes a form, with something in the place of parameters."""
    return [
        re.sub(r"\{\w+\}", "x", re.sub(r"\{\w+:int\}", "1", route.path))
        for route in make_app(site.room).routes
        if isinstance(route, Route) and "POST" in (route.methods or ())
    ]


async def test_no_form_is_taken_without_its_token_or_from_elsewhere(site: Site) -> None:
    guest = await Guest.come(site.address)
    table = await guest.open_table()
    stranger = csrf_of("another session's token")
    forms = [path for path in posted_to(site) if not path.startswith("/api/")]
    assert {"/logout", "/guest", "/tables", "/me"} <= set(forms)
    for path in (path.replace("/x", f"/{table}") for path in forms):
        for token in ([], "", stranger, "é", guest.csrf + "0", [guest.csrf, stranger]):
            reply = await post_form(site.address, path, {"csrf": token}, guest.cookie)
            assert reply.status == 403, (path, reply)
        for origin in (ELSEWHERE, "null", "https://" + site.address[7:]):
            own = {"csrf": guest.csrf}
            reply = await post_form(site.address, path, own, guest.cookie, origin)
            assert reply.status == 403, (path, reply)
    assert 'id="reason"' in reply.text


async def test_programs_say_that_they_are_programs(site: Site) -> None:
    guest = await Guest.come(site.address)
    paths = [path for path in posted_to(site) if path.startswith("/api/")]
    assert len(paths) == 5
    body = b'{"name":"Eve","password":"x","setup":{"name":"x","rules":{}}}'
    plain = {"cookie": guest.cookie, "content-type": "application/json"}
    program = plain | {"x-volte": "1"}
    for path in paths:
        for headers in (
            plain,
            program | {"content-type": "text/plain"},
            program | {"origin": ELSEWHERE},
            program | {"sec-fetch-site": "cross-site"},
        ):
            reply = await request(site.address, "POST", path, body, headers)
            assert reply.status in (403, 415), (path, headers)
            assert reply.json["line"].endswith(".")


async def test_behind_https_the_cookie_is_secure(site: Site) -> None:
    proxied = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9"}
    over, plain = [
        await post_json(site.address, "/api/guest", {"name": "Zoé"}, headers=headers)
        for headers in (proxied, {})
    ]
    for reply in (over, plain):
        cookie = reply.header("set-cookie").lower()
        for part in ("httponly", "samesite=lax", "path=/"):
            assert part in cookie
        assert ("secure" in cookie) == (reply is over)
    assert over.header("strict-transport-security")


@pytest.mark.parametrize(
    ("origin", "host", "scheme", "ours"),
    [
        ("http://volte.example", "volte.example", "http", True),
        ("http://volte.example:8150", "volte.example:8150", "ws", True),
        ("http://volte.example:8150", "volte.example", "http", False),
        ("https://volte.example", "volte.example", "http", False),
        ("https://volte.example", "volte.example", "wss", True),
        ("http://volte.example.evil", "volte.example", "http", False),
        ("http://volte.example", "", "http", False),
        ("null", "volte.example", "http", False),
        ("", "volte.example", "http", False),
    ],
)
def test_an_origin_is_ours_exactly_or_not(origin: str, host: str, scheme: str, ours: bool) -> None:
    headers = Headers({"origin": origin, "host": host})
    scope = {"type": "http", "scheme": scheme, "headers": headers.raw}
    assert own_origin(HTTPConnection(scope), ()) is ours


async def test_bodies_are_bounded(site: Site) -> None:
    guest = await Guest.come(site.address)
    assert (await guest.post("/logout", {"x": "y" * 10**6})).status == 413
    many = {f"f{number}": "" for number in range(5000)}
    assert (await guest.post("/logout", many)).status in (400, 413)
    part = b'--x\r\ncontent-disposition: form-data; name="csrf"; filename="a"\r\n\r\nx\r\n--x--\r\n'
    for kind, body in [
        ("multipart/form-data; boundary=x", b"--x\r\nbroken"),
        ("multipart/form-data", b"no boundary"),
        ("application/x-www-form-urlencoded; charset=nonsense", b"csrf=\xff%zz"),
        ("multipart/form-data; boundary=x", part),
        ("text/plain", b"csrf=x"),
        ("", b""),
    ]:
        headers = {"cookie": guest.cookie, "content-type": kind, "origin": site.address}
        reply = await request(site.address, "POST", "/logout", body, headers)
        assert reply.status in (400, 403, 415), (kind, reply)
    assert (await guest.post("/logout")).status == 303


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    passwords = Passwords()
    yield passwords
    passwords.close()


async def test_words_are_kept_as_argon2id(passwords: Passwords) -> None:
    hashed = await passwords.hash("sesame")
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await passwords.verify(hashed, "sesame")
    for other in ("Sesame", "", "x" * (LONGEST_PASSWORD + 1)):
        assert not await passwords.verify(hashed, other)
    assert not await passwords.verify("", "sesame")
    with pytest.raises(Refused, match="bad_password"):
        await passwords.hash("")


async def test_no_more_words_are_judged_than_the_threads_can_take(passwords: Passwords) -> None:
    hashed = await passwords.hash("sesame")
    tries = [passwords.verify(hashed, "open") for _ in range(WAITING + 5)]
    judged = await asyncio.gather(*tries, return_exceptions=True)
    assert judged.count(False) == WAITING
    assert sum(isinstance(each, Refused) for each in judged) == 5
