"""Intruders: whoever is sent elsewhere, has somebody else's session, or may not come to a table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Final
from urllib.parse import quote

import pytest
from kit.hostile import SETUP, Address, Eve, addresses_of, faults
from kit.people import Guest
from kit.requests import Reply, post_form, post_json, request
from kit.sites import House, Site, open_house, run, serving
from server.test_live_protocol import refused
from starlette.routing import Route

from volte.people.sessions import hashed
from volte.server.app import make_app
from volte.table import Access, Setup, Watching
from volte.table import commands as cmd
from volte.web.preferences import PREFERENCES
from volte.web.security import csrf_of
from volte.wire.messages import Closing


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture(scope="module")
def addresses(house: House) -> list[Address]:
    return addresses_of(house)


# Where one is sent


@pytest.mark.parametrize(
    "following",
    [
        *("//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example", "\\\\x", ""),
        *("/\r\nSet-Cookie: xss=1", "/%0d%0aSet-Cookie:%20xss=1", "/\t/elsewhere.example", "///x"),
        *("javascript:xss", "/é", "/" + "x" * 5000, " //elsewhere.example", "/\x00", "/.//x", "?x"),
    ],
)
def test_nobody_is_sent_to_another_site(house: House, following: str) -> None:
    for path in ("/guest", "/me", "/language"):
        eve = Eve(house)
        fields = {name: str(each.usual) for name, each in PREFERENCES.items()}
        fields |= {"name": "Eve", "next": following, "csrf": eve.csrf}
        reply = eve.posts(path, fields)
        assert reply.status == 303
        assert faults(reply) == []
        assert len(reply.header("location")) <= 210


# Whose session, whose table


async def test_a_session_that_is_over_or_was_never_one(tmp_path: Path) -> None:
    """Nobody comes in by one that has ended, run out, been guessed, or been read as a hash."""

    async with serving(tmp_path) as site:
        guest, gone = [await Guest.come(site.address, name) for name in ("One", "Gone")]
        table = await guest.open_table()
        token = gone.cookie.partition("=")[2]
        out = {"csrf": csrf_of(token)}
        assert (await post_form(site.address, "/logout", out, gone.cookie)).status == 303
        expired = await Guest.come(site.address, "Expired")
        key = hashed(expired.cookie.partition("=")[2])
        await site.room.store.put_session(key, expired.person, time() - 1)
        good = guest.cookie.partition("=")[2]
        for cookie in (
            *(gone.cookie, expired.cookie, "volte=", "volte=" + "A" * 43, guest.cookie + "A"),
            *(guest.cookie[:-1], guest.cookie.swapcase(), f"volte={hashed(good).hex()}"),
            *(f"volte={csrf_of(good)}", f"volte={guest.person}", f"other={good}", ""),
        ):
            me = await request(site.address, "GET", "/api/me", headers={"cookie": cookie})
            assert me.status == 401, cookie
            stranger = Guest(site.address, cookie, "", "")
            assert await refused(stranger, table) == ("no_session", Closing.NO_SESSION)
        for place in (f"/api/me?volte={good}", f"/api/me;volte={good}"):
            assert (await request(site.address, "GET", place)).status in (401, 404)
        bearer = {"authorization": f"Bearer {good}"}
        assert (await request(site.address, "GET", "/api/me", headers=bearer)).status == 401


def test_another_session_opens_no_form(house: House, addresses: list[Address]) -> None:
    """With the token of another session, or one's own beside another's cookie, nothing is done."""
    eve, zoe = Eve(house), Eve(house)
    for path, methods in addresses:
        if "POST" not in methods or path.startswith("/api/"):
            continue
        asked = re.sub(r"\{\w+:int\}", "1", path.replace("{table}", eve.table))
        fields = {"name": "Eve", "lang": "fr", "password": "x"}
        assert eve.posts(asked, {**fields, "csrf": zoe.csrf}).status == 403
        assert eve.posts(asked, {**fields, "csrf": eve.csrf + "0"}).status == 403
        assert eve.posts(asked, {**fields, "csrf": [zoe.csrf, eve.csrf][::-1]}).status == 403
    assert eve.asks("/api/me").status == 200


def test_a_table_that_one_may_not_enter_is_shut_at_every_address(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as site:
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
                    reply = await tried(who, path.replace("{table}", where), method)
                    assert reply.status in (303, 403) or shut_politely(reply, path), (path, reply)
                    assert b"new WebSocket" not in reply.body
                    assert f"/live/{where}" not in reply.text
            for word in ("", "Sesame", "sesame ", "x" * 5000, "\x00", "sesame\x00"):
                wrong = await post_json(
                    site.address, f"/api/tables/{shut}/enter", {"password": word}, other.cookie
                )
                assert wrong.status == 403
            assert await refused(other, shut) == ("needs_password", Closing.NOT_ADMITTED)

    async def tried(who: Guest, path: str, method: str) -> Reply:
        if method == "GET":
            return await request(who.address, "GET", path, headers={"cookie": who.cookie})
        if path.startswith("/api/"):
            wrong = {"password": "wrong", "invitation": "wrong"}
            return await post_json(who.address, path, wrong, who.cookie)
        fields = {"csrf": csrf_of(who.cookie.partition("=")[2]), "password": "wrong"}
        return await post_form(who.address, path, fields, who.cookie)

    def shut_politely(reply: Reply, path: str) -> bool:
        """The page that asks for the word, and the line that stands in the lobby anyway."""
        asks = b'name="password"' in reply.body and b"Locked" not in reply.body
        return reply.status == 200 and (asks or path.startswith("/api/tables/"))

    run(story())


async def test_a_table_by_link_is_told_to_nobody(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        host, other = [await Guest.come(site.address, name) for name in "AB"]
        setup = Setup("By link", SETUP.rules, Access.LINK, Watching.HIDDEN)
        table = await host.open_table((), setup)
        assert len(table) >= 16
        for route in make_app(site.room).routes:
            if isinstance(route, Route) and "GET" in (route.methods or ()):
                headers = {"cookie": other.cookie}
                page = await request(site.address, "GET", route.path, headers=headers)
                assert table not in page.text
                assert "By link" not in page.text
        for guess in (table[:-1], table.upper(), table + "0", quote(table[::-1])):
            assert await refused(other, guess) == ("no_table", Closing.NO_TABLE)
        await other.join(table)
        await other.leave()


SIGNS: Final = ("\x00", "\ufffe", "\U0010ffff", "é\u0301", "'", "%", "\\", "\n")


async def test_signs_that_a_database_may_not_keep(database: str, tmp_path: Path) -> None:
    """In every address, and in the id of a message that is done: one table is as good as all."""

    async def story(site: Site, sign: str) -> None:
        guest, other = [await Guest.come(site.address, name) for name in "AB"]
        table = await guest.open_table()
        for person in (guest, other):
            await person.join(await person.open_table())
        for path in ("/tables/{}", "/matches/{}/record", "/api/tables/{}", "/tables/{}/qr.svg"):
            asked = path.format(quote(f"x{sign}"))
            headers = {"cookie": guest.cookie}
            reply = await request(site.address, "GET", asked, headers=headers)
            assert reply.status == 404, asked
        assert await refused(guest, quote(f"x{sign}")) == ("no_table", Closing.NO_TABLE), [sign]
        for content in ({"name": f"A{sign}B"}, {"name": "A", "lang": sign}):
            reply = await post_json(site.address, "/api/guest", content)
            assert reply.status in (200, 422), [sign]
        await guest.join(table)
        starting = guest.do(cmd.Start(), asking=f"x{sign}")
        answers = await asyncio.gather(starting, other.do(cmd.Start()))
        assert answers[1].ok, [sign]
        first = answers[0].refusal
        assert first is None or first.reason == "malformed", [sign]
        assert (await guest.do(cmd.Pause())).ok is (first is None), [sign]
        for person in (guest, other):
            await person.leave()

    async with serving(tmp_path, database) as site:
        for sign in SIGNS:
            await story(site, sign)
