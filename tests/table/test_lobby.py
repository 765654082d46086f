"""The lobby: tables are opened, found, listed and put to sleep."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any, Final

import pytest
from kit.live import (
    QUICK,
    OpenLobby,
    Player,
    dealt,
    done,
    found,
    over,
    refused,
    seated,
    together,
    until,
)
from kit.tables import ANNE, BERT, setup
from msgspec.structs import replace

from volte.cards import VolteError
from volte.solo.kept import KeptStore
from volte.store import Unavailable
from volte.table import Access, OpenSeats, Seat, TableState, Watching
from volte.table import commands as cmd
from volte.table.live import MOST_REQUESTS
from volte.table.lobby import Lobby
from volte.table.pacing import MOST_KNOWN, Pace, Presence
from volte.table.stored import (
    AWAITED,
    SummarySeat,
    WayIn,
    can_be_entered,
    listing_of,
    read_summary,
    ways_in,
)


async def test_a_table_that_is_opened_is_found_and_is_one(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    assert await lobby.find(table.id) is table
    assert lobby.tables == (table,)
    assert table.state.host == "anne"
    assert await lobby.find("nothing") is None


async def test_a_table_that_cannot_be_is_not_opened(lobby: Lobby) -> None:
    with pytest.raises(VolteError):
        await lobby.open(replace(setup(), name=""), ANNE)
    assert await lobby.listed() == []


async def test_a_table_that_is_closed_ends_also_where_nobody_is_there(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    await done(table, ANNE, cmd.Close())
    await until(lambda: table.ended == "closed")
    assert lobby.tables == ()


async def test_a_table_that_everybody_has_left_is_no_longer_listed(open_lobby: OpenLobby) -> None:
    lobby = await open_lobby()
    table = await lobby.open(setup(), ANNE)
    assert await lobby.listed() == []  # nobody has a seat yet
    await done(table, ANNE, cmd.Sit(0))
    assert [each.table for each in await lobby.listed()] == [table.id]
    lobby = await open_lobby()
    assert await lobby.listed() == []
    assert await lobby.find(table.id) is not None
    assert [each.table for each in await lobby.listed()] == [table.id]


async def test_after_a_restart_a_table_is_read_once_however_many_look_for_it(
    open_lobby: OpenLobby,
) -> None:
    table = await (await open_lobby()).open(setup(), ANNE, "hash")
    await done(table, ANNE, cmd.Sit(3))
    lobby = await open_lobby()
    same, *others = await asyncio.gather(*(found(lobby, table.id) for _ in range(5)))
    assert all(each is same for each in others)
    assert same.state == table.state
    assert same.password == "hash"


async def test_the_lobby_lists_who_plays_what_with_what_score(lobby: Lobby) -> None:
    table = await lobby.open(setup("coeurs", clock=60), ANNE)
    empty = await lobby.store.listing(table.id)
    assert empty is not None
    assert (empty.table, empty.name, empty.host) == (table.id, "Chez Anne", "anne")
    assert (empty.access, empty.state) == ("public", "waiting")
    assert read_summary(empty).seats == (SummarySeat("", False, "", 0),) * 4
    await seated(table, Player(table, ANNE))
    await done(table, ANNE, cmd.Start())
    (playing,) = await lobby.listed()
    assert playing.state == "playing"
    summary = read_summary(playing)
    assert (summary.preset, summary.changes, summary.clock) == ("coeurs", {}, 60)
    assert summary.seats[0] == SummarySeat("Anne", True, "", 0)
    assert [seat.level for seat in summary.seats] == ["", "casual", "casual", "casual"]
    await over(table)
    assert await lobby.listed() == []
    ended = await lobby.store.listing(table.id)
    assert ended is not None
    assert table.state.match is not None
    assert tuple(seat.total for seat in read_summary(ended).seats) == table.state.match.totals
    assert (ended.state, read_summary(ended).deal) == ("waiting", 1)
    assert read_summary(ended).company == ("anne",)
    await done(table, ANNE, cmd.Close())
    closed = await lobby.store.listing(table.id)
    assert closed is not None
    assert b'"anne"' not in closed.summary


PEOPLE: Final = [Seat("anne", "Anne"), Seat("bert", "Bert")]
BOTS: Final = [Seat(name="Alice", level="casual"), Seat(name="Bruno", level="casual")]
WANTED: Final = [replace(bot, asker="cleo") for bot in BOTS]
FREE: Final = [Seat(), Seat()]


@pytest.mark.parametrize(
    ("seats", "chosen", "waiting", "playing"),
    [
        (PEOPLE + FREE, {}, "seat", "seat watch"),
        (PEOPLE + BOTS, {}, "", "watch"),
        (PEOPLE + PEOPLE, {"open_seats": OpenSeats.ALL}, "", "watch"),
        (PEOPLE + BOTS, {"open_seats": OpenSeats.ALL}, "bot", "bot watch"),
        (PEOPLE + BOTS, {"access": Access.PASSWORD}, "ask", "ask watch"),
        (PEOPLE + PEOPLE, {"access": Access.PASSWORD}, "", "watch"),
        (PEOPLE + FREE, {"open_seats": OpenSeats.INVITED}, "", "watch"),
        (PEOPLE + FREE, {"rated": True, "hints": False}, "seat", "watch"),
        (PEOPLE + BOTS, {"meeting": True}, "bot", "bot watch"),
        (PEOPLE + PEOPLE, {"meeting": True}, "", "watch"),
        (PEOPLE + WANTED, {"meeting": True}, "", "watch"),
        (BOTS + FREE, {}, "seat", "seat watch"),
        (FREE + FREE, {"planned": 9.0}, "seat", "seat watch"),
    ],
)
def test_a_table_is_listed_where_people_are_and_a_newcomer_can_do_something(
    seats: list[Seat], chosen: dict[str, Any], waiting: str, playing: str
) -> None:
    state = TableState(setup(**chosen), "anne", "Anne", 1, tuple(seats))
    unwatched = TableState(setup(watching=Watching.NOBODY, **chosen), "", "", 1, tuple(seats))
    seat = playing.removesuffix("watch").strip()
    for there, kind, ways in (
        (state, "waiting", waiting),
        (state, "playing", playing),
        (unwatched, "playing", seat),
    ):
        line = replace(listing_of("t", there, ""), state=kind)
        summary = read_summary(line)
        assert ways_in(line, summary) == tuple(map(WayIn, ways.split()))
        people = any(each.person for each in summary.seats) or summary.planned is not None
        assert can_be_entered(line) is (people and ways != "")
        assert not can_be_entered(replace(line, state="paused"))


async def test_a_planned_table_is_listed_until_a_while_after_its_time(
    open_lobby: OpenLobby,
) -> None:
    """Also while its host is away, who has made it days ahead."""
    now = time.time()
    lobby = await open_lobby()
    for name, planned in (("past", -AWAITED - 60), ("now", 0.0), ("tonight", 9000.0)):
        await lobby.open(setup(name=name, planned=now + planned), ANNE)
    listed = await (await open_lobby()).listed()
    assert {each.name for each in listed} == {"now", "tonight"}


@pytest.mark.parametrize("access", list(Access))
async def test_private_tables_are_found_by_their_link_alone(access: Access, lobby: Lobby) -> None:
    table = await lobby.open(setup(access=access), ANNE)
    await done(table, ANNE, cmd.Sit(0))
    listed = [each.table for each in await lobby.listed()]
    assert listed == ([] if access in (Access.LINK, Access.PRIVATE) else [table.id])
    assert await lobby.find(table.id) is table


async def test_a_closed_table_is_gone(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    anne = Player(table, ANNE)
    await done(table, ANNE, cmd.Close())
    assert await anne.closed() == "closed"
    await until(lambda: lobby.tables == ())
    assert await lobby.find(table.id) is None
    assert await lobby.listed() == []
    assert await refused(table, ANNE, cmd.Sit(0), 2) == "closed"
    listing = await lobby.store.listing(table.id)
    assert listing is not None
    assert listing.state == "closed"


async def test_a_match_that_is_closed_is_over(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    await done(table, ANNE, cmd.Start(), cmd.Close())
    (row,) = await lobby.store.matches_at(table.id)
    assert row.last == table.state.version
    assert row.ended is not None


async def test_a_table_without_people_leaves_memory_and_is_there_again_when_it_is_wanted(
    open_lobby: OpenLobby,
) -> None:
    lobby = await open_lobby(timing=replace(QUICK, idle=0.05, vacant=0.05, grace=0.0))
    table = await lobby.open(setup(), ANNE)
    await until(lambda: lobby.tables == ())
    closed = "moved_away"
    while closed:  # until somebody is there before it sleeps again
        again = await found(lobby, table.id)
        watcher = again.subscribe(ANNE)
        closed = watcher.closed
    assert again is not table
    await done(again, ANNE, cmd.Sit(0), cmd.Start())
    assert lobby.tables == (again,)
    watcher.close()
    await until(lambda: lobby.tables == ())
    assert (await found(lobby, table.id)).state.paused


async def test_a_lobby_that_closes_says_so_and_keeps_everything(open_lobby: OpenLobby) -> None:
    lobby = await open_lobby()
    (anne,) = await together(lobby, Player)
    other = await lobby.open(setup(name="Other"), BERT)
    bert = Player(other, BERT)
    await seated(other, bert)
    await dealt(anne.table)
    await lobby.close()
    assert await anne.closed() == await bert.closed() == "stopping"
    assert await refused(anne.table, ANNE, cmd.Stand(), 1) == "stopping"
    assert lobby.tables == ()
    with pytest.raises(Unavailable):
        await lobby.find(anne.table.id)
    lobby = await open_lobby()
    assert (await found(lobby, anne.table.id)).state == anne.table.state
    assert (await found(lobby, other.id)).state == other.state
    listed = {each.name: each.state for each in await lobby.listed()}
    assert listed["Other"] == "waiting"


async def test_a_match_left_by_a_server_that_died_is_listed_once_its_people_are_back(
    open_lobby: OpenLobby,
) -> None:
    table = await (await open_lobby()).open(setup(), ANNE)
    await done(table, ANNE, cmd.Sit(0), cmd.Start())
    lobby = await open_lobby()
    assert await lobby.listed() == []
    await found(lobby, table.id)
    assert [each.state for each in await lobby.listed()] == ["playing"]


async def test_the_password_can_be_changed(lobby: Lobby) -> None:
    table = await lobby.open(setup(access=Access.PASSWORD), ANNE, "one")
    await table.lock("two")
    await done(table, ANNE, cmd.Sit(0))
    listing = await lobby.store.listing(table.id)
    assert listing is not None
    assert listing.password == table.password == "two"


class Full(KeptStore):
    """A store on a disk that is full."""

    async def append(self, *args: object, **kwargs: object) -> None:
        raise Unavailable("full")


async def test_a_table_that_cannot_be_stored_is_not_opened(open_lobby: OpenLobby) -> None:
    lobby = await open_lobby(Full())
    with pytest.raises(Unavailable):
        await lobby.open(setup(), ANNE)
    assert lobby.tables == ()


class Hanging(KeptStore):
    """A store that no longer answers, once a test says so."""

    hangs = False

    async def append(self, *args: Any, **kwargs: Any) -> None:
        if self.hangs:
            await asyncio.Event().wait()
        await super().append(*args, **kwargs)


async def test_a_lobby_closes_over_a_store_that_never_answers(open_lobby: OpenLobby) -> None:
    lobby = await open_lobby(store := Hanging(), timing=replace(QUICK, closing=0.05))
    table = await lobby.open(setup(), ANNE)
    store.hangs = True
    waiting = [asyncio.create_task(refused(table, ANNE, cmd.Sit(0), 1)) for _ in range(3)]
    await asyncio.sleep(0)
    await lobby.close()
    assert await asyncio.gather(*waiting) == ["stopping"] * 3


async def test_what_is_too_much_for_one_table_is_turned_down(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    flood = [refused(table, ANNE, cmd.Stand(), 1) for _ in range(MOST_REQUESTS + 10)]
    reasons = Counter(await asyncio.gather(*flood))
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


async def test_tables_of_a_lobby_do_not_disturb_each_other(lobby: Lobby) -> None:
    guests = [(await together(lobby, Player, name=f"Table {n}"))[0] for n in range(6)]
    tables = [guest.table for guest in guests]
    await until(lambda: not any(table.state.under_way for table in tables))
    decks = {table.state.match.deal.taken for table in tables}  # type: ignore[union-attr]
    assert len(decks) == 6
