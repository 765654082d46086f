"""Coming in: by "Play now" on the first page, by an invitation, and where nobody can come."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import pytest
from kit import Page, Player, Playroom, Site, SiteWith, Visitor
from kit.sheet_pages import NAMES, begin, press
from msgspec.structs import replace
from sqlalchemy import select

from volte.bots import LEVELS
from volte.bots.levels import level_of
from volte.rules import PRESETS, make_ruleset
from volte.server.tables.entrance import invitation_of
from volte.store import Person
from volte.store.schema import PEOPLE
from volte.store.store import Store
from volte.table import Setup, Someone
from volte.table.commands import Close, Sit, Start
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.table.pacing import Timing

# The first page


@pytest.fixture
def french(playroom: Playroom) -> Iterator[Visitor]:
    with Visitor(playroom.address, "fr") as somebody:
        yield somebody


PLAY_NOW = ("preset", "players", "level")


def chosen(page: Page) -> dict[str, str]:
    """The values that a browser would send for the three selects of "Play now"."""
    fields: dict[str, str] = {}
    select = ""
    for tag, found in page.elements:
        if tag == "select":
            select = found["name"]
        if tag == "option" and "selected" in found and select in PLAY_NOW:
            fields[select] = found["value"]
    return fields


def options(page: Page) -> list[str]:
    return [found["value"] for found in page.all("option")]


def test_newcomers_find_the_game_that_they_know(visitor: Visitor, french: Visitor) -> None:
    for somebody, game, name in (
        (visitor, "Hearts, four players, bots with personality", "microsoft"),
        (french, "La Dame de pique, quatre joueurs, robots avec personnalité", "dame-de-pique"),
    ):
        page = somebody.get("/")
        assert game in page.text
        assert page.all("span", **{"class": "change"})
        presets = [value for value in options(page) if value in PRESETS]
        assert presets[0] == chosen(page)["preset"] == name
        assert sorted(set(presets)) == sorted(PRESETS)
        assert [value for value in options(page) if value in LEVELS] == list(LEVELS)


def test_what_is_chosen_is_played(playroom: Playroom, visitor: Visitor) -> None:
    fields = {"preset": "coeurs", "players": "5", "level": "beginner"}
    state = playroom.live(visitor.post("/play", fields | {"name": "Zoé"}).table).state
    assert state.setup.rules == make_ruleset("coeurs", {"players": 5})
    assert [seat.level for seat in state.seats] == ["", *["beginner"] * 4]
    assert state.seats[0].name == "Zoé"


def test_a_press_without_fields_begins_the_game_of_newcomers(
    playroom: Playroom, visitor: Visitor, french: Visitor
) -> None:
    for somebody, name in ((visitor, "microsoft"), (french, "dame-de-pique")):
        state = playroom.live(somebody.post("/play").table).state
        assert state.setup.rules == make_ruleset(name)
        assert [seat.level for seat in state.seats] == ["", "alice", "bruno", "chloe"]
        assert [seat.name for seat in state.seats][1:] == ["Alice", "Bruno", "Chloé"]


def test_bots_that_adapt_are_of_the_middle_level_at_first(
    playroom: Playroom, visitor: Visitor
) -> None:
    page = visitor.post("/play", {"level": "adapts", "name": "Zoé"})
    seats = playroom.live(page.table).state.seats
    assert {level_of(seat.level) for seat in seats[1:]} == {"casual"}
    assert len({seat.name for seat in seats}) == 4


def test_rules_alone_bring_their_usual_number_of_players(
    playroom: Playroom, visitor: Visitor
) -> None:
    page = visitor.post("/play", {"preset": "cancellation"})
    assert len(playroom.live(page.table).state.seats) == PRESETS["cancellation"].players[0]


def test_rules_that_do_not_suit_so_many_say_whom_they_suit(
    visitor: Visitor, french: Visitor
) -> None:
    fields = {"preset": "cancellation", "players": "4", "level": "strong"}
    page = visitor.post("/play", fields | {"name": "Zoé"})
    assert (page.status, page.wrong) == (422, [])
    assert (
        "You cannot play Cancellation Hearts with four players: please choose 6, 7, 8" in page.text
    )
    assert chosen(page) == fields
    assert page.value("name") == "Zoé"
    assert page.all("select", name="players")[0]["aria-invalid"] == "true"
    assert "open" in page.all("details")[0]
    page = french.post("/play", {"preset": "salon-six-deux", "players": "4"})
    assert "ne se joue pas à quatre joueurs\xa0: choisissez 6." in page.answer.text


def test_a_name_that_cannot_be_loses_nothing(visitor: Visitor) -> None:
    fields = {"preset": "black-maria", "players": "3", "level": "expert"}
    page = visitor.post("/play", fields | {"name": "x" * 41})
    assert (page.status, page.wrong) == (422, [])
    assert chosen(page) == fields
    assert page.value("name") == "x" * 41
    assert page.all("input", name="name")[0]["aria-invalid"] == "true"


async def test_what_somebody_played_last_comes_first_the_next_time(site: Site) -> None:
    player = await Player.come(site.address)

    async def offered() -> str:
        line = (await player.get("/")).text.partition('<span id="game">')[2]
        return line.partition("</span>")[0]

    assert await offered() == "Hearts, four players, bots with personality"
    rules = make_ruleset("coeurs", {"players": 3})
    await player.join(await player.open_table(("beginner",) * 2, Setup("Table", rules)))
    assert await offered() == "Hearts, four players, bots with personality"  # nothing is played yet
    await player.do(Start())
    assert await offered() == "Les Cœurs, three players, beginner bots"
    own_rules = make_ruleset("omnibus", {"slam": "double"})
    await player.join(await player.open_table(("strong",) * 3, Setup("Table", own_rules)))
    await player.do(Start())  # rules of their own are those of no preset
    assert await offered() == "Les Cœurs, three players, beginner bots"


async def test_matches_of_mine_lead_to_their_replay_their_proof_and_their_record(
    site: Site,
) -> None:
    player = await Player.begun(site.address, setup=Setup("Table", make_ruleset("coeurs")))
    assert "not over yet" in (await player.get("/")).text
    await player.play()
    first_page = await player.get("/")
    (match,) = await site.room.store.matches_at(player.table)
    for part in ("replay", "proof", "record"):
        path = f"/matches/{match.id}/{part}"
        assert f'href="{path}"' in first_page.text
        assert (await player.get(path)).status == 200


# By an invitation


@pytest.fixture
def host(playroom: Playroom) -> Iterator[Visitor]:
    with Visitor(playroom.address) as somebody:
        somebody.come_in("Anne")
        yield somebody


@pytest.fixture
def friend(french: Visitor) -> Visitor:
    return french


def opened(playroom: Playroom, host: Visitor, **fields: str) -> LiveTable:
    """A table of that host."""
    return playroom.live(host.open_table(**fields).table)


def buttons(page: Page) -> dict[str, str]:
    """Address of each button of the form, in order."""
    return {found["value"]: found.get("class", "") for found in page.all("button", name="next")}


def sits_down(page: Page) -> bool:
    return "data-sit" in page.all("div", id="table")[0]


def test_the_first_page_asks_for_nothing_but_a_press(visitor: Visitor) -> None:
    page = visitor.get("/")
    assert len(page.all("form", action="/play")) == 1
    assert "required" not in page.all("input", name="name")[0]
    assert page.all("button", **{"class": "first large"})


def test_a_friend_who_is_invited_says_a_name_and_sits_down(
    playroom: Playroom, host: Visitor, friend: Visitor
) -> None:
    path = f"/tables/{opened(playroom, host, access='link', seat1='alice', name='Chez Anne').id}"
    page = friend.get(path)
    assert page.wrong == []
    assert "Chez Anne" in page.text
    assert "Anne, Alice (robot)" in page.text
    assert buttons(page) == {f"{path}?sit": "first", path: ""}
    assert sits_down(friend.post("/guest", {"name": "Léa", "next": f"{path}?sit"}))
    assert not sits_down(friend.get(path))
    assert not sits_down(host.get(f"{path}?sit"))  # who sits there already


def test_a_bad_name_brings_the_invitation_back_as_it_was(
    playroom: Playroom, host: Visitor, friend: Visitor
) -> None:
    path = f"/tables/{opened(playroom, host, seat1='').id}"
    page = friend.post("/guest", {"name": "", "next": f"{path}?sit"})
    assert (page.status, page.wrong) == (422, [])
    assert list(buttons(page)) == [f"{path}?sit", path]
    assert "autofocus" in page.all("input", name="name")[0]
    watching = {f"{path}?watch": "first", f"{path}?sit": ""}
    assert buttons(friend.get(f"{path}?watch")) == watching
    page = friend.post("/guest", {"name": "", "next": f"{path}?watch"})
    assert (page.status, buttons(page)) == (422, watching)


def test_a_password_is_asked_on_the_way_to_a_seat(
    playroom: Playroom, host: Visitor, friend: Visitor
) -> None:
    live = opened(playroom, host, access="password", password="caramel", seat1="", name="Secret")
    page = friend.get(f"/tables/{live.id}")
    assert "Alice (robot)" not in page.text  # strangers learn the name only
    page = friend.post("/guest", {"name": "Léa", "next": f"/tables/{live.id}?sit"})
    for password in ("nougat", "caramel"):
        fields = {"password": password, "sit": page.value("sit")}
        page = friend.post(f"/tables/{live.id}/enter", fields)
        assert page.status == (403 if password == "nougat" else 200)
    assert sits_down(page)


def test_a_chat_shows_all_private_tables_alike_names_nobody_and_takes_no_invitation(
    playroom: Playroom, host: Visitor, friend: Visitor
) -> None:
    """Robots fetch an address that somebody pastes; they have no session, and send no form."""
    doors = ({"access": "link"}, {"access": "password", "password": "caramel"})
    private = [opened(playroom, host, name="Chez Anne", seat1="", **door).id for door in doors]
    public = opened(playroom, host, name="Chez Anne", seat1="", access="public")
    store = playroom.site.room.store
    invited = f"/tables/{public.id}/invited/{playroom.do(invitation_of(public))}"
    sheet = press(host, begin(host), "share").all("input", id="watch-address")[0]["value"]
    before = playroom.do(people(store))
    with Visitor(playroom.address) as robot:
        paths = [f"/tables/{table}{query}" for table in private for query in ("", "?sit", "?watch")]
        shown = [preview(robot.get(path)) for path in (*paths, invited)]
        others = [preview(robot.get(path)) for path in (sheet, "/clubs", "/", "/learn/1")]
        assert not robot.client.cookies
        picture = robot.client.get(shown[0]["og:image"])
    assert shown == shown[:1] * 7
    assert shown[0]["og:title"] == "You are invited to a table"
    assert all(each["description"] == each["og:description"] for each in (*shown, *others))
    assert not any(name in str(each) for each in (*shown, *others) for name in (*NAMES, "Chez"))
    assert picture.headers["content-type"] == "image/png"
    assert picture.content[16:24] == struct.pack(">II", 1200, 630)
    assert playroom.do(people(store)) == before
    friend.come_in("Léa")
    assert sits_down(friend.get(f"{invited}?sit"))


def preview(page: Page) -> dict[str, str]:
    """The description of a page, and the parts of its preview in chats."""
    named = [(each.get("property") or each.get("name", ""), each) for each in page.all("meta")]
    return {
        name: each["content"]
        for name, each in named
        if name.startswith("og:") or name == "description"
    }


async def people(store: Store) -> int:
    """Number of the people who have come in."""
    return len(await store._all(Person, select(PEOPLE)))


def test_tables_that_are_not_say_so_before_they_ask_for_a_name(
    playroom: Playroom, host: Visitor, friend: Visitor
) -> None:
    live = opened(playroom, host)
    playroom.do(live.do(Someone(live.state.host, "Anne"), Close(), live.state.version))
    assert friend.get(f"/tables/{live.id}").status == 410
    assert friend.get("/tables/nowhere").status == 404


def test_the_lobby_leads_to_a_seat(playroom: Playroom, host: Visitor, friend: Visitor) -> None:
    live = opened(playroom, host, seat1="", access="public")
    friend.come_in("Léa")
    assert f"/tables/{live.id}?sit" in {found["href"] for found in friend.get("/").all("a")}


async def test_a_host_is_told_who_comes_and_players_whose_line_is_lost_however_soon(
    site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lobby(*given: Any, timing: Timing, **more: Any) -> Lobby:
        timing = replace(timing, gathering=0.0, crowding=0.0, told_lost=0.05)
        return Lobby(*given, timing=timing, **more)

    monkeypatch.setattr("volte.server.run.room.Lobby", lobby)
    site = await site_with()
    host, guest = [await Player.come(site.address, name) for name in ("Anne", "Max")]
    table = await host.open_table(("", "casual", "casual"), Setup("Jeudi", make_ruleset("coeurs")))
    await host.join(table)
    await guest.join(table)
    await host.until(lambda: any(notice.reason == "came" for notice in host.notices))
    await guest.do(Sit(1))
    await host.do(Start())
    guest.drop()
    await host.until(lambda: host.notices[-1].line == "Max’s connection is lost.")
    assert [each.reason for each in host.notices] == ["came", "person_lost"]
    await guest.join(table)
    await host.until(lambda: host.notices[-1].line == "Max is back.")
