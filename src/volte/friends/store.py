"""The store of friendships and of invitations between friends."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Index,
    and_,
    delete,
    exists,
    literal,
    or_,
    select,
    union_all,
    update,
)

from volte.friends.circle import (
    LASTING,
    Circle,
    FriendInvitation,
    LastInvitation,
    Stance,
    circle_of,
    invitation_refusal,
)
from volte.people.store import ACCOUNTS
from volte.store import OPEN, Conflict
from volte.store.part import Part
from volte.store.schema import ADMITTED, LISTINGS, PEOPLE, PLAYERS, SESSIONS, table
from volte.store.writer import Write, insert, one, put, renew
from volte.talk.store import MUTES

FRIENDSHIPS: Final = table(
    "friendships",
    {"person": str, "other": str, "agrees": bool, "hidden": bool, "since": float},
    "person other",
    Index("friendships_by_other", "other"),
    person=PEOPLE,
    other=PEOPLE,
)
"""The answer of each person to another one's friendship; both agree: they are friends."""

INVISIBLE: Final = table("invisible", {"person": str, "since": float}, "person", person=PEOPLE)
"""People who are invisible to everybody."""

INVITATIONS: Final = table(
    "invitations",
    {"person": str, "by": str, "table": str, "at": float}
    | {"answered": float | None, "accepted": bool},
    "person by",
    Index("invitations_by_sender", "by"),
    person=PEOPLE,
    by=PEOPLE,
)
"""The last invitation of each person by each friend."""

KEPT: Final = 24 * 3600.0
"""Seconds for which an invitation is stored."""


