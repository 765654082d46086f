"""The server as a program: it is killed, and nothing that it has acknowledged is lost."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from kit.people import Lost, Player
from kit.sites import Process, run
from strategies import few

from volte.game import Refusal
from volte.rules import make_ruleset
from volte.table import Setup
from volte.table.commands import Next, Start
from volte.wire.messages import Closing


def test_a_match_goes_on_after_the_server_was_killed(database: str, tmp_path: Path) -> None:
    """And `Next` sent again has the same answer, though by then it would come too late."""

    async def story(process: Process) -> None:
        player = await Player.come(process.address)
        rules = make_ruleset("coeurs", {"match_end": "deals:2"})
        await player.join(await player.open_table(setup=Setup("Two deals", rules)))
        await player.prefer(bot_pace=0, trick_pace=0)
        await player.do(Start())
        await player.play(lambda: player.state is not None and player.state.between_deals)
        seen = player.number
        answer = await player.do(Next(), seen, "next")
        assert answer.ok
        for tricks in (1, 4, 9)[:: few(2, 1)]:
            await player.play(lambda tricks=tricks: at_least(player, tricks))  # type: ignore[misc]
            known, number = player.match, player.number
            process.kill()
            await player.until_closed()
            process.restart()
            await player.join()
            assert player.number >= number
            assert known is not None
            assert await player.do(Next(), seen, "next") == answer
            assert (await player.do(Next(), seen)).refusal == Refusal("stale")
        await player.play()
        numbers = [each.number for each in player.told]
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        await player.leave()

    with Process(database, tmp_path) as process:
        run(story(process))


def at_least(player: Player, tricks: int) -> bool:
    """Whether so many have been taken in the second deal."""
    deal = player.match.deal if player.match is not None else None
    return deal is not None and deal.number == 2 and len(deal.tricks) >= tricks


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_stops_tells_its_tables(tmp_path: Path, number: int) -> None:
    async def story(process: Process) -> None:
        player = await Player.come(process.address)
        await player.join(await player.open_table())
        assert await asyncio.to_thread(process.stop, number) == 0
        assert process.output[-1] == "The playroom is closed. Everything is kept."
        assert await player.until_closed() == Closing.STOPPING
        assert [notice.reason for notice in player.notices] == ["stopping"]
        process.restart()
        await player.join()
        assert player.state is not None
        assert player.seat == 0
        await player.leave()

    with Process(f"sqlite:///{tmp_path / 'p.sqlite'}", tmp_path) as process:
        run(story(process))
    assert not any("Traceback" in line for line in process.output)


def test_a_message_sent_twice_is_done_once_also_after_a_restart(tmp_path: Path) -> None:
    async def story(process: Process) -> None:
        player = await Player.come(process.address)
        table = await player.open_table()
        await player.join(table)
        first = await player.do(Start(), asking="once")
        await player.until(lambda: player.number >= first.number)
        assert await player.do(Start(), seen=0, asking="once") == first
        process.kill()
        with pytest.raises(Lost):
            await player.play()
        process.restart()
        await player.join()
        assert await player.do(Start(), asking="once") == first
        await player.leave()

    with Process(f"sqlite:///{tmp_path / 'p.sqlite'}", tmp_path) as process:
        run(story(process))
