"""Going on at another device: a link for one person, one time, ten minutes."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from time import time

from kit import Playroom, Visitor

from volte.people.devices import _key


def link(visitor: Visitor) -> str:
    """The path of a new link."""
    page = visitor.post("/me/device")
    shown = page.all("input", id="address")[0]["value"]
    found = re.search(r"/device/[\w-]{43}$", shown)
    assert found
    return found.group()


def test_another_device_is_the_same_person_at_the_same_table(
    zoé: Visitor, another: Visitor
) -> None:
    table = str(zoé.post("/play").answer.url)
    path = link(zoé)
    assert "Zoé" in another.get(path).text
    assert "Zoé" in another.post(path).text
    assert another.get(table).all("div", id="table")
    assert "Zoé" in zoé.get("/").text  # who stays signed in as well


def test_looking_at_a_link_does_nothing_and_taking_it_is_possible_once(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    path = link(zoé)
    for _ in range(3):
        assert another.get(path).status == 200
    assert another.get("/me").status == 401
    assert another.post(path).status == 200
    with Visitor(playroom.address) as third:
        assert third.get(path).status == 410
        assert third.post(path).status == 410
        assert third.get(f"{path}/qr.svg").status == 410


def test_of_two_who_take_a_link_at_once_only_one_has_it(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    path = link(zoé)
    with Visitor(playroom.address) as third, ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(lambda each: each.post(path), (another, third)))
        assert sorted(page.status for page in pages) == [200, 410]


def test_a_link_is_over_after_its_time_and_no_cookie_is_one(
    playroom: Playroom, zoé: Visitor, another: Visitor
) -> None:
    path = link(zoé)
    key, store = _key(path.rpartition("/")[2]), playroom.site.room.store
    person = playroom.do(store.session(key))
    assert person is not None
    playroom.do(store.put_session(key, person.id, time() - 1))
    assert another.get(path).status == 410
    assert another.get(f"/device/{zoé.client.cookies['volte']}").status == 410
    another.client.cookies.set("volte", link(zoé).rpartition("/")[2])
    assert another.get("/me").status == 401


def test_whoever_takes_a_link_is_told_whom_the_browser_forgets(
    zoé: Visitor, another: Visitor
) -> None:
    another.come_in("Max")
    path = link(zoé)
    assert "Max" in another.get(path).text
    assert "Max" not in another.post(path).text


def test_links_are_for_people_and_their_pages_are_whole(zoé: Visitor, another: Visitor) -> None:
    assert another.post("/me/device").status == 401
    page = zoé.post("/me/device")
    assert (page.status, page.wrong) == (200, [])
    assert zoé.get("/me/device").answer.url.path == "/me"
    path = link(zoé)
    assert another.get(path).wrong == []
    picture = zoé.client.get(f"{path}/qr.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.headers["cache-control"] == "no-store"
    assert another.get("/device/nothing").status == 410