class Friendships(Part):
    """The store's part for friends, who may see them, and their invitations.

    All of it is known to the two people alone, and a no or a mute to one of them.
    """

    # Friends

    async def of(self, person: str) -> Circle:
        """The friends of a person, whom they have asked, and who asks them."""
        rows = await self._all(Stance, _stances(person))
        hidden = select(INVISIBLE.c.person).where(INVISIBLE.c.person == person)
        return circle_of(rows, bool(await self._column(hidden)))

    async def are_friends(self, person: str, other: str) -> bool:
        """Whether two people are friends."""
        query = select(FRIENDSHIPS.c.person).where(_agreed(person, other))
        return len(await self._column(query)) == 2

    async def any_of(self, person: str) -> bool:
        """Whether anything is stored of a person's friendships."""
        query = select(FRIENDSHIPS.c.person).where(FRIENDSHIPS.c.person == person)
        return bool(await self._column(query.limit(1)))

    async def have_played(self, person: str, other: str) -> bool:
        """Whether two people have had seats in one match."""
        theirs = PLAYERS.alias()
        query = select(PLAYERS.c.match).where(_at_seat(PLAYERS.c, person))
        query = query.join(theirs, and_(theirs.c.match == PLAYERS.c.match))
        return bool(await self._column(query.where(_at_seat(theirs.c, other)).limit(1)))

    async def agree(self, person: str, other: str) -> None:
        """Stores that a person would be friends with another one, or is. Raises `Gone`."""
        row = {"person": person, "other": other, "hidden": False, "since": time.time()}
        await self._write(renew(FRIENDSHIPS, "agrees", agrees=True, **row))

    async def decline(self, person: str, other: str) -> None:
        """Stores that a person would not be friends with somebody who asks. Raises `Gone`."""
        row = {"person": person, "other": other, "hidden": False, "since": time.time()}
        await self._write(renew(FRIENDSHIPS, "agrees", agrees=False, **row))

    async def end(self, person: str, other: str) -> None:
        """Ends a friendship with its invitations, or takes an asking back.

        A no of the other one stays, so that asking anew is no way around it.
        """
        columns = FRIENDSHIPS.c
        theirs = and_(columns.person == other, columns.other == person, columns.agrees == 1)
        own = and_(columns.person == person, columns.other == other)
        among = INVITATIONS.c
        await self._write(
            delete(FRIENDSHIPS).where(or_(own, theirs)),
            delete(INVITATIONS).where(
                or_(
                    and_(among.person == person, among.by == other),
                    and_(among.person == other, among.by == person),
                )
            ),
        )

    async def hide(self, person: str, other: str, hidden: bool) -> None:
        """Makes a person invisible to a friend, or visible again."""
        columns = FRIENDSHIPS.c
        row = update(FRIENDSHIPS).where(columns.person == person, columns.other == other)
        await self._write(row.values(hidden=hidden))

    async def hide_from_all(self, person: str, hidden: bool) -> None:
        """Makes a person invisible to everybody, or visible again. Raises `Gone`."""
        row = put(INVISIBLE, person=person, since=time.time())
        await self._write(row if hidden else delete(INVISIBLE).where(INVISIBLE.c.person == person))

    # Invitations

    async def invite(self, by: str, other: str, where: str) -> str:
        """Stores an invitation to a table; returns the reason where there can be none now, or "".

        Raises `Gone` where one of the two is deleted.
        """
        now, columns = time.time(), INVITATIONS.c
        row = {"table": where, "at": now, "answered": None, "accepted": False}
        query = select(columns.table, columns.at, columns.answered, columns.accepted)
        last = await self._first(
            LastInvitation, query.where(columns.person == other, columns.by == by)
        )
        refusal = invitation_refusal(last, now, last is None or await self._is_open(last.table))
        if refusal:
            return refusal
        write: Write = insert(INVITATIONS, person=other, by=by, **row)
        if last is not None:
            same = columns.at == last.at, columns.answered.is_not_distinct_from(last.answered)
            known = update(INVITATIONS).where(columns.person == other, columns.by == by, *same)
            write = one(known.values(row))
        try:
            await self._write(write)
        except Conflict:  # the same was pressed twice, or answered at this moment
            return "invited_already"
        return ""

    async def answer(self, person: str, by: str, yes: bool) -> str:
        """Stores the answer to an open invitation, once, and admits to its table whoever says yes.

        Returns the id of the table; empty where no such invitation is open any more. A yes that
        comes again, as it was pressed twice, leads there too.
        """
        found = [each for each in await self.invitations(person) if each.by == by]
        if not found:
            return await self._accepted(person, by) if yes else ""
        columns, (invitation,) = INVITATIONS.c, found
        given = update(INVITATIONS).where(columns.person == person, columns.by == by)
        given = given.where(columns.at == invitation.at, columns.answered.is_(None))
        writes: list[Write] = [one(given.values(answered=time.time(), accepted=yes))]
        if yes:
            writes.append(put(ADMITTED, table=invitation.table, person=person))
        with suppress(Conflict):
            await self._write(*writes)
            return invitation.table
        return await self._accepted(person, by) if yes else ""

    async def _accepted(self, person: str, by: str) -> str:
        """The id of the table to which a person has lately been led by a yes; empty for none."""
        columns = INVITATIONS.c
        query = select(columns.table).where(columns.person == person, columns.by == by)
        query = query.where(columns.accepted == 1, columns.at > time.time() - LASTING)
        (table,) = await self._column(query) or [""]
        return table if await self._is_open(table) else ""

    async def invitations(self, person: str) -> list[FriendInvitation]:
        """The open invitations of a person by friends whom they have not muted, oldest first."""
        columns = INVITATIONS.c
        query = select(columns.by, PEOPLE.c.name, columns.table, LISTINGS.c.name, columns.at)
        query = query.join(PEOPLE, PEOPLE.c.id == columns.by)
        query = query.join(LISTINGS, LISTINGS.c.table == columns.table)
        query = query.where(columns.person == person, columns.answered.is_(None))
        query = query.where(columns.at > time.time() - LASTING, LISTINGS.c.state.in_(OPEN))
        query = query.where(~_muted(person, columns.by), *_friends(person, columns.by))
        return await self._all(FriendInvitation, query.order_by(columns.at))

    async def _is_open(self, where: str) -> bool:
        query = select(LISTINGS.c.table).where(LISTINGS.c.table == where)
        return bool(await self._column(query.where(LISTINGS.c.state.in_(OPEN))))

    # People

    async def export(self, person: str) -> dict[str, Any]:
        columns, among = FRIENDSHIPS.c, INVITATIONS.c
        circle = await self.of(person)
        no = select(PEOPLE.c.name, columns.since).join(PEOPLE, PEOPLE.c.id == columns.other)
        no = no.where(columns.person == person, columns.agrees == 0).order_by(columns.since)
        sent = select(PEOPLE.c.name, among.table, among.at)
        sent = sent.join(PEOPLE, PEOPLE.c.id == among.person).where(among.by == person)
        came = select(PEOPLE.c.name, among.table, among.at, among.answered, among.accepted)
        came = came.join(PEOPLE, PEOPLE.c.id == among.by).where(among.person == person)
        return {
            "friends": [
                {"name": each.name, "since": each.since, "invisible": each.hidden}
                for each in circle.friends
            ],
            "friends_asked": [{"name": each.name, "since": each.since} for each in circle.asked],
            "friends_declined": await self._dicts(no),
            "invisible": circle.invisible,
            "invited": await self._dicts(sent.order_by(among.at)),
            "invitations": await self._dicts(
                came.where(~_muted(person, among.by)).order_by(among.at)
            ),
        }

    def over(self, now: float) -> tuple[Write, ...]:
        """Writes that delete old invitations, and the friendships of guests who cannot come back:
        without an account, and without a session."""
        columns = FRIENDSHIPS.c
        return (
            delete(INVITATIONS).where(INVITATIONS.c.at < now - KEPT),
            delete(FRIENDSHIPS).where(or_(_gone(columns.person, now), _gone(columns.other, now))),
        )


