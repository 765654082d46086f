"""What hostile pages and hostile clients cannot do: origins, CSRF, headers, words, bodies."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from kit.people import Guest
from kit.requests import post_form, post_json, request
from kit.sites import Site, serving
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


async def test_no_form_is_taken_without_its_token_or_from_elsewhere(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        guest = await Guest.come(site.address)
        table = await guest.open_table()
        token = csrf_of(guest.cookie.partition("=")[2])
        stranger = csrf_of("another session's token")
        forms = [path for path in posted_to(site) if not path.startswith("/api/")]
        assert {"/logout", "/guest", "/tables", "/me"} <= set(forms)
        for path in (path.replace("/x", f"/{table}") for path in forms):
            for fields in ({}, {"csrf": ""}, {"csrf": stranger}, {"csrf": "é"}):
                reply = await post_form(site.address, path, fields, guest.cookie)
                assert reply.status == 403, (path, reply)
            for origin in (ELSEWHERE, "null", "https://" + site.address[7:]):
                reply = await post_form(site.address, path, {"csrf": token}, guest.cookie, origin)
                assert reply.status == 403, (path, reply)


async def test_programs_say_that_they_are_programs(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        guest = await Guest.come(site.address)
        paths = [path for path in posted_to(site) if path.startswith("/api/")]
        assert len(paths) == 5
        body = b'{"name":"Eve","password":"x","setup":{"name":"x","rules":{}}}'
        plain = {"cookie": guest.cookie, "content-type": "application/json"}
        for path in paths:
            for headers in (
                plain,
                plain | {"x-volte": "1", "content-type": "text/plain"},
                plain | {"x-volte": "1", "origin": ELSEWHERE},
                plain | {"x-volte": "1", "sec-fetch-site": "cross-site"},
            ):
                reply = await request(site.address, "POST", path, body, headers)
                assert reply.status in (403, 415), (path, headers)
                assert reply.json["line"].endswith(".")


async def test_every_answer_carries_the_headers(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        guest = await Guest.come(site.address)
        for path in ("/", "/nowhere", "/healthz", "/wire.json", "/rules", "/api/me"):
            reply = await request(site.address, "GET", path, headers={"cookie": guest.cookie})
            policy = reply.header("content-security-policy")
            assert policy.startswith("default-src 'self';")
            assert "unsafe" not in policy
            assert reply.header("x-content-type-options") == "nosniff"
            assert reply.header("x-frame-options") == "DENY"
            assert reply.header("referrer-policy") == "same-origin"
            assert not reply.header("server")
            assert not reply.header("strict-transport-security")
        page = await request(site.address, "GET", "/", headers={"cookie": guest.cookie})
        assert page.header("cache-control") == "no-store"


async def test_behind_https_the_cookie_is_secure(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        headers = {
            "content-type": "application/json",
            "x-volte": "1",
            "x-forwarded-proto": "https",
            "x-forwarded-for": "203.0.113.9",
        }
        body = json.dumps({"name": "Zoé"}).encode()
        over = await request(site.address, "POST", "/api/guest", body, headers)
        plain = await post_json(site.address, "/api/guest", {"name": "Zoé"})
        for reply in (over, plain):
            cookie = reply.header("set-cookie").lower()
            assert "httponly" in cookie
            assert "samesite=lax" in cookie
            assert "path=/" in cookie
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


async def test_bodies_are_bounded(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        guest = await Guest.come(site.address)
        token = csrf_of(guest.cookie.partition("=")[2])
        large = await post_form(
            site.address, "/logout", {"csrf": token, "x": "y" * 10**6}, guest.cookie
        )
        assert large.status == 413
        many = {f"f{number}": "" for number in range(5000)} | {"csrf": token}
        assert (await post_form(site.address, "/logout", many, guest.cookie)).status in (
            400,
            413,
        )
        for kind, body in [
            ("multipart/form-data; boundary=x", b"--x\r\nbroken"),
            ("multipart/form-data", b"no boundary"),
            ("application/x-www-form-urlencoded; charset=nonsense", b"csrf=\xff%zz"),
            (
                "multipart/form-data; boundary=x",
                b'--x\r\ncontent-disposition: form-data; name="csrf"; filename="a"\r\n\r\nx'
                b"\r\n--x--\r\n",
            ),
            ("text/plain", b"csrf=x"),
            ("", b""),
        ]:
            headers = {"cookie": guest.cookie, "content-type": kind, "origin": site.address}
            reply = await request(site.address, "POST", "/logout", body, headers)
            assert reply.status in (400, 403, 415), (kind, reply)
        assert (
            await post_form(site.address, "/logout", {"csrf": token}, guest.cookie)
        ).status == 303


async def test_words_are_kept_as_argon2id() -> None:
    passwords = Passwords()
    try:
        kept = await passwords.hash("sesame")
        assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        assert await passwords.verify(kept, "sesame")
        for other in ("Sesame", "", "x" * (LONGEST_PASSWORD + 1)):
            assert not await passwords.verify(kept, other)
        assert not await passwords.verify("", "sesame")
        with pytest.raises(Refused, match="bad_password"):
            await passwords.hash("")
    finally:
        passwords.close()


async def test_no_more_words_are_judged_than_the_threads_can_take() -> None:
    import asyncio

    passwords = Passwords()
    try:
        kept = await passwords.hash("sesame")
        tries = [passwords.verify(kept, "open") for _ in range(WAITING + 5)]
        judged = await asyncio.gather(*tries, return_exceptions=True)
        assert judged.count(False) == WAITING
        assert sum(isinstance(each, Refused) for each in judged) == 5
    finally:
        passwords.close()
