"""The store's part for who has opened which match: they have seen its cards."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import Index, delete, select

from volte.store.part import Part
from volte.store.schema import MATCHES, PEOPLE, table
from volte.store.writer import Write, renew

OPENINGS: Final = table(
    "openings",
    {"match": str, "person": str, "at": float},
    "match person",
    Index("openings_by_person", "person"),
    match=MATCHES,
    person=PEOPLE,
)


class Openings(Part):
    """Reads and writes when people without a seat have first been shown a match."""

    async def note(self, match: str, person: str) -> None:
        """Store that a person has opened a match, unless that is stored. Raises `Gone`."""
        if await self.first(match, person) is None:
            await self._write(renew(OPENINGS, match=match, person=person, at=time.time()))

    async def first(self, match: str, person: str) -> float | None:
        """The moment when a person opened a match first; None where they have not."""
        columns = OPENINGS.c
        query = select(columns.at).where(columns.match == match, columns.person == person)
        found: list[float] = await self._column(query)
        return found[0] if found else None

    async def any_of(self, matches: Collection[str], person: str, before: float) -> bool:
        """Whether a person has opened one of some matches before a moment."""
        columns = OPENINGS.c
        query = select(columns.match).where(columns.person == person, columns.at < before)
        return bool(await self._among(query, columns.match, matches))

    async def export(self, person: str) -> dict[str, Any]:
        columns = OPENINGS.c
        query = select(columns.match, columns.at).where(columns.person == person)
        found = await self._dicts(query.order_by(columns.at, columns.match))
        return {"matches_opened": found} if found else {}

    def forgetting(self, person: str) -> tuple[Write, ...]:
        return (delete(OPENINGS).where(OPENINGS.c.person == person),)
