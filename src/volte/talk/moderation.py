"""The moderators' pages: reports with their evidence, decisions, and measures."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.evenings.conducting import Evenings
from volte.evenings.disclosure import plays_on
from volte.forms.fields import CHOICE, Choice, FilledForm, Overtaken, Wrong, declared
from volte.people.sessions import moderator
from volte.say import N_
from volte.say.measures import day_and_time
from volte.say.texts.talk import REASONS, phrase_line
from volte.store import Conflict
from volte.store.store import Store
from volte.table import Someone
from volte.talk.reports import completed, frozen, thawed
from volte.talk.service import TalkService, line_field
from volte.talk.session import LONGEST_NOTE
from volte.talk.store import OF_SETS, Measure, TalkReport, TalkStore
from volte.web.page import form_page, page
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR

DECISIONS: Final[Mapping[str, tuple[str, str, float | None]]] = {
    "nothing": (N_("Nothing: no reason for a sanction"), "", None),
    "warning": (N_("A warning"), "warning", None),
    "removal": (N_("The texts are removed"), "removal", None),
    "silence_hour": (N_("No chat for an hour"), "silence", HOUR),
    "silence_day": (N_("No chat for a day"), "silence", DAY),
    "silence_week": (N_("No chat for a week"), "silence", 7 * DAY),
    "silence_ever": (N_("No chat, permanently"), "silence", None),
    "exclusion_day": (N_("No public tables for a day"), "exclusion", DAY),
    "exclusion_week": (N_("No public tables for a week"), "exclusion", 7 * DAY),
    "exclusion_ever": (N_("No public tables, permanently"), "exclusion", None),
}
"""Decisions by name: the words, the kind of measure, and its seconds (None for no end)."""

UNEXPLAINED: Final = N_("Give a reason: the person will read it.")

DECIDING: Final = declared(
    Choice("decision", values=tuple(DECISIONS)), line_field("note", LONGEST_NOTE)
)
LIFTING: Final = declared(line_field("note", LONGEST_NOTE, UNEXPLAINED))
"""The fields of a decision, and of lifting a measure."""

KINDS: Final = {
    "warning": N_("Warning"),
    "removal": N_("Texts removed"),
    "silence": N_("No chat"),
    "exclusion": N_("No public tables"),
}
ROOMS: Final = {"table": N_("table"), "watchers": N_("spectators")}


def routes() -> list[BaseRoute]:
    return [
        route("/moderation", reports),
        route("/moderation/reports/{report}", show_report),
        route("/moderation/reports/{report}", decide, methods=["POST"]),
        route("/moderation/measures", measures),
        route("/moderation/measures/{measure}/lift", show_measure),
        route("/moderation/measures/{measure}/lift", lift, methods=["POST"]),
    ]


# Reports


async def reports(visit: Visit) -> Response:
    """The page of open reports, each with its evidence, and of reports decided lately."""
    who = await moderator(visit)
    store = room_of(visit).store[TalkStore]
    open_now = [await _case(visit, who, each) for each in await store.open_reports()]
    decided = await store.decided_reports()
    names = await _names(visit, [each.against for each in decided])
    return page(
        visit,
        "moderation.html",
        cases=open_now,
        decided=[_summary(visit, each, names) for each in decided],
        done=visit.query_params.get("done") == "1",
    )


async def show_report(visit: Visit) -> Response:
    """The page of one report, open or decided."""
    who = await moderator(visit)
    return await _report_page(visit, who, await _report(visit))


async def decide(visit: Visit) -> Response:
    """Store a moderator's decision, and notify the people whom it concerns."""
    who = await moderator(visit)
    report = await _report(visit)
    form = FilledForm.typed(DECIDING, await visit.fields())
    if report.against == who.id:
        raise Refused(403, "own_report")
    room, overtaken = room_of(visit), report.decided is not None
    if not overtaken:
        try:
            read = form.read(partial(_wrong, report))
        except Wrong as wrong:
            return await _report_page(visit, who, report, form, wrong)
        overtaken = not await _decided(room.store, who, report, read["decision"], read["note"])
    if overtaken:
        late = N_("Somebody else has already decided on this report; nothing was changed.")
        return await _report_page(
            visit, who, await _report(visit), wrong=Overtaken("decided", late)
        )
    await room.store.bus.publish("report", report.id)
    await room[TalkService].measures_changed(report.against, report.by)
    return see_other("/moderation?done=1")