def _gone(person: ColumnElement[str], now: float) -> ColumnElement[bool]:
    """The condition that somebody can never come back: a guest without a session."""
    account = exists().where(ACCOUNTS.c.person == person)
    return ~account & ~exists().where(SESSIONS.c.person == person, SESSIONS.c.expires > now)


def _at_seat(columns: Any, person: str) -> ColumnElement[bool]:
    """The condition that a person sits or sat first at a seat of a match."""
    return or_(columns.person == person, columns.began == person)


def _agreed(person: str, other: str) -> ColumnElement[bool]:
    """The condition for the rows in which one of two people agrees to the other's friendship."""
    columns = FRIENDSHIPS.c
    return and_(
        columns.agrees == 1,
        or_(
            and_(columns.person == person, columns.other == other),
            and_(columns.person == other, columns.other == person),
        ),
    )


def _friends(person: str, other: ColumnElement[str]) -> tuple[ColumnElement[bool], ...]:
    """The conditions that a person and another one are friends."""
    columns = FRIENDSHIPS.c
    agreed = exists().where(columns.agrees == 1)
    return (
        agreed.where(columns.person == person, columns.other == other),
        agreed.where(columns.person == other, columns.other == person),
    )


def _muted(person: str, other: ColumnElement[str]) -> ColumnElement[bool]:
    """The condition that a person has muted another one."""
    return exists().where(MUTES.c.person == person, MUTES.c.other == other)


def _stances(person: str) -> Any:
    """The query for all rows about a person: their own, then those of others towards them."""
    columns = FRIENDSHIPS.c
    own = select(
        *(literal(True), columns.other, PEOPLE.c.name, columns.agrees, columns.hidden),
        *(columns.since, literal(False)),
    )
    own = own.join(PEOPLE, PEOPLE.c.id == columns.other).where(columns.person == person)
    unknown = literal(False, columns.hidden.type)  # whether others hide leaves no query
    theirs = select(
        *(literal(False), columns.person, PEOPLE.c.name, columns.agrees, unknown),
        *(columns.since, _muted(person, columns.person)),
    )
    theirs = theirs.join(PEOPLE, PEOPLE.c.id == columns.person).where(columns.other == person)
    return union_all(own, theirs)
