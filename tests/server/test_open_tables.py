"""The list of open tables: what one can do at each, alike for all who look, and cheap for many."""

from __future__ import annotations

import asyncio
import re
import time

from kit.browsing import Page
from kit.sites import Playroom, Site
from kit.tables import ANNE, setup
from kit.visits import Visit
from msgspec.structs import replace

from volte.say import Words
from volte.server.tables.open_tables import OpenTables
from volte.store import Person
from volte.table import Access, Setup, Someone
from volte.table.commands import Command, SeatBot, Sit, Start
from volte.table.live import LiveTable

BEN = Someone("ben", "Ben")


async def opened(site: Site, setup: Setup, *commands: Command) -> LiveTable:
    """A new table of Anne's, who speaks French, where she has the first seat."""
    await site.room.store.put_person(Person(ANNE.id, ANNE.name, "fr", {}, 1.0))
    table = await site.room.lobby.open(setup, ANNE)
    for command in (Sit(0), *commands):
        reply = await table.do(ANNE, command, table.state.version)
        assert reply.refusal is None
    return table


def fill(players: int = 4) -> list[Command]:
    return [SeatBot(seat, "casual") for seat in range(1, players)]


def groups(page: Page | str) -> dict[str, str]:
    """The text of each group of the list that is shown."""
    text = page if isinstance(page, str) else page.answer.text
    found = re.findall(r'<section data-group="(\w+)"([^>]*)>(.*?)</section>', text, re.DOTALL)
    return {name: body for name, more, body in found if "hidden" not in more}


async def test_seats_come_first_then_planned_tables_then_matches(site: Site) -> None:
    room, words = site.room, Words("en", "Europe/Paris")
    free = await opened(site, setup(name="Free"))
    played = await opened(site, setup(name="Played"), *fill(), Start())
    meeting = await opened(site, replace(setup(name="Met"), meeting=True), *fill(), Start())
    planned = await opened(site, setup(name="Later", planned=time.time() + 3600))
    private = await opened(site, setup(name="Private", access=Access.LINK))
    await room[OpenTables].read()
    html = (await room[OpenTables].fragment(words, "")).html
    found = groups(html)
    assert list(found) == ["seats", "planned", "watch"]
    assert [free.id in found["seats"], meeting.id in found["seats"]] == [True, True]
    assert played.id in found["watch"]
    assert planned.id in found["planned"]
    assert re.search("<dd>(Today|Tonight|Tomorrow) at ", found["planned"])
    assert f'href="/tables/{planned.id}/remind" aria-label="Remind me: Later"' in html
    assert private.id not in html
    assert f'href="/tables/{free.id}?sit" aria-label="Take a seat: Free"' in html
    assert f'href="/tables/{played.id}?watch" aria-label="Watch: Played"' in html
    bot = meeting.state.seats[1].name
    assert f'aria-label="Take {bot}’s seat: Met"' in html
    assert "4 players, 1 deal" in html
    assert 'lang="fr">Français' in html


async def test_who_looks_again_is_answered_without_a_session_or_the_database(site: Site) -> None:
    """Three hundred who look at once read it once; those who have seen it get no text."""
    await opened(site, setup(name="Seen"))
    room = site.room
    await room[OpenTables].read()
    room[OpenTables]._until = 0.0
    reads = 0
    public = room.store.public

    async def counted(limit: int = 500) -> list[object]:
        nonlocal reads
        reads += 1
        await asyncio.sleep(0)
        return await public(limit)  # type: ignore[return-value]

    room.store.public = counted  # type: ignore[method-assign,assignment]
    try:
        looks = [room[OpenTables].fragment(Words(lang), "") for lang in ("fr", "en") * 150]
        found = await asyncio.gather(*looks)
    finally:
        del room.store.public
    assert reads == 1
    assert len({each.tag for each in found}) == 2


def test_the_list_by_itself_is_that_of_the_page_and_has_a_tag(
    visit: Visit, playroom: Playroom
) -> None:
    visit("Zoé").open_table(name="For all", access="public")
    stranger = visit(lang="fr")
    page = stranger.get("/")
    answer = stranger.client.get("/lobby/list?lang=fr")
    assert "For all" in groups(page)["seats"]
    assert groups(answer.text) == groups(page)
    assert "set-cookie" not in answer.headers
    tag = {"if-none-match": answer.headers["etag"]}
    again = stranger.client.get("/lobby/list?lang=fr", headers=tag)
    assert (again.status_code, again.text) == (304, "")
    other = stranger.client.get("/lobby/list?lang=en", headers=tag)
    assert other.status_code == 200


def test_a_table_that_fills_between_look_and_press_offers_another(
    visit: Visit, playroom: Playroom
) -> None:
    table = playroom.live(visit("Zoé").open_table(name="Almost full", access="public").table)
    visit("Yan").open_table(name="With seats", access="public")
    ana = visit("Ana")
    links = {each.get("aria-label"): each["href"] for each in ana.get("/").all("a")}
    for seat, name in enumerate(("Ben", "Cleo", "Dan"), start=1):
        reply = playroom.do(table.do(Someone(name, name), Sit(seat), table.state.version))
        assert reply.refusal is None
    page = ana.get(links["Take a seat: Almost full"])
    assert "Every seat is taken: Almost full" in page.text
    assert "With seats" in page.text


def test_own_tables_stand_above_and_are_not_offered_to_oneself(visit: Visit) -> None:
    zoe = visit("Zoé")
    table = zoe.open_table(name="Mine", access="public").table
    page = zoe.get("/")
    assert page.all("a", href=f"/tables/{table}")
    assert not page.all("a", href=f"/tables/{table}?sit")
    assert table in page.all("div", id="open-tables")[0]["data-own"]


def test_a_password_is_asked_for_and_no_name_told(visit: Visit) -> None:
    visit("Zoé").open_table(name="Behind a door", access="password", password="caramel")
    page = visit("Ana").get("/")
    (link,) = [each for each in page.all("a") if "Behind a door" in each.get("aria-label", "")]
    assert link["aria-label"] == "Enter the password: Behind a door"
    assert "Zoé" not in groups(page)["seats"].partition("Behind a door")[2].partition("</li>")[0]