async def _decided(
    store: Store, who: Someone, report: TalkReport, decision: str, note: str
) -> bool:
    """Store a decision. False where another moderator was first."""
    now = time.time()
    evidence = await completed(store, report.table, thawed(report.evidence))
    decided = replace(
        report,
        decision=decision,
        remark=note,
        decided_by=who.id,
        decided=now,
        evidence=frozen(replace(evidence, whole=True)),
    )
    _, kind, seconds = DECISIONS[decision]
    measure = None
    if kind:
        until = None if seconds is None else now + seconds
        measure = Measure(
            secrets.token_hex(10), report.against, kind, note, who.id, report.id, now, until
        )
    try:
        await store[TalkStore].decide(decided, measure)
    except Conflict:
        return False
    return True


async def _report(visit: Visit) -> TalkReport:
    report = await room_of(visit).store[TalkStore].report_of(visit.path_params["report"])
    if report is None:
        raise Refused(404, "no_report")
    return report


async def _report_page(
    visit: Visit,
    who: Someone,
    report: TalkReport,
    form: FilledForm | None = None,
    wrong: Wrong | None = None,
) -> Response:
    return form_page(
        visit,
        "report.html",
        form or FilledForm.of(DECIDING, {}),
        wrong,
        case=await _case(visit, who, report),
        decisions=[
            (name, visit.words.t(text))
            for name, (text, kind, _) in DECISIONS.items()
            if kind != "removal" or _of_texts(report)
        ],
        longest_note=LONGEST_NOTE,
    )


def _wrong(report: TalkReport, values: Mapping[str, Any]) -> Iterator[Wrong]:
    """The faults of a decision: without a reason, or one that the report cannot have."""
    decision = values.get("decision")
    if decision == "removal" and not _of_texts(report):
        yield Wrong("decision", CHOICE)
    if values.get("note") == "" and decision != "nothing":
        yield Wrong("note", UNEXPLAINED)


def _of_texts(report: TalkReport) -> bool:
    """Whether a report is about a set of deals, whose texts can be removed."""
    return report.table.startswith(OF_SETS)


async def _case(visit: Visit, who: Someone, report: TalkReport) -> dict[str, Any]:
    """A report for its page: with the sayings, and the earlier records of the person."""
    room, words = room_of(visit), visit.words
    store = room.store
    evidence = await completed(store, report.table, thawed(report.evidence))
    names = await _names(visit, [report.by, report.against, report.decided_by])
    later = await plays_on(room[Evenings], report.table, who.id)
    sayings = () if later else evidence.sayings
    return _summary(visit, report, names) | {
        "by": evidence.by or names[report.by],
        "against": evidence.against or names[report.against],
        "note": "" if later else report.note,
        "later": later,
        "table": evidence.table or report.table,
        "table_id": "" if "/" in report.table else report.table,  # of a review there is none
        "set": report.table.removeprefix(OF_SETS) if _of_texts(report) else "",
        "match": evidence.match,
        "muted_by": await store[TalkStore].muted_by(report.against),
        "sayings": [
            {
                "when": day_and_time(words, saying.at),
                "name": saying.name,
                "room": words.t(ROOMS[saying.room]),
                "line": phrase_line(words, saying.phrase) if saying.phrase else saying.text,
                "reported": saying.number in evidence.reported,
            }
            for saying in sayings
        ],
        "earlier": await _earlier(visit, report),
        "own": report.against == who.id,
    }


def _summary(visit: Visit, report: TalkReport, names: Mapping[str, str]) -> dict[str, Any]:
    """A report in short, for lists."""
    words, evidence = visit.words, thawed(report.evidence)
    summary = {
        "id": report.id,
        "when": day_and_time(words, report.at),
        "against": evidence.against or names[report.against],
        "reason": words.t(REASONS.get(report.why, REASONS["other"])),
        "decision": "",
    }
    if report.decided is None:
        return summary
    return summary | {
        "decision": words.t(DECISIONS[report.decision][0]),
        "decided_by": names.get(report.decided_by, ""),
        "decided": day_and_time(words, report.decided),
        "remark": report.remark,
    }


