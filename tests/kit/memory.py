"""Tables in the memory of this process, for tests that need no database."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence

from volte.store import LISTED, OPEN, Conflict, Entry, Listing, MatchRow


class TablesInMemory:
    """A store of tables that lasts as long as this object; see `volte.table.stored.TableStore`."""

    def __init__(self) -> None:
        self._streams = defaultdict[str, list[Entry]](list)
        self._listings: dict[str, Listing] = {}
        self._matches: dict[str, MatchRow] = {}

    async def append(
        self,
        stream: str,
        expected: int,
        entries: Sequence[bytes],
        *,
        cause: str = "",
        listing: Listing | None = None,
        matches: Sequence[MatchRow] = (),
    ) -> None:
        await asyncio.sleep(0)  # others have their turn, as while a database writes
        there, now = self._streams[stream], time.time()
        if len(there) != expected:
            raise Conflict(stream)
        there += [
            Entry(version, data, cause, now) for version, data in enumerate(entries, expected + 1)
        ]
        if listing is not None:
            self._listings[listing.table] = listing
        self._matches |= {row.id: row for row in matches}

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> list[Entry]:
        return self._streams[stream][after:until]

    async def listing(self, table: str) -> Listing | None:
        return self._listings.get(table)

    async def matches_at(self, table: str) -> list[MatchRow]:
        found = (row for row in self._matches.values() if row.table == table)
        return sorted(found, key=lambda row: row.first)

    async def public(self) -> list[Listing]:
        found = (
            each for each in self._listings.values() if each.state in OPEN and each.access in LISTED
        )
        return sorted(found, key=lambda each: each.updated, reverse=True)
