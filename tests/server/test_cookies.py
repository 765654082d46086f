"""A browser that does not keep this site is told so, and leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx
import pytest
from kit import Page, Playroom, Visitor
from sqlalchemy import func, select

from volte.store.schema import LISTINGS, PEOPLE, SESSIONS

DOORS = {
    "/play": {},
    "/learn/deal": {},
    "/guest": {"name": "Zoé", "next": "/"},
    "/signin": {"login": "zoe", "password": "caramel nougat", "next": "/"},
}


@pytest.fixture
def forgetful(playroom: Playroom) -> Iterator[Visitor]:
    """Somebody whose browser does not keep this site."""
    with Visitor(playroom.address) as somebody:
        somebody.client.cookies = httpx.Cookies()
        somebody.client.cookies.jar = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        yield somebody


def kept(playroom: Playroom) -> list[int]:
    """Numbers of people, sessions and tables stored."""

    async def count() -> list[int]:
        reader = playroom.site.room.store._reader
        return [
            (await reader.rows(select(func.count()).select_from(table)))[0][0]
            for table in (PEOPLE, SESSIONS, LISTINGS)
        ]

    return playroom.do(count())


@pytest.mark.parametrize("door", DOORS)
def test_a_browser_that_keeps_no_cookie_is_told_so_and_leaves_nothing(
    playroom: Playroom, forgetful: Visitor, door: str
) -> None:
    before = kept(playroom)
    page = forgetful.post(door, DOORS[door])
    assert page.status == 403
    assert "does not keep this site" in page.text
    assert kept(playroom) == before


def test_a_newcomer_without_scripts_plays_at_once(visitor: Visitor) -> None:
    page = visitor.post("/play")
    assert page.table
    assert [each.status_code for each in page.answer.history] == [307, 303]


def test_with_a_cookie_of_the_page_nobody_makes_a_detour(visitor: Visitor) -> None:
    visitor.client.cookies.set("volte_zone", "Europe/Paris")
    page = visitor.post("/play")
    assert page.table
    assert [each.status_code for each in page.answer.history] == [303]


def test_the_form_of_a_newcomer_is_sent_again_as_it_was(visitor: Visitor) -> None:
    page = Page(visitor.client.post("/guest", data={"name": "x" * 41, "next": "/clubs"}))
    assert page.status == 422
    assert page.value("name") == "x" * 41
