"""What moderators have decided about somebody, as that person is told, and as it binds them."""

from __future__ import annotations

from volte.game import Refusal
from volte.say import Words
from volte.say.replaying import day_and_time
from volte.say.serving import serving_sentence
from volte.say.talk import told_line
from volte.store.talk import Measure, Report
from volte.talk.talks import TalkRefused, Talks, bound
from volte.web.refused import Refused
from volte.web.room import Room


def refused_line(words: Words, refused: TalkRefused) -> tuple[Refusal, tuple[str, ...]]:
    """Why something is not said or done, for programs and in words."""
    params = dict(refused.params)
    until = params.get("until")
    if isinstance(until, float):
        params["until"] = day_and_time(words, until)
    line = serving_sentence(words, refused.reason, **params)
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
    since = day_and_time(words, measure.at)
    if measure.lifted is not None:
        return told_line(words, f"{measure.kind}_lifted", since=since)
    if measure.kind == "warning":
        return told_line(words, "warning", why=measure.note)
    if measure.until is None:
        return told_line(words, f"{measure.kind}_for_good", why=measure.note)
    until = day_and_time(words, measure.until)
    return told_line(words, measure.kind, why=measure.note, until=until)


def _decided(words: Words, report: Report) -> str:
    return told_line(words, "report", since=day_and_time(words, report.at))
