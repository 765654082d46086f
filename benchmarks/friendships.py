"""What ten thousand friendships cost a visit.

    python benchmarks/friendships.py [--friendships 10000] [--rounds 15] [--sqlite] [--write]

There are so many friendships, of people who have as many friends as one can have, of whom one in a
hundred is here. By turns, one of these people and another one with a single friend load the first
page and the page of friends, and ask who of their friends is here. Given are milliseconds, medians
over the rounds, with those of the single friend in brackets.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from kit.people import Guest
from kit.postgres import Cluster, new_schema
from kit.sites import Site, serving

from benchmarks.written import put
from volte.friends.circle import MOST_FRIENDS
from volte.friends.store import FRIENDSHIPS
from volte.friends.whereabouts import HERE, Whereabouts
from volte.store import Person
from volte.store.schema import PEOPLE
from volte.store.store import Store
from volte.store.writer import put as row

SOURCES: Final = ("benchmarks/friendships.py", "src/volte/friends")
TOGETHER: Final = 200  # people who are stored at once


async def befriend(store: Store, person: str, number: int) -> None:
    """Give a person so many friends, of whom the first and then one in a hundred is here."""
    until = time.time() + 3600
    for first in range(0, number, TOGETHER):
        some = range(first, min(first + TOGETHER, number))
        friends = {at: f"{person}-{at}" for at in some}
        pairs = [pair for each in friends.values() for pair in ((person, each), (each, person))]
        shared = {"agrees": True, "hidden": False, "since": 1.0}
        people = [Person(each, f"Friend {at}", "en", {}, 1.0) for at, each in friends.items()]
        await store.write(
            *(row(PEOPLE, each) for each in people),
            *(row(FRIENDSHIPS, person=one, other=other, **shared) for one, other in pairs),
            *(row(HERE, person=friends[at], table="", until=until) for at in some if not at % 100),
        )


async def measured(site: Site, number: int, rounds: int) -> list[str]:
    """Cells of the table for one database: the first page, the page of friends, who is here."""
    store, many, one = (
        site.room.store,
        await Guest.come(site.address),
        await Guest.come(site.address),
    )
    others = [f"popular-{each}" for each in range(1, number // MOST_FRIENDS)]
    await store.write(*(row(PEOPLE, Person(each, each, "en", {}, 1.0)) for each in others))
    for who, friends in ((many, MOST_FRIENDS), (one, 1)):
        await befriend(store, who.person, friends)
        await store.bus.publish("friends", who.person)
    for other in others:
        await befriend(store, other, MOST_FRIENDS)

    async def load(who: Guest, path: str) -> None:
        assert (await who.get(path)).status == 200

    async def here(who: Guest) -> None:
        assert await site.room[Whereabouts].friends(who.person)

    asked: tuple[Callable[[Guest], Awaitable[None]], ...] = (
        lambda who: load(who, "/"),
        lambda who: load(who, "/friends"),
        here,
    )
    cells = list[str]()
    for ask in asked:
        took: dict[str, list[float]] = {many.person: [], one.person: []}
        for _ in range(rounds):
            for who in (many, one):
                began = time.perf_counter()
                await ask(who)
                took[who.person].append((time.perf_counter() - began) * 1000)
        cells.append(f"{median(took[many.person]):.1f} ({median(took[one.person]):.1f})")
    return cells


async def at(database: str, folder: str, number: int, rounds: int) -> list[str]:
    async with serving(Path(folder), database) as site:
        return await measured(site, number, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--friendships", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--sqlite", action="store_true", help="leave PostgreSQL out")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/")
    options = parser.parse_args()
    lines = [
        "| kept in | first page, ms | page of friends, ms | who is here, ms |",
        "|---|---|---|---|",
    ]
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        databases = {"SQLite": ""}
        if not options.sqlite:
            cluster = Cluster()
            stack.callback(cluster.stop)
            databases["PostgreSQL"] = new_schema(cluster.url())
        for name, url in databases.items():
            cells = asyncio.run(at(url, folder, options.friendships, options.rounds))
            lines.append(f"| {name} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    if options.write:
        put("docs/costs.md", "\n".join(lines), *SOURCES)


if __name__ == "__main__":
    main()
