"""Results and ratings, worked out in the background when matches end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from volte.evenings.conducting import Evenings
from volte.evenings.disclosure import EveningDisclosure
from volte.extras import strong_installed
from volte.history.ended import EndedMatches
from volte.history.luck_reckoner import value_here, work_out
from volte.history.ratings import Skill, rated
from volte.history.results import Outcome, outcome_of
from volte.history.rows import Rating, Result
from volte.history.store import Results, StoredLuck
from volte.store import Conflict, Gone, MatchRow, Unavailable
from volte.store.store import Store
from volte.table import decode_happening
from volte.web.logs import get_logger

LOOKING: Final = 300.0
"""Interval between two looks for matches that a dead node has left behind, in seconds."""

BEHIND: Final = 60.0
"""Age from which a match without results counts as left behind, in seconds."""

DAY: Final = 24 * 3600.0
"""Age up to which such a match is looked for, long rounds of evenings included, in seconds. Only a
node that begins alone looks at all matches ever played."""

TOGETHER: Final = 100  # matches read from the store at a time
TRIES: Final = 20  # attempts to store ratings that others change at the same time

log = get_logger("volte.server")


class Reckoner(EndedMatches):
    """Works results out, one match at a time, each once, even if other nodes do the same.

    Args:
        looking: interval between two looks for matches left behind by others, in seconds.
        then: called with each match that may have results now.
    """

    def __init__(
        self,
        store: Store,
        looking: float = LOOKING,
        then: Callable[[str], None] = lambda match: None,
    ) -> None:
        super().__init__(store, looking, "results")
        self._then = then

    def begin(self) -> None:
        """Begin with the matches that are over and have no results; then take new ones."""
        self._store.bus.subscribe("match", self._hear)
        super().begin()

    def _hear(self, match: str) -> None:
        if not match:  # a notice may have been missed
            self._due.put_nowait("")

    async def attend(self, match: str) -> None:
        await self._tried(self._reckon_match(match) if match else self._catch_up())

    async def look_first(self) -> None:
        await self._tried(self._catch_up(first=True))

    async def _tried(self, work: Coroutine[None, None, None]) -> None:
        """Await `work`, and log a failure, so that one match does not hold up the others."""
        try:
            await work
        except Unavailable:
            log.warning("results_wait_for_store")
        except Exception as error:
            log.error("results_failed", error=type(error).__name__, exc_info=error)

    async def _catch_up(self, *, first: bool = False) -> None:
        """Work out matches without results: at first all that are over, later those left behind by
        nodes that have died since."""
        now = time.time()
        alone = first and not await self._store.nodes.somebody()
        since = 0.0 if alone else now - DAY
        async for row in unreckoned(self._store, now if first else now - BEHIND, since):
            await self._tried(self._reckon(row))

    async def _reckon_match(self, match: str) -> None:
        row = await self._store.match(match)
        if row is not None:
            await self._reckon(row)

    async def _reckon(self, row: MatchRow) -> None:
        await reckon(self._store, row)
        self._then(row.id)


async def reckon_anew(store: Store, report: Callable[[int, int], None]) -> tuple[int, int]:
    """Delete all results and ratings, and work them out again, in the order the matches ended; with
    the extra `strong` luck as well, which stays as it is without.

    If it is interrupted, the next server that starts goes on with it.

    Args:
        report: called with the number of matches done and of all matches.

    Returns the number of matches done, and of matches that failed. Raises `Unavailable`.
    """
    lucky = strong_installed()
    if lucky:
        await store[StoredLuck].forget_all()
    await store[Results].forget_all()
    whole, done, failed = await store[Results].number(), 0, 0
    async for row in unreckoned(store, time.time()):
        try:
            await reckon(store, row)
            if lucky:
                await work_out(store, row, value_here)
            done += 1
        except Unavailable:
            raise
        except Exception as error:
            log.error("results_failed", error=type(error).__name__, exc_info=error)
            failed += 1
        report(done + failed, whole)
    return done, failed


async def unreckoned(store: Store, before: float, since: float = 0.0) -> AsyncIterator[MatchRow]:
    """Matches without results that ended from `since` to `before`, in that order, each only once
    even if it still has none. Raises `Unavailable`."""
    tried: set[str] = set()  # matches yielded that ended at `since` exactly
    while True:
        some = await store[Results].unreckoned(before, since, TOGETHER + len(tried))
        found = [match for match in some if match not in tried]
        if not found:
            return
        for match in found:
            row = await store.match(match)
            assert row is not None
            assert row.ended is not None
            if row.ended > since:
                since, tried = row.ended, set()
            tried.add(match)
            yield row


async def reckon(store: Store, row: MatchRow) -> None:
    """Work out the results of a match, and store them once, unless they must wait (an evening).

    Raises `Unavailable`.
    """
    disclosure = EveningDisclosure(Evenings(store))
    if await store[Results].reckoned(row.id) or await disclosure.withheld([row]):
        return
    entries = await store.read(row.table, row.first - 1, row.last)
    outcome = await asyncio.to_thread(
        lambda: outcome_of(row, [decode_happening(each.data) for each in entries])
    )
    for _ in range(TRIES):
        with suppress(Conflict, Gone):
            await _store(store, row, outcome)
            return
        if await store[Results].reckoned(row.id):
            return  # another node has stored them
    raise Conflict(row.id)


async def _store(store: Store, row: MatchRow, outcome: Outcome) -> None:
    people = [person for side in outcome.sides for person in (*side.stayed, *side.left)]
    ladder = outcome.results[0].rules if outcome.results else ""
    before = await store[Results].ratings(people, ladder)
    known = await store.known({*people, *(result.person for result in outcome.results)})
    skills = {person: Skill(rating.mu, rating.sigma) for person, rating in before.items()}
    played = {person: rating.matches for person, rating in before.items()}
    after = [
        Rating(person, ladder, *skill, played.get(person, 0) + 1, row.ended or 0.0)
        for person, skill in rated(outcome.sides, skills, compared=outcome.compared).items()
        if person in known
    ]
    results = [named for result in outcome.results if (named := _without_the_gone(result, known))]
    await store[Results].keep(row.id, results, after, before.values())


def _without_the_gone(result: Result, known: Collection[str]) -> Result | None:
    """A result as `Results.forgetting` would leave it, if its person has been forgotten."""
    if not result.person or result.person in known:
        return result
    return None if result.late else replace(result, person="", name="")
