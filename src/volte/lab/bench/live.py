"""Live tables and their store in one process, without sockets, as fast as four people can play."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple

from volte import game
from volte.bots import make_bot
from volte.cards import cards_in
from volte.fair import CONTRIBUTION_BYTES, commit_bytes
from volte.lab.bench.measure import Benchmark
from volte.rules import make_ruleset
from volte.store.store import Store
from volte.table import Setup, Someone, TableState
from volte.table import commands as cmd
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.table.pacing import Pace
from volte.table.subscriptions import Subscription

SEATS: Final = 4
SETUP: Final = Setup("Benchmark", make_ruleset("microsoft", {"match_end": "deals:1000"}))
OWN: Final = bytes(CONTRIBUTION_BYTES)
"""Contribution of everybody to every shuffle."""

SETTLING: Final = 0.5
"""Seconds from the first plays on before anything is measured."""

PLAYING: Final = 1.5
"""Seconds that tables are measured in a round."""


def rows() -> list[Benchmark]:
    """One live table, whose every card waits for the disk, and many, which share the waits."""
    return [
        Benchmark(name, tables.loop, clock=tables.clock, rounds=3, cores=0)
        for name, tables in (("1 table", LiveTables(1)), ("50 tables", LiveTables(50)))
    ]


class LiveTables:
    """Tables of four people in one process, kept in a new file each time."""

    def __init__(self, tables: int) -> None:
        self._tables = tables
        self._seconds = 0.0

    def loop(self, _: int) -> int:
        """Play for `PLAYING`; returns the number of cards."""
        with TemporaryDirectory() as folder:
            database = f"sqlite:///{folder}/tables.sqlite"
            found = asyncio.run(counted(database, self._tables, PLAYING))
        self._seconds += found.seconds
        return found.cards

    def clock(self) -> float:
        """Seconds of play, without the time to open the tables."""
        return self._seconds


class TablesPlayed(NamedTuple):
    """Play of several tables together."""

    cards: int
    happenings: int
    seconds: float


async def counted(database: str, tables: int, seconds: float) -> TablesPlayed:
    """Count what so many tables play for so long, from `SETTLING` after their first cards on."""
    async with playing(database, tables) as count:
        await asyncio.sleep(SETTLING)
        begun, before = perf_counter(), count()
        await asyncio.sleep(seconds)
        lasted, after = perf_counter() - begun, count()
    return TablesPlayed(after[0] - before[0], after[1] - before[1], lasted)


@asynccontextmanager
async def playing(database: str, tables: int) -> AsyncIterator[Callable[[], tuple[int, int]]]:
    """Play at so many tables, where every person gets every happening.

    Yields, once all have begun, a function that tells the cards and the happenings so far.
    """
    async with await Store.open(database) as store:
        lobby = Lobby(store, make_bot)
        opened = [await lobby.open(SETUP, someone(0)) for _ in range(tables)]
        watchers = [table.subscribe(someone(seat)) for table in opened for seat in range(SEATS)]
        companies = [FourPeople(table) for table in opened]

        def count() -> tuple[int, int]:
            happenings = sum(table.state.version for table in opened)
            return sum(company.cards for company in companies), happenings

        async with asyncio.TaskGroup() as tasks:
            for watcher in watchers:
                tasks.create_task(take(watcher))
            driving = [tasks.create_task(company.play()) for company in companies]
            while not all(company.cards for company in companies):
                await asyncio.sleep(0.01)
            yield count
            for company in companies:
                company.stopped = True
            await asyncio.wait(driving)
            await lobby.close()


class FourPeople:
    """The four people of a table."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        self.cards = 0
        self.stopped = False

    async def play(self) -> None:
        """Play for all the seats until it is stopped."""
        table = self.table
        for seat in range(SEATS):
            await table.do(someone(seat), cmd.Sit(seat), table.state.version)
            table.set_pace(someone(seat), Pace(0, 0))
        await table.do(someone(0), cmd.Start(), table.state.version)
        number = 0
        while not self.stopped:
            due = (each for each in due_now(table.state) if not self._done(*each))
            seat, command = next(due, (0, None))
            if command is None:
                await asyncio.sleep(0.001)  # not 0, which would keep the writer's thread waiting
                continue
            number += 1
            await table.do(someone(seat), command, table.state.version, f"p{seat}:{number}")
            self.cards += isinstance(command, cmd.Act) and isinstance(command.action, game.Play)

    def _done(self, seat: int, command: cmd.Command) -> bool:
        return isinstance(command, cmd.Next) and seat in self.table.state.ready


def someone(seat: int) -> Someone:
    return Someone(f"p{seat}", f"P{seat}")


async def take(watcher: Subscription) -> None:
    """Take all happenings as they come, and do nothing with them."""
    watcher.catch_up(0)
    async for _ in watcher:
        pass


def due_now(state: TableState) -> Iterator[tuple[int, cmd.Command]]:
    """Commands that are due from people, including those already sent."""
    match = state.match
    if match is None or not state.under_way:
        return
    proof = match.proof
    if proof is not None and not proof.used:
        promises = game.still_to_promise(match)
        for seat in promises:
            yield seat, cmd.Promise(proof.number, commit_bytes(proof.number, seat, OWN))
        for seat in game.still_to_contribute(match) if not promises else ():
            yield seat, cmd.Contribute(proof.number, OWN)
    elif state.between_deals:
        for seat in range(SEATS):
            yield seat, cmd.Next()
    elif match.phase is game.Phase.PASSING:
        assert match.deal is not None
        for seat in game.to_act(match):  # the lawful passes are too many to list
            cards = cards_in(match.deal.hands[seat])[: match.deal.pass_size]
            yield seat, cmd.Act(game.Pass(seat, cards))
    else:
        for seat in game.to_act(match):
            for action in game.legal_actions(match, seat)[:1]:  # none before the last score
                yield seat, cmd.Act(action)
