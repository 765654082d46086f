"""The page about one's own talk: whom one has muted, reports, and moderators' decisions."""

from __future__ import annotations

import re
import time
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.people.sessions import ROLES
from volte.people.store import Accounts
from volte.say.measures import day_and_time
from volte.say.talk import REASONS
from volte.talk.reports import has_read, measure_line
from volte.talk.service import TalkService
from volte.talk.store import TalkStore
from volte.web.page import local_path, page
from volte.web.visit import Visit, route, see_other

SECONDS: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")


def routes() -> list[BaseRoute]:
    return [
        route("/me/talk", mine, methods=["GET"]),
        route("/me/talk", unmute, methods=["POST"]),
        route("/me/talk/read", read, methods=["POST"]),
    ]


async def mine(visit: Visit) -> Response:
    """The page itself."""
    who = visit.someone()
    store, words = visit.room.store, visit.words
    reports = []
    for each in await store[TalkStore].reports_by(who.id):
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
    measures = await store[TalkStore].measures_about(who.id)
    return page(
        visit,
        "talk.html",
        muted=await store[TalkStore].muted(who.id),
        reports=reports,
        measures=[measure_line(words, each) for each in measures],
        days=visit.room.settings.talk_days,
        moderates=await store[Accounts].role(who.id) in ROLES,
    )


async def unmute(visit: Visit) -> Response:
    """Unmutes a person."""
    who = visit.someone()
    form = await visit.fields()
    room, person = visit.room, str(form.get("person", ""))
    if person in await room.store[TalkStore].muted(who.id):
        await room.store[TalkStore].unmute(who.id, person)
        await room[TalkService].mutes_changed(who.id)
    return see_other("/me/talk")


async def read(visit: Visit) -> Response:
    """Marks what moderators have decided as read, so that it is not shown again by itself."""
    who = visit.someone()
    form = await visit.fields()
    await has_read(visit.room, who.id, _shown_at(str(form.get("at", ""))))
    return see_other(local_path(str(form.get("next", "/"))))


def _shown_at(typed: str) -> float:
    """When the page was made on which it was read; what came later has still to be shown."""
    seconds = float(typed) if SECONDS.fullmatch(typed) else 0.0
    return min(seconds, time.time())
