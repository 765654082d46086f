"""Results of the matches of a browser, worked out from their logs."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import msgspec

from volte import __version__
from volte.history.luck import LuckSum, SeatLuck
from volte.history.results import outcome_of
from volte.history.rows import Result, Statistics
from volte.solo.kept import UNREADABLE, KeptStore
from volte.store import MatchRow, Unavailable
from volte.table import decode_happening

log: Final = logging.getLogger(__name__)


class WorkedOut(msgspec.Struct, frozen=True):
    """Results of a match as they are kept: another version of Volte works them out anew."""

    version: str
    results: tuple[Result, ...]


class KeptResults:
    """Results of matches that are over, worked out once a match, and kept beside it."""

    def __init__(self, store: KeptStore) -> None:
        self._store = store
        self._known: dict[str, tuple[Result, ...]] | None = None  # by match

    async def of_matches(self, matches: Collection[str]) -> dict[str, Sequence[Result]]:
        """Match → its results, in the order of the seats."""
        found = {match: await self._store.match(match) for match in matches}
        return {match: await self._of(row) if row else () for match, row in found.items()}

    async def matches_of(
        self,
        person: str,
        *,
        rules: str = "",
        people: bool | None = None,
        skip: int = 0,
        limit: int = 50,
    ) -> list[str]:
        """Ids of the matches, the latest first; see `MatchResults`."""
        found = list[str]()
        for row in sorted(await self._store.matches(), key=lambda row: -row.begun):
            if len(found) == skip + limit:
                break  # others need not be worked out for it
            if not rules and people is None:
                found.append(row.id)
            elif results := await self._of(row):
                first = results[0]
                if rules in ("", first.rules) and people in (None, first.people > 1):
                    found.append(row.id)
        return found[skip:]

    async def statistics(self, person: str) -> list[Statistics]:
        """Sums over a person's matches, by game, apart for matches with people and with bots."""
        sums = defaultdict[tuple[str, bool], list[int]](lambda: [0] * 8)
        for row in await self._store.matches():
            for each in await self._of(row):
                if each.person == person and not each.late:
                    counted = (each.place, each.deals, each.total, each.moons, each.queens)
                    whole = 0 if each.left else 1
                    more = (whole, whole * (each.place == 1), *(whole * one for one in counted))
                    group = sums[each.rules, each.people > 1]
                    group[:] = [*map(sum, zip(group, (*more, each.left), strict=True))]
        return [Statistics(*kind, *each) for kind, each in sums.items()]

    async def _of(self, row: MatchRow) -> tuple[Result, ...]:
        """The results of a match; none while it goes on, or where its table cannot be read."""
        if row.ended is None or not row.last:
            return ()
        if self._known is None:
            self._known = dict(_read(await self._store.worked_out()))
        if row.id not in self._known:
            try:
                entries = await self._store.read(row.table, row.first - 1, row.last)
                outcome = outcome_of(row, [decode_happening(each.data) for each in entries])
            except Unavailable:
                raise
            except Exception as error:
                log.error("table_set_aside", extra={"table": row.table}, exc_info=error)
                await self._store.set_aside(row.table)
                return ()
            self._known[row.id] = outcome.results
            kept = WorkedOut(__version__, outcome.results)
            await self._store.put_worked_out(row, msgspec.json.encode(kept).decode())
        return self._known[row.id]


class NoLuck:
    """Luck in the matches of a browser: it is known of none, since that takes compiled code."""

    able = False

    async def own(self, match: str, person: str) -> SeatLuck | None:
        return None

    async def sums(self, person: str) -> list[LuckSum]:
        return []

    async def waiting(self, person: str) -> int:
        return 0


def _read(texts: dict[str, str]) -> Iterator[tuple[str, tuple[Result, ...]]]:
    """Match → its results, of the texts that this version has kept."""
    for match, text in texts.items():
        try:
            kept = msgspec.json.decode(text, type=WorkedOut)
        except UNREADABLE:
            continue
        if kept.version == __version__:
            yield match, kept.results
