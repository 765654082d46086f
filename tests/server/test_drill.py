"""Nodes are killed, cut off and replaced, and their database restarts, while people play.

Database, proxy, nodes and people are hosts of their own. Nothing acknowledged is lost, nothing is
done twice, no table is in two places, and people wait no longer than what is said here.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, time
from typing import Final

import pytest
from kit.companies import OUT_OF_DATE, Company, companies, refusals
from kit.drilling import BACK, FRONT, LONGEST, NODES, Network, Node, Playroom, Watchful, playroom
from kit.judges import judge
from kit.playing import AGAIN
from kit.postgres import Cluster
from kit.sites import run

from volte.store.backing import backing

WHOLE: Final = os.environ.get("VOLTE_TEST_PROFILE") == "full"

TIMES: Final = {
    "a node was killed": 50,
    "a node was cut off from the database": 20,
    "a node was cut off from the proxy": 10,
    "a machine was lost": 5,
    "PostgreSQL was restarted": 5,
    "both nodes were replaced": 5,
}
"""Number of times of each mishap in the whole drill; otherwise each happens `FEW` times."""

FEW: Final = 2

CUT: Final = (6.0, 15.0)  # seconds for which a cable is cut: at least, at most

RESTARTING: Final = 1.0
"""Seconds after which the system starts a node that has died, as `deploy/volte@.service` says."""

DEAD_WITHIN: Final = 3.0  # seconds within which the tables of a killed node live elsewhere
LOST_WITHIN: Final = 10.0  # and of a node whose machine does not answer any more

USUALLY_BACK: Final = 1.0
"""Seconds after which nineteen of twenty people go on when a node is replaced."""

BACK_WITHIN: Final = 3.0  # seconds after which everybody does


class Unhurried(Watchful):
    """Plays a card a second."""

    pace = 1.0


class Drill:
    """A playroom under a drill: its mishaps while people play, and the waits of the people."""

    def __init__(self, room: Playroom, tables: Sequence[Company]) -> None:
        self.room = room
        self.network = room.network
        self.tables = tables
        self.seconds: dict[str, list[float]] = {}  # waits, by their name
        self._draws = random.Random()

    def took(self, what: str, *seconds: float) -> None:
        """Note some seconds, by the name of the wait."""
        self.seconds.setdefault(what, []).extend(seconds)

    async def until(self, done: Callable[[], Awaitable[bool]]) -> None:
        """Wait until a condition holds."""
        end = monotonic() + LONGEST
        while True:
            try:
                if await done():
                    return
            except OSError:  # the node that was asked is not there
                pass
            assert monotonic() < end, "\n".join(map(str, self.tables))
            await asyncio.sleep(0.02)

    async def settled(self) -> None:
        """Returns when both nodes are there, and each table lives in one of them."""

        async def all_live_once() -> bool:
            counts = [await node.tables() for node in self.room.nodes]
            owned = await self.room.owned()
            return sorted(counts) == sorted(len(owned.get(i, ())) for i in await self._ids())

        async def both_there() -> bool:
            return len(await self._ids()) == len(self.room.nodes)

        await self.until(both_there)
        await self.until(all_live_once)
        owned = await self.room.owned()
        assert sum(map(len, owned.values())) == len(self.tables)

    async def _ids(self) -> list[str]:
        return list((await self.room.ids()).values())

    async def some_node(self) -> tuple[Node, list[Company]]:
        """A node that has tables, preferably the one with more, and those tables."""
        await asyncio.sleep(self._draws.random())
        owned, ids = await self.room.owned(), await self.room.ids()
        has = {node: owned.get(ids[node.name], []) for node in self.room.nodes}
        [node] = self._draws.choices(list(has), [len(tables) for tables in has.values()])
        return node, [each for each in self.tables if each.table in has[node]]

    async def got_on(self, tables: Sequence[Company]) -> None:
        """Returns when something new has happened at each of them."""
        heard = [table.heard for table in tables]

        async def all_have() -> bool:
            return all(table.heard > old for table, old in zip(tables, heard, strict=True))

        await self.until(all_have)

    async def taken_over(self, tables: Sequence[Company], since: float) -> float:
        """Seconds until each of these tables had a new owner; 0 where one has kept its own."""
        rows = await self.room.sql(
            'SELECT min(at) FROM taken WHERE at > $1 AND "table" = ANY($2) GROUP BY "table"',
            since,
            [table.table for table in tables],
        )
        return max((at for (at,) in rows), default=since) - since if len(rows) == len(tables) else 0

    async def dead(self, since: float) -> float:
        """Seconds until a node counted as dead."""
        [(at,)] = await self.room.sql("SELECT min(at) FROM dead WHERE at > $1", since)
        seconds: float = at - since
        return seconds

    def waits(self, tables: Sequence[Company], since: float) -> list[float]:
        """The longest wait of each person at these tables, in seconds."""
        return [person.longest_wait(since) for person in self.people(tables)]

    def people(self, tables: Sequence[Company]) -> list[Watchful]:
        """The people at these tables."""
        people = (person for table in tables for person in table.people)
        return [person for person in people if isinstance(person, Watchful)]

    async def a_while(self) -> None:
        """Waits for as long as a cut lasts."""
        await asyncio.sleep(self._draws.uniform(*CUT))


Mishap = Callable[[Drill], Awaitable[None]]
Record = Callable[[str, object], None]  # notes a figure of a test


async def kill(drill: Drill) -> None:
    node, tables = await drill.some_node()
    since = time()
    node.kill()
    back = asyncio.create_task(node.come_back(RESTARTING))
    await drill.got_on(tables)
    await back
    drill.took("a killed node counted as dead", await drill.dead(since))
    seconds = await drill.taken_over(tables, since)
    assert seconds
    drill.took("the tables of a killed node lived elsewhere", seconds)
    drill.took("people at a killed node went on", *drill.waits(tables, since))
    await drill.settled()


async def cut_from_database(drill: Drill) -> None:
    node, tables = await drill.some_node()
    since = time()
    getting_on = asyncio.create_task(drill.got_on(tables))
    drill.network.cut(node.name, BACK)
    await drill.a_while()
    mended = time()
    drill.network.mend(node.name, BACK)
    await getting_on
    seconds = await drill.taken_over(tables, since)
    if seconds:
        drill.took("the tables of a node without its database lived elsewhere", seconds)
    drill.took("people at a node without its database went on", *drill.waits(tables, since))
    await drill.settled()
    drill.took("a node was there again that had its database back", time() - mended)


async def lose(drill: Drill) -> None:
    node, tables = await drill.some_node()
    since = time()
    getting_on = asyncio.create_task(drill.got_on(tables))
    for switch in (FRONT, BACK):
        drill.network.cut(node.name, switch)
    node.kill()
    await drill.a_while()
    for switch in (FRONT, BACK):
        drill.network.mend(node.name, switch)
    await node.come_back()
    await getting_on
    drill.took("a lost machine counted as dead", await drill.dead(since))
    seconds = await drill.taken_over(tables, since)
    assert seconds
    drill.took("the tables of a lost machine lived elsewhere", seconds)
    drill.took("people at a lost machine went on", *drill.waits(tables, since))
    await drill.settled()


async def cut_from_proxy(drill: Drill) -> None:
    node, tables = await drill.some_node()
    drill.network.cut(node.name, FRONT)
    await drill.a_while()
    mended = time()
    drill.network.mend(node.name, FRONT)
    await drill.got_on(tables)
    drill.took("people went on whose node had its proxy back", *drill.waits(tables, mended))
    await drill.settled()


async def restart_database(drill: Drill) -> None:
    cluster = drill.room.cluster
    await asyncio.sleep(random.random())
    since = time()
    how = random.choice([signal.SIGQUIT, signal.SIGINT])
    await asyncio.to_thread(cluster.stop, how)
    cluster.begin()
    await asyncio.to_thread(cluster.wait)
    there = time()
    await drill.got_on(drill.tables)
    drill.took("PostgreSQL was there again", there - since)
    drill.took("people went on whose PostgreSQL was there again", *drill.waits(drill.tables, there))
    await drill.settled()


async def replace(drill: Drill) -> None:
    for node in drill.room.nodes:
        await asyncio.sleep(random.random())
        since = time()
        assert await asyncio.to_thread(node.stop) == 0
        await node.come_back()
        await drill.settled()
        await drill.got_on(drill.tables)
        drill.took("people went on whose node was replaced", *drill.waits(drill.tables, since))


def drilled(
    what: str,
    happens: Mishap,
    folder: Path,
    record: Record,
    tables: int = 24,
    kind: type[Watchful] = Watchful,
) -> Mapping[str, Sequence[float]]:
    """Let a mishap happen while people play at some tables, and judge; return its seconds."""
    number = TIMES[what] if WHOLE else FEW

    async def story(room: Playroom) -> Drill:
        drill = Drill(room, await companies(room.address, tables, kind))
        async with asyncio.TaskGroup() as group:

            async def all_of_it() -> None:
                await drill.got_on(drill.tables)
                for _ in range(number):
                    await happens(drill)
                for person in drill.people(drill.tables):
                    person.pace /= 4  # towards the end of the last match

            happening = group.create_task(all_of_it())
            for each in drill.tables:
                group.create_task(each.play(lambda: not happening.done()))
        for each in drill.tables:
            await each.leave()
        return drill

    with playroom(folder) as room:
        drill = run(story(room))
        assert [node.stop() for node in room.nodes] == [0] * len(room.nodes)
        for name, seconds in drill.seconds.items():
            told(name, seconds, record)
        judged(room, drill.tables)
        assert [node.faults for node in room.nodes] == [[]] * len(room.nodes)
    record(f"times {what} in the drill", number)
    return drill.seconds


def told(what: str, seconds: Sequence[float], record: Record) -> None:
    """Prints how long something took, as a line of a table."""
    found = {"median": median(seconds), "p95": p95(seconds), "worst": max(seconds)}
    figures = " ".join(f"{name} {round(value * 1000):>6}" for name, value in found.items())
    print(f"milliseconds until {what:<60} n {len(seconds):>5} {figures}")
    for name, value in found.items():
        record(f"milliseconds until {what}, {name}", round(value * 1000))


def p95(seconds: Sequence[float]) -> float:
    return quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]


def judged(room: Playroom, tables: Sequence[Company]) -> None:
    """Check that acknowledged acts are in the logs, once, each written where its table lived."""
    found = run(judge(room.cluster.url(), tables))
    assert found.acknowledged
    assert found.matches >= len(tables)
    refused = refusals(tables)
    assert set(refused) <= OUT_OF_DATE | AGAIN | {"already_passed"}, refused  # a bot has, for them
    written_where_it_lives(room, tables)
    assert not run(room.sql("SELECT * FROM taken WHERE living"))
    print(f"{found}, refused: {dict(refused)}")


def written_where_it_lives(room: Playroom, tables: Sequence[Company]) -> None:
    """Once the owner of a table has written an entry, no other node has.

    What a node had sent before it lost a table may still come in between, like a letter.
    """
    hosts = {room.network.address(node.name, BACK): node.name for node in room.nodes}
    ids = [table.table for table in tables]
    rows = run(room.sql("SELECT * FROM written WHERE stream = ANY($1) ORDER BY version", ids))
    begun: set[tuple[str, str]] = set()
    late = 0
    for row in rows:
        if row["owner"] is None:  # it has just been opened
            continue
        if hosts[str(row["host"])] == row["name"]:
            begun.add((row["stream"], row["owner"]))
        else:
            late += 1
            assert (row["stream"], row["owner"]) not in begun, row
    print(f"{len(rows)} entries, {late} of them from a node that had just lost the table")


NO_BASE: Final = "a node without its database"


@pytest.mark.full
@pytest.mark.parametrize(
    ("what", "happens", "lived", "within"),
    [
        ("a node was killed", kill, "a killed node", DEAD_WITHIN),
        ("a node was cut off from the database", cut_from_database, NO_BASE, LOST_WITHIN),
        ("a node was cut off from the proxy", cut_from_proxy, "", 0.0),
        ("a machine was lost", lose, "a lost machine", LOST_WITHIN),
        ("PostgreSQL was restarted", restart_database, "", 0.0),
    ],
)
def test_people_play_on(
    what: str, happens: Mishap, lived: str, within: float, tmp_path: Path, record_property: Record
) -> None:
    """`lived`: the tables that live elsewhere then, `within` so many seconds."""
    seconds = drilled(what, happens, tmp_path, record_property)
    if lived:
        assert max(seconds[f"the tables of {lived} lived elsewhere"]) <= within


@pytest.mark.full
def test_replaced(tmp_path: Path, record_property: Record) -> None:
    what = "both nodes were replaced"
    waits = drilled(what, replace, tmp_path, record_property, 200, Unhurried)[
        "people went on whose node was replaced"
    ]
    assert p95(waits) <= USUALLY_BACK
    assert max(waits) <= BACK_WITHIN


@pytest.mark.full
def test_what_a_lost_machine_was_in_the_middle_of_holds_nobody_up() -> None:
    """PostgreSQL undoes it in time, though it never hears from that machine again."""

    async def story(network: Network, cluster: Cluster) -> None:
        connections = []
        for name in NODES:
            with network.hosts[name].entered():
                connect = backing(cluster.url_from_outside()).connect
                assert connect is not None
                connections.append(await connect())
        lost, living = connections
        await lost.execute("CREATE TABLE one (number integer); INSERT INTO one VALUES (1)")
        await lost.execute("BEGIN; UPDATE one SET number = 2")
        network.cut("a", BACK)
        async with asyncio.timeout(LOST_WITHIN):
            await living.execute("UPDATE one SET number = 3")
        lost.terminate()
        await living.close()

    with Network((), ("database", *NODES)) as network:
        inside = network.hosts["database"].inside
        cluster = Cluster(inside, network.address("database", BACK))
        try:
            run(story(network, cluster))
        finally:
            cluster.remove()
