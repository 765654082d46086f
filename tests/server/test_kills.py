"""The server as a program: killed at random moments, nothing that it has acknowledged is lost."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from kit.companies import OUT_OF_DATE, Company, companies, got_on, judge, refusals, while_playing
from kit.people import Player
from kit.sites import Process
from kit.strategies import few

from volte.game import Refusal
from volte.rules import make_ruleset
from volte.table import Setup
from volte.table.commands import Next
from volte.wire.messages import Closing

DRAWS = random.Random()  # others may seed the global one

# One player


async def test_a_match_goes_on_after_the_server_was_killed(database: str, tmp_path: Path) -> None:
    """And `Next` sent again has the same answer, though by then it would come too late."""
    with Process(database, tmp_path) as process:
        rules = make_ruleset("coeurs", {"match_end": "deals:2"})
        player = await Player.begun(process.address, setup=Setup("Two deals", rules))
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


def at_least(player: Player, tricks: int) -> bool:
    """Whether so many have been taken in the second deal."""
    deal = player.match.deal if player.match is not None else None
    return deal is not None and deal.number == 2 and len(deal.tricks) >= tricks


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_server_that_stops_tells_its_tables(tmp_path: Path, number: int) -> None:
    with Process(f"sqlite:///{tmp_path / 'p.sqlite'}", tmp_path) as process:
        player = await Player.at_table(process.address)
        assert await asyncio.to_thread(process.stop, number) == 0
        assert process.output[-1] == "The playroom is closed. Everything is kept."
        assert await player.until_closed() == Closing.STOPPING
        assert [notice.reason for notice in player.notices] == ["stopping"]
        process.restart()
        await player.join()
        assert player.seat == 0
        await player.leave()
    assert process.faults == []


# Many tables


@pytest.mark.parametrize(
    ("tables", "kills", "between"),
    [(5, 2, 300), pytest.param(50, 50, 1500, marks=pytest.mark.full)],
)
async def test_a_server_is_killed_and_nothing_is_lost(
    tables: int,
    kills: int,
    between: int,
    database: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """`between`: happenings between two kills, at most."""
    began = monotonic()

    async def kill(process: Process, played: list[Company]) -> None:
        for _ in range(kills):
            await got_on(played, DRAWS.randrange(between))
            process.kill()
            await asyncio.to_thread(process.restart)

    with Process(database, tmp_path) as process:
        played = await companies(process.address, tables)
        await while_playing(played, kill(process, played))
    assert process.faults == []
    found = await judge(database, played)
    assert set(refusals(played)) <= OUT_OF_DATE, refusals(played)
    kind = database.partition(":")[0]
    record_property(f"kills of a server on {kind}", kills)
    record_property(f"acknowledged actions that survived them on {kind}", found.acknowledged)
    record_property(f"happenings in their logs on {kind}", found.happenings)
    record_property(f"matches played to their end beside them on {kind}", found.matches)
    record_property(f"seconds that took on {kind}", round(monotonic() - began))
