"""Reports and measures: evidence, notices to the people concerned, and the page of own talk."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.game import Refusal
from volte.people.sessions import ROLES
from volte.people.store import Accounts
from volte.say import N_, Words
from volte.say.measures import day_and_time
from volte.say.texts.talk import REASONS
from volte.store.store import Store
from volte.talk.company import Avoided
from volte.talk.service import TalkService, refused_by
from volte.talk.store import Measure, Said, TalkStore
from volte.web.page import local_path, page
from volte.web.refused import Refused
from volte.web.room import Room, room_of
from volte.web.visit import Visit, route, see_other

REMOVED: Final = N_("A moderator has removed the texts of your set of deals. Reason: {why}")

LIFTED: Final = {
    "warning": N_("A moderator has withdrawn the warning of {since}."),
    "silence": N_("You can chat again: a moderator has lifted the sanction imposed on {since}."),
    "exclusion": N_(
        "Public tables are open to you again: a moderator has lifted the sanction imposed on "
        "{since}."
    ),
    "removal": N_(
        "The texts of your set of deals are shown again: a moderator has lifted the sanction "
        "imposed on {since}."
    ),
}


def refused_line(words: Words, refused: Refused) -> tuple[Refusal, tuple[str, ...]]:
    """The refusal of talk, for programs and in words."""
    params: dict[str, Any] = dict(refused.params)
    if isinstance(params.get("until"), float):
        params["until"] = day_and_time(words, params["until"])
    return Refusal(refused.reason, params=params), (words.why(refused.reason, **params),)


async def check_public(room: Room, person: str, words: Words) -> None:
    """Raise `Refused` 403 for a person who may not play at public tables."""
    excluded = await room.store[TalkStore].binding(person, "exclusion")
    if excluded is not None:
        refusal, _ = refused_line(words, refused_by(excluded))
        raise Refused(403, refusal.reason, **refusal.params)


async def to_tell(room: Room, person: str, words: Words) -> list[str]:
    """Notices that a person has not read yet: measures about them, decisions on their reports."""
    if person not in room[TalkService].untold:
        return []
    measures = await room.store[TalkStore].unseen(person)
    reports = [
        each
        for each in await room.store[TalkStore].reports_by(person)
        if each.decided is not None and each.told is None
    ]
    if not measures and not reports:
        room[TalkService].untold.discard(person)
    return [
        *(measure_line(words, each) for each in measures),
        *(
            words.t(
                "Thank you for your report of {since}: a moderator has looked at it and made a "
                "decision.",
                since=day_and_time(words, each.at),
            )
            for each in reversed(reports)
        ),
    ]


async def has_read(room: Room, person: str, at: float) -> None:
    """Note that a person has read all notices up to a time, in seconds since 1970."""
    await room.store[TalkStore].has_seen(person, at)
    await room[TalkService].measures_changed(person)


def measure_line(words: Words, measure: Measure) -> str:
    """The notice of a measure to its person: kind, reason and end."""
    if measure.lifted is not None:
        return words.t(LIFTED[measure.kind], since=day_and_time(words, measure.at))
    if measure.kind == "warning":
        return words.t("A moderator has warned you: {why}", why=measure.note)
    if measure.kind == "removal":
        return words.t(REMOVED, why=measure.note)
    _, (line,) = refused_line(words, refused_by(measure))
    return line


AROUND: Final = 20  # sayings before and after the reported ones that are evidence


class Evidence(msgspec.Struct, frozen=True):
    """The evidence of a report: the sayings around it, and names, for moderators."""

    table: str = ""  # name of the table
    match: str = ""  # id of the match that was played last; empty where there was none
    by: str = ""  # name of the person who reports
    against: str = ""  # name of the person who is reported
    reported: tuple[int, ...] = ()  # the numbers of the reported sayings
    sayings: tuple[Said, ...] = ()  # the reported ones, and others before and after, in every room
    whole: bool = False  # whether later sayings are no longer added, as the report is decided

    @property
    def last(self) -> int:
        """The number of the last reported saying; without any, of the last saying in evidence."""
        return max(self.reported, default=max((each.number for each in self.sayings), default=0))


async def gather(
    store: Store,
    table: str,
    reported: Collection[int],
    *,
    name: str,
    by: str,
    against: str,
    match: str = "",
    texts: Sequence[Said] = (),
) -> Evidence:
    """The evidence for a report made now.

    Args:
        reported: numbers of sayings at that table.
        name: name of the table.
        match: id of the match that is talked about; empty for the last one of the table.
        texts: what is written at a place that has no talk, as it is now.
    """
    last = await store[TalkStore].last(table)
    first = min(reported, default=last + 1)
    sayings = await store[TalkStore].from_on(table, max(first - AROUND - 1, 0), AROUND)
    if reported:
        upto = max(reported) - first + 1 + AROUND
        sayings = [
            *(each for each in sayings if each.number < first),
            *await store[TalkStore].from_on(table, first - 1, upto),
        ]
    if not match:
        matches = await store.matches_at(table)
        match = matches[-1].id if matches else ""
    numbers = tuple(sorted(reported))
    return Evidence(name, match, by, against, numbers, (*texts, *sayings))


async def completed(store: Store, table: str, evidence: Evidence) -> Evidence:
    """The evidence with later sayings added, up to `AROUND`, unless the report is decided."""
    if evidence.whole:
        return evidence
    known = {each.number for each in evidence.sayings}
    after = await store[TalkStore].from_on(table, evidence.last, AROUND)
    more = [each for each in after if each.number not in known]
    return replace(evidence, sayings=(*evidence.sayings, *more))


def frozen(evidence: Evidence) -> bytes:
    """The evidence as bytes for the store."""
    return msgspec.json.encode(evidence)


def thawed(data: bytes) -> Evidence:
    """The evidence from the store; an empty one where it was deleted as too old."""
    return msgspec.json.decode(data, type=Evidence) if data else Evidence(whole=True)


# The page about one's own talk

SECONDS: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")


def routes() -> list[BaseRoute]:
    return [
        route("/me/talk", mine),
        route("/me/talk", unmute, methods=["POST"]),
        route("/me/talk/read", read, methods=["POST"]),
    ]


async def mine(visit: Visit) -> Response:
    """The page of the visitor's own talk: people muted, reports, and measures."""
    who = visit.someone()
    store, words = room_of(visit).store, visit.words
    reports = []
    for each in await store[TalkStore].reports_by(who.id):
        params = {"date": day_and_time(words, each.at), "reason": words.t(REASONS[each.why])}
        if each.decided is None:
            line = words.t("{date}, {reason}: a moderator will look at it.", **params)
        else:
            line = words.t(
                "{date}, {reason}: decided on {decided}.",
                decided=day_and_time(words, each.decided),
                **params,
            )
        reports.append(line)
    measures = await store[TalkStore].measures_about(who.id)
    return page(
        visit,
        "talk.html",
        muted=await store[TalkStore].muted(who.id),
        avoided=await store[Avoided].of(who.id),
        reports=reports,
        measures=[measure_line(words, each) for each in measures],
        days=room_of(visit).settings.talk_days,
        moderates=await store[Accounts].role(who.id) in ROLES,
    )


async def unmute(visit: Visit) -> Response:
    """Unmute a person, for the visitor."""
    who = visit.someone()
    form = await visit.fields()
    room, person = room_of(visit), str(form.get("person", ""))
    if person in await room.store[TalkStore].muted(who.id):
        await room.store[TalkStore].unmute(who.id, person)
        await room[TalkService].mutes_changed(who.id)
    return see_other("/me/talk")


async def read(visit: Visit) -> Response:
    """Mark notices from moderators as read, so that they are not shown again by themselves.

    Notices that came after the page was made, at `at` in the form, have still to be shown.
    """
    who = visit.someone()
    form = await visit.fields()
    at = str(form.get("at", ""))
    made = float(at) if SECONDS.fullmatch(at) else 0.0
    await has_read(room_of(visit), who.id, min(made, time.time()))
    return see_other(local_path(str(form.get("next", "/"))))
