"""The lobby: tables are opened, found, listed and put to sleep."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from table.people import ANNE, BERT, QUICK, Player, done, room, seated, setup, until

from volte.cards import Fault
from volte.store import Store, Unavailable
from volte.table import Access, Setup
from volte.table import commands as cmd
from volte.table.live import MOST_REQUESTS
from volte.table.lobby import LINGERING
from volte.table.pacing import MOST_KNOWN, Pace, Presence
from volte.table.stored import SummarySeat, read_summary


async def test_a_table_that_is_opened_is_found_and_is_one(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        assert await lobby.find(table.id) is table
        assert lobby.tables == (table,)
        assert table.state.host == "anne"
        assert await lobby.find("nothing") is None


async def test_a_table_that_cannot_be_is_not_opened(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        with pytest.raises(Fault):
            await lobby.open(replace(setup(), name=""), ANNE)
        assert await lobby.listed() == []


async def test_a_table_that_is_closed_ends_also_where_nobody_is_there(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        await done(table, ANNE, cmd.Close())
        await until(lambda: table.ended == "closed")
        assert lobby.tables == ()


async def test_a_table_left_alone_for_long_stands_in_the_lobby_no_more(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        (listing,) = await lobby.listed()
        old = replace(listing, updated=listing.updated - LINGERING - 1)
        await lobby.store.append(table.id, table.state.version, (), listing=old)
        assert [each.table for each in await lobby.listed()] == [table.id]
    async with room(tmp_path) as lobby:
        assert await lobby.listed() == []
        assert await lobby.find(table.id) is not None
        assert [each.table for each in await lobby.listed()] == [table.id]


async def test_after_a_restart_a_table_is_read_once_however_many_look_for_it(
    tmp_path: Path,
) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE, "hash")
        await done(table, ANNE, cmd.Sit(3))
    async with room(tmp_path) as lobby:
        found = await asyncio.gather(*(lobby.find(table.id) for _ in range(5)))
        assert len({id(each) for each in found}) == 1
        assert found[0] is not None
        assert found[0].state == table.state
        assert found[0].password == "hash"


async def test_the_lobby_lists_who_plays_what_with_what_score(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup("coeurs", match_end="deals:1", clock=60), ANNE)
        (empty,) = await lobby.listed()
        assert (empty.table, empty.name, empty.host) == (table.id, "Test", "anne")
        assert (empty.access, empty.state) == ("public", "waiting")
        assert read_summary(empty).seats == (SummarySeat("", False, "", 0),) * 4
        anne = Player(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        (playing,) = await lobby.listed()
        assert playing.state == "playing"
        summary = read_summary(playing)
        assert (summary.preset, summary.changes, summary.clock) == ("coeurs", {}, 60)
        assert summary.seats[0] == SummarySeat("Anne", True, "", 0)
        assert [seat.level for seat in summary.seats] == ["", "casual", "casual", "casual"]
        await until(lambda: not table.state.under_way)
        (over,) = await lobby.listed()
        assert table.state.match is not None
        seats = read_summary(over).seats
        assert tuple(seat.total for seat in seats) == table.state.match.totals
        assert (over.state, read_summary(over).deal) == ("waiting", 1)
        assert b"anne" not in over.summary
        await anne.leave()


@pytest.mark.parametrize("access", list(Access))
async def test_private_tables_are_found_by_their_link_alone(access: Access, tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(access=access), ANNE)
        listed = [each.table for each in await lobby.listed()]
        assert listed == ([] if access in (Access.LINK, Access.PRIVATE) else [table.id])
        assert await lobby.find(table.id) is table


async def test_a_closed_table_is_gone(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        anne = Player(table, ANNE)
        assert (await table.do(ANNE, cmd.Close(), 1)).refusal is None
        assert await anne.closed() == "closed"
        await until(lambda: lobby.tables == ())
        assert await lobby.find(table.id) is None
        assert await lobby.listed() == []
        late = await table.do(ANNE, cmd.Sit(0), 2)
        assert late.refusal is not None
        assert late.refusal.reason == "closed"
        kept = await lobby.store.listing(table.id)
        assert kept is not None
        assert kept.state == "closed"


async def test_a_match_that_is_closed_is_over(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        await done(table, ANNE, cmd.Start(), cmd.Close())
        (row,) = await lobby.store.matches_at(table.id)
        assert row.last == table.state.version
        assert row.ended is not None
        assert await lobby.store.unfinished() == []


async def test_a_table_without_people_leaves_memory_and_is_there_again_when_asked_for(
    tmp_path: Path,
) -> None:
    async with room(tmp_path, replace(QUICK, idle=0.05, grace=0.0)) as lobby:
        table = await lobby.open(setup(), ANNE)
        await until(lambda: lobby.tables == ())
        closed = "moved_away"
        while closed:  # until somebody is there before it sleeps again
            again = await lobby.find(table.id)
            assert again is not None
            watcher = again.subscribe(ANNE)
            closed = watcher.closed
        assert again is not table
        assert again is not None
        await done(again, ANNE, cmd.Sit(0), cmd.Start())
        assert lobby.tables == (again,)
        watcher.close()
        await until(lambda: lobby.tables == ())
        third = await lobby.find(table.id)
        assert third is not None
        assert third.state.paused


async def test_a_lobby_that_closes_says_so_and_keeps_everything(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        other = await lobby.open(setup(name="Other"), BERT)
        anne, bert = Player(table, ANNE), Player(other, BERT)
        await seated(table, anne)
        await seated(other, bert)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.match and table.state.match.deal)
        await lobby.close()
        assert await anne.closed() == await bert.closed() == "stopping"
        late = await table.do(ANNE, cmd.Stand(), 1)
        assert late.refusal is not None
        assert late.refusal.reason == "stopping"
        assert lobby.tables == ()
        with pytest.raises(Unavailable):
            await lobby.find(table.id)
    async with room(tmp_path) as lobby:
        again = await lobby.find(table.id)
        assert again is not None
        assert again.state == table.state
        listed = {each.name: each.state for each in await lobby.listed()}
        assert listed["Other"] == "waiting"


async def test_a_match_left_by_a_server_that_died_is_listed_as_paused(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        await done(table, ANNE, cmd.Start())
    async with room(tmp_path) as lobby:
        (listing,) = await lobby.listed()
        assert listing.state == "paused"


async def test_the_word_for_coming_in_can_be_changed(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(access=Access.PASSWORD), ANNE, "one")
        await table.lock("two")
        await done(table, ANNE, cmd.Sit(0))
        kept = await lobby.store.listing(table.id)
        assert kept is not None
        assert kept.password == table.password == "two"


async def test_a_table_that_cannot_be_kept_is_not_opened(tmp_path: Path) -> None:
    class Full(Store):
        async def append(self, *args: object, **kwargs: object) -> None:
            raise Unavailable("full")

    async with room(tmp_path, store=Full) as lobby:
        with pytest.raises(Unavailable):
            await lobby.open(setup(), ANNE)
        assert lobby.tables == ()


async def test_a_lobby_closes_over_a_store_that_never_answers(tmp_path: Path) -> None:
    class Hanging(Store):
        hangs = False

        async def append(self, *args: Any, **kwargs: Any) -> None:
            if self.hangs:
                await asyncio.Event().wait()
            await super().append(*args, **kwargs)

    async with room(tmp_path, replace(QUICK, closing=0.05), store=Hanging) as lobby:
        table = await lobby.open(setup(), ANNE)
        store = lobby.store
        assert isinstance(store, Hanging)
        store.hangs = True
        waiting = [asyncio.create_task(table.do(ANNE, cmd.Sit(0), 1)) for _ in range(3)]
        await asyncio.sleep(0)
        await lobby.close()
        for reply in await asyncio.gather(*waiting):
            assert reply.refusal is not None
            assert reply.refusal.reason == "stopping"


async def test_what_is_too_much_for_one_table_is_turned_down(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        flood = [table.do(ANNE, cmd.Stand(), 1) for _ in range(MOST_REQUESTS + 10)]
        replies = await asyncio.gather(*flood)
        reasons = Counter(reply.refusal.reason for reply in replies if reply.refusal)
        assert reasons == {"not_seated": MOST_REQUESTS, "table_busy": 10}
        await done(table, ANNE, cmd.Sit(0))


def test_people_who_come_and_go_are_forgotten() -> None:
    presence = Presence(0.0)
    for number in range(3 * MOST_KNOWN):
        presence.come(f"p{number}")
        presence.paces[f"p{number}"] = Pace(1, 1)
        presence.go(f"p{number}", 1.0)
        presence.forget_others({"p0", "p1"})
    assert len(presence.gone) <= MOST_KNOWN + 1
    assert {"p0", "p1"} <= set(presence.gone)
    assert len(presence.paces) <= MOST_KNOWN + 1


async def test_tables_of_a_lobby_do_not_disturb_each_other(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        chosen: list[Setup] = [setup(name=f"Table {n}", match_end="deals:1") for n in range(6)]
        tables = [await lobby.open(each, ANNE) for each in chosen]
        guests = [Player(table, ANNE) for table in tables]
        for table in tables:
            await done(table, ANNE, cmd.Sit(0), cmd.Start())
        await until(lambda: not any(table.state.under_way for table in tables))
        decks = {table.state.match.deal.taken for table in tables}  # type: ignore[union-attr]
        assert len(decks) == 6
        for guest in guests:
            await guest.leave()
