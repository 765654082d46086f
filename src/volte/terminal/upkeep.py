"""`volte backup`, `restore`, `reckon`: copy a database, put it back, work its results out anew."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from volte.console.progress import progress_on
from volte.console.terminal import Console
from volte.extras import strong_installed
from volte.people.command import PeopleFault
from volte.say import Words
from volte.say.faults import shown_path
from volte.say.language import N_
from volte.store import StoreFault, Unavailable
from volte.store.backing import without_password
from volte.store.backup import Counts, back_up, check_unused, sqlite_file
from volte.store.backup import restore as put_back
from volte.store.store import Store


def backup(lang: str, file: Path, url: str, *, force: bool = False) -> int:
    """Copy the database of a URL into a file. Raises `StoreFault`."""
    words = Words(lang)
    counts = back_up(_file(url), file, force=force)
    path = shown_path(str(file))
    print(words.t("{path} is a complete copy: {counts}.", path=path, counts=listed(words, counts)))
    return 0


def restore(lang: str, file: Path, url: str) -> int:
    """Put a copy in the place of the database of a URL. Raises `StoreFault`."""
    words, database = Words(lang), _file(url)
    counts, sealed, aside = put_back(file, database)
    message = N_("{path} has not changed since it was copied: {counts}.")
    print(words.t(message, path=shown_path(str(database)), counts=listed(words, counts)))
    if not sealed:
        message = N_(
            "{path} has no checksum, like all copies from older versions: its tables were"
            " checked, but not every byte."
        )
        print(words.t(message, path=shown_path(str(file))))
    if aside is not None:
        print(words.t("The previous data is kept in {path}.", path=shown_path(str(aside))))
    return 0


def listed(words: Words, counts: Counts) -> str:
    """The counts in words, such as "3 tables, 12 matches, 5 people"."""
    return ", ".join(
        [
            words.n(
                "{count} table or score sheet", "{count} tables and score sheets", counts.tables
            ),
            words.n("{count} match", "{count} matches", counts.matches),
            words.n("{count} person", "{count} people", counts.people),
        ]
    )


def _file(url: str) -> Path:
    file = sqlite_file(url)
    if file is None:
        raise StoreFault("not_sqlite")
    return file


Anew = Callable[[Store, Callable[[int, int], None]], Awaitable[tuple[int, int]]]
"""Rebuilds all results, calling back with progress; returns (matches done, matches failed)."""


def reckon(lang: str, url: str, anew: Anew, *, yes: bool) -> int:
    """Rebuild all results, and say how many; return the exit status. Raises `VolteError`."""
    if not yes:
        raise PeopleFault("reckon_unsure")
    words = Words(lang)
    check_unused(url)

    async def do() -> tuple[int, int]:
        async with await Store.open(url) as store:
            if await store.nodes.somebody():
                raise StoreFault("store_in_use", path=without_password(url))
            with progress_on(sys.stderr, words, Console.here().plain) as progress:
                return await anew(store, progress)

    try:
        done, failed = asyncio.run(do())
    except Unavailable:
        raise PeopleFault("database_away") from None
    message = N_("No match has been finished yet: there are no results or ratings.")
    if done or failed:
        message = N_("All results and ratings have been worked out again. Matches: {count}.")
    print(words.t(message, count=done))
    if (done or failed) and not strong_installed():
        print(words.t("Luck was left as it is: working it out needs the extra “strong”."))
    if failed:
        print(
            words.t(
                "Matches whose results could not be worked out: {count}. The log says what went "
                "wrong.",
                count=failed,
            )
        )
    return 1 if failed else 0
