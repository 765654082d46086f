"""Defences against hostile pages and intruders: origins, CSRF, headers, passwords, bodies; other
people's sessions and tables.
"""

from __future__ import annotations

import asyncio
import re
from time import time
from typing import Final
from urllib.parse import quote

import pytest
from kit import Guest, Playroom, Reply, Site, SiteWith, post_form, post_json, request
from kit.hostile import SETUP, Eve, faults
from kit.talking import reason, refused
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.routing import Route

from volte.forms.preferences import PREFERENCES
from volte.people.sessions import Sessions, hashed
from volte.server.app import make_app
from volte.store import Person
from volte.table import Access, Setup, Watching
from volte.table import commands as cmd
from volte.web.passwords import LONGEST_PASSWORD, Passwords
from volte.web.refused import Refused
from volte.web.security import csrf_of, own_origin
from volte.wire.messages import Closing

ELSEWHERE = "http://elsewhere.example"


def posted_to(site: Site) -> list[str]:
    """Every path that takes a form, with something in the place of parameters."""
    return [
        re.sub(r"\{\w+\}", "x", re.sub(r"\{\w+:number\}", "1", route.path))
        for route in make_app(site.room).routes
        if isinstance(route, Route) and "POST" in (route.methods or ())
    ]


async def test_no_form_is_taken_without_its_token_or_from_elsewhere(site: Site) -> None:
    guest, table = await Guest.with_table(site.address)
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
    assert len(paths) == 10
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
        ("https://volte.example", "Volte.example:443", "https", True),
        ("http://volte.example", "volte.example:80", "ws", True),
        ("https://[::1]", "[::1]:443", "wss", True),
        ("https://volte.example", "volte.example:80", "https", False),
        ("http://volte.example", "volte.example:443", "http", False),
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


HERE: Final = "203.0.113.7", "ann"


async def test_words_are_kept_as_argon2id() -> None:
    passwords = Passwords()
    hashed = await passwords.hash("sesame", HERE)
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await passwords.verify(hashed, "sesame", HERE)
    for other in ("Sesame", "", "x" * (LONGEST_PASSWORD + 1)):
        assert not await passwords.verify(hashed, other, HERE)
    assert not await passwords.verify("", "sesame", HERE)
    with pytest.raises(Refused, match="bad_password"):
        await passwords.hash("", HERE)


# Intruders: redirects to other sites, others' sessions, tables they may not enter


# Redirects


@pytest.mark.parametrize(
    "following",
    [
        *("//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example", "\\\\x", ""),
        *("/\r\nSet-Cookie: xss=1", "/%0d%0aSet-Cookie:%20xss=1", "/\t/elsewhere.example", "///x"),
        *("javascript:xss", "/é", "/" + "x" * 5000, " //elsewhere.example", "/\x00", "/.//x", "?x"),
        *("else", "/a\nb"),
    ],
)
def test_nobody_is_sent_to_another_site(playroom: Playroom, following: str) -> None:
    eve = Eve(playroom)
    fields = {name: str(each.usual or "") for name, each in PREFERENCES.items()}
    fields |= {"name": "Eve", "next": following, "csrf": eve.csrf}
    for path in ("/me", "/language", "/guest"):  # the last one makes somebody else of her
        reply = eve.posts(path, fields)
        assert reply.status == 303
        assert faults(reply) == []
        assert len(reply.header("location")) <= 210


# Whose session, whose table


async def test_a_session_that_is_over_or_was_never_one(site: Site) -> None:
    """Nobody comes in by one that has ended, run out, been guessed, or been read as a hash."""
    guest, gone, expired = [await Guest.come(site.address, name) for name in "ABC"]
    table = await guest.open_table()
    assert (await gone.post("/logout")).status == 303
    await site.room.store.put_session(hashed(expired.token), expired.person, time() - 1)
    good = guest.token
    for cookie in (
        *(gone.cookie, expired.cookie, "volte=", "volte=" + "A" * 43, guest.cookie + "A"),
        *(guest.cookie[:-1], guest.cookie.swapcase(), f"volte={hashed(good).hex()}"),
        *(f"volte={csrf_of(good)}", f"volte={guest.person}", f"other={good}", ""),
    ):
        stranger = Guest(site.address, cookie, "", "")
        assert (await stranger.get("/api/me")).status == 401, cookie
        assert await refused(stranger, table) == ("no_session", Closing.NO_SESSION)
    for place in (f"/api/me?volte={good}", f"/api/me;volte={good}"):
        assert (await request(site.address, "GET", place)).status in (401, 404)
    bearer = {"authorization": f"Bearer {good}"}
    assert (await request(site.address, "GET", "/api/me", headers=bearer)).status == 401


