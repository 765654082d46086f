"""People at many tables of a server that goes away again and again: they come back and play on."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from time import monotonic
from typing import Any, Final, NamedTuple

from kit.playing import Player
from kit.tables import setup

from volte.rules.options import Value
from volte.table import Setup, Watching

OUT_OF_DATE: Final = frozenset(
    {
        *("stale", "paused", "under_way", "no_match", "not_between_deals"),
        *("no_promise_due", "promises_missing", "no_contribution_due"),
        *("already_passed", "ready_already"),  # done by a message whose answer was lost
    }
)
"""Refusals that an honest client may get while its news is late; `ahead` is never one."""

LONGEST: Final = 100  # seconds in which tables must make progress


class Shape(NamedTuple):
    """The ruleset of a table, and the numbers of its people."""

    preset: str
    settings: dict[str, Value]
    people: int  # at the first seats; bots have the others
    watching: int = 0  # number of people who only watch
    sight: Watching = Watching.HIDDEN

    @property
    def setup(self) -> Setup:
        return setup(self.preset, self.preset, watching=self.sight, **self.settings)


SHAPES: Final = (
    Shape("coeurs", {"players": 3}, 2, 1, Watching.AFTERWARDS),
    Shape("salon-six-jokers", {"players": 6}, 2),
    Shape("microsoft", {"match_end": "deals:2"}, 4),
    Shape("coeurs-cagnotte", {"players": 5}, 1, 1),
    Shape("coeurs", {"players": 7}, 3),
    Shape("salon", {"players": 3}, 1),
    Shape("coeurs-moyenne", {"players": 4, "match_end": "deals:2"}, 1),
    Shape("salon-valet", {"players": 4}, 3),
    Shape("coeurs", {"players": 5}, 5),
    Shape("salon", {"players": 6}, 1, 1, Watching.AFTERWARDS),
)
"""Tables with kitties and jokers, passes and holds, stakes, pots and lots."""


class Company:
    """The people of one table; the first of them is its host."""

    def __init__(self, shape: Shape, table: str, people: Sequence[Player]) -> None:
        self.shape = shape
        self.table = table  # its id
        self.people = people
        self.last = 0  # number of the last happening, once they have stopped

    @classmethod
    async def come(
        cls, address: str, shape: Shape, name: str, kind: type[Player] = Player
    ) -> Company:
        """Open a table that all its people join. The server must not go away meanwhile."""
        names = (f"{name}.{place}" for place in range(shape.people + shape.watching))
        people = await kind.gathered(address, *names, setup=shape.setup, watching=shape.watching)
        return cls(shape, people[0].table, people)

    async def play(self, go_on: Callable[[], bool]) -> None:
        """Play match after match while `go_on` holds; the last one is played to its end."""
        host = self.people[0]
        host.starts = go_on

        def enough() -> bool:
            numbers = (answer.number for _, answer in host.acknowledged.values())
            done = host.waits is None and host.number >= max(numbers, default=0)
            return done and host.over() and not go_on()

        async with asyncio.TaskGroup() as group:
            for person in self.people[1:]:
                group.create_task(person.stay(lambda p=person: self._stopped(p)))  # type: ignore[misc]
            await host.stay(enough)
            self.last = host.number
            for person in self.people:
                await person.wake()

    def _stopped(self, person: Player) -> bool:
        return bool(self.last) and person.number >= self.last and person.waits is None

    def __str__(self) -> str:
        """The progress of each person, for the message when a table gets stuck."""
        said = [f"{each.name} at {each.number}, {each.waits}" for each in self.people]
        return f"{self.table}: {'; '.join(said)}"

    async def leave(self) -> None:
        for person in self.people:
            await person.leave()

    @property
    def heard(self) -> int:
        """Number of happenings at the table that its host has received."""
        return len(self.people[0].received)


async def companies(address: str, tables: int, kind: type[Player] = Player) -> list[Company]:
    """Open so many tables with their people, of all shapes in turn."""
    shapes = [SHAPES[table % len(SHAPES)] for table in range(tables)]
    coming = (Company.come(address, shape, f"{table}", kind) for table, shape in enumerate(shapes))
    return list(await asyncio.gather(*coming))


# Together


async def while_playing(tables: Sequence[Company], acting: Coroutine[Any, Any, None]) -> None:
    """Let people play while `acting` runs, then to the end of their match, and leave."""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(acting)
        for each in tables:
            group.create_task(each.play(lambda: not task.done()))
    for each in tables:
        await each.leave()


async def got_on(tables: Sequence[Company], happenings: int) -> None:
    """Wait until all tables together have had so many more happenings."""
    goal = sum(table.heard for table in tables) + happenings
    await _comes(tables, lambda: sum(table.heard for table in tables) >= goal)


async def all_got_on(tables: Sequence[Company], happenings: int = 1) -> float:
    """Wait until each table has had so many more happenings; return the seconds that took."""
    began, goals = monotonic(), {table: table.heard + happenings for table in tables}
    await _comes(tables, lambda: all(table.heard >= goal for table, goal in goals.items()))
    return monotonic() - began


async def _comes(tables: Sequence[Company], holds: Callable[[], bool]) -> None:
    end = monotonic() + LONGEST
    while not holds():
        assert monotonic() < end, "\n".join(map(str, tables))
        await asyncio.sleep(0.002)


def refusals(tables: Sequence[Company]) -> Counter[str]:
    """Number of refusals that people at these tables got, by reason."""
    return sum((person.refused for table in tables for person in table.people), Counter[str]())
