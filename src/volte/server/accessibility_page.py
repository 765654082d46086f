"""The accessibility statement, the form for volunteers, and the list of their trials."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from volte.people.roles import moderator
from volte.say import N_, Words
from volte.say.measures import day_and_time
from volte.say.texts import sections
from volte.say.texts.trials import SCRIPTS, script_title
from volte.store.trials import Trial
from volte.talk.service import TalkRefused, plain_line
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import read_form, room_of, see_other

OUTCOMES: Final = {
    "worked": N_("It worked"),
    "failed": N_("It did not work"),
}
LONGEST: Final = {"browser": 100, "reader": 100, "remarks": 2000}  # most characters of each text
NEEDED: Final = {
    "browser": N_("Please say which system and browser you used."),
    "reader": N_("Please say which screen reader you used, or what else."),
}
FIELDS: Final = (*LONGEST, "script", "outcome")


def routes() -> list[BaseRoute]:
    return [
        Route("/accessibility", show, methods=["GET"]),
        Route("/accessibility", send, methods=["POST"]),
        Route("/moderation/trials", trials),
    ]


async def show(request: Request) -> Response:
    """The statement, and the form."""
    return _page(request)


async def send(request: Request) -> Response:
    """Stores what a volunteer has found."""
    form = await read_form(request)
    words: Words = request.state.words
    typed = {name: str(form.get(name, "")) for name in FIELDS}
    meant, wrong = _read(words, typed)
    if wrong:
        return _page(request, 422, typed, wrong)
    room = room_of(request)
    try:
        await room.limits.spend("report", request.state.address)
    except Refused as refused:
        wrong = {"trial": words.why(refused.reason, **refused.params)}
        return _page(request, refused.status_code, typed, wrong)
    await room.store.trials.add(Trial(secrets.token_hex(10), time.time(), words.lang, **meant))
    return see_other("/accessibility?sent=1")


def _read(words: Words, typed: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The values of the fields, and by field what is wrong."""
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
    request: Request,
    status: int = 200,
    typed: Mapping[str, str] | None = None,
    wrong: Mapping[str, str] | None = None,
) -> Response:
    words: Words = request.state.words
    return page(
        request,
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
        sent=request.method == "GET" and request.query_params.get("sent") == "1",
    )


async def trials(request: Request) -> Response:
    """The list of trials, for moderators."""
    await moderator(request)
    words: Words = request.state.words
    found = await room_of(request).store.trials.latest()
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
    return page(request, "trials.html", trials=rows)
