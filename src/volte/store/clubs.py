"""Clubs, their members, and the evenings that they give."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import func, or_, select

from volte.store.part import Part
from volte.store.reader import AnyRow
from volte.store.rows import Entry
from volte.store.schema import CLUBS, COMERS, ENTRIES, EVENINGS, MEMBERS, PEOPLE
from volte.store.writer import Change, appending


class Club(msgspec.Struct, frozen=True):
    """A club.

    Attributes:
        owner: id of a person.
        about: what it says of itself.
        listed: whether it stands in the list, and anybody may join.
        made: in seconds since 1970.
        key: of the address that invites people.
    """

    id: str
    name: str
    owner: str
    about: str
    listed: bool
    made: float
    key: str


class Member(msgspec.Struct, frozen=True):
    """Somebody in a club.

    Attributes:
        role: `member`, or `organiser`: whoever plans its evenings.
        joined: in seconds since 1970.
    """

    person: str
    name: str
    role: str
    joined: float


class EveningRow(msgspec.Struct, frozen=True):
    """An evening, as it is found and listed. All of it is in the stream `evening/ID`.

    Attributes:
        state: a `volte.evenings.evening.Stage`.
        starts: in seconds since 1970.
        summary: what else a list shows, as JSON.
    """

    id: str
    club: str
    state: str
    starts: float
    summary: bytes


def stream_of(evening: str) -> str:
    """The stream of an evening. No table can be called so: their addresses have no slash."""
    return f"evening/{evening}"


class Clubs(Part):
    """Clubs, members and evenings."""

    # Clubs

    async def put(self, club: Club) -> None:
        """Keeps a club, in place of what was kept under the same id; its owner is a member."""
        await self._write(*_of_club(club))

    async def club(self, club: str) -> Club | None:
        """The club of that id."""
        rows = await self._reader.rows(select(CLUBS).where(CLUBS.c.id == club), club)
        return _club(rows[0]) if rows else None

    async def of(self, person: str) -> list[Club]:
        """The clubs of which that person is a member, by name."""
        query = select(CLUBS).join(MEMBERS, MEMBERS.c.club == CLUBS.c.id)
        rows = await self._reader.rows(query.where(MEMBERS.c.person == person), person)
        return sorted(map(_club, rows), key=_by_name)

    async def listed(self, limit: int = 100) -> list[Club]:
        """The clubs that stand in the list, those with most members first."""
        size = func.count(MEMBERS.c.person)
        query = select(CLUBS).outerjoin(MEMBERS, MEMBERS.c.club == CLUBS.c.id)
        query = query.where(CLUBS.c.listed == 1).group_by(CLUBS.c.id)
        rows = await self._reader.rows(query.order_by(size.desc(), CLUBS.c.id).limit(limit))
        return [_club(row) for row in rows]

    async def dissolve(self, club: str) -> None:
        """There is no such club any more."""
        await self._write(Change("club_over", (club,), {"which": club}))

    # Members

    async def members(self, club: str) -> list[Member]:
        """The members of a club, by name."""
        columns = MEMBERS.c
        query = select(columns.person, PEOPLE.c.name, columns.role, columns.joined)
        query = query.join(PEOPLE, PEOPLE.c.id == columns.person).where(columns.club == club)
        members = (Member(*row) for row in await self._reader.rows(query, club))
        return sorted(members, key=lambda member: (member.name.casefold(), member.joined))

    async def sizes(self, clubs: Sequence[str]) -> dict[str, int]:
        """How many members those clubs have."""
        query = select(MEMBERS.c.club, func.count()).where(MEMBERS.c.club.in_(clubs))
        rows = await self._reader.rows(query.group_by(MEMBERS.c.club)) if clubs else ()
        return {row[0]: row[1] for row in rows}

    async def role(self, club: str, person: str) -> str:
        """`member` or `organiser`; empty for somebody who is not in it."""
        query = select(MEMBERS.c.role).where(MEMBERS.c.club == club, MEMBERS.c.person == person)
        rows = await self._reader.rows(query, club, person)
        return str(rows[0].role) if rows else ""

    async def admit(self, club: str, person: str, role: str = "member") -> None:
        """Makes somebody a member, or a member something else.

        Raises `Conflict` for a club that is not there.
        """
        await self._write(_member(club, person, role, time.time()))

    async def dismiss(self, club: str, person: str) -> None:
        """Somebody is no member any more."""
        await self._write(Change("member_over", (club, person), {"which": club, "gone": person}))

    # Evenings

    async def append(
        self, row: EveningRow, expected: int, events: Sequence[bytes], people: Iterable[str] = ()
    ) -> None:
        """Adds to the stream of an evening after version `expected`, and keeps its row.

        Args:
            people: ids of those whom these events are the first to name.

        Raises as `Store.append` does.
        """
        kept = [
            Change("evening", (row.id,), msgspec.structs.asdict(row)),
            *(
                Change("comer", (row.id, each), {"evening": row.id, "person": each})
                for each in people
            ),
        ]
        await self._writer.write(appending(stream_of(row.id), expected, events, kept))

    async def read(self, evening: str, after: int = 0) -> list[Entry]:
        """What has happened to an evening after a version."""
        stream, columns = stream_of(evening), ENTRIES.c
        query = select(columns.version, columns.data, columns.cause, columns.at)
        query = query.where(columns.stream == stream, columns.version > after)
        rows = await self._reader.rows(query, stream)
        return sorted((Entry(*row) for row in rows), key=lambda entry: entry.version)

    async def evening(self, evening: str) -> EveningRow | None:
        """The evening of that id."""
        rows = await self._reader.rows(select(EVENINGS).where(EVENINGS.c.id == evening), evening)
        return EveningRow(*rows[0]) if rows else None

    async def evenings(
        self, clubs: Sequence[str], states: Sequence[str] = (), limit: int = 50
    ) -> list[EveningRow]:
        """The evenings of those clubs, in these states or in any, the latest first."""
        query = select(EVENINGS).where(EVENINGS.c.club.in_(clubs))
        if states:
            query = query.where(EVENINGS.c.state.in_(states))
        query = query.order_by(EVENINGS.c.starts.desc(), EVENINGS.c.id).limit(limit)
        rows = await self._reader.rows(query, *clubs) if clubs else ()
        return [EveningRow(*row) for row in rows]

    async def evenings_of(self, person: str, states: Sequence[str] = ()) -> list[EveningRow]:
        """The evenings that a person has planned, was asked to or has come to, the latest first.

        Args:
            states: those in one of them; else all.
        """
        query = select(EVENINGS).join(COMERS, COMERS.c.evening == EVENINGS.c.id)
        query = query.where(COMERS.c.person == person)
        if states:
            query = query.where(EVENINGS.c.state.in_(states))
        query = query.order_by(EVENINGS.c.starts.desc(), EVENINGS.c.id)
        return [EveningRow(*row) for row in await self._reader.rows(query, person)]

    async def going_on(self, now: float) -> list[str]:
        """Ids of the evenings that may have something to do by themselves."""
        due = (EVENINGS.c.state == "planned") & (EVENINGS.c.starts <= now)
        query = select(EVENINGS.c.id).where(or_(EVENINGS.c.state == "running", due))
        return [row.id for row in await self._reader.rows(query)]

    # People

    async def export(self, person: str) -> dict[str, Any]:
        """The clubs of that person, and the evenings that know them."""
        clubs = [
            {
                "club": club.name,
                "role": "owner" if club.owner == person else await self.role(club.id, person),
            }
            for club in await self.of(person)
        ]
        evenings = [
            {"evening": row.id, "club": row.club, "state": row.state, "starts": row.starts}
            for row in await self.evenings_of(person)
        ]
        told = {"clubs": clubs, "evenings": evenings}
        return {name: kept for name, kept in told.items() if kept}

    def forgetting(self, person: str) -> tuple[Change, ...]:
        """Their clubs get another owner, or are dissolved; they are in none any more. What they
        were called at an evening stays in its stream."""
        gone = {"gone": person}
        return (
            Change("club_inherited", (person,), gone),
            Change("memberships_over", (person,), gone),
            Change("clubs_over", (), {}),
            Change("comings_over", (person,), gone),
        )


def _of_club(club: Club) -> tuple[Change, ...]:
    values = msgspec.structs.asdict(club) | {"listed": int(club.listed)}
    owner = _member(club.id, club.owner, "organiser", club.made)
    return (Change("club", (club.id,), values), owner)


def _member(club: str, person: str, role: str, joined: float) -> Change:
    values = {"club": club, "person": person, "role": role, "joined": joined}
    return Change("member", (club, person), values)


def _club(row: AnyRow) -> Club:
    values = row._asdict()
    return Club(**values | {"listed": bool(values["listed"])})


def _by_name(club: Club) -> tuple[str, str]:
    return (club.name.casefold(), club.id)
