"""`volte backup` and `volte restore`: a sentence says what is in the copy, or why there is none."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from kit.terminals import Volte

from volte.store import Person
from volte.store.store import Store


def make(path: Path, *people: str) -> str:
    """Make a database with some people in it, and return its URL."""
    url = f"sqlite:///{path}"

    async def fill() -> None:
        async with await Store.open(url) as store:
            for name in people:
                await store.put_person(Person(name, name, "en", {}, 0.0))

    asyncio.run(fill())
    return url


def test_a_copy_is_made_and_put_back(volte: Volte, folder: Path) -> None:
    own = folder / "volte" / "playroom.sqlite"
    make(own, "ann", "ben")
    copy = folder / "copy.sqlite"
    done = volte("backup", str(copy), "--lang", "en")
    assert done.out == (
        f"{copy} is a complete copy: 0 tables and score sheets, 0 matches, 2 people.\n"
    )
    make(own, "cyd")
    done = volte("restore", str(copy), "--lang", "fr")
    first, second = done.out.splitlines()
    assert first.endswith(": 0 table ou feuille, 0 partie, 2 personnes.")
    aside = next(own.parent.glob("playroom.sqlite.before-*"))
    assert second == f"Les données précédentes sont gardées dans {aside}."
    assert (done.status, done.err) == (0, "")


def test_a_copy_without_a_check_sum_is_told_of(volte: Volte, folder: Path) -> None:
    make(folder / "volte" / "playroom.sqlite", "ann")
    copy = folder / "copy.sqlite"
    volte("backup", str(copy), "--lang", "en")
    os.truncate(copy, copy.stat().st_size // 4096 * 4096)  # as older versions made them
    done = volte("restore", str(copy), "--lang", "en")
    assert done.out.splitlines()[1] == (
        f"{copy} has no checksum, like all copies from older versions: its tables were checked,"
        " but not every byte."
    )


def test_the_database_is_named_as_for_a_server(
    volte: Volte, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = make(folder / "1.sqlite", "ann"), make(folder / "2.sqlite", "ann", "ben")
    settings = folder / "volte.toml"
    settings.write_text(f'database = "{one}"\n')
    copy = str(folder / "copy.sqlite")
    done = volte("backup", copy, "--lang", "en", "--config", str(settings))
    assert done.out.endswith("1 person.\n")
    monkeypatch.setenv("VOLTE_DATABASE", other)
    done = volte("backup", copy, "--lang", "en", "--force")
    assert done.out.endswith("2 people.\n")
    done = volte("backup", copy, "--lang", "en", "--force", "--database", one)
    assert done.out.endswith("1 person.\n")
