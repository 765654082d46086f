"""The store of reviews together, and of the people who come to them."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import asdict
from sqlalchemy import Index, and_, delete, exists, select, update

from volte.store.part import Part
from volte.store.schema import MATCHES, PEOPLE, table
from volte.store.writer import Write, insert, one, renew
from volte.studies.study import Attendee, Study
from volte.talk.store import SAYINGS

STUDIES: Final = table(
    "studies",
    Study,
    "id",
    Index("studies_by_maker", "maker"),
    Index("studies_by_end", "ends"),
    match=MATCHES,
    maker=PEOPLE,
)

ATTENDING: Final = table(
    "attending",
    {"study": str, "person": str, "since": float, "seen": float, "shows": bool},
    "study person",
    Index("attending_by_person", "person"),
    study=STUDIES,
    person=PEOPLE,
)

PREFIX: Final = "study/"
"""Beginning of the names under which talk is stored. No table has such an id: theirs have no
slash."""


def talk_of(study: str) -> str:
    """The name under which the talk of a review is stored."""
    return PREFIX + study


class StudyStore(Part):
    """The store's part for reviews together, and for their attendees."""

    async def put(self, study: Study) -> None:
        """Stores a new review. Raises `Conflict` where there is one with its id."""
        await self._write(insert(STUDIES, study))

    async def change(self, before: Study, after: Study) -> None:
        """Changes a review. Raises `Conflict` where it is no longer as it was."""
        same = STUDIES.c.id == before.id, STUDIES.c.version == before.version
        await self._write(one(update(STUDIES).where(*same).values(asdict(after)), before.id))

    async def study(self, study: str) -> Study | None:
        """The review with an id, ended or not; None where there is none."""
        return await self._first(Study, select(STUDIES).where(STUDIES.c.id == study))

    async def made_by(self, person: str, now: float) -> list[Study]:
        """The reviews that a person has made and that have not ended, the latest first."""
        query = select(STUDIES).where(STUDIES.c.maker == person, STUDIES.c.ends > now)
        return await self._all(Study, query.order_by(STUDIES.c.made.desc(), STUDIES.c.id))

    async def end(self, study: str) -> None:
        """Deletes a review with its attendees and its talk."""
        talk = delete(SAYINGS).where(SAYINGS.c.table == talk_of(study))
        await self._write(delete(STUDIES).where(STUDIES.c.id == study), talk)

    # Attendees

    async def attendees(self, study: str) -> list[Attendee]:
        """Everybody who has come to a review, here or gone."""
        columns = ATTENDING.c
        query = select(columns.person, PEOPLE.c.name, columns.since, columns.seen, columns.shows)
        query = query.join(PEOPLE, PEOPLE.c.id == columns.person)
        return await self._all(Attendee, query.where(columns.study == study))

    async def attend(self, study: str, person: str, since: float, seen: float) -> None:
        """Stores that a person is in a review. Raises `Gone`, `Conflict` once the review is over.

        Args:
            since: time from which they have been there.
            seen: the time now.
        """
        row = {"study": study, "person": person, "shows": False}
        await self._write(renew(ATTENDING, "since", "seen", since=since, seen=seen, **row))

    async def show(self, study: str, person: str, shows: bool) -> None:
        """Stores whether an attendee agrees to be shown."""
        attendee = and_(ATTENDING.c.study == study, ATTENDING.c.person == person)
        await self._write(update(ATTENDING).where(attendee).values(shows=shows))

    # People

    async def export(self, person: str) -> dict[str, Any]:
        made = select(STUDIES.c.id, STUDIES.c.match, STUDIES.c.made, STUDIES.c.ends)
        came = select(ATTENDING.c.study, ATTENDING.c.since, ATTENDING.c.seen, ATTENDING.c.shows)
        return {
            "reviews_together": await self._dicts(
                made.where(STUDIES.c.maker == person).order_by(STUDIES.c.made)
            ),
            "at_reviews": await self._dicts(
                came.where(ATTENDING.c.person == person).order_by(ATTENDING.c.since)
            ),
        }

    def over(self, now: float) -> tuple[Write, ...]:
        """Writes that delete reviews that have ended, and the talk of those that are gone."""
        lasts = exists().where(SAYINGS.c.table == PREFIX + STUDIES.c.id, STUDIES.c.ends > now)
        return (
            delete(SAYINGS).where(SAYINGS.c.table.startswith(PREFIX), ~lasts),
            delete(STUDIES).where(STUDIES.c.ends <= now),
        )
