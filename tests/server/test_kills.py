"""A server under load is killed at random moments: nothing acknowledged is lost, all goes on."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from kit.companies import OUT_OF_DATE, Company, companies, judge
from kit.sites import Process, run

LONGEST = 100
"""Seconds in which the tables must get on after a kill."""


@pytest.mark.parametrize("tables", [5])
def test_a_server_is_killed_and_nothing_is_lost(
    tables: int,
    database: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    killed(tables, 2, 300, database, tmp_path, record_property)


@pytest.mark.full
def test_fifty_tables_are_killed_fifty_times(
    database: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    killed(50, 50, 1500, database, tmp_path, record_property)


def killed(
    tables: int,
    kills: int,
    between: int,
    database: str,
    folder: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """Plays at so many tables, and kills the server so many times.

    Args:
        between: happenings between two kills, at most.
    """
    began = monotonic()
    draws = random.Random()

    async def story(process: Process) -> list[Company]:
        all_tables = await companies(process.address, tables)
        left = kills

        async def kill() -> None:
            nonlocal left
            while left:
                await got_on(all_tables, draws.randrange(between))
                process.kill()
                await asyncio.to_thread(process.restart)
                left -= 1

        async with asyncio.TaskGroup() as group:
            killing = group.create_task(kill())
            for each in all_tables:
                group.create_task(each.play(lambda: not killing.done()))
        for each in all_tables:
            await each.leave()
        return all_tables

    with Process(database, folder) as process:
        played = run(story(process))
    assert not any("Traceback" in line for line in process.output), process.output
    found = run(judge(database, played))
    refused: Counter[str] = Counter()
    for company in played:
        for person in company.people:
            refused += person.refused
    assert set(refused) <= OUT_OF_DATE, refused
    kind = database.partition(":")[0]
    record_property(f"kills of a server on {kind}", kills)
    record_property(f"acknowledged actions that survived them on {kind}", found.acknowledged)
    record_property(f"happenings in their logs on {kind}", found.happenings)
    record_property(f"matches played to their end beside them on {kind}", found.matches)
    record_property(f"seconds that took on {kind}", round(monotonic() - began))


async def got_on(tables: list[Company], happenings: int) -> None:
    """Returns when so much more has happened at all the tables together."""
    goal = sum(table.heard for table in tables) + happenings
    end = monotonic() + LONGEST
    while sum(table.heard for table in tables) < goal:
        assert monotonic() < end, "\n".join(map(str, tables))
        await asyncio.sleep(0.002)
