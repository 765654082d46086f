"""Programs and databases that are killed: what was said to be kept is there."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import settings
from kit.postgres import Cluster

from volte.store import Store

PROGRAM = Path(__file__).with_name("appending.py")
FULL = settings().max_examples >= 1000
KILLS = 50 if FULL else 3


@contextmanager
def appending(url: str, name: str) -> Iterator[subprocess.Popen[str]]:
    """The program, which is killed at the end."""
    command = [sys.executable, str(PROGRAM), url, name]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as program:
        try:
            yield program
        finally:
            program.kill()


def told(program: subprocess.Popen[str], lines: int = 0) -> dict[str, int]:
    """By stream, the last version that the program has told; until its end if not said."""
    assert program.stdout is not None
    reached = {}
    for number, line in enumerate(program.stdout, 1):
        if not line.endswith("\n"):
            break  # half a line: the program was killed while it spoke
        stream, version = line.split()
        reached[stream] = int(version)
        if number == lines:
            break
    return reached


def judge(url: str, acknowledged: dict[str, int]) -> None:
    """Everything told is there, whole, and nothing is there in part."""

    async def run() -> None:
        async with await Store.open(url) as store:
            for stream, version in acknowledged.items():
                read = await store.read(stream)
                assert len(read) >= version
                assert [entry.version for entry in read] == list(range(1, len(read) + 1))
                assert all(entry.data == f"{stream}:{entry.version}".encode() for entry in read)
                listing = await store.listing(stream)
                assert listing is not None
                assert int(listing.summary) == len(read)
                assert len(await store.matches_at(stream)) == len({entry.cause for entry in read})

    asyncio.run(run())


def test_a_killed_program_has_lost_nothing_it_acknowledged(
    database: str, record_property: Callable[[str, object], None]
) -> None:
    total = 0
    for kill in range(KILLS):
        with appending(database, f"k{kill}_") as program:
            reached = told(program, lines=50 + 37 * kill)
            program.kill()  # SIGKILL, in the middle of whatever it does
            reached |= told(program)
        judge(database, reached)
        total += sum(reached.values())
    record_property("acknowledged entries that survived a killed program", total)


def test_several_programs_append_at_once_and_one_is_killed(database: str) -> None:
    with appending(database, "one") as one, appending(database, "two") as two:
        reached = told(one, lines=60)
        one.kill()
        reached |= told(one) | told(two, lines=150)
        two.kill()
        reached |= told(two)
    judge(database, reached)


def test_a_killed_postgresql_has_lost_nothing_it_acknowledged(
    cluster: Cluster, cluster_url: str
) -> None:
    with appending(cluster_url, "t") as program:
        reached = told(program, lines=200)
        cluster.stop()  # as a crash
        reached |= told(program)
    cluster.start()
    judge(cluster_url, reached)
