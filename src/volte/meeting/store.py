"""The store of seeks, and of people whom somebody would rather not meet again."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import Index, Update, delete, or_, select, union_all, update

from volte.meeting.seeks import Seek
from volte.names import name_order
from volte.store.part import Part
from volte.store.schema import PEOPLE, table
from volte.store.writer import NewRow, One, Write, insert, one, put
from volte.talk.store import MUTES

SEEKS: Final = table(
    "seeks", {"person": str, "version": int, "seek": bytes}, "person", person=PEOPLE
)

AVOIDED: Final = table(
    "avoided",
    {"person": str, "other": str, "name": str, "since": float},
    "person other",
    Index("avoided_by_other", "other"),
    person=PEOPLE,
    other=PEOPLE,
)

_DECODER: Final = msgspec.json.Decoder(Seek)


class Seeks(Part):
    """The store's part for people who would play with anybody."""

    async def all(self) -> dict[str, Seek]:
        """All seeks, by the person's id."""
        rows = await self._reader.rows(select(SEEKS.c.version, SEEKS.c.seek))
        seeks = [_decoded(version, seek) for version, seek in rows]
        return {seek.person: seek for seek in seeks}

    async def of(self, person: str) -> Seek | None:
        """The seek of a person; None where they have none."""
        query = select(SEEKS.c.version, SEEKS.c.seek).where(SEEKS.c.person == person)
        return await self._first(_decoded, query)

    async def write(self, *writes: Write) -> None:
        """Does all the writes, or none. Raises `Conflict` where a seek has changed meanwhile, and
        `Gone` where its person is no longer there."""
        await self._write(*writes)

    async def apart(self, strangers: Collection[str] = ()) -> Mapping[str, Collection[str]]:
        """Ids of the people whom somebody has muted, or would rather not meet again, by the
        person's id; among all who seek, and the strangers."""
        seekers = select(SEEKS.c.person)
        found = defaultdict[str, set[str]](set)
        both = [
            select(each.c.person, each.c.other).where(
                or_(each.c.person.in_(seekers), each.c.person.in_(sorted(strangers))),
                or_(each.c.other.in_(seekers), each.c.other.in_(sorted(strangers))),
            )
            for each in (AVOIDED, MUTES)
        ]
        for person, other in await self._reader.rows(select(union_all(*both).subquery())):
            found[person].add(other)
        return found

    async def export(self, person: str) -> dict[str, Any]:
        seek = await self.of(person)
        if seek is None:
            return {}
        return {"seeks": {"since": seek.since, "table": seek.table} | asdict(seek.wish)}


def begun(seek: Seek) -> NewRow:
    """The write by which a seek begins; refused with `Conflict` where its person has one."""
    return insert(SEEKS, person=seek.person, version=seek.version, seek=_encoded(seek))


def changed(seek: Seek) -> Update:
    """The write by which a seek becomes what it is now, unless it has changed since it was read.

    The seek still has the version that was read, and `after` gives the one that is stored.
    """
    statement = update(SEEKS).where(SEEKS.c.person == seek.person, SEEKS.c.version == seek.version)
    return statement.values(version=seek.version + 1, seek=_encoded(seek))


def after(seek: Seek) -> Seek:
    """The seek as it is once `changed` has been written."""
    return replace(seek, version=seek.version + 1)


def surely(seek: Seek) -> One:
    """As `changed`, but refused with `Conflict` where the seek has changed since it was read."""
    return one(changed(seek))


def over(seek: Seek) -> One:
    """The write by which a seek ends; refused with `Conflict` where it has changed meanwhile."""
    statement = delete(SEEKS).where(SEEKS.c.person == seek.person)
    return one(statement.where(SEEKS.c.version == seek.version))


def _encoded(seek: Seek) -> bytes:
    return msgspec.json.encode(replace(seek, version=0))


def _decoded(version: int, seek: bytes) -> Seek:
    return replace(_DECODER.decode(seek), version=version)


class Avoided(Part):
    """The store's part for people whom somebody would rather not meet again.

    It is that person's secret: only `apart` and their own list read it.
    """

    async def avoid(self, person: str, other: str, name: str) -> None:
        """Stores that a person would rather not meet another one; `name` is the other's name.
        Raises `Gone` where one of them is deleted."""
        touched = (
            update(SEEKS).where(SEEKS.c.person == each).values(version=SEEKS.c.version + 1)
            for each in (person, other)
        )  # so that no pairing is stored that was found before
        row = put(AVOIDED, person=person, other=other, name=name, since=time.time())
        await self._write(*touched, row)

    async def take_back(self, person: str, other: str) -> None:
        """Forgets that a person would rather not meet another one."""
        theirs = AVOIDED.c.person == person, AVOIDED.c.other == other
        await self._write(delete(AVOIDED).where(*theirs))

    async def of(self, person: str) -> dict[str, str]:
        """The people whom a person would rather not meet: names by id, ordered by name."""
        query = select(AVOIDED.c.other, AVOIDED.c.name).where(AVOIDED.c.person == person)
        rows = sorted(await self._reader.rows(query), key=lambda row: name_order(row.name))
        return {str(row.other): str(row.name) for row in rows}

    async def export(self, person: str) -> dict[str, Any]:
        query = select(AVOIDED.c.name, AVOIDED.c.since).where(AVOIDED.c.person == person)
        return {"avoided": await self._dicts(query.order_by(AVOIDED.c.since))}
