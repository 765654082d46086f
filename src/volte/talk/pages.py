"""The page about one's own talk: whom one has muted, reports, and moderators' decisions."""

from __future__ import annotations

import re
import time
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from volte.people.roles import ROLES
from volte.say.measures import day_and_time
from volte.say.talk import REASONS
from volte.talk.reports import has_read, measure_line
from volte.talk.service import TalkService
from volte.web.page import local_path, page
from volte.web.visit import read_form, room_of, see_other, someone

SECONDS: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")


def routes() -> list[BaseRoute]:
    return [
        Route("/me/talk", mine, methods=["GET"]),
        Route("/me/talk", unmute, methods=["POST"]),
        Route("/me/talk/read", read, methods=["POST"]),
    ]


async def mine(request: Request) -> Response:
    """The page itself."""
    who = someone(request)
    store, words = room_of(request).store, request.state.words
    reports = []
    for each in await store.talk.reports_by(who.id):
        date, reason = day_and_time(words, each.at), words.t(REASONS[each.why])
        if each.decided is None:
            line = words.t(
                "{date}, {reason}: a moderator will look at it.", date=date, reason=reason
            )
        else:
            decided = day_and_time(words, each.decided)
            line = words.t(
                "{date}, {reason}: looked at and decided on {decided}.",
                date=date,
                reason=reason,
                decided=decided,
            )
        reports.append(line)
    measures = await store.talk.measures_about(who.id)
    return page(
        request,
        "talk.html",
        muted=await store.talk.muted(who.id),
        reports=reports,
        measures=[measure_line(words, each) for each in measures],
        days=room_of(request).settings.talk_days,
        moderates=await store.accounts.role(who.id) in ROLES,
    )


async def unmute(request: Request) -> Response:
    """Unmutes a person."""
    who = someone(request)
    form = await read_form(request)
    room, person = room_of(request), str(form.get("person", ""))
    if person in await room.store.talk.muted(who.id):
        await room.store.talk.unmute(who.id, person)
        await room[TalkService].mutes_changed(who.id)
    return see_other("/me/talk")


async def read(request: Request) -> Response:
    """Marks what moderators have decided as read, so that it is not shown again by itself."""
    who = someone(request)
    form = await read_form(request)
    await has_read(room_of(request), who.id, _shown_at(str(form.get("at", ""))))
    return see_other(local_path(str(form.get("next", "/"))))


def _shown_at(typed: str) -> float:
    """When the page was made on which it was read; what came later has still to be shown."""
    seconds = float(typed) if SECONDS.fullmatch(typed) else 0.0
    return min(seconds, time.time())
