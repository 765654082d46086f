"""`volte reckon`: all results and ratings thrown away, and worked out again from the logs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable

from volte.console.progress import progress_on
from volte.console.terminal import Console
from volte.people.command import PeopleFault
from volte.say import N_, Words
from volte.store import Store, StoreFault, Unavailable
from volte.store.backing import without_password
from volte.store.backup import check_unused

Anew = Callable[[Store, Callable[[int, int], None]], Awaitable[tuple[int, int]]]
"""What does it, told of how far it has come; how many matches it has done, and how many not."""


def reckon(lang: str, url: str, anew: Anew, *, yes: bool) -> int:
    """Has it done, and says what has come of it; the exit status. Raises `Fault`."""
    if not yes:
        raise PeopleFault("reckon_unsure")
    words = Words(lang)
    check_unused(url)

    async def do() -> tuple[int, int]:
        async with await Store.open(url) as store:
            if await store.nodes.somebody():
                raise StoreFault("store_in_use", path=without_password(url))
            with progress_on(sys.stderr, words, Console.here().plain) as told:
                return await anew(store, told)

    try:
        done, failed = asyncio.run(do())
    except Unavailable:
        raise PeopleFault("database_away") from None
    print(
        words.t(
            N_("All results and ratings are worked out anew. Matches: {count}.")
            if done or failed
            else N_("No match is over: there are no results, and no ratings."),
            count=done,
        )
    )
    if failed:
        print(
            words.t(
                "Matches of which nothing can be worked out: {count}. The log says where that"
                " fails.",
                count=failed,
            )
        )
    return 1 if failed else 0
