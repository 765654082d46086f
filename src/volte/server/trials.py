"""The accessibility statement, and trials of the pages by volunteers with their screen readers.

Nobody's name is stored.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

import msgspec
from sqlalchemy import Index, select
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.people.sessions import moderator
from volte.say import N_, Words
from volte.say.measures import day_and_time
from volte.say.texts import sections
from volte.say.texts.trials import SCRIPTS, script_title
from volte.store.part import Part
from volte.store.schema import table
from volte.store.writer import put
from volte.talk.service import TalkRefused, plain_line
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other


class Trial(msgspec.Struct, frozen=True):
    """A volunteer's report on following a script with their screen reader."""

    id: str
    at: float  # seconds since 1970
    lang: str  # of the pages
    browser: str  # and system, in the volunteer's words
    reader: str  # the screen reader or other aid, in their words
    script: str  # its name
    outcome: str  # `worked` or `failed`
    remarks: str  # in their words; may be empty


TRIALS: Final = table("trials", Trial, "id", Index("trials_by_time", "at"))


class Trials(Part):
    """Reads and writes the stored reports of volunteers who tried the playroom."""

    async def add(self, trial: Trial) -> None:
        """Store the report of a volunteer, once for each id."""
        await self._write(put(TRIALS, trial))

    async def latest(self, limit: int = 200) -> list[Trial]:
        """The most recent trials, the latest first."""
        return await self._all(Trial, select(TRIALS).order_by(TRIALS.c.at.desc()).limit(limit))


OUTCOMES: Final = {"worked": N_("It worked"), "failed": N_("It did not work")}
LONGEST: Final = {"browser": 100, "reader": 100, "remarks": 2000}  # most characters of each text
NEEDED: Final = {
    "browser": N_("Please say which system and browser you used."),
    "reader": N_("Please say which screen reader you used, or what else."),
}
FIELDS: Final = (*LONGEST, "script", "outcome")


def routes() -> list[BaseRoute]:
    return [
        route("/accessibility", show, methods=["GET"]),
        route("/accessibility", send, methods=["POST"]),
        route("/moderation/trials", trials),
    ]


async def show(visit: Visit) -> Response:
    """Show the statement, and the form."""
    return _page(visit)


async def send(visit: Visit) -> Response:
    """Store a volunteer's report."""
    form = await visit.fields()
    words = visit.words
    typed = {name: str(form.get(name, "")) for name in FIELDS}
    meant, wrong = _read(words, typed)
    if wrong:
        return _page(visit, 422, typed, wrong)
    room = visit.room
    try:
        await room.limits.spend("report", visit.address)
    except Refused as refused:
        wrong = {"trial": words.why(refused.reason, **refused.params)}
        return _page(visit, refused.status_code, typed, wrong)
    key = visit.key_of(form)[:20]
    await room.store[Trials].add(Trial(key, time.time(), words.lang, **meant))
    return see_other("/accessibility?sent=1")


def _read(words: Words, typed: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The values of the fields, and sentences about faults, by field."""
    meant, wrong = dict(typed), {}
    for name, most in LONGEST.items():
        try:
            meant[name] = plain_line(typed[name], most, "note_too_long")
        except TalkRefused as fault:
            wrong[name] = words.why(fault.reason, **fault.params)
    wrong |= {
        name: words.t(text)
        for name, text in NEEDED.items()
        if name not in wrong and not meant[name]
    }
    for name, values in (("script", SCRIPTS), ("outcome", OUTCOMES)):
        if typed[name] not in values:
            wrong[name] = words.t("Please choose one of the answers offered.")
    return meant, {name: wrong[name] for name in FIELDS if name in wrong}


def _page(
    visit: Visit,
    status: int = 200,
    typed: Mapping[str, str] | None = None,
    wrong: Mapping[str, str] | None = None,
) -> Response:
    words = visit.words
    return page(
        visit,
        "accessibility.html",
        status,
        sections=sections(words, "accessibility"),
        scripts=[
            (name, script_title(words, name), [words.t(step) for step in steps])
            for name, (_, steps) in SCRIPTS.items()
        ],
        outcomes=[(name, words.t(text)) for name, text in OUTCOMES.items()],
        typed=typed or dict.fromkeys(FIELDS, ""),
        wrong=wrong or {},
        longest=LONGEST,
        sent=visit.method == "GET" and visit.query_params.get("sent") == "1",
    )


async def trials(visit: Visit) -> Response:
    """Show the list of trials, to moderators."""
    await moderator(visit)
    words = visit.words
    found = await visit.room.store[Trials].latest()
    rows = [
        (
            day_and_time(words, each.at),
            script_title(words, each.script),
            each.browser,
            each.reader,
            each.lang,
            words.t(OUTCOMES[each.outcome]),
            each.remarks,
        )
        for each in found
    ]
    return page(visit, "trials.html", trials=rows)
