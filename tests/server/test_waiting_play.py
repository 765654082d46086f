"""A card played while the line was dead: sent again, it is played once, or not at all."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from kit.people import Player
from kit.sites import Site, run, serving

from volte.game import Played
from volte.game.codec import encode
from volte.rules import make_ruleset
from volte.table import OpenSeats, Setup
from volte.table.commands import Act, Command, Sit, Start
from volte.table.happenings import CameBack, Paused, StoodIn, Unpaused
from volte.wire.messages import Do


async def about_to_play(site: Site, people: int, grace: int) -> tuple[Player, list[Player]]:
    """The person at the last of so many seats, whose turn it is to play, and the others."""
    names = ("Zoé", "Max", "Lou")[:people]
    players = [await Player.come(site.address, name) for name in names]
    rules = make_ruleset("coeurs", {"match_end": "deals:1"})
    setup = Setup("Table", rules, open_seats=OpenSeats.ALL, grace=grace)
    free = ("",) * (people - 1)
    table = await players[0].open_table((*free, *("casual",) * (4 - people)), setup)
    for seat, player in enumerate(players):
        await player.join(table)
        await player.prefer(bot_pace=0, trick_pace=0)
        if seat:
            assert (await player.do(Sit(seat))).ok
    assert (await players[0].do(Start())).ok
    *others, last = players
    plays = [asyncio.create_task(each.play(lambda: last.view_is_mine())) for each in others]
    await last.play(last.view_is_mine)
    for task in plays:
        task.cancel()
    return last, others


def plays(player: Player) -> int:
    """How many cards the person has played, as they have heard."""
    events = [each.happening for each in player.told]
    return sum(isinstance(each, Played) and each.seat == player.seat for each in events)


def waiting(player: Player) -> Command:
    command = player.next_command()
    assert isinstance(command, Act)
    return command


async def send_and_lose_the_line(player: Player, command: Command) -> tuple[str, int]:
    """Sends it, and hears no answer; its id and what had been seen."""
    asking, seen = player.next_id(), player.number
    await player.send(encode(Do(asking, command, seen)).decode())
    player.drop()
    return asking, seen


async def test_what_has_reached_the_server_is_answered_and_not_played_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        max_, _ = await about_to_play(site, 2, grace=600)
        command, before = waiting(max_), plays(max_)
        asking, seen = max_.next_id(), max_.number
        done = await max_.do(command, seen, asking)
        max_.drop()  # the answer might as well have been lost
        await max_.join()
        assert await max_.do(command, seen, asking) == done
        other = await max_.do(command, seen)  # another id is another play
        assert other.refusal is not None
        assert other.refusal.reason == "stale"
        assert plays(max_) == before + 1
        await max_.leave()


@pytest.mark.full
async def test_a_line_that_dies_with_the_play_on_it_leaves_it_played_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as site:
        max_, _ = await about_to_play(site, 2, grace=600)
        command, before = waiting(max_), plays(max_)
        asking, seen = await send_and_lose_the_line(max_, command)
        await max_.join()
        assert (await max_.do(command, seen, asking)).ok
        await max_.until(lambda: plays(max_) == before + 1)
        await max_.leave()


async def test_it_is_played_where_a_bot_stood_in_and_had_nothing_to_do(tmp_path: Path) -> None:
    """Whoever comes and goes changes nothing of what the seat is asked."""

    async with serving(tmp_path) as site:
        max_, (zoé,) = await about_to_play(site, 2, grace=0)
        await zoé.until(lambda: zoé.number == max_.number)
        command, seen = waiting(max_), max_.number
        kinds = [type(each.happening) for each in zoé.told[:]]
        assert StoodIn not in kinds
        zoé.drop()  # she is stood in for, and comes back, while he thinks
        await zoé.join()
        await max_.until(lambda: CameBack in {type(each.happening) for each in max_.told})
        assert max_.number > seen
        assert (await max_.do(command, seen)).ok
        await zoé.leave()
        await max_.leave()


def test_it_is_refused_as_stale_where_a_bot_has_played_meanwhile(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as site:
            max_, (zoé,) = await about_to_play(site, 2, grace=0)
            command, before, seen, asking = waiting(max_), plays(max_), max_.number, max_.next_id()
            max_.drop()
            await zoé.until(lambda: plays_of(zoé, 1) == before + 1)
            await max_.join()
            for again in (asking, asking, max_.next_id()):
                answer = await max_.do(command, seen, again)
                assert answer.refusal is not None
                assert answer.refusal.reason == "stale"
            await zoé.leave()
            await max_.leave()

    def plays_of(player: Player, seat: int) -> int:
        events = [each.happening for each in player.told]
        return sum(isinstance(each, Played) and each.seat == seat for each in events)

    run(story())


@pytest.mark.parametrize("eager", [pytest.param(False, marks=pytest.mark.full), True])
async def test_it_is_played_where_the_match_has_waited_for_nobody_else(
    tmp_path: Path, eager: bool
) -> None:
    """Alone with bots: the table pauses while nobody is there, and asks the same afterwards."""

    async with serving(tmp_path) as site:
        zoé, _ = await about_to_play(site, 1, grace=0)
        command, seen, asking = waiting(zoé), zoé.number, zoé.next_id()
        zoé.drop()
        live = site.room.lobby.living(zoé.table)
        assert live is not None
        async with asyncio.timeout(10):
            while not live.state.paused:
                await asyncio.sleep(0.01)
        if eager:  # says it before anything has been told
            await zoé.call(zoé.table)
        else:
            await zoé.join()
        assert (await zoé.do(command, seen, asking)).ok
        kinds = [type(each.happening) for each in zoé.told]
        assert (Paused in kinds, Unpaused in kinds) == (True, True)
        await zoé.leave()
