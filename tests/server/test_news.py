"""News of tables and evenings: told to those who have asked, once they do not look, while true."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from kit import Guest, Page, Player, Playroom, Site, Visitor, setup
from kit.befriending import befriend
from kit.evenings import begun, plan
from kit.sites import until
from kit.stores import queries
from msgspec.structs import replace

from volte.evenings.conducting import Evenings
from volte.evenings.decide import leave
from volte.friends.service import Friends
from volte.friends.whereabouts import Whereabouts
from volte.news.desk import NewsDesk
from volte.news.kinds import NAMES, NewsKind
from volte.server.run import reporting
from volte.server.run.reporting import Reporter
from volte.table import Someone
from volte.table import commands as cmd


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is given time to play before they are told that it is their turn."""
    monkeypatch.setattr(reporting, "SLOW", 0.0)


async def ask(site: Site, who: Guest, *kinds: NewsKind) -> None:
    wanted = {kind.setting: True for kind in kinds}
    await site.room.store.change_person(
        who.person, lambda person: replace(person, settings=person.settings | wanted)
    )


async def news(who: Guest, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await who.get(f"/api/news{query}")).json["news"]
    return found


async def kinds(who: Guest, query: str = "") -> set[str]:
    return {each["kind"] for each in await news(who, query)}


def told(who: Guest, *wanted: NewsKind) -> Callable[[], Any]:
    async def holds() -> bool:
        return await kinds(who) == set(wanted)

    return holds


async def test_my_turn_is_told_on_other_pages_and_taken_back_once_i_have_played(
    site: Site,
) -> None:
    anne = await Player.at_table(site.address)
    await ask(site, anne, NewsKind.TURN)
    assert (await anne.do(cmd.Start())).ok
    await until(told(anne, NewsKind.TURN))
    (line,) = await news(anne)
    assert line["path"] == f"/tables/{anne.table}"
    assert line["outside"] == "It is your turn."
    assert await kinds(anne, f"?at=/tables/{anne.table}") == set()
    desk = site.room[NewsDesk]
    (first,) = await desk.of(anne.person)
    before = anne.number
    await anne.play(lambda: anne.number > before)

    async def anew() -> bool:
        now = await desk.of(anne.person)
        return [each.at for each in now] not in ([first.at], [])

    await until(anew)  # it was taken back: what is true already is not told again
    assert (await anne.do(cmd.Close())).ok
    await until(told(anne))


async def test_whoever_looks_at_the_table_is_not_told_of_their_turn_until_they_look_away(
    site: Site,
) -> None:
    anne = await Player.come(site.address, "Anne")
    await ask(site, anne, NewsKind.TURN)
    await news(anne, "?seen=1")
    await anne.join(await anne.open_table(("casual",) * 3))
    assert (await anne.do(cmd.Start())).ok
    await until(lambda: anne.next_command() is not None)
    await site.room[Reporter].idle()
    assert not await site.room[NewsDesk].of(anne.person)
    await news(anne, "?seen=")
    await until(told(anne, NewsKind.TURN))
    assert (await anne.do(cmd.Close())).ok
    await until(told(anne))


async def test_a_match_of_people_who_have_asked_for_nothing_costs_nothing(site: Site) -> None:
    """They play it to its end, without a query and without a row."""
    players = await Player.gathered(site.address, "Anne", "Ben")
    for each in players:
        assert await kinds(each) == set()  # as every page asks
    people = {each.person for each in players}
    with queries(site.room.store) as sent:
        assert (await players[0].do(cmd.Start())).ok
        await asyncio.gather(*(each.play() for each in players))
        await site.room[Reporter].idle()
    assert not any("news" in each for each in sent)
    assert not any("FROM people" in each and people & {*each.split("'")} for each in sent)


