"""The accessibility statement, and trials of the pages by volunteers with their screen readers.

Nobody's name is stored.
"""

from __future__ import annotations

import time
from typing import Final

import msgspec
from sqlalchemy import Index, select
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.forms.fields import Choice, FilledForm, NotTaken, Wrong, declared
from volte.people.sessions import moderator
from volte.say import N_
from volte.say.measures import day_and_time
from volte.say.texts import sections
from volte.say.texts.trials import SCRIPTS, script_title
from volte.store.part import Part
from volte.store.schema import table
from volte.store.writer import put
from volte.talk.service import line_field
from volte.web.page import form_page, page
from volte.web.refused import Refused
from volte.web.room import room_of
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
FIELDS: Final = declared(
    line_field("browser", LONGEST["browser"], N_("Please say which system and browser you used.")),
    line_field(
        "reader", LONGEST["reader"], N_("Please say which screen reader, or other aid, you used.")
    ),
    line_field("remarks", LONGEST["remarks"]),
    Choice("script", values=tuple(SCRIPTS)),
    Choice("outcome", values=tuple(OUTCOMES)),
)


def routes() -> list[BaseRoute]:
    return [
        route("/accessibility", show, methods=["GET"]),
        route("/accessibility", send, methods=["POST"]),
        route("/moderation/trials", trials),
    ]


async def show(visit: Visit) -> Response:
    """Show the statement, and the form."""
    return _page(visit, FilledForm.of(FIELDS, {}))


async def send(visit: Visit) -> Response:
    """Store a volunteer's report."""
    sent = await visit.fields()
    form = FilledForm.typed(FIELDS, sent)
    try:
        report = form.read()
        await visit.room.limits.spend("report", visit.address)
    except Wrong as wrong:
        return _page(visit, form, wrong)
    except Refused as refused:
        return _page(visit, form, Wrong("trial", refused))
    trial = Trial(visit.key_of(sent)[:20], time.time(), visit.lang, **report)
    await room_of(visit).store[Trials].add(trial)
    return see_other("/accessibility?sent=1")


def _page(visit: Visit, form: FilledForm, problem: NotTaken | None = None) -> Response:
    words = visit.words
    return form_page(
        visit,
        "accessibility.html",
        form,
        problem,
        sections=sections(words, "accessibility"),
        scripts=[
            (name, script_title(words, name), [words.t(step) for step in steps])
            for name, (_, steps) in SCRIPTS.items()
        ],
        outcomes=[(name, words.t(text)) for name, text in OUTCOMES.items()],
        longest=LONGEST,
        sent=visit.method == "GET" and visit.query_params.get("sent") == "1",
    )


async def trials(visit: Visit) -> Response:
    """Show the list of trials, to moderators."""
    await moderator(visit)
    words = visit.words
    found = await room_of(visit).store[Trials].latest()
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
