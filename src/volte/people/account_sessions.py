"""Where one is signed in, and how that ends."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from time import time
from typing import Final

import msgspec
from babel.dates import format_date, format_time
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.people.account_agents import agent_told
from volte.people.sessions import Sessions, hashed, take_cookie
from volte.people.store import Accounts, Session
from volte.say import N_, Words
from volte.web.page import page
from volte.web.visit import Visit, route, see_other


class Shown(msgspec.Struct, frozen=True):
    """A session, in words.

    Attributes:
        key: what stands for it on the page, from which nobody can work out its token.
    """

    key: str
    device: str
    begun: str
    used: str
    here: bool


DONE: Final = {
    "session_ended": N_("That session is over."),
    "sessions_ended": N_("All other sessions are over."),
}
"""What has just been done, by how the address says it."""


def routes() -> list[BaseRoute]:
    return [
        route("/me/sessions", listed, methods=["GET"]),
        route("/me/sessions", end, methods=["POST"]),
    ]


async def listed(visit: Visit) -> Response:
    """All of them, this one first."""
    who = visit.someone()
    words = visit.words
    own = hashed(visit.token)
    found = await visit.room.store[Accounts].sessions(who.id)
    shown = [_shown(words, each, each.token_hash == own) for each in found]
    done = visit.query_params.get("done", "")
    return page(
        visit,
        "sessions.html",
        sessions=sorted(shown, key=lambda each: not each.here),
        done=DONE.get(done, ""),
    )


async def end(visit: Visit) -> Response:
    """Ends one of them, or all but this one."""
    form = await visit.fields()
    who = visit.someone()
    sessions = visit.room[Sessions]
    if form.get("others"):
        await sessions.end_all(who.id, visit.token)
        return see_other("/me/sessions?done=sessions_ended")
    wanted, own = str(form.get("session", "")), hashed(visit.token)
    for each in await visit.room.store[Accounts].sessions(who.id):
        if _key(each) == wanted:
            await sessions.end_one(each.token_hash)
            if each.token_hash == own:
                response = see_other("/")
                take_cookie(visit, response)
                return response
    return see_other("/me/sessions?done=session_ended")


def when(words: Words, seconds: float) -> str:
    """A day and a time of it, as they are written."""
    moment = datetime.fromtimestamp(seconds).astimezone()
    day = format_date(moment, "medium", locale=words.lang)
    return f"{day}, {format_time(moment, 'short', locale=words.lang)}"


def _shown(words: Words, session: Session, here: bool) -> Shown:
    used = time() if here else session.used
    return Shown(
        _key(session),
        agent_told(words, session.agent),
        when(words, session.begun),
        when(words, used),
        here,
    )


def _key(session: Session) -> str:
    return sha256(b"shown " + session.token_hash).hexdigest()[:24]
