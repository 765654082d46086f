"""What a node spends on people who wait for others to play with.

    python benchmarks/meeting.py [--people 500] [--presses 100] [--seconds 20] [--write]

People with all kinds of wishes come to one node until so many wait, most of them together with
others at tables that are not full, and nobody is left alone whom somebody else would play with.
Then so many press each minute, and as many stop. Given are per cent of a core, by the CPU time of
the process, by turns with and without a matchmaker, as bots play at the tables of those who wait.
All who wait are told what changes, which is not sent, as their pages are not there.
The time of PostgreSQL is not in it, as it may stand on another machine.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from kit.postgres import Cluster, new_schema

from benchmarks.written import put
from volte.meeting.matchmaker import Matchmaker
from volte.meeting.seeks import Tempo, Wish
from volte.meeting.store import Seeks
from volte.meeting.telling import waits_told
from volte.rules import PRESETS, make_ruleset
from volte.say import words_of
from volte.server.run.membership import Membership
from volte.server.run.room import open_room
from volte.store import Person
from volte.table import Setup, Someone
from volte.table.commands import Sit
from volte.table.pacing import Timing
from volte.web.room import Room
from volte.web.settings import Settings

SOURCES: Final = (
    "benchmarks/meeting.py",
    "src/volte/meeting",
    "src/volte/store/part.py",
    "src/volte/table/live.py",
)

MINUTE = 60.0
ROUNDS = 3
LANGS = (), ("en",), ("fr",), ("en", "fr")


class Crowd:
    """People at one node who press and stop."""

    def __init__(self, room: Room, seed: int = 1) -> None:
        self.room = room
        self.opening = 0.0  # seconds of the processor for opening tables
        self.slowest = 0.0  # seconds that a press took at most
        self._chance = random.Random(seed)
        self._number = 0
        self._waiting: dict[str, list[object]] = {}
        self._told: dict[str, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    async def press(self) -> None:
        """Have a newcomer press, and be at the table that they find."""
        self._number += 1
        who = Someone(f"p{self._number}", f"Person {self._number}")
        await self.room.store.put_person(Person(who.id, who.name, "en", {}, 1.0))
        chance = self._chance
        preset = chance.choice([*PRESETS])
        pace, langs = chance.choice([*Tempo]), chance.choice(LANGS)
        wish = Wish(preset if chance.random() < 0.7 else "", 0, pace, langs, chance.random() < 0.2)

        async def opened(table: str) -> str:
            began = time.process_time()
            clock = 30 if pace is Tempo.BRISK else 0
            setup = Setup(f"At {who.name}’s", make_ruleset(preset), clock=clock, meeting=True)
            live = await self.room.lobby.open(setup, who, "", table)
            await live.do(who, Sit(0), live.state.version)
            self.opening += time.process_time() - began
            return table

        began = time.perf_counter()
        table = await self.room[Matchmaker].seek(who, wish, opened)
        self.slowest = max(self.slowest, time.perf_counter() - began)
        self._waiting[who.id] = []
        self._told[who.id] = asyncio.create_task(self._hear(who.id))
        await self._be_at(who, table)

    async def _hear(self, person: str) -> None:
        """Hear how many wait, as a page does; nothing is sent."""
        matchmaker = self.room[Matchmaker]
        waiting, words = partial(matchmaker.waiting, person), partial(words_of, "en")
        async for _ in waits_told(matchmaker, waiting, words):
            pass

    async def _be_at(self, who: Someone, table: str) -> None:
        live = await self.room.lobby.find(table)
        if live is not None:
            self._waiting[who.id].append(live.subscribe(who))

    async def stop(self) -> None:
        """Have somebody stop who waits."""
        person = self._chance.choice([*self._waiting])
        del self._waiting[person]
        self._told.pop(person).cancel()
        await self.room[Matchmaker].stop(person)

    async def settle(self) -> None:
        """Have everybody be at the table where they are by now, once nobody moves any more."""
        for _ in range(20):
            await asyncio.sleep(0.5)
            seeks = await self.room.store[Seeks].all({})
            for seek in seeks.values():
                await self._be_at(Someone(seek.person, seek.person), seek.table)
            if not any(seek.joins for seek in seeks.values()):
                return


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Room]:
    settings = Settings.of({}, database=database, tables_per_hour=10**6)
    async with open_room(settings) as room:
        await room[Membership].join()
        yield room


class Shares(NamedTuple):
    """Per cent of a core that a node takes, the medians of rounds."""

    tables: float  # with the tables of those who wait, without a matchmaker
    waiting: float  # with a matchmaker
    pressing: float  # and with presses
    opening: float  # of these, what opening of tables takes
    slowest: float  # seconds of the longest press
    waited: int  # people who wait in the end


async def measured(database: str, people: int, presses: int, seconds: float) -> Shares:
    """What so many who wait and so many presses a minute cost a node."""
    tables, waiting, pressing, opening = [list[float]() for _ in range(4)]
    async with opened(database) as room:
        crowd, matchmaker = Crowd(room), room[Matchmaker]
        while len(crowd) < people:
            await crowd.press()
        await crowd.settle()
        await asyncio.sleep(
            Timing().fill + 20
        )  # matches have begun then, and wait for their people
        crowd.slowest = 0.0
        for _ in range(ROUNDS):
            await matchmaker.close()
            tables.append(await _share(asyncio.sleep(seconds)))
            matchmaker.begin()
            waiting.append(await _share(asyncio.sleep(seconds)))
            crowd.opening = 0.0
            pressing.append(await _share(_presses(crowd, presses, seconds)))
            opening.append(crowd.opening / seconds * 100)
        waited = len(await room.store[Seeks].all({}))
        return Shares(
            median(tables),
            median(waiting),
            median(pressing),
            median(opening),
            crowd.slowest,
            waited,
        )


async def _presses(crowd: Crowd, presses: int, seconds: float) -> None:
    for _ in range(round(presses * seconds / MINUTE)):
        await asyncio.gather(crowd.press(), crowd.stop(), asyncio.sleep(MINUTE / presses))


async def _share(story: Awaitable[None]) -> float:
    """Per cent of a core that the process takes meanwhile."""
    began = time.perf_counter(), time.process_time()
    await story
    return (time.process_time() - began[1]) / (time.perf_counter() - began[0]) * 100


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--presses", type=int, default=100, help="a minute")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each part of a round")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/")
    options = parser.parse_args()
    lines = [
        f"| kept in | their tables alone | {options.people} who wait"
        f" | and {options.presses} presses a minute | longest press, ms |",
        "|---|---|---|---|---|",
    ]
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        cluster = Cluster()
        stack.callback(cluster.stop)
        schema = new_schema(cluster.url())
        for name, url in (("SQLite", f"sqlite:///{folder}/volte.db"), ("PostgreSQL", schema)):
            found = asyncio.run(measured(url, options.people, options.presses, options.seconds))
            lines.append(
                f"| {name} | {found.tables:.1f} | {found.waiting:.1f} | {found.pressing:.1f}"
                f" | {found.slowest * 1000:.0f} |"
            )
            print(
                f"{lines[-1]} {found.waited} wait; opening tables {found.opening:.1f} %", flush=True
            )
    if options.write:
        put("docs/costs.md", "\n".join(lines), *SOURCES)


if __name__ == "__main__":
    main()
