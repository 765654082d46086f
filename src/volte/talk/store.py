"""The store of talk: sayings at tables, mutes, reports, and the measures of moderators."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any, Final, get_type_hints

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import Index, delete, func, or_, select, update

from volte.names import name_order
from volte.store import Conflict
from volte.store.part import Part
from volte.store.schema import PEOPLE, table
from volte.store.writer import Write, insert, one, put

LATEST: Final = 50
"""Most sayings that are read at once."""

OF_SETS: Final = "set/"
"""Beginning of the names of places where nobody talks, but of whose texts one can report: sets of
deals."""

TRIES: Final = 20
"""Attempts to store a saying under the next number, while others take it first."""


class Said(msgspec.Struct, frozen=True):
    """A saying: a phrase or text of a person at a table."""

    table: str
    number: int  # among all sayings at that table, from 1 on
    room: str  # `table`, or `watchers` for people without a seat
    person: str  # id of the speaker
    name: str  # name of the speaker at that time
    phrase: str  # name of a prepared phrase; empty for a text of their own
    text: str
    at: float  # seconds since 1970


SAYINGS: Final = table(
    "sayings",
    get_type_hints(Said) | {"cause": str},
    "table number",
    Index("sayings_by_person", "person"),
    Index("sayings_by_time", "at"),
    unique="cause",
)

MUTES: Final = table(
    "mutes", {"person": str, "other": str, "name": str}, "person other", person=PEOPLE
)


class TalkReport(msgspec.Struct, frozen=True):
    """A request to the moderators to look at what somebody said or did."""

    id: str
    table: str
    by: str  # id of the reporter
    against: str  # id of the person reported
    why: str  # name of the reason
    note: str  # in the reporter's words
    evidence: bytes  # an encoded `volte.talk.reports.Evidence`; empty once it is too old
    at: float  # seconds since 1970
    decision: str = ""  # name of a decision; empty while the report is open
    remark: str = ""  # the deciding moderator's reason
    decided_by: str = ""  # id of that moderator
    decided: float | None = None  # time of the decision
    told: float | None = None  # time when the reporter was told that there is a decision


REPORTS: Final = table(
    "reports",
    TalkReport,
    "id",
    Index("reports_by_decision", "decided", "at"),
    Index("reports_by_person", "against"),
    Index("reports_by_reporter", "by"),
    Index("reports_by_place", "table"),
)


class Measure(msgspec.Struct, frozen=True):
    """A measure of a moderator against a person."""

    id: str
    person: str  # id of that person
    kind: (
        str  # `warning`, `removal` (of texts), `silence` (no talk), `exclusion` (no public tables)
    )
    note: str  # the reason, for that person to read
    by: str  # id of the moderator
    report: str  # id of the report behind it
    at: float  # seconds since 1970
    until: float | None = None  # time when it ends by itself; None for good, and for a warning
    seen: float | None = None  # time when the person was told; None while they have not been
    lifted: float | None = None  # time when it was taken back
    lifted_by: str = ""  # id of the moderator who took it back
    lifted_why: str = ""

    def holds(self, now: float) -> bool:
        """Whether the measure binds the person at a time."""
        return self.lifted is None and (self.until is None or now < self.until)


MEASURES: Final = table("measures", Measure, "id", Index("measures_by_person", "person", "at"))


class TalkStore(Part):
    """The store's part for sayings, mutes, reports and measures."""

    met = (SAYINGS.c.person, REPORTS.c.by, REPORTS.c.against, MEASURES.c.person)

    # Sayings

    async def say(self, saying: Said, cause: str) -> Said:
        """Stores a saying under the next number of its table, once for the same cause.

        Returns it as it is stored, also where it was stored before. Raises `Conflict` where others
        are always faster.

        Args:
            saying: the saying, with the first number to try.
            cause: key of the message, `PERSON:MESSAGE`.
        """
        for _ in range(TRIES):
            try:
                await self._write(insert(SAYINGS, saying, cause=cause))
            except Conflict:
                known = await self._first(Said, _SAYINGS.where(SAYINGS.c.cause == cause))
                if known is not None:
                    return known
                saying = replace(saying, number=await self.last(saying.table) + 1)
            else:
                return saying
        raise Conflict(saying.table)

    async def last(self, table: str) -> int:
        """The number of the last saying at a table; 0 where there is none."""
        query = select(func.max(SAYINGS.c.number)).where(SAYINGS.c.table == table)
        return await self._value(query, 0)

    async def latest(
        self,
        table: str,
        rooms: Collection[str],
        *,
        after: int = 0,
        without: Collection[str] = (),
        limit: int = LATEST,
    ) -> list[Said]:
        """The last sayings in some rooms of a table, in their order.

        Args:
            after: a number; only later sayings count.
            without: ids of people whose sayings are left out.
        """
        query = _SAYINGS.where(SAYINGS.c.table == table, SAYINGS.c.number > after)
        query = query.where(SAYINGS.c.room.in_(sorted(rooms)))
        if without:
            query = query.where(SAYINGS.c.person.not_in(sorted(without)))
        query = query.order_by(SAYINGS.c.number.desc()).limit(limit)
        return (await self._all(Said, query))[::-1]

    async def from_on(self, table: str, after: int, limit: int = LATEST) -> list[Said]:
        """The first sayings at a table after a number, in every room."""
        query = _SAYINGS.where(SAYINGS.c.table == table, SAYINGS.c.number > after)
        return await self._all(Said, query.order_by(SAYINGS.c.number).limit(limit))

    async def numbered(self, table: str, numbers: Collection[int]) -> list[Said]:
        """The sayings at a table with those numbers, in their order."""
        query = _SAYINGS.where(SAYINGS.c.table == table, SAYINGS.c.number.in_(sorted(numbers)))
        return await self._all(Said, query.order_by(SAYINGS.c.number))

    async def said_by(self, person: str, *, table: str = "", limit: int = 500) -> list[Said]:
        """The sayings of a person, latest first; at one table, or anywhere."""
        query = _SAYINGS.where(SAYINGS.c.person == person)
        if table:
            query = query.where(SAYINGS.c.table == table)
        query = query.order_by(SAYINGS.c.at.desc(), SAYINGS.c.number.desc()).limit(limit)
        return await self._all(Said, query)

    async def sweep(self, before: float) -> None:
        """Deletes sayings from before a time, and the evidence of reports decided before it."""
        evident = or_(REPORTS.c.evidence != b"", REPORTS.c.note != "")
        decided = update(REPORTS).where(REPORTS.c.decided < before, evident)
        await self._write(
            delete(SAYINGS).where(SAYINGS.c.at < before), decided.values(evidence=b"", note="")
        )

    # Mutes

    async def mute(self, person: str, other: str, name: str) -> None:
        """Mutes another person for a person; `name` is the other's name."""
        await self._write(put(MUTES, person=person, other=other, name=name))

    async def unmute(self, person: str, other: str) -> None:
        await self._write(delete(MUTES).where(MUTES.c.person == person, MUTES.c.other == other))

    async def muted(self, person: str) -> dict[str, str]:
        """The people whom a person has muted: names by id, ordered by name."""
        query = select(MUTES.c.other, MUTES.c.name).where(MUTES.c.person == person)
        rows = sorted(await self._reader.rows(query), key=lambda row: name_order(row.name))
        return {str(row.other): str(row.name) for row in rows}

    async def mutes_of(self, people: Collection[str]) -> dict[str, frozenset[str]]:
        """The people whom some people have muted: ids by person."""
        query = select(MUTES.c.person, MUTES.c.other)
        found: dict[str, set[str]] = {person: set() for person in people}
        for person, other in await self._among(query, MUTES.c.person, found):
            found[person].add(other)
        return {person: frozenset(others) for person, others in found.items()}

    async def muted_by(self, person: str) -> int:
        """The number of people who have muted a person."""
        query = select(func.count()).select_from(MUTES).where(MUTES.c.other == person)
        return await self._value(query, 0)

    # Reports

    async def report(self, report: TalkReport) -> bool:
        """Stores a report. False where there is one with its id already."""
        try:
            await self._write(insert(REPORTS, report))
        except Conflict:
            return False
        return True

    async def report_of(self, report: str) -> TalkReport | None:
        """The report with an id; None where there is none."""
        return await self._first(TalkReport, select(REPORTS).where(REPORTS.c.id == report))

    async def open_reports(self, limit: int = 20) -> list[TalkReport]:
        """The reports that nobody has decided, the oldest first."""
        query = select(REPORTS).where(REPORTS.c.decided.is_(None))
        return await self._all(TalkReport, query.order_by(REPORTS.c.at).limit(limit))

    async def decided_reports(self, limit: int = 50) -> list[TalkReport]:
        """The reports that were decided last, the latest first."""
        query = select(REPORTS).where(REPORTS.c.decided.is_not(None))
        return await self._all(TalkReport, query.order_by(REPORTS.c.decided.desc()).limit(limit))

    async def reports_about(self, person: str, limit: int = 50) -> list[TalkReport]:
        """The reports against a person, latest first."""
        query = select(REPORTS).where(REPORTS.c.against == person)
        return await self._all(TalkReport, query.order_by(REPORTS.c.at.desc()).limit(limit))

    async def reports_by(self, person: str, limit: int = 50) -> list[TalkReport]:
        """The reports that a person has made, latest first."""
        query = select(REPORTS).where(REPORTS.c.by == person)
        return await self._all(TalkReport, query.order_by(REPORTS.c.at.desc()).limit(limit))

    async def decide(self, report: TalkReport, measure: Measure | None = None) -> None:
        """Stores the decision of a report, with the measure that was taken.

        Raises `Conflict`, with nothing written, where somebody else has decided it.
        """
        undecided = update(REPORTS).where(REPORTS.c.id == report.id, REPORTS.c.decided.is_(None))
        decided = undecided.values(
            decision=report.decision,
            remark=report.remark,
            decided_by=report.decided_by,
            decided=report.decided,
            evidence=report.evidence,
        )
        await self._write(one(decided), *(() if measure is None else (insert(MEASURES, measure),)))

    # Measures

    async def measures(self, limit: int = 200) -> list[Measure]:
        """All measures, the latest first."""
        query = select(MEASURES).order_by(MEASURES.c.at.desc()).limit(limit)
        return await self._all(Measure, query)

    async def measures_about(self, person: str) -> list[Measure]:
        """The measures about one person, the latest first."""
        query = select(MEASURES).where(MEASURES.c.person == person)
        return await self._all(Measure, query.order_by(MEASURES.c.at.desc()))

    async def binding(self, person: str, kind: str) -> Measure | None:
        """The measure of a kind that binds a person now, for longest; None where none does."""
        now = time.time()
        columns = MEASURES.c
        query = select(MEASURES).where(columns.person == person, columns.kind == kind)
        query = query.where(columns.lifted.is_(None))
        query = query.where(or_(columns.until.is_(None), columns.until > now))
        found = await self._all(Measure, query)
        return max(found, key=lambda each: each.until or float("inf"), default=None)

    async def excluded(self, people: Collection[str]) -> frozenset[str]:
        """The given people who may not play at public tables now."""
        columns = MEASURES.c
        query = select(columns.person).where(columns.person.in_(sorted(people)))
        query = query.where(columns.kind == "exclusion", columns.lifted.is_(None))
        query = query.where(or_(columns.until.is_(None), columns.until > time.time()))
        return frozenset(await self._column(query))

    async def removed(self, places: Collection[str]) -> frozenset[str]:
        """The given places whose texts moderators have removed."""
        query = select(REPORTS.c.table).join(MEASURES, MEASURES.c.report == REPORTS.c.id)
        query = query.where(REPORTS.c.table.in_(sorted(places)), MEASURES.c.kind == "removal")
        return frozenset(await self._column(query.where(MEASURES.c.lifted.is_(None))))

    async def measure_of(self, measure: str) -> Measure | None:
        """The measure with an id; None where there is none."""
        return await self._first(Measure, select(MEASURES).where(MEASURES.c.id == measure))

    async def lift(self, measure: str, by: str, why: str) -> None:
        """Takes a measure back. Raises `Conflict` where it was taken back before, or never was."""
        binding = update(MEASURES).where(MEASURES.c.id == measure, MEASURES.c.lifted.is_(None))
        lifted = {"lifted": time.time(), "lifted_by": by, "lifted_why": why, "seen": None}
        await self._write(one(binding.values(lifted)))

    async def unseen(self, person: str) -> list[Measure]:
        """The measures, lifted ones too, that a person has not been told of, oldest first."""
        query = select(MEASURES).where(MEASURES.c.person == person, MEASURES.c.seen.is_(None))
        return await self._all(Measure, query.order_by(MEASURES.c.at))

    async def untold(self) -> set[str]:
        """Ids of the people who have not been told of a measure or a decision."""
        measured = select(MEASURES.c.person).where(MEASURES.c.seen.is_(None))
        reported = select(REPORTS.c.by)
        reported = reported.where(REPORTS.c.decided.is_not(None), REPORTS.c.told.is_(None))
        return {*await self._column(measured), *await self._column(reported)}

    async def has_seen(self, person: str, now: float) -> None:
        """Stores that a person was told, at a time, of all measures and decisions before it."""
        columns = MEASURES.c
        measures = update(MEASURES).where(columns.person == person, columns.at <= now)
        measures = measures.where(or_(columns.lifted.is_(None), columns.lifted <= now))
        reports = update(REPORTS).where(REPORTS.c.by == person, REPORTS.c.decided <= now)
        await self._write(
            reports.values(told=now), measures.where(columns.seen.is_(None)).values(seen=now)
        )

    # People

    async def names(self, people: Collection[str]) -> dict[str, str]:
        """Names by id; somebody whose data are deleted has none."""
        query = select(PEOPLE.c.id, PEOPLE.c.name)
        return {row.id: row.name for row in await self._among(query, PEOPLE.c.id, people)}

    async def export(self, person: str) -> dict[str, Any]:
        """A person's talk, without reports of others about them."""
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

    def forgetting(self, person: str) -> tuple[Write, ...]:
        """Writes that delete a person's sayings, and the notes of their reports.

        Mutes go with the person's row. Measures stay: they are the moderators' own record, under an
        id that nobody has any more.
        """
        return (
            delete(SAYINGS).where(SAYINGS.c.person == person),
            update(REPORTS).where(REPORTS.c.by == person).values(note=""),
        )


_SAYINGS: Final = select(*(column for column in SAYINGS.c if column.name != "cause"))
