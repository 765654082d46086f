"""What people say at tables, whom they do not want to hear, and what moderators do about it."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import func, or_, select

from volte.store.part import Part
from volte.store.reader import Query
from volte.store.schema import MEASURES, MUTES, PEOPLE, REPORTS, SAYINGS
from volte.store.trouble import Conflict
from volte.store.writer import Change

LATEST: Final = 50
"""Sayings that are read at once."""

TRIES: Final = 20
"""Times that a number is looked for, while others take it first."""


class Said(msgspec.Struct, frozen=True):
    """Something that somebody has said at a table.

    Attributes:
        number: among all that was said at that table, from 1 on.
        room: `table`, or `watchers` for those without a seat.
        person: id of whoever said it.
        name: theirs at that time.
        phrase: name of a prepared phrase; empty for a text of their own.
        at: in seconds since 1970.
    """

    table: str
    number: int
    room: str
    person: str
    name: str
    phrase: str
    text: str
    at: float


class Report(msgspec.Struct, frozen=True):
    """Somebody has asked the moderators to look at what another one said or did.

    Attributes:
        table: its id.
        by: id of whoever reports.
        against: id of whom they report.
        why: name of the reason.
        note: in their own words.
        evidence: what was said then, as `server.evidence` writes it; empty once it is too old.
        decision: what came of it, by the name of a decision; empty while it is open.
        remark: of whoever has decided.
        decided_by: id of that person.
        told: when the reporter was told that there is a decision.
    """

    id: str
    table: str
    by: str
    against: str
    why: str
    note: str
    evidence: bytes
    at: float
    decision: str = ""
    remark: str = ""
    decided_by: str = ""
    decided: float | None = None
    told: float | None = None


class Measure(msgspec.Struct, frozen=True):
    """What a moderator has done about somebody.

    Attributes:
        person: id of whom it is about.
        kind: `warning`, `silence` (no talk) or `exclusion` (no public tables).
        note: why, for that person to read.
        by: id of the moderator.
        report: id of the report behind it.
        until: when it ends by itself; None for good, and for a warning.
        seen: when the person was told; None while they have not been.
        lifted: when it was taken back.
        lifted_by: id of the moderator who has done that.
        lifted_why: their reason.
    """

    id: str
    person: str
    kind: str
    note: str
    by: str
    report: str
    at: float
    until: float | None = None
    seen: float | None = None
    lifted: float | None = None
    lifted_by: str = ""
    lifted_why: str = ""

    def holds(self, now: float) -> bool:
        """Whether it binds the person at that time."""
        return self.lifted is None and (self.until is None or now < self.until)


class Talk(Part):
    """What is kept of talk."""

    # Sayings

    async def say(self, saying: Said, cause: str) -> Said:
        """Keeps a saying under the next number of its table, once for the same cause.

        Returns it as it is kept, also where it was kept before. Raises `Conflict` where others
        are always faster.

        Args:
            saying: its number is the first that is tried.
            cause: names the message, `PERSON:MESSAGE`.
        """
        for _ in range(TRIES):
            try:
                values = asdict(saying) | {"cause": cause}
                await self._write(Change("saying", (saying.table, saying.number), values))
            except Conflict:
                known = await self._sayings(_of_cause(cause), cause)
                if known:
                    return known[0]
                saying = replace(saying, number=await self.last(saying.table) + 1)
            else:
                return saying
        raise Conflict(saying.table)

    async def last(self, table: str) -> int:
        """The number of the last saying at a table; 0 where there is none."""
        query = select(func.max(SAYINGS.c.number)).where(SAYINGS.c.table == table)
        rows = await self._reader.rows(query, table)
        return (rows[0][0] or 0) if rows else 0

    async def latest(
        self,
        table: str,
        rooms: Collection[str],
        *,
        after: int = 0,
        without: Collection[str] = (),
        limit: int = LATEST,
    ) -> list[Said]:
        """The last sayings in those rooms of a table, the oldest of them first.

        Args:
            after: a number; later ones alone.
            without: ids of people whose sayings are left out.
        """
        query = _SAYINGS.where(SAYINGS.c.table == table, SAYINGS.c.number > after)
        query = query.where(SAYINGS.c.room.in_(sorted(rooms)))
        if without:
            query = query.where(SAYINGS.c.person.not_in(sorted(without)))
        query = query.order_by(SAYINGS.c.number.desc()).limit(limit)
        return (await self._sayings(query, table))[::-1]

    async def from_on(self, table: str, after: int, limit: int = LATEST) -> list[Said]:
        """The first sayings at a table after that number, in every room."""
        query = _SAYINGS.where(SAYINGS.c.table == table, SAYINGS.c.number > after)
        return await self._sayings(query.order_by(SAYINGS.c.number).limit(limit), table)

    async def numbered(self, table: str, numbers: Collection[int]) -> list[Said]:
        """The sayings at a table with those numbers, in their order."""
        query = _SAYINGS.where(SAYINGS.c.table == table, SAYINGS.c.number.in_(sorted(numbers)))
        return await self._sayings(query.order_by(SAYINGS.c.number), table)

    async def said_by(self, person: str, *, table: str = "", limit: int = 500) -> list[Said]:
        """What somebody has said, latest first; at one table, or anywhere."""
        query = _SAYINGS.where(SAYINGS.c.person == person)
        if table:
            query = query.where(SAYINGS.c.table == table)
        query = query.order_by(SAYINGS.c.at.desc(), SAYINGS.c.number.desc()).limit(limit)
        return await self._sayings(query, person, table)

    async def sweep(self, before: float) -> None:
        """Forgets what was said before that time, and the evidence of what was decided then."""
        await self._write(
            Change("sayings_old", (), {"before": before}),
            Change("evidence_old", (), {"before": before}),
        )

    # Mutes

    async def mute(self, person: str, other: str, name: str) -> None:
        """Keeps that somebody does not want to hear another one, of that name."""
        values = {"person": person, "other": other, "name": name}
        await self._write(Change("mute", (person, other), values))

    async def unmute(self, person: str, other: str) -> None:
        """Forgets it."""
        await self._write(Change("unmute", (person, other), {"who": person, "whom": other}))

    async def muted(self, person: str) -> dict[str, str]:
        """The names, by id, of those whom somebody does not want to hear."""
        query = select(MUTES.c.other, MUTES.c.name).where(MUTES.c.person == person)
        rows = await self._reader.rows(query.order_by(MUTES.c.name), person)
        return {str(row.other): str(row.name) for row in rows}

    async def mutes_of(self, people: Collection[str]) -> dict[str, frozenset[str]]:
        """By person the ids of those whom they do not want to hear."""
        query = select(MUTES.c.person, MUTES.c.other)
        found: dict[str, set[str]] = {person: set() for person in people}
        for person, other in await self._reader.rows_among(query, MUTES.c.person, found):
            found[person].add(other)
        return {person: frozenset(others) for person, others in found.items()}

    async def muted_by(self, person: str) -> int:
        """How many people do not want to hear that one."""
        query = select(func.count()).select_from(MUTES).where(MUTES.c.other == person)
        rows = await self._reader.rows(query, person)
        return int(rows[0][0]) if rows else 0

    # Reports

    async def report(self, report: Report) -> bool:
        """Keeps a report; False where one of that id is there already."""
        try:
            await self._write(Change("report", (report.id,), asdict(report)))
        except Conflict:
            return False
        return True

    async def report_of(self, report: str) -> Report | None:
        """The report of that id."""
        rows = await self._reader.rows(select(REPORTS).where(REPORTS.c.id == report), report)
        return Report(*rows[0]) if rows else None

    async def open_reports(self, limit: int = 20) -> list[Report]:
        """Those that nobody has decided, the oldest first."""
        query = select(REPORTS).where(REPORTS.c.decided.is_(None))
        rows = await self._reader.rows(query.order_by(REPORTS.c.at).limit(limit))
        return [Report(*row) for row in rows]

    async def decided_reports(self, limit: int = 50) -> list[Report]:
        """Those decided last, the latest first."""
        query = select(REPORTS).where(REPORTS.c.decided.is_not(None))
        rows = await self._reader.rows(query.order_by(REPORTS.c.decided.desc()).limit(limit))
        return [Report(*row) for row in rows]

    async def reports_about(self, person: str, limit: int = 50) -> list[Report]:
        """Those against somebody, latest first."""
        query = select(REPORTS).where(REPORTS.c.against == person)
        rows = await self._reader.rows(query.order_by(REPORTS.c.at.desc()).limit(limit), person)
        return [Report(*row) for row in rows]

    async def reports_by(self, person: str, limit: int = 50) -> list[Report]:
        """Those that somebody has made, latest first."""
        query = select(REPORTS).where(REPORTS.c.by == person)
        rows = await self._reader.rows(query.order_by(REPORTS.c.at.desc()).limit(limit), person)
        return [Report(*row) for row in rows]

    async def decide(self, report: Report, measure: Measure | None = None) -> None:
        """Keeps how a report was decided, with the measure that was taken.

        Raises `Conflict` where somebody else has decided it: nothing is kept then.
        """
        decided = {
            "which": report.id,
            "verdict": report.decision,
            "why_so": report.remark,
            "who": report.decided_by,
            "now": report.decided,
            "proof": report.evidence,
        }
        changes = [Change("report_decided", (report.id,), decided)]
        if measure is not None:
            changes.append(Change("measure", (measure.id,), asdict(measure)))
        await self._write(*changes)

    # Measures

    async def measures(self, limit: int = 200) -> list[Measure]:
        """All of them, latest first."""
        query = select(MEASURES).order_by(MEASURES.c.at.desc()).limit(limit)
        return [Measure(*row) for row in await self._reader.rows(query)]

    async def measures_about(self, person: str) -> list[Measure]:
        """Those about one person, latest first."""
        query = select(MEASURES).where(MEASURES.c.person == person)
        rows = await self._reader.rows(query.order_by(MEASURES.c.at.desc()), person)
        return [Measure(*row) for row in rows]

    async def binding(self, person: str, kind: str) -> Measure | None:
        """The measure of that kind that binds somebody now, for longest."""
        now = time.time()
        columns = MEASURES.c
        query = select(MEASURES).where(columns.person == person, columns.kind == kind)
        query = query.where(columns.lifted.is_(None))
        query = query.where(or_(columns.until.is_(None), columns.until > now))
        found = [Measure(*row) for row in await self._reader.rows(query, person, kind)]
        return max(found, key=lambda each: each.until or float("inf"), default=None)

    async def measure_of(self, measure: str) -> Measure | None:
        """The measure of that id."""
        rows = await self._reader.rows(select(MEASURES).where(MEASURES.c.id == measure), measure)
        return Measure(*rows[0]) if rows else None

    async def lift(self, measure: str, by: str, why: str) -> None:
        """Takes a measure back. Raises `Conflict` where that is done, or there is none."""
        values = {"which": measure, "now": time.time(), "who": by, "why_so": why}
        await self._write(Change("measure_lifted", (measure,), values))

    async def unseen(self, person: str) -> list[Measure]:
        """The measures, and liftings, that somebody has not been told of, oldest first."""
        query = select(MEASURES).where(MEASURES.c.person == person, MEASURES.c.seen.is_(None))
        rows = await self._reader.rows(query.order_by(MEASURES.c.at), person)
        return [Measure(*row) for row in rows]

    async def untold(self) -> set[str]:
        """Ids of the people who have not been told of something: a measure, or a decision."""
        measured = select(MEASURES.c.person).where(MEASURES.c.seen.is_(None))
        reported = select(REPORTS.c.by)
        reported = reported.where(REPORTS.c.decided.is_not(None), REPORTS.c.told.is_(None))
        found = [*await self._reader.rows(measured), *await self._reader.rows(reported)]
        return {str(person) for (person,) in found}

    async def has_seen(self, person: str, now: float) -> None:
        """Keeps that somebody was told at that time of what there was to tell."""
        values = {"who": person, "now": now}
        await self._write(
            Change("reports_told", (person,), values), Change("measures_seen", (person,), values)
        )

    # People

    async def names(self, people: Collection[str]) -> dict[str, str]:
        """Names by id; somebody whose data are deleted has none."""
        if not people:
            return {}
        query = select(PEOPLE.c.id, PEOPLE.c.name).where(PEOPLE.c.id.in_(sorted(people)))
        return {str(row.id): str(row.name) for row in await self._reader.rows(query, *people)}

    async def export(self, person: str) -> dict[str, Any]:
        """What is kept of somebody's talk: what others have said of them is not theirs."""
        sayings = await self.said_by(person, limit=100_000)
        reports = await self.reports_by(person, limit=10_000)
        measures = await self.measures_about(person)
        return {
            "sayings": [asdict(each) for each in sayings],
            "muted": await self.muted(person),
            "reports": [
                {"at": each.at, "table": each.table, "why": each.why, "note": each.note}
                for each in reports
            ],
            "measures": [
                {"kind": each.kind, "note": each.note, "at": each.at, "until": each.until}
                | {"lifted": each.lifted}
                for each in measures
            ],
        }

    def forgetting(self, person: str) -> tuple[Change, ...]:
        """What is to be written where somebody's data are deleted; mutes go with the person.

        Measures stay: they are the moderators' own record, under an id that nobody bears.
        """
        values = {"who": person}
        return (
            Change("sayings_forgotten", (person,), values),
            Change("reports_forgotten", (person,), values),
        )

    async def _sayings(self, query: Query, *texts: str) -> list[Said]:
        return [Said(*row) for row in await self._reader.rows(query, *texts)]


_SAYINGS: Final = select(*(column for column in SAYINGS.c if column.name != "cause"))


def _of_cause(cause: str) -> Query:
    return _SAYINGS.where(SAYINGS.c.cause == cause)
