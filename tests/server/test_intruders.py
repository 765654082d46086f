"""Intruders: whoever is sent elsewhere, has somebody else's session, or may not come to a table."""

from __future__ import annotations

import asyncio
from time import time
from typing import Final
from urllib.parse import quote

import pytest
from kit.hostile import SETUP, Eve, faults
from kit.people import Guest
from kit.requests import Reply, post_json, request
from kit.sites import House, Site, SiteWith
from kit.talking import reason, refused
from starlette.routing import Route

from volte.people.sessions import hashed
from volte.server.app import make_app
from volte.table import Access, Setup, Watching
from volte.table import commands as cmd
from volte.web.preferences import PREFERENCES
from volte.web.security import csrf_of
from volte.wire.messages import Closing

# Where one is sent


@pytest.mark.parametrize(
    "following",
    [
        *("//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example", "\\\\x", ""),
        *("/\r\nSet-Cookie: xss=1", "/%0d%0aSet-Cookie:%20xss=1", "/\t/elsewhere.example", "///x"),
        *("javascript:xss", "/é", "/" + "x" * 5000, " //elsewhere.example", "/\x00", "/.//x", "?x"),
        *("else", "/a\nb"),
    ],
)
def test_nobody_is_sent_to_another_site(house: House, following: str) -> None:
    eve = Eve(house)
    fields = {name: str(each.usual) for name, each in PREFERENCES.items()}
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
    wrong = {"password": "wrong", "invitation": "wrong"}
    for who, where in ((other, shut), (barred, table)):
        for path, method in paths:
            asked = path.replace("{table}", where)
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
    for guess in (table[:-1], table.upper(), table + "0", quote(table[::-1])):
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
