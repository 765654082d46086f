"""Moves: the steps by which somebody who waits comes from their table to another one.

A seek says how far a move has come: paired (`joins`), seated there (`sat`), and gone from the table
before. The node of each table takes the steps at that table, and every step may be repeated: what
it finds done, it only notes. So another node goes on where one has died.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from itertools import chain
from typing import Final

from msgspec.structs import replace

from volte.meeting.seeks import MeetingTable, Seek, seated, staying
from volte.meeting.store import Seeks, after, changed, over
from volte.store import acting
from volte.store.store import Store
from volte.table.commands import Onward, Sit, Someone, Stand
from volte.table.live import LiveTable
from volte.table.state import TableState
from volte.talk.company import Avoided

MOST_REFUSED: Final = 8
"""Tables that would not have somebody and are remembered, the latest ones."""

PASSING: Final = (
    *("table_busy", "not_saved", "table_failed", "moved_away", "stopping"),
    "seen_other_hand",  # until this deal is over
)
"""Reasons of refusals that pass by themselves: the next look tries again."""

CHANGED: Final = ("seat_taken", "seat_wanted", "table_full", "closed")
"""Reasons of refusals by which somebody else was first: the person waits on, for any table."""


class Moves:
    """The steps of this node. They raise `Conflict` where another was first, and `Unavailable`.

    Each returns the seek as it is stored then, or None where it is over.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seeks = store[Seeks]

    async def write(self, seek: Seek) -> Seek:
        """Stores a changed seek, which still has the version that was read."""
        await self._seeks.write(changed(seek))
        return after(seek)

    async def end(self, seek: Seek) -> Seek | None:
        """Ends a seek; where it joins a table, once that table has heard of it."""
        if seek.joins:
            return seek if seek.ends else await self.write(replace(seek, ends=True))
        await self._seeks.write(over(seek))
        return None

    async def stay(self, seek: Seek) -> Seek | None:
        """Gives up a move: the person waits on where they are, or the seek is over."""
        if seek.ends:
            await self._seeks.write(over(seek))
            return None
        return await self.write(staying(seek))

    async def settle(self, seek: Seek) -> Seek | None:
        """Completes a move: the person has left the table before."""
        if seek.ends:
            await self._seeks.write(over(seek))
            return None
        return await self.write(seated(seek))

    async def arrive(self, seek: Seek, live: LiveTable, attended: bool) -> Seek | None:
        """Takes the steps at the table that somebody joins: they get or ask for a seat.

        Args:
            attended: whether somebody is there to play with.
        """
        state, person = live.state, seek.person
        if not seek.sat and state.seat_of(person) is None:
            if seek.ends or seek.back or not attended:
                return await self._withdraw(seek, live)
            if not _asks(live, person):
                refused = await self._sit(seek, live)
                if refused is not None:
                    return refused
            if _asks(live, person) and not seek.asks:
                return await self.write(replace(seek, asks=True))
        if seek.sat or live.state.seat_of(person) is None:
            return seek
        if seek.table:
            return await self.write(replace(seek, sat=True))
        return await self.settle(seek)

    async def depart(self, seek: Seek, live: LiveTable, absent: bool) -> Seek | None:
        """Takes the steps at the table where somebody sits: they wait, leave or go on.

        Args:
            absent: whether they have not been there for long.
        """
        person, state = Someone(seek.person, ""), live.state
        if seek.sat:
            reply = await live.do(person, Onward(seek.joins), state.version)
            if reply.refusal is not None and reply.refusal.reason == "meeting_goes_on":
                reply = await live.do(person, Stand(), live.state.version)  # others have come
            left = live.state.closed or live.state.seat_of(seek.person) is None
            return await self.settle(seek) if left else seek
        if absent or state.seat_of(seek.person) is None:
            return await self.end(seek)
        if seek.joins and not seek.back and company_of(live) != (seek.person,):
            return await self.write(replace(seek, back=True))
        return seek

    async def _withdraw(self, seek: Seek, live: LiveTable) -> Seek | None:
        """Takes back the wish for a seat, unless the person has it meanwhile."""
        if _asks(live, seek.person):
            await live.do(Someone(seek.person, ""), Stand(), live.state.version)
        seated_now = live.state.seat_of(seek.person) is not None
        return seek if seated_now or _asks(live, seek.person) else await self.stay(seek)

    async def _sit(self, seek: Seek, live: LiveTable) -> Seek | None:
        """Takes a seat or asks for one. Returns the seek where there is none for the person; else
        None, and the state of the table says what came of it."""
        person = await self._store.person(seek.person)
        seat = _seat_for(live.state, seek.person)
        if person is None:
            return seek  # it is gone with them
        if seat is None:
            return await self.stay(seek)
        apart = await self._store[Avoided].apart_from(person.id)
        who = Someone(person.id, person.name, apart=apart)
        cause = f"meeting-{secrets.token_hex(6)}"
        with acting(person.id):
            reply = await live.do(who, Sit(seat), live.state.version, cause)
        reason = reply.refusal.reason if reply.refusal is not None else ""
        if not reason or reason in PASSING:
            return None
        if reason not in CHANGED:
            seek = replace(seek, refused=refused_after(seek))
        return await self.stay(seek)


