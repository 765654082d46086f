"""Servers are killed at random moments: nothing that they have acknowledged is lost, and of several
nodes another one goes on.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import monotonic

import asyncpg
import pytest
from kit import Player, few, play_on
from kit.companies import (
    OUT_OF_DATE,
    Company,
    all_got_on,
    companies,
    got_on,
    refusals,
    while_playing,
)
from kit.judges import judge
from kit.nodes import fronting
from kit.sites import Process, SiteWith, until

from volte.game import Refusal
from volte.rules import make_ruleset
from volte.store.store import Store
from volte.table import Setup
from volte.table import commands as cmd
from volte.wire.messages import Closing

DRAWS = random.Random()  # others may seed the global one

# One player


@pytest.mark.full
async def test_a_match_goes_on_after_the_server_was_killed(database: str, tmp_path: Path) -> None:
    """And `Next` sent again has the same answer, though by then it would come too late."""
    with Process(database, tmp_path) as process:
        rules = make_ruleset("coeurs", {"match_end": "deals:2"})
        player = await Player.begun(process.address, setup=Setup("Two deals", rules))
        await player.play(lambda: player.state is not None and player.state.between_deals)
        seen = player.number
        answer = await player.do(cmd.Next(), seen, "next")
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
            assert await player.do(cmd.Next(), seen, "next") == answer
            assert (await player.do(cmd.Next(), seen)).refusal == Refusal("stale")
        await player.play()
        numbers = [each.number for each in player.told]
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        await player.leave()


def at_least(player: Player, tricks: int) -> bool:
    """Whether so many have been taken in the second deal."""
    deal = player.match.deal if player.match is not None else None
    return deal is not None and deal.number == 2 and len(deal.tricks) >= tricks


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.full)]
)
async def test_a_server_that_stops_tells_its_tables(tmp_path: Path, number: int) -> None:
    with Process(f"sqlite:///{tmp_path / 'p.sqlite'}", tmp_path) as process:
        player = await Player.at_table(process.address)
        assert await asyncio.to_thread(process.stop, number) == 0
        assert process.output[-1] == "The playroom is closed. Everything is saved."
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
    [(3, 1, 300), pytest.param(50, 50, 1500, marks=pytest.mark.full)],
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


# One of several nodes

LONGEST = 100  # seconds after which a wait fails


async def living(database: str) -> list[str]:
    """Ids of the nodes that there are, as the database knows them."""
    connection = await asyncpg.connect(database)
    try:
        return [row["id"] for row in await connection.fetch("SELECT id FROM nodes")]
    finally:
        await connection.close()


async def taken_over(database: str, before: Sequence[str]) -> float:
    """Returns when one of these nodes is dead, and all its matches live elsewhere."""
    began = monotonic()
    async with await Store.open(database) as store:

        async def buried() -> bool:
            return not set(before) <= set(await living(database))

        async def adopted() -> bool:
            return not await store.nodes.orphans(1)

        await until(buried, LONGEST)
        await until(adopted, LONGEST)
    return monotonic() - began


@pytest.mark.full
async def test_bots_go_on_where_nobody_comes_back(
    postgres_url: str, tmp_path: Path, site_with: SiteWith
) -> None:
    """People there count as gone since the take-over: first bots play, then the match waits."""
    with Process(postgres_url, tmp_path) as owner:
        host = await Player.begun(owner.address)
        await host.until(lambda: host.match is not None and host.match.deal is not None)
        site = await site_with(postgres_url, node="b")
        known = host.number
        owner.kill()
        await until(lambda: site.room.lobby.living(host.table), LONGEST)
        live = await site.live(host.table)
        await until(lambda: live.state.paused, LONGEST)
        assert live.state.version > known
        host.address = site.address
        await host.join()
        await host.play()


@pytest.mark.full
async def test_a_node_that_was_only_stopped_does_no_harm(
    postgres_url: str, tmp_path: Path, site_with: SiteWith
) -> None:
    """The others count it as dead; when it goes on, it finds that out, and its people are led."""

    async def buried() -> bool:
        return before.id not in await living(postgres_url)

    async def began_anew() -> bool:
        ids = await living(postgres_url)
        return len(ids) == 2 and before.id not in ids

    with Process(postgres_url, tmp_path, VOLTE_NODE="a") as owner:
        site = await site_with(postgres_url, node="b")
        async with fronting(b=site.address) as front:
            anne, bert = [await Player.come(owner.address, name) for name in ("Anne", "Bert")]
            table = await anne.open_table(("", "casual", "casual"))
            front.nodes["a"] = owner.address
            for person in (anne, bert):
                await person.join(table)
            assert (await bert.do(cmd.Sit(1))).ok
            for person in (anne, bert):
                await person.hurry()
            await anne.do(cmd.Start())
            found = await site.room.store.nodes.owner(table)
            assert found is not None
            before = found[0]
            os.kill(owner.pid, signal.SIGSTOP)
            try:
                bert.drop()
                assert await bert.until_closed() == 1006
                bert.address = front.address
                del front.nodes["a"]
                await until(buried, LONGEST)
                await bert.join()
                known = bert.number
                await bert.play(lambda: bert.number > known)
            finally:
                os.kill(owner.pid, signal.SIGCONT)
            assert await anne.until_closed() == Closing.MOVED_AWAY
            await until(began_anew, LONGEST)
            front.nodes["a"] = owner.address
            anne.address = front.address
            await anne.join()
            await play_on(anne, bert)
            assert anne.number == bert.number
            assert site.room.lobby.living(table)
            entries = await site.room.store.read(table)
            assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))


@pytest.mark.full
@pytest.mark.parametrize(("tables", "kills", "between"), [(2, 1, 40), (20, 10, 1000)])
async def test_kills_of_one_of_two_nodes_under_load(
    tables: int,
    kills: int,
    between: int,
    postgres_url: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """People who lost their connections come back by the front, to the node of their table.

    Args:
        between: happenings between two kills, at most.
    """
    took: list[tuple[float, float]] = []

    async def kill(played: Sequence[Company]) -> None:
        for _ in range(kills):
            await got_on(played, DRAWS.randrange(between))
            before, name = await living(postgres_url), DRAWS.choice("ab")
            nodes[name].kill()
            adopted = taken_over(postgres_url, before)
            took.append(await asyncio.gather(adopted, all_got_on(played)))
            await asyncio.to_thread(nodes[name].restart)

    with (
        Process(postgres_url, tmp_path, VOLTE_NODE="a") as a,
        Process(postgres_url, tmp_path, VOLTE_NODE="b") as b,
    ):
        nodes = {"a": a, "b": b}
        async with fronting(a=a.address, b=b.address) as front:
            played = await companies(front.address, tables)
            await while_playing(played, kill(played))
        for node in (a, b):
            assert await asyncio.to_thread(node.stop) == 0
            assert node.output[-1] == "The playroom is closed. Everything is saved."
            assert node.faults == []
    assert set(refusals(played)) <= OUT_OF_DATE, refusals(played)
    found = await judge(postgres_url, played)
    assert found.acknowledged
    assert found.matches >= len(played)
    record_property("kills of one of two nodes", len(took))
    kinds = "the tables were taken over", "all tables had got on"
    for what, seconds in zip(kinds, zip(*took, strict=True), strict=True):
        milliseconds = sorted(round(each * 1000) for each in seconds)
        print(f"milliseconds until {what}: {milliseconds}")
        record_property(f"milliseconds until {what}, median", round(median(milliseconds)))
        record_property(f"milliseconds until {what}, at most", milliseconds[-1])