async def test_the_people_of_a_table_learn_that_its_last_seat_is_taken_unless_they_see_it(
    site: Site,
) -> None:
    anne, ben, cleo = [await Player.come(site.address, name) for name in ("Anne", "Ben", "Cleo")]
    for each in (anne, ben, cleo):
        await ask(site, each, NewsKind.FULL)
    table = await anne.open_table(("", ""), setup(players=3))
    await ben.join(table)
    assert (await ben.do(cmd.Sit(1))).ok
    await news(ben, "?seen=1")
    await site.room[Reporter].idle()
    assert await kinds(anne) == set()
    await cleo.join(table)
    assert (await cleo.do(cmd.Sit(2))).ok
    await until(told(anne, NewsKind.FULL))
    assert await kinds(ben) == await kinds(cleo) == set()
    assert (await cleo.do(cmd.Stand())).ok
    await until(told(anne))


async def test_an_evening_is_told_as_it_begins_until_it_is_left(site: Site) -> None:
    people = [await Player.come(site.address, name) for name in ("Anne", "Ben", "Cleo", "Dan")]
    for each in people[:2]:
        await ask(site, each, NewsKind.EVENING)
    key = await begun(site, people, plan())
    await site.room[Evenings].changed(key)
    anne, ben, cleo, _ = people
    for each in (anne, ben):
        await until(told(each, NewsKind.EVENING))
    assert (await news(anne))[0]["path"] == f"/evenings/{key}"
    assert await kinds(cleo) == set()
    await site.room[Evenings].do(key, lambda evening: leave(evening, person=ben.person))
    await until(told(ben))
    assert await kinds(anne) == {NewsKind.EVENING}


async def test_an_invitation_stands_on_every_page_with_yes_and_no_and_in_the_title(
    site: Site,
) -> None:
    anne, ben = [await Player.come(site.address, name) for name in ("Anne", "Ben")]
    table, other = await anne.open_table(), await anne.open_table()
    await befriend(site.room.store, anne.person, ben.person)
    friends, desk = site.room[Friends], site.room[NewsDesk]
    await friends.invite(Someone(anne.person, "Anne"), ben.person, other)
    for path in ("/", "/rules", "/nowhere"):
        text = (await ben.get(path)).text
        assert "<title>Anne has invited you – " in text
        page = Page.of(await ben.get(path))
        assert page.all("form", action=f"/friends/invited/{anne.person}")
        assert {each["value"] for each in page.all("button", name="yes")} == {"0", "1"}
    at_table = await ben.get(f"/tables/{table}")
    assert "<title>Anne has invited" not in at_table.text  # its script tells, as nothing may move
    assert "Anne has invited you to a table." in at_table.text
    await desk.over(NewsKind.INVITED, anne.person, ben.person)
    assert "has invited you" not in (await ben.get("/")).text


def test_what_is_told_is_chosen_on_a_page_of_its_own(playroom: Playroom, visitor: Visitor) -> None:
    visitor.post("/guest", {"name": "Dan"})
    boxes = visitor.get("/me/notifications").all("input", type="checkbox")
    assert {each["name"] for each in boxes} == {*(kind.setting for kind in NewsKind), NAMES}
    assert not any("checked" in each for each in boxes)
    page = visitor.post("/me/notifications", {NewsKind.TURN.setting: "on"})
    assert "Saved." in page.text
    chosen = [each["name"] for each in page.all("input", type="checkbox") if "checked" in each]
    assert chosen == [NewsKind.TURN.setting]
    page = visitor.post("/me/notifications", {NewsKind.FULL.setting: "on"})
    chosen = [each["name"] for each in page.all("input", type="checkbox") if "checked" in each]
    assert chosen == [NewsKind.FULL.setting]


async def test_a_browser_that_asks_by_itself_brings_nobody_here_and_looks_for_nobody(
    site: Site,
) -> None:
    """A message has come, and its worker asks: with that, nobody is at a page."""
    anne = await Player.come(site.address, "Anne")
    noted = list[str]()
    site.room[Whereabouts].note = lambda person, where="": noted.append(person)  # type: ignore[method-assign]
    try:
        await news(anne, "?seen=1")
        assert noted == [anne.person]
        await news(anne)
        assert noted == [anne.person]
        assert site.room[NewsDesk].looks(anne.person)
        await news(anne, "?seen=")
        assert noted == [anne.person] * 2
        assert not site.room[NewsDesk].looks(anne.person)
    finally:
        del site.room[Whereabouts].note
