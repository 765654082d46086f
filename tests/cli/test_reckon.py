"""`volte reckon`: results and ratings thrown away, and worked out again from the logs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from cli.command import Command
from kit.matches import keep, played
from kit.sites import serving
from msgspec.structs import replace

from volte.history.store import Rating, Results
from volte.rules import make_ruleset
from volte.store import MatchRow, Person, Store
from volte.table import Someone

T = TypeVar("T")

RULES = make_ruleset("coeurs", {"match_end": "deals:1"})


def stored(url: str, story: Callable[[Store], Awaitable[T]]) -> T:
    async def run() -> T:
        async with await Store.open(url) as store:
            return await story(store)

    return asyncio.run(run())


async def fill(store: Store) -> None:
    """Two rated matches of Ann and Bob, of which nothing true is kept."""
    for name in ("ann", "bob"):
        await store.put_person(Person(name, name.title(), "en", {}, 1.0))
    for seed in (1, 2):
        row = await keep(store, Someone("ann", "Ann"), played(RULES, seed))
        both = ("ann", "bob", "", "")
        known = replace(row, players=both, began=both, rated=True)
        await store.append(row.table, row.last, [], matches=[known])
    await store[Results].keep(row.id, [], [Rating("ann", "coeurs", 99.0, 1.0, 7, 1.0)])


async def ratings(store: Store) -> list[Rating]:
    return [*await store[Results].ratings_of("ann"), *await store[Results].ratings_of("bob")]


def test_results_and_ratings_are_worked_out_from_the_logs(volte: Command, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'p.sqlite'}"
    stored(url, fill)
    told = volte("reckon", "--yes", "--database", url, "--lang", "en")
    assert (told.status, told.err) == (0, "")
    assert told.out == "All results and ratings are worked out anew. Matches: 2.\n"
    first = stored(url, ratings)
    assert [each.matches for each in first] == [2, 2]
    assert len(stored(url, lambda store: store[Results].all_of("ann"))) == 2
    told = volte("reckon", "--yes", "--database", url, "--lang", "fr")
    assert told.status == 0
    assert stored(url, ratings) == first


def test_a_log_that_cannot_be_read_keeps_nobody_from_theirs(volte: Command, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'p.sqlite'}"
    stored(url, fill)
    broken = MatchRow("m", "t", 1, bytes(32), 1.0, ("ann", "", "", ""), 1, 2.0)
    stored(url, lambda store: store.append("t", 0, [b"broken"], matches=[broken]))
    told = volte("reckon", "--yes", "--database", url, "--lang", "en")
    assert told.status == 1
    assert told.out.splitlines() == [
        "All results and ratings are worked out anew. Matches: 2.",
        "Matches of which nothing can be worked out: 1. The log says where that fails.",
    ]
    assert "Traceback" not in told.err
    assert [each.matches for each in stored(url, ratings)] == [2, 2]


def test_nothing_is_thrown_away_unless_it_is_said_twice(volte: Command, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'p.sqlite'}"
    stored(url, fill)
    unsure = volte("reckon", "--database", url)
    assert (unsure.status, unsure.out) == (1, "")
    assert "--yes" in unsure.err
    assert [each.matches for each in stored(url, ratings)] == [7]


@pytest.mark.full
def test_it_is_refused_beside_a_server(database: str, volte: Command, tmp_path: Path) -> None:
    """New results would stand among old ones."""
    stored(database, fill)

    async def story() -> None:
        async with serving(tmp_path, database):
            told = await asyncio.to_thread(volte, "reckon", "--yes", "--database", database)
            assert (told.status, told.out) == (1, "")
            assert told.err.count("\n") == 1

    asyncio.run(story())
    assert volte("reckon", "--yes", "--database", database).status == 0
    assert [each.matches for each in stored(database, ratings)] == [2, 2]