async def _earlier(visit: Visit, report: TalkReport) -> list[str]:
    """The other reports and measures about the person, a line for each, the latest first."""
    store, words = room_of(visit).store[TalkStore], visit.words
    measures = await store.measures_about(report.against)
    names = await _names(visit, [each.by for each in measures])
    lines = []
    for each in await store.reports_about(report.against):
        if each.id == report.id or (each.decided is None and each.at > report.at):
            continue
        params = {"date": day_and_time(words, each.at), "reason": words.t(REASONS[each.why])}
        if each.decided is None:
            line = words.t("{date}: reported ({reason}), still open", **params)
        else:
            decision = words.t(DECISIONS[each.decision][0])
            line = words.t(
                "{date}: reported ({reason}), decision: {decision}", decision=decision, **params
            )
        lines.append((each.at, line))
    for measure in measures:
        if measure.report != report.id:
            line = words.t(
                "{date}: {decision}, by {name}. {note}",
                date=day_and_time(words, measure.at),
                decision=words.t(KINDS[measure.kind]),
                name=names[measure.by],
                note=measure.note,
            )
            lines.append((measure.at, line))
    return [line for _, line in sorted(lines, reverse=True)]


async def _names(visit: Visit, people: list[str]) -> dict[str, str]:
    """The present names of people, by id."""
    known = await room_of(visit).store[TalkStore].names(people)
    nobody = visit.words.t("somebody whose data has been deleted")
    return {person: known.get(person, nobody) for person in people}


# Measures


async def measures(visit: Visit) -> Response:
    """The page of all measures."""
    await moderator(visit)
    found = await room_of(visit).store[TalkStore].measures()
    people = [name for each in found for name in (each.person, each.by, each.lifted_by)]
    names = await _names(visit, people)
    return page(
        visit,
        "measures.html",
        measures=[_measure(visit, each, names) for each in found],
        done=visit.query_params.get("done") == "1",
    )


async def show_measure(visit: Visit) -> Response:
    """The form for lifting a measure."""
    await moderator(visit)
    return await _measure_page(visit, await _measure_named(visit))


async def lift(visit: Visit) -> Response:
    """Lift a measure, and notify the person."""
    who = await moderator(visit)
    measure = await _measure_named(visit)
    form = FilledForm.typed(LIFTING, await visit.fields())
    if measure.person == who.id:
        raise Refused(403, "own_report")
    room = room_of(visit)
    try:
        await room.store[TalkStore].lift(measure.id, who.id, form.read()["note"])
    except Wrong as wrong:
        return await _measure_page(visit, measure, form, wrong)
    except Conflict:
        late = N_("This sanction has already been lifted; nothing was changed.")
        return await _measure_page(
            visit, await _measure_named(visit), wrong=Overtaken("lifted", late)
        )
    await room[TalkService].measures_changed(measure.person)
    return see_other("/moderation/measures?done=1")


async def _measure_named(visit: Visit) -> Measure:
    measure = await room_of(visit).store[TalkStore].measure_of(visit.path_params["measure"])
    if measure is None:
        raise Refused(404, "no_measure")
    return measure


async def _measure_page(
    visit: Visit,
    measure: Measure,
    form: FilledForm | None = None,
    wrong: Wrong | None = None,
) -> Response:
    names = await _names(visit, [measure.person, measure.by, measure.lifted_by])
    return form_page(
        visit,
        "lift.html",
        form or FilledForm.of(LIFTING, {}),
        wrong,
        measure=_measure(visit, measure, names),
        longest_note=LONGEST_NOTE,
    )


def _measure(visit: Visit, measure: Measure, names: Mapping[str, str]) -> dict[str, Any]:
    """A measure for the moderators' pages, in words."""
    words = visit.words
    until = "" if measure.kind == "warning" else words.t("no end")
    if measure.until is not None:
        until = day_and_time(words, measure.until)
    holds = measure.holds(time.time())
    state = words.t("in force") if holds else words.t("over")
    if measure.lifted is not None:
        state = words.t(
            "lifted by {name} on {date}: {note}",
            name=names[measure.lifted_by],
            date=day_and_time(words, measure.lifted),
            note=measure.lifted_why,
        )
    return {
        "id": measure.id,
        "when": day_and_time(words, measure.at),
        "person": names[measure.person],
        "kind": words.t(KINDS[measure.kind]),
        "note": measure.note,
        "by": names[measure.by],
        "report": measure.report,
        "until": until,
        "state": state,
        "open": holds,
    }
