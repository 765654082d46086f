"""A node that has tables dies, or only stops: another one goes on with them within seconds."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import monotonic

import asyncpg
import pytest
from kit.companies import OUT_OF_DATE, Company, companies, judge
from kit.nodes import fronting
from kit.people import Player
from kit.sites import Process, run, serving

from volte.store import Store
from volte.table import commands as cmd
from volte.wire.messages import Closing

LONGEST = 100
"""Seconds in which something must come that is waited for."""


@contextmanager
def two_processes(database: str, folder: Path) -> Iterator[dict[str, Process]]:
    """Nodes `a` and `b`, each a program of its own."""
    with (
        Process(database, folder, VOLTE_NODE="a") as a,
        Process(database, folder, VOLTE_NODE="b") as b,
    ):
        yield {"a": a, "b": b}


async def until(done: Callable[[], Awaitable[bool]], what: object = "") -> None:
    end = monotonic() + LONGEST
    while not await done():
        assert monotonic() < end, what
        await asyncio.sleep(0.01)


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

        await until(buried)
        await until(adopted)
    return monotonic() - began


async def all_got_on(tables: Sequence[Company]) -> float:
    """Returns when something has happened at each of the tables; the seconds that took."""
    began, heard = monotonic(), [table.heard for table in tables]

    async def got_on() -> bool:
        return all(table.heard > before for table, before in zip(tables, heard, strict=True))

    await until(got_on, list(map(str, tables)))
    return monotonic() - began


async def some_happenings(tables: Sequence[Company], number: int) -> None:
    """Returns when so much more has happened at all the tables together."""
    goal = sum(table.heard for table in tables) + number

    async def happened() -> bool:
        return sum(table.heard for table in tables) >= goal

    await until(happened, list(map(str, tables)))


def judged(database: str, played: Sequence[Company]) -> None:
    """All that was acknowledged is in the logs, and whatever was refused was out of date."""
    refused: Counter[str] = Counter()
    for company in played:
        for person in company.people:
            refused += person.refused
    assert set(refused) <= OUT_OF_DATE, refused
    found = run(judge(database, played))
    assert found.acknowledged
    assert found.matches >= len(played)


@pytest.mark.full
async def test_bots_go_on_where_nobody_comes_back(postgres_url: str, tmp_path: Path) -> None:
    """Whoever was there counts as gone since the take-over: first bots play, then it waits."""

    with Process(postgres_url, tmp_path) as owner:
        host = await Player.come(owner.address)
        table = await host.open_table()
        await host.join(table)
        await host.prefer(bot_pace=0, trick_pace=0)
        await host.do(cmd.Start())
        await host.until(lambda: host.match is not None and host.match.deal is not None)
        async with serving(tmp_path, postgres_url, node="b") as site:
            known = host.number
            owner.kill()

            async def paused() -> bool:
                live = site.room.lobby.living(table)
                return live is not None and live.state.paused

            await until(paused)
            live = site.room.lobby.living(table)
            assert live is not None
            assert live.state.version > known
            host.address = site.address
            await host.join()
            await host.play()
            await host.leave()


@pytest.mark.full
async def test_a_node_that_was_only_stopped_does_no_harm(postgres_url: str, tmp_path: Path) -> None:
    """The others count it as dead; when it goes on, it finds that out, and its people are led."""

    async def buried() -> bool:
        return before.id not in await living(postgres_url)

    async def began_anew() -> bool:
        ids = await living(postgres_url)
        return len(ids) == 2 and before.id not in ids

    with Process(postgres_url, tmp_path, VOLTE_NODE="a") as owner:
        async with (
            serving(tmp_path, postgres_url, node="b") as site,
            fronting(b=site.address) as front,
        ):
            anne, bert = [await Player.come(owner.address, name) for name in ("Anne", "Bert")]
            table = await anne.open_table(("", "casual", "casual"))
            front.nodes["a"] = owner.address
            for person in (anne, bert):
                await person.join(table)
            assert (await bert.do(cmd.Sit(1))).ok
            for person in (anne, bert):
                await person.prefer(bot_pace=0, trick_pace=0)
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
                await until(buried)
                await bert.join()
                known = bert.number
                await bert.play(lambda: bert.number > known)
            finally:
                os.kill(owner.pid, signal.SIGCONT)
            assert await anne.until_closed() == Closing.MOVED_AWAY
            await until(began_anew)
            front.nodes["a"] = owner.address
            anne.address = front.address
            await anne.join()
            await asyncio.gather(anne.play(), bert.play())
            assert anne.number == bert.number
            assert site.room.lobby.living(table)
            entries = await site.room.store.read(table)
            assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
            for person in (anne, bert):
                await person.leave()


@pytest.mark.parametrize(
    ("tables", "kills", "between"),
    [(2, 1, 40), pytest.param(20, 10, 1000, marks=pytest.mark.full)],
)
def test_kills_of_one_of_two_nodes_under_load(
    tables: int,
    kills: int,
    between: int,
    postgres_url: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """Whoever lost them comes back by the front, to wherever the table is.

    Args:
        between: happenings between two kills, at most.
    """
    draws = random.Random()
    took: list[tuple[float, float]] = []

    async def kill(nodes: dict[str, Process], played: Sequence[Company]) -> None:
        for _ in range(kills):
            await some_happenings(played, draws.randrange(between))
            before, name = await living(postgres_url), draws.choice("ab")
            nodes[name].kill()
            adopted = taken_over(postgres_url, before)
            took.append(await asyncio.gather(adopted, all_got_on(played)))
            await asyncio.to_thread(nodes[name].restart)

    async def story(nodes: dict[str, Process]) -> list[Company]:
        async with fronting(**{name: node.address for name, node in nodes.items()}) as front:
            played = await companies(front.address, tables)
            async with asyncio.TaskGroup() as group:
                killing = group.create_task(kill(nodes, played))
                for each in played:
                    group.create_task(each.play(lambda: not killing.done()))
            for each in played:
                await each.leave()
        return played

    with two_processes(postgres_url, tmp_path) as nodes:
        played = run(story(nodes))
        for node in nodes.values():
            assert node.stop() == 0
            assert node.output[-1] == "The playroom is closed. Everything is kept."
            assert not any("Traceback" in line for line in node.output), node.output
    judged(postgres_url, played)
    record_property("kills of one of two nodes", len(took))
    kinds = "the tables were taken over", "all tables had got on"
    for what, seconds in zip(kinds, zip(*took, strict=True), strict=True):
        milliseconds = sorted(round(each * 1000) for each in seconds)
        print(f"milliseconds until {what}: {milliseconds}")
        record_property(f"milliseconds until {what}, median", round(median(milliseconds)))
        record_property(f"milliseconds until {what}, at most", milliseconds[-1])
