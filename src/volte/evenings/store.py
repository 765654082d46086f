"""The store of clubs, their members, and the evenings that they give."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Index, delete, exists, func, or_, select, update

from volte.names import name_order
from volte.store import Entry
from volte.store.part import Part
from volte.store.schema import PEOPLE, table
from volte.store.writer import NewRow, Write, one, put


class Club(msgspec.Struct, frozen=True):
    """A club of people who meet for evenings."""

    id: str
    name: str
    owner: str  # id of the person who owns it
    about: str  # description
    listed: bool  # whether it stands in the list, and anybody may join
    made: float  # time when it was founded, in seconds since 1970
    key: str  # key in the address that invites people


CLUBS: Final = table("clubs", Club, "id", Index("clubs_by_owner", "owner"))

MEMBERS: Final = table(
    "members",
    {"club": str, "person": str, "role": str, "joined": float},
    "club person",
    Index("members_by_person", "person"),
    club=CLUBS,
    person=PEOPLE,
)


class Member(msgspec.Struct, frozen=True):
    """A person in a club."""

    person: str
    name: str
    role: str  # `member`, or `organiser`, who plans its evenings
    joined: float  # seconds since 1970


class EveningRow(msgspec.Struct, frozen=True):
    """The row of an evening, for finding and listing it. The stream `evening/ID` has all of it."""

    id: str
    club: str
    state: str  # a `volte.evenings.evening.Stage`
    starts: float  # seconds since 1970
    summary: bytes  # `volte.evenings.conducting.EveningSummary` as JSON


EVENINGS: Final = table(
    "evenings",
    EveningRow,
    "id",
    Index("evenings_by_club", "club", "starts"),
    Index("evenings_by_state", "state", "starts"),
)

COMERS: Final = table(
    "comers",
    {"evening": str, "person": str},
    "evening person",
    Index("comers_by_person", "person"),
    person=PEOPLE,
)


def stream_of(evening: str) -> str:
    """The stream of an evening. No table has such an id, since ids of tables have no slash."""
    return f"evening/{evening}"


class Clubs(Part):
    """The store's part for clubs, members and evenings."""

    met = (MEMBERS.c.person, COMERS.c.person)

    # Clubs

    async def put(self, club: Club) -> None:
        """Stores a club, in place of any with the same id, and makes its owner a member."""
        owner = _member(club.id, club.owner, "organiser", club.made)
        await self._write(put(CLUBS, club), owner)

    async def change(self, before: Club, after: Club) -> None:
        """Changes a club. Raises `Conflict` where it no longer equals `before`."""
        same = (CLUBS.c[name] == value for name, value in asdict(before).items())
        changed = update(CLUBS).where(*same).values(asdict(after))
        owner = _member(after.id, after.owner, "organiser", after.made)
        await self._write(one(changed, after.id), owner)

    async def club(self, club: str) -> Club | None:
        """The club of an id; None where there is none."""
        return await self._first(Club, select(CLUBS).where(CLUBS.c.id == club))

    async def of(self, person: str) -> list[Club]:
        """The clubs of which a person is a member, ordered by name."""
        query = select(CLUBS).join(MEMBERS, MEMBERS.c.club == CLUBS.c.id)
        clubs = await self._all(Club, query.where(MEMBERS.c.person == person))
        return sorted(clubs, key=lambda club: (name_order(club.name), club.id))

    async def listed(self, limit: int = 100) -> list[Club]:
        """The clubs that stand in the list, largest first."""
        size = func.count(MEMBERS.c.person)
        query = select(CLUBS).outerjoin(MEMBERS, MEMBERS.c.club == CLUBS.c.id)
        query = query.where(CLUBS.c.listed == 1).group_by(CLUBS.c.id)
        return await self._all(Club, query.order_by(size.desc(), CLUBS.c.id).limit(limit))

    async def dissolve(self, club: str) -> None:
        """Deletes a club with its memberships."""
        await self._write(delete(CLUBS).where(CLUBS.c.id == club))

    # Members

    async def members(self, club: str) -> list[Member]:
        """The members of a club, ordered by name."""
        columns = MEMBERS.c
        query = select(columns.person, PEOPLE.c.name, columns.role, columns.joined)
        query = query.join(PEOPLE, PEOPLE.c.id == columns.person).where(columns.club == club)
        members = await self._all(Member, query)
        return sorted(members, key=lambda member: (name_order(member.name), member.joined))

    async def sizes(self, clubs: Sequence[str]) -> dict[str, int]:
        """Numbers of members, by the clubs' ids."""
        query = select(MEMBERS.c.club, func.count()).where(MEMBERS.c.club.in_(clubs))
        rows = await self._reader.rows(query.group_by(MEMBERS.c.club)) if clubs else ()
        return {row[0]: row[1] for row in rows}

    async def role(self, club: str, person: str) -> str:
        """A person's role in a club: `member` or `organiser`; empty for somebody not in it."""
        query = select(MEMBERS.c.role).where(MEMBERS.c.club == club, MEMBERS.c.person == person)
        return await self._value(query, "")

    async def admit(self, club: str, person: str, role: str = "member") -> None:
        """Makes somebody a member, or changes a member's role.

        Raises `Conflict` for a club that is not there.
        """
        await self._write(_member(club, person, role, time.time()))

    async def dismiss(self, club: str, person: str) -> None:
        """Ends a membership."""
        member = delete(MEMBERS).where(MEMBERS.c.club == club, MEMBERS.c.person == person)
        await self._write(member)

    # Evenings

    async def append(
        self, row: EveningRow, expected: int, events: Sequence[bytes], people: Iterable[str] = ()
    ) -> None:
        """Adds to the stream of an evening after version `expected`, and stores its row.

        Args:
            people: ids of the people whom these events are the first to name.

        Raises as `Store.append` does.
        """
        comers = (put(COMERS, evening=row.id, person=each) for each in people)
        writes = [put(EVENINGS, row), *comers]
        await self._writer.append(stream_of(row.id), expected, events, writes)

    async def read(self, evening: str, after: int = 0) -> list[Entry]:
        """The entries of an evening's stream after a version."""
        return await self._entries(stream_of(evening), after)

    async def evenings(
        self, clubs: Sequence[str], states: Sequence[str] = (), limit: int = 50
    ) -> list[EveningRow]:
        """The evenings of those clubs, in these states or in any, the latest first."""
        query = select(EVENINGS).where(EVENINGS.c.club.in_(clubs))
        if states:
            query = query.where(EVENINGS.c.state.in_(states))
        query = query.order_by(EVENINGS.c.starts.desc(), EVENINGS.c.id).limit(limit)
        return await self._all(EveningRow, query) if clubs else []

    async def evenings_of(self, person: str, states: Sequence[str] = ()) -> list[EveningRow]:
        """The evenings that a person has planned, was invited to or has come to, the latest first.

        Args:
            states: only evenings in one of these states; all if empty.
        """
        query = select(EVENINGS).join(COMERS, COMERS.c.evening == EVENINGS.c.id)
        query = query.where(COMERS.c.person == person)
        if states:
            query = query.where(EVENINGS.c.state.in_(states))
        query = query.order_by(EVENINGS.c.starts.desc(), EVENINGS.c.id)
        return await self._all(EveningRow, query)

    async def going_on(self, now: float) -> list[str]:
        """Ids of the evenings that may have something to do by themselves."""
        due = (EVENINGS.c.state == "planned") & (EVENINGS.c.starts <= now)
        query = select(EVENINGS.c.id).where(or_(EVENINGS.c.state == "running", due))
        return await self._column(query)

    # People

    async def export(self, person: str) -> dict[str, Any]:
        """The clubs of a person, and the evenings in which they occur."""
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
        return ({"clubs": clubs} if clubs else {}) | ({"evenings": evenings} if evenings else {})

    def forgetting(self, person: str) -> tuple[Write, ...]:
        """Writes that give a person's clubs another owner, or dissolve them.

        Their name at an evening stays in its stream.
        """
        # Organisers come before other members, and then people who joined earlier.
        heirs = select(MEMBERS.c.person).where(MEMBERS.c.club == CLUBS.c.id)
        heirs = heirs.where(MEMBERS.c.person != person)
        heirs = heirs.order_by(MEMBERS.c.role.desc(), MEMBERS.c.joined, MEMBERS.c.person).limit(1)
        heir = func.coalesce(heirs.correlate(CLUBS).scalar_subquery(), "")
        gone = ~exists().where(PEOPLE.c.id == CLUBS.c.owner)
        return (
            update(CLUBS).where(or_(CLUBS.c.owner == person, gone)).values(owner=heir),
            delete(CLUBS).where(CLUBS.c.owner == ""),
        )


def _member(club: str, person: str, role: str, joined: float) -> NewRow:
    return put(MEMBERS, club=club, person=person, role=role, joined=joined)
