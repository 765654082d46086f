"""The store of people who look for others to play with, at whichever node."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import delete, or_, select, union_all, update

from volte.meeting.seeks import Seek
from volte.store.part import Part
from volte.store.schema import PEOPLE, table
from volte.store.writer import NewRow, One, Write, insert, one
from volte.talk.company import AVOIDED
from volte.talk.store import MUTES

SEEKS: Final = table(
    "seeks", {"person": str, "version": int, "seek": bytes}, "person", person=PEOPLE
)

FIRST_VERSIONS: Final = 2**30

_ROWS: Final = select(SEEKS.c.version, SEEKS.c.seek)
_DECODER: Final = msgspec.json.Decoder(Seek)


class Seeks(Part):
    """The store's part for people who would play with anybody."""

    async def all(self, known: Mapping[str, Seek]) -> dict[str, Seek]:
        """All seeks, by the person's id.

        Args:
            known: seeks that were read before; those that have not changed are taken from there.
        """
        found, fresh = dict[str, Seek](), list[str]()
        for person, version in await self._reader.rows(select(SEEKS.c.person, SEEKS.c.version)):
            seek = known.get(person)
            if seek is not None and seek.version == version:
                found[person] = seek
            else:
                fresh.append(person)
        for version, data in await self._among(_ROWS, SEEKS.c.person, fresh):
            seek = _decoded(version, data)
            found[seek.person] = seek
        return found

    async def of(self, person: str) -> Seek | None:
        """The seek of a person; None where they have none."""
        return await self._first(_decoded, _ROWS.where(SEEKS.c.person == person))

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

    async def apart_from(self, person: str) -> frozenset[str]:
        """Ids of the people whom a person has muted or would rather not meet again, and of those
        who have muted or avoid the person: with or without a seek, as they may sit with others who
        have one."""
        both = [
            query
            for each in (AVOIDED, MUTES)
            for query in (
                select(each.c.other.label("one")).where(each.c.person == person),
                select(each.c.person.label("one")).where(each.c.other == person),
            )
        ]
        return frozenset(await self._column(select(union_all(*both).subquery())))

    async def export(self, person: str) -> dict[str, Any]:
        seek = await self.of(person)
        if seek is None:
            return {}
        return {"seeks": {"since": seek.since, "table": seek.table} | asdict(seek.wish)}


def first_version() -> int:
    """The version of a new seek: one that no seek of that person had before, as good as surely, so
    that person and version stand for the whole seek."""
    return secrets.randbelow(FIRST_VERSIONS)


def begun(seek: Seek) -> NewRow:
    """The write by which a seek begins; refused with `Conflict` where its person has one."""
    return insert(SEEKS, person=seek.person, version=seek.version, seek=_encoded(seek))


def changed(seek: Seek) -> One:
    """The write by which a seek becomes what it is now; refused with `Conflict` where it has
    changed since it was read.

    The seek still has the version that was read, and `after` gives the one that is stored.
    """
    statement = update(SEEKS).where(SEEKS.c.person == seek.person, SEEKS.c.version == seek.version)
    return one(statement.values(version=seek.version + 1, seek=_encoded(seek)))


def after(seek: Seek) -> Seek:
    """The seek as it is once `changed` has been written."""
    return replace(seek, version=seek.version + 1)


def over(seek: Seek) -> One:
    """The write by which a seek ends; refused with `Conflict` where it has changed meanwhile."""
    statement = delete(SEEKS).where(SEEKS.c.person == seek.person)
    return one(statement.where(SEEKS.c.version == seek.version))


def touched(person: str) -> Write:
    """The write by which no pairing of a person is stored that was found before it."""
    return update(SEEKS).where(SEEKS.c.person == person).values(version=SEEKS.c.version + 1)


def _encoded(seek: Seek) -> bytes:
    return msgspec.json.encode(replace(seek, version=0))


def _decoded(version: int, seek: bytes) -> Seek:
    return replace(_DECODER.decode(seek), version=version)
