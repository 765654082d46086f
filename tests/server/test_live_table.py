"""Whole matches over real WebSockets: what each person is told, shown and answered; lost lines."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from kit.people import ONE_DEAL, Guest, one_deal_table
from kit.playing import Player
from kit.sites import Site, SiteWith, until
from kit.talking import reason

from volte.fair import Verdict
from volte.game import MatchEnded, Played, Revealed
from volte.game.codec import encode
from volte.notation import parse_record, prove_record
from volte.table import Access, Setup, Why
from volte.table.commands import (
    Act,
    Command,
    Start,
)
from volte.table.happenings import CameBack, Paused, StoodIn, Unpaused
from volte.wire.messages import Do


def heard(guest: Guest, *kinds: type) -> list[Any]:
    """The happenings of those kinds that somebody has been told."""
    return [each.happening for each in guest.told if isinstance(each.happening, kinds)]


def heard_once(player: Player) -> bool:
    """Whether everything came, in its order and once."""
    numbers = [each.number for each in player.told]
    return numbers == list(range(numbers[0], numbers[-1] + 1))


async def test_people_and_bots_play_and_each_folds_what_the_server_folds(site: Site) -> None:
    players = await Player.gathered(site.address, "Zoé", "Max", "Lou")
    assert (await players[0].do(Start())).ok
    await asyncio.gather(*(player.play() for player in players))
    table = await site.live(players[0].table)
    for seat, player in enumerate(players):
        assert player.seat == seat
        assert player.view == table.view(seat)
        assert heard_once(player)
        assert {MatchEnded, Revealed} <= {type(each.happening) for each in player.told}


async def test_whoever_comes_back_gets_exactly_what_was_missed(site: Site) -> None:
    one, two = await Player.gathered(site.address, "Zoé", "Max")
    await one.do(Start())
    missing = asyncio.create_task(two.play())
    for _ in range(4):
        known = one.number
        await one.play(lambda known=known: one.number > known + 6)  # type: ignore[misc]
        one.drop()
        await one.until_closed()
        await one.join(told=True)
    await one.play()
    await missing
    table = await site.live(one.table)
    assert (one.view, two.view) == (table.view(0), table.view(1))
    assert heard_once(one)


# Records


async def test_the_record_shows_every_card_and_so_waits_for_the_end(site: Site) -> None:
    locked = Setup("Table", ONE_DEAL, Access.PASSWORD)
    player = await Player.begun(site.address, setup=locked, password="sesame")
    stranger, nobody = await Guest.come(site.address), Guest(site.address, "", "", "")
    (match,) = await site.room.store.matches_at(player.table)
    path = f"/matches/{match.id}/record"
    assert (await player.get(path)).status == 403
    await player.play()
    reply = await player.get(path)
    assert reply.status == 200
    assert reply.header("content-disposition").startswith("attachment")
    record = parse_record(reply.text)
    assert record.master is None
    assert record.finished
    assert [proof.verdict for proof in prove_record(record)] == [Verdict.PROVED]
    assert (await stranger.get(path)).status == 404
    assert (await nobody.get(path)).status == 401
    await site.room.store.admit(player.table, stranger.person)
    assert (await stranger.get(path)).status == 200
    assert (await player.get("/matches/none/record")).status == 404


# For programs


async def test_programs_find_tables(site_with: SiteWith) -> None:
    site = await site_with()
    host, other = [await Guest.come(site.address, name) for name in ("Zoé", "Max")]
    public = await host.open_table(("casual", "", "strong"))
    linked = await host.open_table((), Setup("Linked", ONE_DEAL, Access.LINK))
    locked = await host.open_table((), Setup("Locked", ONE_DEAL, Access.PASSWORD), "sesame")
    tables = {each["table"]: each for each in (await other.get("/api/tables")).json["tables"]}
    assert set(tables) == {public, locked}
    shown = tables[public]
    assert (shown["name"], shown["host"]) == ("Table", "Zoé")
    assert (shown["seats"], shown["free"], shown["state"]) == (4, 3, "waiting")
    assert shown["rules"].startswith("coeurs")
    assert (shown["told"], shown["pace"]) == ("Les Cœurs, 4 players, 1 deal", "no clock")
    assert shown["players"].startswith("Zoé, ")
    assert shown["players"].endswith(" (bot). Free seats: 1")
    assert (shown["languages"], shown["going"]) == (["en"], "")
    assert shown["ways"] == [{"kind": "seat", "name": "Take a seat"}]
    assert [each["kind"] for each in tables[locked]["ways"]] == ["password"]
    own = (await host.get("/api/tables")).json["tables"]
    assert [each["ways"][0]["kind"] for each in own] == ["go_on", "go_on"]
    for table, needs in [(linked, False), (locked, True)]:
        assert (await other.get(f"/api/tables/{table}")).json["needs_password"] == needs
    none = await other.get("/api/tables/none")
    assert (none.status, none.json["reason"]) == (404, "no_table")


# Lost connections: for how long the seat is kept, and the fate of the person's play


async def begun(site: Site, grace: int) -> list[Player]:
    """Two people at a table whose match has begun, the first the host."""
    setup = one_deal_table(grace=grace)
    players = await Player.gathered(site.address, "Zoé", "Max", setup=setup, told=True)
    assert (await players[0].do(Start())).ok
    return players


async def test_a_table_may_have_a_bot_stand_in_at_once(site_with: SiteWith) -> None:
    zoé, max_ = await begun(await site_with(grace=600.0), grace=0)
    max_.drop()
    await zoé.until(lambda: heard(zoé, StoodIn) == [StoodIn(1, Why.CONNECTION)])
    (lines,) = [each.told for each in zoé.told if isinstance(each.happening, StoodIn)]
    assert lines is not None
    assert lines["normal"] == ("Max has lost the connection; a bot is playing instead.",)
    await max_.join()
    await zoé.until(lambda: heard(zoé, CameBack) == [CameBack(1)])


async def test_a_table_may_keep_the_seat_longer_than_the_playroom_does(site_with: SiteWith) -> None:
    zoé, max_ = await begun(await site_with(grace=0.05), grace=600)
    waits = asyncio.create_task(zoé.play())
    for _ in range(2):  # the match waits for him each time, and for nobody else
        await max_.play(max_.view_is_mine)
        max_.drop()
        await zoé.until(lambda: zoé.scenes[-1].seats[1].state == "gone")
        await max_.join(told=True)
        assert max_.view_is_mine()
        assert (await max_.do(waiting(max_))).ok
    await asyncio.gather(waits, max_.play())
    assert heard(zoé, StoodIn, CameBack) == []


# A card played while the line was dead: sent again, it is played once, or not at all


async def about_to_play(site: Site, people: int, grace: int) -> tuple[Player, list[Player]]:
    """The person at the last of so many seats, whose turn it is to play, and the others."""
    names = ("Zoé", "Max", "Lou")[:people]
    players = await Player.gathered(site.address, *names, setup=one_deal_table(grace=grace))
    assert (await players[0].do(Start())).ok
    *others, last = players
    plays = [asyncio.create_task(each.play(last.view_is_mine)) for each in others]
    await last.play(last.view_is_mine)
    for task in plays:
        task.cancel()
    return last, others


def plays(player: Player, seat: int) -> int:
    """Number of cards that a seat has played, as the person has been told."""
    return sum(each.seat == seat for each in heard(player, Played))


def waiting(player: Player) -> Command:
    command = player.next_command()
    assert isinstance(command, Act)
    return command


async def test_what_has_reached_the_server_is_answered_and_not_played_again(site: Site) -> None:
    max_, _ = await about_to_play(site, 2, grace=600)
    command, before = waiting(max_), plays(max_, 1)
    asking, seen = max_.next_id(), max_.number
    done = await max_.do(command, seen, asking)
    max_.drop()  # the answer might as well have been lost
    await max_.join()
    assert await max_.do(command, seen, asking) == done
    assert reason(await max_.do(command, seen)) == "stale"  # another id is another play
    assert plays(max_, 1) == before + 1


@pytest.mark.full
async def test_a_line_that_dies_with_the_play_on_it_leaves_it_played_once(site: Site) -> None:
    max_, _ = await about_to_play(site, 2, grace=600)
    command, before = waiting(max_), plays(max_, 1)
    asking, seen = max_.next_id(), max_.number
    await max_.send(encode(Do(asking, command, seen)).decode())
    max_.drop()
    await max_.join()
    assert (await max_.do(command, seen, asking)).ok
    await max_.until(lambda: plays(max_, 1) == before + 1)


async def test_it_is_played_where_a_bot_stood_in_and_had_nothing_to_do(site: Site) -> None:
    """People who come and go change nothing in the seat's request."""
    max_, (zoé,) = await about_to_play(site, 2, grace=0)
    await zoé.until(lambda: zoé.number == max_.number)
    command, seen = waiting(max_), max_.number
    assert not heard(zoé, StoodIn)
    zoé.drop()  # she is stood in for, and comes back, while he thinks
    await max_.until(lambda: heard(max_, StoodIn))
    await zoé.join()
    await max_.until(lambda: heard(max_, CameBack))
    assert max_.number > seen
    assert (await max_.do(command, seen)).ok