async def test_a_connection_of_a_session_that_ends_as_it_is_looked_up(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, sessions = await Guest.with_table(site.address), site.room[Sessions]
    look_up = sessions.person

    async def ended(token: str) -> Person | None:
        person = await look_up(token)
        await sessions.end(hashed(token))
        return person

    monkeypatch.setattr(sessions, "person", ended)
    assert await refused(*guest) == ("no_session", Closing.NO_SESSION)


async def test_a_table_that_one_may_not_enter_is_shut_at_every_address(site: Site) -> None:
    host, other, barred = [await Guest.come(site.address, name) for name in "ABC"]
    locked = Setup("Locked", SETUP.rules, Access.PASSWORD, Watching.HIDDEN)
    shut = await host.open_table((), locked, "sesame")
    table = await host.open_table(())
    for guest in (host, barred):
        await guest.join(table)
    assert (await barred.do(cmd.Sit(1))).ok
    assert (await host.do(cmd.Remove(1, bar=True))).ok
    assert await barred.until_closed() == Closing.NOT_ADMITTED
    await host.leave()
    assert await refused(other, shut) == ("needs_password", Closing.NOT_ADMITTED)
    assert await refused(barred, table) == ("barred", Closing.NOT_ADMITTED)
    paths = [
        (route.path, method)
        for route in make_app(site.room).routes
        if isinstance(route, Route) and "{table}" in route.path
        for method in sorted((route.methods or set()) - {"HEAD"})
    ]
    assert len(paths) >= 8
    for who, where in ((other, shut), (barred, table)):
        for path, method in paths:
            asked = path.replace("{table}", where)
            key = "invitation" if path.endswith("/invited") else "password"
            wrong = {key: "wrong"}
            reply = await (who.get(asked) if method == "GET" else who.post(asked, wrong))
            assert reply.status in (303, 403) or shut_politely(reply, path), (path, reply)
            assert b"new WebSocket" not in reply.body
            assert f"/live/{where}" not in reply.text
    for word in ("", "Sesame", "sesame ", "x" * 5000, "\x00", "sesame\x00"):
        assert (await other.post(f"/api/tables/{shut}/enter", {"password": word})).status == 403
    assert await refused(other, shut) == ("needs_password", Closing.NOT_ADMITTED)
    await host.join(table)
    assert (await host.do(cmd.Close())).ok
    assert await host.until_closed() == Closing.CLOSED
    assert await refused(host, table) == ("closed", Closing.CLOSED)


def shut_politely(reply: Reply, path: str) -> bool:
    """The page that asks for the word, and the line that stands in the lobby anyway."""
    asks = b'name="password"' in reply.body and b"Locked" not in reply.body
    return reply.status == 200 and (asks or path.startswith("/api/tables/"))


async def test_a_table_by_link_is_told_to_nobody(site: Site) -> None:
    host, other = [await Guest.come(site.address, name) for name in "AB"]
    table = await host.open_table((), Setup("By link", SETUP.rules, Access.LINK, Watching.HIDDEN))
    assert len(table) >= 16
    for route in make_app(site.room).routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()):
            page = await other.get(route.path)
            assert table not in page.text
            assert "By link" not in page.text
    guesses = {table[:-1], table.upper(), table + "0", quote(table[::-1])}
    for guess in guesses - {table}:  # an id may have no letter
        assert await refused(other, guess) == ("no_table", Closing.NO_TABLE)
    await other.join(table)


SIGNS: Final = ("\x00", "\ufffe", "\U0010ffff", "é\u0301", "'", "%", "\\", "\n")


async def test_signs_that_a_database_may_not_keep(database: str, site_with: SiteWith) -> None:
    """In every address, and in the id of a message that is done: one table is as good as all."""
    site = await site_with(database)
    for sign in SIGNS:
        guest, other = [await Guest.at_table(site.address, name=name) for name in "AB"]
        for path in ("/tables/{}", "/matches/{}/record", "/api/tables/{}", "/tables/{}/qr.svg"):
            assert (await guest.get(path.format(quote(f"x{sign}")))).status == 404, [path, sign]
        assert await refused(guest, quote(f"x{sign}")) == ("no_table", Closing.NO_TABLE), [sign]
        for content in ({"name": f"A{sign}B"}, {"name": "A", "lang": sign}):
            reply = await post_json(site.address, "/api/guest", content)
            assert reply.status in (200, 422), [sign]
        starting = guest.do(cmd.Start(), asking=f"x{sign}")
        first, second = await asyncio.gather(starting, other.do(cmd.Start()))
        assert second.ok, [sign]
        assert reason(first) in ("", "malformed"), [sign]
        assert (await guest.do(cmd.Pause())).ok is first.ok, [sign]