def refused_after(seek: Seek) -> tuple[str, ...]:
    """The tables where somebody will not go again, with the one that they have joined."""
    return (*seek.refused, seek.joins)[-MOST_REFUSED:]


def _asks(live: LiveTable, person: str) -> bool:
    """Whether somebody has asked for a seat at a table."""
    return any(seat.asker == person for seat in live.state.seats)


def company_of(live: LiveTable, coming: Collection[str] = ()) -> tuple[str, ...]:
    """Ids of the people who have a seat at a table or have asked for one by hand, by seat.

    Args:
        coming: ids of people who were paired, and so have not asked by hand.
    """
    seats = live.state.seats
    asking = (seat.asker for seat in seats if seat.asker not in coming)
    people = chain((seat.person for seat in seats), asking)
    return tuple(dict.fromkeys(person for person in people if person))


def meeting_of(live: LiveTable, coming: Collection[str], before: MeetingTable) -> MeetingTable:
    """A meeting table as it is now.

    Args:
        coming: see `company_of`.
        before: the table as it was seen before, whose game never changes.
    """
    company = company_of(live, coming)
    if company == before.company:
        return before
    seats = live.state.seats
    names = {seat.asker: seat.asker_name for seat in seats}
    names |= {seat.person: seat.name for seat in seats}
    there = before if before.players else MeetingTable.of(live.state.setup)
    return replace(there, company=company, names=tuple(names[person] for person in company))


def _seat_for(state: TableState, person: str) -> int | None:
    """The seat that somebody should take: the one whose cards they have seen, a free one, or a
    bot's; None where there is none."""
    open_seats = [
        (person not in (state.saw[place] if state.saw else ()), not seat.free, place)
        for place, seat in enumerate(state.seats)
        if not (seat.person or seat.asker)
    ]
    return min(open_seats)[-1] if open_seats else None


def attended(live: LiveTable, seeks: Mapping[str, Seek], newcomer: str) -> bool:
    """Whether somebody at a table is there to play with a newcomer, or will be back soon."""
    return any(
        person in live.present or (person in seeks and seeks[person].table == live.id)
        for person in company_of(live)
        if person != newcomer
    )


def people_of(table: str, seeks: Mapping[str, Seek]) -> list[Seek]:
    """The seeks of the people at a table and on the way to it."""
    return [seek for seek in seeks.values() if table in (seek.table, seek.joins)]


def strangers(seeks: Mapping[str, Seek]) -> set[str]:
    """Ids of the people at tables of others who seek, without seeking themselves."""
    return {each for seek in seeks.values() for each in seek.there.company} - seeks.keys()