async def test_it_is_refused_as_stale_where_a_bot_has_played_meanwhile(site: Site) -> None:
    max_, (zoé,) = await about_to_play(site, 2, grace=0)
    command, before, seen, asking = waiting(max_), plays(max_, 1), max_.number, max_.next_id()
    max_.drop()
    await zoé.until(lambda: plays(zoé, 1) == before + 1)
    await max_.join()
    for again in (asking, asking, max_.next_id()):
        assert reason(await max_.do(command, seen, again)) == "stale"


@pytest.mark.parametrize("eager", [pytest.param(False, marks=pytest.mark.full), True])
async def test_it_is_played_where_the_match_has_waited_for_nobody_else(
    site: Site, eager: bool
) -> None:
    """Alone with bots: the table pauses while nobody is there, and asks the same afterwards."""
    zoé, _ = await about_to_play(site, 1, grace=0)
    command, seen, asking = waiting(zoé), zoé.number, zoé.next_id()
    zoé.drop()
    live = await site.live(zoé.table)
    await until(lambda: live.state.paused)
    await (zoé.call(zoé.table) if eager else zoé.join())  # eager: says it before anything is told
    assert (await zoé.do(command, seen, asking)).ok
    assert heard(zoé, Paused)
    assert heard(zoé, Unpaused)
