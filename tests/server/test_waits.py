"""The match that waits: a line on every page, for nothing where there is none."""

from __future__ import annotations

import time
from typing import Final

import pytest
from kit.browsing import Page, Visitor
from kit.sites import Playroom, Site, SiteWith, until
from kit.stores import queries
from kit.visits import Visit
from msgspec.json import encode
from msgspec.structs import replace

from volte.people.sessions import hashed
from volte.server.tables.waits import LASTING, WaitingMatches
from volte.store import Listing, MatchRow, Person
from volte.store.store import Store
from volte.table import Someone, Watching
from volte.table.commands import Close, Command, Stand, Start
from volte.table.live import LiveTable
from volte.table.stored import SummarySeat, TableSummary
from volte.web.visit import WaitingMatch

ROOMS: Final = (
    "/",
    "/me",
    "/clubs",
    "/matches",
    "/score",
    "/learn",
    "/puzzle",
    "/rules",
    "/nowhere",
)
"""Pages of every room, and one that is not there."""

LINE: Final = "Your match is waiting: "


def person_of(playroom: Playroom, visitor: Visitor) -> Someone:
    mine = visitor.client.get("/api/me").json()
    return Someone(mine["person"], mine["name"])


def do(playroom: Playroom, live: LiveTable, who: Someone, command: Command) -> None:
    reply = playroom.do(live.do(who, command, live.state.version))
    assert reply.refusal is None


def link(page: Page) -> str:
    """Where "Go on" leads beside the line; empty where the page has none."""
    assert page.wrong == []
    at = [place for place, (tag, _) in enumerate(page.elements) if tag == "aside"]
    found = [attributes["href"] for tag, attributes in page.elements[at[0] :] if tag == "a"]
    return found[0] if LINE in page.text else ""


@pytest.fixture
def begun(visit: Visit, playroom: Playroom) -> tuple[Visitor, LiveTable]:
    """Somebody whose match with bots goes on."""
    zoe = visit("Zoé")
    return zoe, playroom.live(zoe.post("/play").table)


def begin(playroom: Playroom, zoe: Visitor, live: LiveTable) -> Someone:
    who = person_of(playroom, zoe)
    do(playroom, live, who, Start())
    return who


def test_a_match_that_waits_is_told_on_every_page_but_its_own_also_on_another_device(
    begun: tuple[Visitor, LiveTable], visit: Visit, playroom: Playroom
) -> None:
    zoe, live = begun
    assert LINE not in zoe.get("/").text
    who = begin(playroom, zoe, live)
    store = playroom.site.room.store
    playroom.do(store.put_session(hashed("a" * 43), who.id, 4e9))
    other = visit(lang="fr")
    other.client.cookies.set("volte", "a" * 43)
    for path in ROOMS:
        page = zoe.get(path)
        assert link(page) == f"/tables/{live.id}", path
        assert f"/tables/{live.id}" in other.get(path).answer.text
    for path in ("", "/rules"):
        assert LINE not in zoe.get(f"/tables/{live.id}{path}").text
    waiting = zoe.client.get("/api/tables").json()["waiting"]
    assert waiting == {"table": live.id, "name": live.state.setup.name}
    elsewhere = zoe.post("/play").table
    assert LINE in zoe.get(f"/tables/{elsewhere}").text  # in the menu of another table
    ana = visit("Ana")
    assert LINE not in ana.get("/").text
    assert ana.client.get("/api/tables").json()["waiting"] is None


def test_nothing_waits_for_somebody_who_has_left_or_whose_match_is_over(
    begun: tuple[Visitor, LiveTable], playroom: Playroom
) -> None:
    zoe, live = begun
    who = begin(playroom, zoe, live)
    assert LINE in zoe.get("/").text
    do(playroom, live, who, Stand())
    assert LINE not in zoe.get("/").text
    again = playroom.live(zoe.post("/play").table)
    begin(playroom, zoe, again)
    assert LINE in zoe.get("/help").text
    do(playroom, again, who, Close())
    assert LINE not in zoe.get("/help").text


def test_a_match_of_long_ago_is_left_to_ones_list_of_tables(
    begun: tuple[Visitor, LiveTable], playroom: Playroom
) -> None:
    zoe, live = begun
    begin(playroom, zoe, live)
    store = playroom.site.room.store
    listing = playroom.do(store.listing(live.id))
    assert listing is not None
    old = replace(listing, updated=listing.updated - LASTING)
    playroom.do(store.append("other", 0, [b"x"], listing=old))
    page = zoe.get("/")
    assert LINE not in page.text
    assert page.all("a", href=f"/tables/{live.id}")


async def test_whoever_has_no_match_costs_no_query_until_they_sit_down_at_any_node(
    postgres_url: str, site_with: SiteWith
) -> None:
    one = await site_with(postgres_url)
    waits, store = one.room[WaitingMatches], one.room.store
    await store.put_person(Person("anne", "Anne", "fr", {}, 1.0))
    assert await waits.of("anne") is None
    with queries(store) as sent:
        for _ in range(20):
            assert await waits.of("anne") is None
        assert not any("'anne'" in each for each in sent)
    row = MatchRow("m", "t", 1, b"\0" * 32, 1.0, ("anne", ""))
    seats = (SummarySeat("Anne", True, "", 0), SummarySeat("Bo", False, "casual", 0))
    summary = TableSummary("coeurs", {}, seats, 1, True, Watching.HIDDEN, 0, True)
    line = Listing("t", "Here", "anne", "private", "paused", encode(summary), "", time.time())
    async with await Store.open(postgres_url) as another:
        await another.append("t", 0, [b"x"], listing=line, matches=[row])
        await until(lambda: "anne" not in waits._without)
    assert await waits.of("anne") == WaitingMatch("/tables/t", "Here")


async def test_a_hint_that_comes_while_the_database_is_asked_is_not_lost(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, waits = site.room.store, site.room[WaitingMatches]
    ask = store.seats_in_play

    async def crossed(person: str) -> list[tuple[Listing, int]]:
        found = await ask(person)
        await store.bus.publish("playing", person)
        return found

    monkeypatch.setattr(store, "seats_in_play", crossed)
    assert await waits.of("cleo") is None
    monkeypatch.undo()
    with queries(store) as sent:
        assert await waits.of("cleo") is None
        assert await waits.of("cleo") is None
    assert sum("'cleo'" in each for each in sent) == 1
