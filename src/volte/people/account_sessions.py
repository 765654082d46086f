"""Where one is signed in, and how that ends."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from time import time
from typing import Final

import msgspec
from babel.dates import format_date, format_time
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from volte.people.account_agents import agent_told
from volte.people.sessions import Sessions, hashed, take_cookie
from volte.say import N_, Words
from volte.store.accounts import Session
from volte.web.page import page
from volte.web.visit import read_form, room_of, see_other, someone


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
        Route("/me/sessions", listed, methods=["GET"]),
        Route("/me/sessions", end, methods=["POST"]),
    ]


async def listed(request: Request) -> Response:
    """All of them, this one first."""
    who = someone(request)
    words: Words = request.state.words
    own = hashed(request.state.token)
    found = await room_of(request).store.accounts.sessions(who.id)
    shown = [_shown(words, each, each.token_hash == own) for each in found]
    done = request.query_params.get("done", "")
    return page(
        request,
        "sessions.html",
        sessions=sorted(shown, key=lambda each: not each.here),
        done=DONE.get(done, ""),
    )


async def end(request: Request) -> Response:
    """Ends one of them, or all but this one."""
    form = await read_form(request)
    who = someone(request)
    sessions = room_of(request)[Sessions]
    if form.get("others"):
        await sessions.end_all(who.id, request.state.token)
        return see_other("/me/sessions?done=sessions_ended")
    wanted, own = str(form.get("session", "")), hashed(request.state.token)
    for each in await room_of(request).store.accounts.sessions(who.id):
        if _key(each) == wanted:
            await sessions.end_one(each.token_hash)
            if each.token_hash == own:
                response = see_other("/")
                take_cookie(request, response)
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
