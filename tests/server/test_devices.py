"""Going on at another device: a link for one person, one time, ten minutes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import time

import pytest
from kit.browsing import Visitor
from kit.sites import House, open_house

from volte.people.devices import _key


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as open_one:
        yield open_one


def link(visitor: Visitor) -> str:
    """The path of a new link."""
    page = visitor.post("/me/device")
    shown = page.all("input", id="address")[0]["value"]
    found = re.search(r"/device/[\w-]{43}$", shown)
    assert found
    return found.group()


def test_another_device_is_the_same_person_at_the_same_table(house: House) -> None:
    with Visitor(house.address) as one, Visitor(house.address, "fr") as other:
        one.come_in("Zoé")
        table = str(one.post("/play").answer.url)
        path = link(one)
        assert "Zoé" in other.get(path).text
        assert "Zoé" in other.post(path).text
        assert other.get(table).all("div", id="table")
        assert "Zoé" in one.get("/").text  # who stays signed in as well


def test_looking_at_a_link_does_nothing_and_taking_it_is_possible_once(house: House) -> None:
    with Visitor(house.address) as one, Visitor(house.address) as other:
        one.come_in("Zoé")
        path = link(one)
        for _ in range(3):
            assert other.get(path).status == 200
        assert other.get("/me").status == 401
        assert other.post(path).status == 200
        with Visitor(house.address) as third:
            assert third.get(path).status == 410
            assert third.post(path).status == 410
            assert third.get(f"{path}/qr.svg").status == 410


def test_of_two_who_take_a_link_at_once_only_one_has_it(house: House) -> None:
    with (
        Visitor(house.address) as one,
        Visitor(house.address) as two,
        Visitor(house.address) as tri,
    ):
        one.come_in("Zoé")
        path = link(one)
        with ThreadPoolExecutor(2) as pool:
            pages = list(pool.map(lambda visitor: visitor.post(path), (two, tri)))
        assert sorted(page.status for page in pages) == [200, 410]


def test_a_link_is_over_after_its_time_and_no_cookie_is_one(house: House) -> None:
    with Visitor(house.address) as one, Visitor(house.address) as other:
        one.come_in("Zoé")
        path = link(one)
        token = path.rpartition("/")[2]
        person = house.do(house.site.room.store.session(_key(token)))
        assert person is not None
        house.do(house.site.room.store.put_session(_key(token), person.id, time() - 1))
        assert other.get(path).status == 410
        assert other.get(f"/device/{one.client.cookies['volte']}").status == 410
        other.client.cookies.set("volte", link(one).rpartition("/")[2])
        assert other.get("/me").status == 401


def test_whoever_takes_a_link_is_told_whom_the_browser_forgets(house: House) -> None:
    with Visitor(house.address) as one, Visitor(house.address) as other:
        one.come_in("Zoé")
        other.come_in("Max")
        path = link(one)
        assert "Max" in other.get(path).text
        assert "Max" not in other.post(path).text


def test_links_are_for_people_and_their_pages_are_whole(house: House) -> None:
    with Visitor(house.address) as nobody, Visitor(house.address) as one:
        assert nobody.post("/me/device").status == 401
        one.come_in("Zoé")
        page = one.post("/me/device")
        assert (page.status, page.wrong) == (200, [])
        assert one.get("/me/device").answer.url.path == "/me"
        path = link(one)
        assert nobody.get(path).wrong == []
        picture = one.client.get(f"{path}/qr.svg")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.headers["cache-control"] == "no-store"
        assert nobody.get("/device/nothing").status == 410
