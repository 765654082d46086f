"""What moderators have decided about somebody, as that person is told, and as it binds them."""

from __future__ import annotations

from typing import Final

from volte.game import Refusal
from volte.say import N_, Words
from volte.say.faults.served import SERVING
from volte.say.measures import day_and_time
from volte.store.talk import Measure, Report
from volte.talk.talks import NotSaid, Talks, bound
from volte.web.refused import Refused
from volte.web.room import Room

UNTIL: Final = {"silence": SERVING["silenced"], "exclusion": SERVING["excluded"]}

FOR_GOOD: Final = {
    "silence": SERVING["silenced_for_good"],
    "exclusion": SERVING["excluded_for_good"],
}

LIFTED: Final = {
    "warning": N_("A moderator has taken back the warning of {since}."),
    "silence": N_("You may talk again: a moderator has lifted the measure of {since}."),
    "exclusion": N_(
        "Public tables are open to you again: a moderator has lifted the measure of {since}."
    ),
}


def refused_line(words: Words, refused: NotSaid) -> tuple[Refusal, tuple[str, ...]]:
    """Why something is not said or done, for programs and in words."""
    params = dict(refused.params)
    until = params.get("until")
    if isinstance(until, float):
        params["until"] = day_and_time(words, until)
    line = words.why(refused.reason, **params)
    return Refusal(refused.reason, params=params), (line,)


async def check_public(room: Room, person: str, words: Words) -> None:
    """Raises `Refused` 403 for somebody who may not play at public tables."""
    excluded = await room.store.talk.binding(person, "exclusion")
    if excluded is not None:
        refusal, _ = refused_line(words, bound(excluded, "excluded"))
        raise Refused(403, refusal.reason, **refusal.params)


async def to_tell(room: Room, person: str, words: Words) -> list[str]:
    """What there is to tell somebody of measures about them, and of their reports."""
    if not room[Talks].has_news(person):
        return []
    measures = await room.store.talk.unseen(person)
    reports = [
        each
        for each in await room.store.talk.reports_by(person)
        if each.decided is not None and each.told is None
    ]
    if not measures and not reports:
        room[Talks].has_told(person)
    return [
        *(measure_line(words, each) for each in measures),
        *(_decided(words, each) for each in reversed(reports)),
    ]


async def has_read(room: Room, person: str, at: float) -> None:
    """Somebody was told at that time of all that there was."""
    await room.store.talk.has_seen(person, at)
    await room[Talks].measures_changed(person)


def measure_line(words: Words, measure: Measure) -> str:
    """What the person is told of it: what it is, why, and until when."""
    if measure.lifted is not None:
        return words.t(LIFTED[measure.kind], since=day_and_time(words, measure.at))
    if measure.kind == "warning":
        return words.t("A moderator warns you: {why}", why=measure.note)
    if measure.until is None:
        return words.t(FOR_GOOD[measure.kind], why=measure.note)
    until = day_and_time(words, measure.until)
    return words.t(UNTIL[measure.kind], why=measure.note, until=until)


def _decided(words: Words, report: Report) -> str:
    return words.t(
        "Thank you for your report of {since}: a moderator has looked at it and decided.",
        since=day_and_time(words, report.at),
    )
