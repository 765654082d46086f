"""What nobody comes back to is put away by whichever process looks, and once."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from kit.people import Player
from kit.requests import request
from kit.sites import Site, serving

from volte.history.reckoner import Reckoner
from volte.history.store import Results
from volte.rules import make_ruleset
from volte.server.run.tidying import SEASON, Tidying
from volte.store import Person
from volte.table import OpenSeats, Setup
from volte.table import commands as cmd
from volte.table.happenings import Closed
from volte.table.stored import read_table

RULES = make_ruleset("coeurs")
RATED = Setup("Rated", RULES, hints=False, rated=True, open_seats=OpenSeats.ALL)
HOUR = 3600
TOMORROW = 25 * HOUR


async def rated_match(site: Site) -> list[Player]:
    """Anne and Bert have begun a rated match, and cards are dealt."""
    anne, bert = [await Player.come(site.address, name) for name in ("Anne", "Bert")]
    table = await anne.open_table(setup=RATED)
    for seat, player in enumerate((anne, bert)):
        await player.join(table)
        await player.prefer(bot_pace=0, trick_pace=0)
        if seat:
            assert (await player.do(cmd.Sit(seat))).ok
    assert (await anne.do(cmd.Start())).ok
    return [anne, bert]


async def over(site: Site, table: str) -> bool:
    (row,) = await site.room.store.matches_at(table)
    return row.ended is not None


async def closings(site: Site, table: str) -> int:
    """How often the table was closed."""
    kept = await read_table(site.room.store, table)
    assert kept is not None
    entries = await site.room.store.read(table)
    return sum(Closed.__name__.encode() in entry.data for entry in entries)


async def test_a_rated_match_goes_on_as_long_as_somebody_is_there(tmp_path: Path) -> None:
    async with serving(tmp_path, grace=0.05) as site:
        anne, bert = await rated_match(site)
        assert anne.table
        await site.room[Tidying].look(time.time() + TOMORROW)
        assert not await over(site, anne.table)
        for player in (anne, bert):
            await player.leave()
        live = site.room.lobby.living(anne.table)
        assert live is not None
        while not live.state.paused:
            await asyncio.sleep(0.01)
        await site.room[Tidying].look(time.time() + 23 * HOUR)
        assert not await over(site, anne.table)
        await site.room[Tidying].look(time.time() + TOMORROW)
        assert await over(site, anne.table)
        page = await request(
            site.address, "GET", f"/tables/{anne.table}", headers={"cookie": anne.cookie}
        )
        assert page.status == 410


async def test_a_table_where_no_match_goes_on_waits_for_a_season(tmp_path: Path) -> None:
    """One that is played at waits for ever."""

    async with serving(tmp_path) as site:
        anne = await Player.come(site.address, "Anne")
        idle, played = [await anne.open_table() for _ in range(2)]
        await anne.join(played)
        assert (await anne.do(cmd.Start())).ok
        await anne.leave()
    async with serving(tmp_path) as site:
        store, tidying = site.room.store, site.room[Tidying]
        await tidying.look(time.time() + SEASON - HOUR)
        assert await closings(site, idle) == 0
        for _ in range(2):
            await tidying.look(time.time() + SEASON + HOUR)
            assert [await closings(site, table) for table in (idle, played)] == [1, 0]
        line = await store.listing(idle)
        assert line is not None
        assert line.state == "closed"
        assert await site.room.lobby.find(idle) is None
        assert await site.room.lobby.find(played) is not None


@pytest.mark.full
async def test_tables_are_cleared_away_once_and_not_under_somebody_s_hands(
    postgres_url: str, tmp_path: Path
) -> None:
    async with serving(tmp_path, postgres_url) as one:
        anne = await Player.come(one.address, "Anne")
        tables = [await anne.open_table() for _ in range(3)]
    two = serving(tmp_path, postgres_url), serving(tmp_path, postgres_url)
    async with two[0] as one, two[1] as other:
        anne.address = other.address
        await anne.join(tables[0])
        later = time.time() + SEASON + HOUR
        await asyncio.gather(*(each.room[Tidying].look(later) for each in (one, other) * 3))
        assert [await closings(one, table) for table in tables] == [0, 1, 1]
        assert (await anne.do(cmd.Start())).ok
        await anne.leave()


@pytest.mark.full
async def test_a_match_that_a_server_has_left_is_found_by_the_next(
    database: str, tmp_path: Path
) -> None:
    """Also by several that look at the same moment."""

    async with serving(tmp_path, database) as first:
        anne, _ = await rated_match(first)
    table = anne.table
    async with serving(tmp_path, database) as one, serving(tmp_path, database) as other:
        later = time.time() + TOMORROW
        assert not await over(one, table)
        while not await over(one, table):  # where one of them has it, it is paused before
            await asyncio.gather(*(each.room[Tidying].look(later) for each in (one, other) * 3))
        assert await closings(other, table) == 1
        await one.room[Reckoner].idle()
        await other.room[Reckoner].idle()
        assert await one.room.store[Results].ladders() == {}


async def test_a_guest_whom_no_browser_knows_is_forgotten(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        anne = await Player.come(site.address, "Anne")
        store, later = site.room.store, time.time() + TOMORROW
        await store.put_person(Person("gone", "Gone", "en", {}, 1.0))
        await site.room[Tidying].look(later)
        assert await store.person("gone") is None
        assert await store.person(anne.person) is not None
