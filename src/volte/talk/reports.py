"""Reports with their evidence, and measures: as people are told of them, and as they bind them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec
from msgspec.structs import replace

from volte.game import Refusal
from volte.say import N_, Words
from volte.say.faults import SERVING
from volte.say.measures import day_and_time
from volte.store import Store
from volte.talk.service import TalkRefused, TalkService, refused_by
from volte.talk.store import Measure, Said, TalkStore
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


def refused_line(words: Words, refused: TalkRefused) -> tuple[Refusal, tuple[str, ...]]:
    """Why something may not be said or done, for programs and in words."""
    params = dict(refused.params)
    until = params.get("until")
    if isinstance(until, float):
        params["until"] = day_and_time(words, until)
    line = words.why(refused.reason, **params)
    return Refusal(refused.reason, params=params), (line,)


async def check_public(room: Room, person: str, words: Words) -> None:
    """Raises `Refused` 403 for a person who may not play at public tables."""
    excluded = await room.store[TalkStore].binding(person, "exclusion")
    if excluded is not None:
        refusal, _ = refused_line(words, refused_by(excluded, "excluded"))
        raise Refused(403, refusal.reason, **refusal.params)


async def to_tell(room: Room, person: str, words: Words) -> list[str]:
    """What a person has still to be told: measures about them, and decisions on their reports."""
    if not room[TalkService].has_news(person):
        return []
    measures = await room.store[TalkStore].unseen(person)
    reports = [
        each
        for each in await room.store[TalkStore].reports_by(person)
        if each.decided is not None and each.told is None
    ]
    if not measures and not reports:
        room[TalkService].has_told(person)
    return [
        *(measure_line(words, each) for each in measures),
        *(
            words.t(
                "Thank you for your report of {since}: a moderator has looked at it and decided.",
                since=day_and_time(words, each.at),
            )
            for each in reversed(reports)
        ),
    ]


async def has_read(room: Room, person: str, at: float) -> None:
    """Notes that the person was told then of all that there was."""
    await room.store[TalkStore].has_seen(person, at)
    await room[TalkService].measures_changed(person)


def measure_line(words: Words, measure: Measure) -> str:
    """What the person is told of a measure: what it is, why, and until when."""
    if measure.lifted is not None:
        return words.t(LIFTED[measure.kind], since=day_and_time(words, measure.at))
    if measure.kind == "warning":
        return words.t("A moderator warns you: {why}", why=measure.note)
    if measure.until is None:
        return words.t(FOR_GOOD[measure.kind], why=measure.note)
    until = day_and_time(words, measure.until)
    return words.t(UNTIL[measure.kind], why=measure.note, until=until)


AROUND: Final = 20  # sayings before and after the reported ones that are evidence


class Evidence(msgspec.Struct, frozen=True):
    """What moderators see with a report: what was said then."""

    table: str = ""  # its name
    match: str = ""  # id of the match that was played last; empty where there was none
    by: str = ""  # name of the person who reports
    against: str = ""  # name of the person who is reported
    reported: tuple[int, ...] = ()  # the numbers of the reported sayings
    sayings: tuple[Said, ...] = ()  # those, and what was said before and after, in every room
    whole: bool = False  # whether nothing is to be added, as it has been decided on

    @property
    def last(self) -> int:
        """The number of the last reported saying, or of the last that there was."""
        return max(self.reported, default=max((each.number for each in self.sayings), default=0))


async def gather(
    store: Store, table: str, reported: Collection[int], *, name: str, by: str, against: str
) -> Evidence:
    """The evidence as it is at this moment.

    Args:
        reported: numbers of sayings at that table.
        name: of the table.
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
    matches = await store.matches_at(table)
    match = matches[-1].id if matches else ""
    numbers = tuple(sorted(reported))
    return Evidence(name, match, by, against, numbers, tuple(sayings))


async def completed(store: Store, table: str, evidence: Evidence) -> Evidence:
    """The evidence with what has been said since, as far as it belongs to it."""
    if evidence.whole:
        return evidence
    known = {each.number for each in evidence.sayings}
    after = await store[TalkStore].from_on(table, evidence.last, AROUND)
    more = [each for each in after if each.number not in known]
    return replace(evidence, sayings=(*evidence.sayings, *more))


def frozen(evidence: Evidence) -> bytes:
    """The evidence as it is stored."""
    return msgspec.json.encode(evidence)


def thawed(data: bytes) -> Evidence:
    """The evidence that was stored; none where it was too old, and is deleted."""
    return msgspec.json.decode(data, type=Evidence) if data else Evidence(whole=True)
