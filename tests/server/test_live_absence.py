"""Somebody whose connection is lost: how long the seat is kept, and what becomes of their play."""

from __future__ import annotations

import asyncio

import pytest
from kit.people import Player, gathered, one_deal_table
from kit.sites import Site, SiteWith, until
from kit.talking import reason

from volte.game import Played
from volte.game.codec import encode
from volte.table import Why
from volte.table.commands import Act, Command, Start
from volte.table.happenings import CameBack, Paused, StoodIn, Unpaused
from volte.wire.messages import Do


def heard(player: Player, *kinds: type) -> list[object]:
    return [each.happening for each in player.told if isinstance(each.happening, kinds)]


# The seat


async def begun(site: Site, grace: int) -> list[Player]:
    """Two people at a table whose match has begun, the first the host."""
    setup = one_deal_table(grace=grace)
    players = await gathered(site.address, "Zoé", "Max", setup=setup, told=True)
    assert (await players[0].do(Start())).ok
    return players


async def test_a_table_may_have_a_bot_stand_in_at_once(site_with: SiteWith) -> None:
    zoé, max_ = await begun(await site_with(grace=600.0), grace=0)
    max_.drop()
    await zoé.until(lambda: heard(zoé, StoodIn) == [StoodIn(1, Why.CONNECTION)])
    (lines,) = [each.told for each in zoé.told if isinstance(each.happening, StoodIn)]
    assert lines is not None
    assert lines["normal"] == ("The connection to Max is lost; a bot plays there meanwhile.",)
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
    players = await gathered(site.address, *names, setup=one_deal_table(grace=grace))
    assert (await players[0].do(Start())).ok
    *others, last = players
    plays = [asyncio.create_task(each.play(last.view_is_mine)) for each in others]
    await last.play(last.view_is_mine)
    for task in plays:
        task.cancel()
    return last, others


def plays(player: Player, seat: int) -> int:
    """How many cards that seat has played, as the person has heard."""
    events = [each.happening for each in player.told]
    return sum(isinstance(each, Played) and each.seat == seat for each in events)


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
    """Whoever comes and goes changes nothing of what the seat is asked."""
    max_, (zoé,) = await about_to_play(site, 2, grace=0)
    await zoé.until(lambda: zoé.number == max_.number)
    command, seen = waiting(max_), max_.number
    assert not heard(zoé, StoodIn)
    zoé.drop()  # she is stood in for, and comes back, while he thinks
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
