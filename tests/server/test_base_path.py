"""A playroom that shares its host with other things: all its addresses lie under its base path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urljoin, urlsplit

import pytest
from kit import Page, Playroom, Visitor, few

from volte.terminal import playroom as remote
from volte.wire.api import ListedTables

BASE: Final = "/games/volte"
LINKS: Final = ("href", "src", "action", "formaction")
SETTINGS: Final = {"base_path": BASE}
ENOUGH: Final = few(40, 80)
"""Pages to go through: more are matches, rules and puzzles of the same kind."""


@pytest.fixture
def visitor(playroom: Playroom) -> Iterator[Visitor]:
    with Visitor(playroom.address + BASE) as somebody:
        yield somebody


def post(visitor: Visitor, playroom: Playroom, path: str, fields: dict[str, str]) -> Page:
    return visitor.post(path, fields, origin=playroom.address)


def addresses(page: Page) -> list[str]:
    """Addresses of a page's links and files, on its own host."""
    here = str(page.answer.url)
    found = [urljoin(here, each[name]) for _, each in page.elements for name in LINKS & each.keys()]
    return [each for each in found if urlsplit(each).netloc == urlsplit(here).netloc]


def test_no_page_leads_out_of_it(visitor: Visitor, playroom: Playroom) -> None:
    post(visitor, playroom, "/guest", {"name": "Zoé", "next": "/"})
    table = post(visitor, playroom, "/play", {}).answer.url.path
    assert table.startswith(f"{BASE}/tables/")
    waiting = [f"{playroom.address}{BASE}/", f"{playroom.address}{table}"]
    seen = set(waiting)
    for address in waiting:
        page = Page(visitor.client.get(address))
        assert page.status == 200, address
        if "text/html" not in page.answer.headers["content-type"]:
            continue
        for each in addresses(page):
            assert urlsplit(each).path.startswith(f"{BASE}/"), (address, each)
        links = [urljoin(address, each["href"]) for each in page.all("a") if "href" in each]
        fresh = [each.partition("#")[0] for each in links]
        waiting += [each for each in dict.fromkeys(fresh) if each not in seen][: ENOUGH - len(seen)]
        seen |= set(fresh)
    assert len(waiting) >= ENOUGH


def test_forms_lead_back_into_it_and_links_for_others_name_it(
    visitor: Visitor, playroom: Playroom
) -> None:
    visitor.client.cookies.set("volte_zone", "UTC")
    come = visitor.client.post(
        "/guest",
        data={"name": "Zoé", "next": "/learn"},
        headers={"origin": playroom.address},
        follow_redirects=False,
    )
    assert come.headers["location"] == f"{BASE}/learn"
    assert f"Path={BASE};" in come.headers["set-cookie"]
    club = post(visitor, playroom, "/clubs/new", {"name": "Jeudi", "about": "", "access": "link"})
    assert f"{playroom.address}{BASE}/clubs/" in club.answer.text
    bare = visitor.client.get(f"{playroom.address}{BASE}", follow_redirects=False)
    assert (bare.status_code, bare.headers["location"]) == (308, f"{BASE}/")
    manifest = visitor.client.get("/manifest.webmanifest").json()
    assert manifest["start_url"] == manifest["scope"] == f"{BASE}/"
    assert all(
        visitor.client.get(playroom.address + each["src"]).is_success for each in manifest["icons"]
    )


def test_behind_https_its_cookies_are_those_of_its_path(playroom: Playroom) -> None:
    with Visitor(playroom.address) as proxied:  # the proxy has taken the base path off
        sent = {"name": "Zoé", "next": "/"}
        headers = {
            "x-forwarded-proto": "https",
            "origin": playroom.address.replace("http", "https"),
        }
        proxied.client.cookies.set("volte_zone", "UTC")
        come = proxied.client.post("/guest", data=sent, headers=headers, follow_redirects=False)
    cookies = come.headers.get_list("set-cookie")
    assert cookies
    assert all(each.startswith("__Secure-volte") for each in cookies)
    assert all(f"Path={BASE};" in each and "Secure" in each for each in cookies)


def test_a_terminal_finds_it(playroom: Playroom) -> None:
    room = remote.Playroom(remote.Address.read(playroom.address + BASE).site, "en")
    assert room.come_in("Luc").name == "Luc"
    assert room.me()
    assert room.tables() == ListedTables()


@pytest.mark.parametrize(
    ("text", "site", "table", "invitation"),
    [
        ("volte.example/games/volte/", "http://volte.example/games/volte", "", ""),
        ("https://v.example/games/tables/x7", "https://v.example/games", "x7", ""),
        ("v.example/a/b/tables/x7/invited/0af/", "http://v.example/a/b", "x7", "0af"),
        ("v.example/live/x7", "http://v.example", "x7", ""),
    ],
)
def test_an_address_is_read_with_its_base_path(
    text: str, site: str, table: str, invitation: str
) -> None:
    assert remote.Address.read(text) == remote.Address(site, table, invitation)
