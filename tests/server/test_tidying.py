"""Abandoned tables are put away by the first process that looks, and once."""

from __future__ import annotations

import asyncio
import time

import pytest
from kit.playing import Player
from kit.sites import Site, SiteWith, until
from sqlalchemy import select

from volte.history.reckoner import Reckoner
from volte.history.store import Results
from volte.rules import make_ruleset
from volte.server.run.tidying import SEASON, Tidying
from volte.store import Person
from volte.store.second_look import DUE
from volte.table import OpenSeats, Setup
from volte.table import commands as cmd
from volte.table.happenings import Closed

RULES = make_ruleset("coeurs")
RATED = Setup("Rated", RULES, hints=False, rated=True, open_seats=OpenSeats.ALL)
HOUR = 3600
TOMORROW = 25 * HOUR


async def look(site: Site, seconds: float) -> None:
    """Tidies up as if so much time had gone by."""
    await site.room[Tidying].look(time.time() + seconds)


async def rated_match(site: Site) -> list[Player]:
    """Anne and Bert have begun a rated match, and cards are dealt."""
    people = await Player.gathered(site.address, "Anne", "Bert", setup=RATED)
    assert (await people[0].do(cmd.Start())).ok
    return people


async def over(site: Site, table: str) -> bool:
    (row,) = await site.room.store.matches_at(table)
    return row.ended is not None


async def closings(site: Site, table: str) -> int:
    """Number of times that the table was closed."""
    entries = await site.room.store.read(table)
    return sum(Closed.__name__.encode() in entry.data for entry in entries)


async def test_whatever_is_tidied_up_was_due_at_two_looks(
    site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour lasts a tenth of a second here."""
    monkeypatch.setattr("volte.server.run.tidying.HOUR", 0.1)
    site = await site_with(second_look=3600.0)
    store = site.room.store
    await store.put_person(Person("old", "Old", "en", {}, 1.0))

    async def noted() -> bool:
        return bool(await store._reader.rows(select(DUE.c.what)))

    await until(noted)
    assert await store.person("old") is not None
    store.second_look.seconds = 0.1
    await site.room[Tidying].close()
    site.room[Tidying].begin()

    async def forgotten() -> bool:
        return await store.person("old") is None

    await until(forgotten)


async def test_a_rated_match_goes_on_as_long_as_somebody_is_there(site_with: SiteWith) -> None:
    site = await site_with(grace=0.05)
    anne, bert = await rated_match(site)
    await look(site, TOMORROW)
    assert not await over(site, anne.table)
    for player in (anne, bert):
        await player.leave()
    live = await site.live(anne.table)
    await until(lambda: live.state.paused)
    await look(site, 23 * HOUR)
    assert not await over(site, anne.table)
    await look(site, TOMORROW)
    assert await over(site, anne.table)
    assert (await anne.get(f"/tables/{anne.table}")).status == 410


async def test_a_table_where_no_match_goes_on_waits_for_a_season(site_with: SiteWith) -> None:
    """One that is played at waits for ever."""
    site = await site_with()
    anne = await Player.come(site.address, "Anne")
    idle, played = [await anne.open_table() for _ in range(2)]
    await anne.join(played)
    assert (await anne.do(cmd.Start())).ok
    await anne.leave()
    site = await site.anew()
    await look(site, SEASON - HOUR)
    assert await closings(site, idle) == 0
    for _ in range(2):
        await look(site, SEASON + HOUR)
        assert [await closings(site, table) for table in (idle, played)] == [1, 0]
    line = await site.room.store.listing(idle)
    assert line is not None
    assert line.state == "closed"
    assert await site.room.lobby.find(idle) is None
    assert await site.room.lobby.find(played) is not None


@pytest.mark.full
async def test_tables_are_cleared_away_once_and_not_under_somebody_s_hands(
    postgres_url: str, site_with: SiteWith
) -> None:
    one = await site_with(postgres_url)
    anne = await Player.come(one.address, "Anne")
    tables = [await anne.open_table() for _ in range(3)]
    one, other = await one.anew(), await site_with(postgres_url, node="other")
    anne.address = other.address
    await anne.join(tables[0])
    await asyncio.gather(*(look(each, SEASON + HOUR) for each in (one, other) * 3))
    assert [await closings(one, table) for table in tables] == [0, 1, 1]
    assert (await anne.do(cmd.Start())).ok


@pytest.mark.full
async def test_a_match_that_a_server_has_left_is_found_by_the_next(
    database: str, site_with: SiteWith
) -> None:
    """Also by several that look at the same moment."""
    one = await site_with(database)
    table = (await rated_match(one))[0].table
    one, other = await one.anew(), await site_with(database, node="other")
    assert not await over(one, table)
    while not await over(one, table):  # where one of them has it, it is paused before
        await asyncio.gather(*(look(each, TOMORROW) for each in (one, other) * 3))
    assert await closings(other, table) == 1
    for site in (one, other):
        await site.room[Reckoner].idle()
    assert await one.room.store[Results].ladders() == {}


async def test_a_guest_whom_no_browser_knows_is_forgotten(site_with: SiteWith) -> None:
    site = await site_with()
    anne = await Player.come(site.address, "Anne")
    store = site.room.store
    await store.put_person(Person("gone", "Gone", "en", {}, 1.0))
    await look(site, TOMORROW)
    assert await store.person("gone") is None
    assert await store.person(anne.person) is not None
