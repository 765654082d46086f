"""People with whom somebody would rather not sit: neither "Play with people" nor an open table
brings them together. Each wish is the secret of its person."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, Final

from sqlalchemy import Index, delete, select, union_all

from volte.names import name_order
from volte.say import N_
from volte.store.part import Part
from volte.store.schema import PEOPLE, table
from volte.store.writer import Write, put
from volte.table.state import TableState

APART: Final = N_(
    "You and that person will not be seated together again, and an open table where one of you "
    "sits will look full to the other. Nobody is told."
)

MOST_AVOIDED: Final = 500  # people with whom one person would rather not sit

AVOIDED: Final = table(
    "avoided",
    {"person": str, "other": str, "name": str, "since": float},
    "person other",
    Index("avoided_by_other", "other"),
    person=PEOPLE,
    other=PEOPLE,
)

_WISHES: Final = union_all(
    select(AVOIDED.c.person.label("one"), AVOIDED.c.other.label("other")),
    select(AVOIDED.c.other.label("one"), AVOIDED.c.person.label("other")),
).subquery()
"""Every two people who are kept apart, in both directions, so that neither finds out whose wish it
is."""


def people_at(state: TableState) -> dict[str, str]:
    """The people of a table, names by id: those at its seats, then those who began its present
    match and have left."""
    found = {seat.person: seat.name for seat in state.seats if seat.person}
    players = state.match.players if state.match is not None else ()
    for person, player in zip(state.began, players, strict=False):
        if person:
            found.setdefault(person, player.name)
    return found


class Avoided(Part):
    """The store's part for people with whom somebody would rather not sit.

    Only two things read a person's wishes: that person's own list, and checks who may sit with
    whom, which do not say whose wish it was.
    """

    async def avoid(self, person: str, other: str, name: str, *also: Write) -> None:
        """Stores that a person would rather not sit with another one; `name` is the other's name.
        Raises `Gone` where one of them is deleted.

        Args:
            also: writes to be stored with it.
        """
        row = put(AVOIDED, person=person, other=other, name=name, since=time.time())
        await self._write(*also, row)

    async def take_back(self, person: str, other: str) -> None:
        """Forgets that a person would rather not sit with another one."""
        theirs = AVOIDED.c.person == person, AVOIDED.c.other == other
        await self._write(delete(AVOIDED).where(*theirs))

    async def of(self, person: str) -> dict[str, str]:
        """The people with whom a person would rather not sit: names by id, ordered by name."""
        query = select(AVOIDED.c.other, AVOIDED.c.name).where(AVOIDED.c.person == person)
        rows = sorted(await self._reader.rows(query), key=lambda row: name_order(row.name))
        return {str(row.other): str(row.name) for row in rows}

    async def apart_from(self, person: str) -> frozenset[str]:
        """Ids of the people who are kept apart from a person, by the wish of either."""
        query = select(_WISHES.c.other).where(_WISHES.c.one == person)
        return frozenset(await self._column(query))

    async def apart(self, people: Collection[str]) -> Mapping[str, Collection[str]]:
        """Ids of the people who are kept apart from each of the given ones, by the wish of either;
        whoever is apart from nobody is missing."""
        found = defaultdict[str, set[str]](set)
        query = select(_WISHES.c.one, _WISHES.c.other)
        for one, other in await self._among(query, _WISHES.c.one, people):
            found[one].add(other)
        return found

    async def export(self, person: str) -> dict[str, Any]:
        query = select(AVOIDED.c.name, AVOIDED.c.since).where(AVOIDED.c.person == person)
        return {"avoided": await self._dicts(query.order_by(AVOIDED.c.since))}
