"""Coming in: straight to a table, by an invitation, and where nobody can come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.browsing import Page, Visitor
from kit.people import Player
from kit.requests import request
from kit.sites import House, open_house, serving

from volte.rules import make_ruleset
from volte.table import Setup, Someone
from volte.table.commands import Close, Start
from volte.table.live import LiveTable


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as open_one:
        yield open_one


@pytest.fixture
def host(house: House) -> Iterator[Visitor]:
    with Visitor(house.address) as somebody:
        somebody.come_in("Anne")
        yield somebody


@pytest.fixture
def friend(house: House) -> Iterator[Visitor]:
    with Visitor(house.address, "fr") as somebody:
        yield somebody


def opened(house: House, host: Visitor, **fields: str) -> LiveTable:
    """A table of that host."""
    form = host.get("/tables/new").fields("table-form") | {"do": "open"} | fields
    page = host.post("/tables", form)
    key = page.all("div", id="table")[0]["data-table"]
    live = house.do(house.site.room.lobby.find(key))
    assert live is not None
    return live


def buttons(page: Page) -> dict[str, str]:
    """Where each button of the form leads, the first one first."""
    return {found["value"]: found.get("class", "") for found in page.all("button", name="next")}


def test_the_first_page_asks_for_nothing_but_a_press(friend: Visitor) -> None:
    page = friend.get("/")
    form = page.all("form", action="/play")
    assert len(form) == 1
    assert "required" not in page.all("input", name="name")[0]
    assert page.all("button", **{"class": "first large"})


def test_a_friend_who_is_invited_says_a_name_and_sits_down(
    house: House, host: Visitor, friend: Visitor
) -> None:
    live = opened(house, host, access="link", seat2="", name="Chez Anne")
    page = friend.get(f"/tables/{live.id}")
    assert page.wrong == []
    assert "Chez Anne" in page.text
    assert "Anne, Alice (robot)" in page.text
    assert buttons(page) == {f"/tables/{live.id}?sit": "first", f"/tables/{live.id}": ""}
    page = friend.post("/guest", {"name": "Léa", "next": f"/tables/{live.id}?sit"})
    assert "data-sit" in page.all("div", id="table")[0]
    again = friend.get(f"/tables/{live.id}")
    assert "data-sit" not in again.all("div", id="table")[0]


def test_whoever_sits_already_is_not_seated_again(house: House, host: Visitor) -> None:
    live = opened(house, host)
    page = host.get(f"/tables/{live.id}?sit")
    assert "data-sit" not in page.all("div", id="table")[0]


def test_a_bad_name_brings_the_invitation_back(
    house: House, host: Visitor, friend: Visitor
) -> None:
    live = opened(house, host, seat1="")
    page = friend.post("/guest", {"name": "", "next": f"/tables/{live.id}?sit"})
    assert (page.status, page.wrong) == (422, [])
    assert list(buttons(page)) == [f"/tables/{live.id}?sit", f"/tables/{live.id}"]
    assert "autofocus" in page.all("input", name="name")[0]


def test_a_bad_name_on_the_way_to_watch_leaves_watching_first(
    house: House, host: Visitor, friend: Visitor
) -> None:
    live = opened(house, host, seat1="")
    watch, sit = f"/tables/{live.id}?watch", f"/tables/{live.id}?sit"
    assert buttons(friend.get(watch)) == {watch: "first", sit: ""}
    page = friend.post("/guest", {"name": "", "next": watch})
    assert (page.status, buttons(page)) == (422, {watch: "first", sit: ""})


def test_a_password_is_asked_on_the_way_to_a_seat(
    house: House, host: Visitor, friend: Visitor
) -> None:
    live = opened(house, host, access="password", password="caramel", seat1="", name="Secret")
    page = friend.get(f"/tables/{live.id}")
    assert "Alice (robot)" not in page.text  # strangers learn of no more than the name
    page = friend.post("/guest", {"name": "Léa", "next": f"/tables/{live.id}?sit"})
    fields = {"password": "nougat", "sit": page.value("sit")}
    page = friend.post(f"/tables/{live.id}/enter", fields)
    assert page.status == 403
    fields = {"password": "caramel", "sit": page.value("sit")}
    page = friend.post(f"/tables/{live.id}/enter", fields)
    assert "data-sit" in page.all("div", id="table")[0]


def test_tables_that_are_not_say_so_before_they_ask_for_a_name(
    house: House, host: Visitor, friend: Visitor
) -> None:
    live = opened(house, host)
    house.do(live.do(Someone(live.state.host, "Anne"), Close(), live.state.version))
    assert friend.get(f"/tables/{live.id}").status == 410
    assert friend.get("/tables/nowhere").status == 404


def test_the_lobby_leads_to_a_seat(house: House, host: Visitor, friend: Visitor) -> None:
    live = opened(house, host, seat1="", access="public")
    friend.come_in("Léa")
    assert f"/tables/{live.id}?sit" in {found["href"] for found in friend.get("/").all("a")}


async def test_matches_of_mine_lead_to_their_replay_their_proof_and_their_record(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as site:
        player = await Player.come(site.address)
        rules = make_ruleset("coeurs")
        await player.join(await player.open_table(("casual",) * 3, Setup("Table", rules)))
        await player.prefer(bot_pace=0, trick_pace=0)
        await player.do(Start())
        own = {"cookie": player.cookie}
        assert "not over yet" in (await request(site.address, "GET", "/", headers=own)).text
        await player.play()
        lobby = await request(site.address, "GET", "/", headers=own)
        (match,) = await site.room.store.matches_at(player.table)
        for part in ("replay", "proof", "record"):
            path = f"/matches/{match.id}/{part}"
            assert f'href="{path}"' in lobby.text
            assert (await request(site.address, "GET", path, headers=own)).status == 200
