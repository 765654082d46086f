"""`volte reckon`: results and ratings thrown away, and worked out again from the logs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from kit import keep, played, serving
from kit.terminals import Volte, stored
from msgspec.structs import replace

from volte.history.rows import Rating
from volte.history.store import Results, StoredLuck
from volte.rules import make_ruleset
from volte.store import MatchRow, Person
from volte.store.store import Store
from volte.table import Someone

RULES = make_ruleset("coeurs", {"match_end": "deals:1"})


async def fill(store: Store) -> None:
    """Fill a store with two rated matches of Ann and Bob, no results, and a wrong rating."""
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


def test_results_and_ratings_are_worked_out_from_the_logs(volte: Volte, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'p.sqlite'}"
    stored(url, fill)
    done = volte("reckon", "--yes", "--database", url, "--lang", "en")
    assert (done.status, done.err) == (0, "")
    assert done.out == "All results and ratings have been worked out again. Matches: 2.\n"
    first = stored(url, ratings)
    assert [each.matches for each in first] == [2, 2]
    assert len(stored(url, lambda store: store[Results].all_of("ann"))) == 2
    done = volte("reckon", "--yes", "--database", url, "--lang", "fr")
    assert done.status == 0
    assert stored(url, ratings) == first


async def luck(store: Store) -> dict[str, Any]:
    return {person: await store[StoredLuck].export(person) for person in ("ann", "bob")}


def test_luck_is_worked_out_anew_where_it_can_be_and_stays_elsewhere(
    volte: Volte, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'p.sqlite'}"
    stored(url, fill)
    volte("reckon", "--yes", "--database", url)
    first = stored(url, luck)
    assert [len(each["luck"]) for each in first.values()] == [2, 2]
    for place in ("history.reckoner", "terminal.upkeep"):
        monkeypatch.setattr(f"volte.{place}.strong_installed", lambda: False)
    done = volte("reckon", "--yes", "--database", url, "--lang", "en")
    assert "Luck was left as it is: working it out needs the extra “strong”." in done.out
    assert stored(url, luck) == first


def test_a_log_that_cannot_be_read_keeps_nobody_from_theirs(volte: Volte, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'p.sqlite'}"
    stored(url, fill)
    broken = MatchRow("m", "t", 1, bytes(32), 1.0, ("ann", "", "", ""), 1, 2.0)
    stored(url, lambda store: store.append("t", 0, [b"broken"], matches=[broken]))
    done = volte("reckon", "--yes", "--database", url, "--lang", "en")
    assert done.status == 1
    assert done.out.splitlines() == [
        "All results and ratings have been worked out again. Matches: 2.",
        "Matches whose results could not be worked out: 1. The log says what went wrong.",
    ]
    assert "Traceback" not in done.err
    assert [each.matches for each in stored(url, ratings)] == [2, 2]


def test_nothing_is_thrown_away_unless_it_is_said_twice(volte: Volte, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'p.sqlite'}"
    stored(url, fill)
    unsure = volte("reckon", "--database", url)
    assert (unsure.status, unsure.out) == (1, "")
    assert "--yes" in unsure.err
    assert [each.matches for each in stored(url, ratings)] == [7]


@pytest.mark.full
def test_it_is_refused_beside_a_server(database: str, volte: Volte, tmp_path: Path) -> None:
    """New results would stand among old ones."""
    stored(database, fill)

    async def story() -> None:
        async with serving(tmp_path, database):
            done = await asyncio.to_thread(volte, "reckon", "--yes", "--database", database)
            assert (done.status, done.out) == (1, "")
            assert done.err.count("\n") == 1

    asyncio.run(story())
    assert volte("reckon", "--yes", "--database", database).status == 0
    assert [each.matches for each in stored(database, ratings)] == [2, 2]
