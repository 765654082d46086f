"""The devices at which somebody is signed in: the list of sessions, and links for more devices.

A link signs in another device. It does not hand on the cookie, but gives the other browser a
session of its own; it is good for ten minutes, and once. Of its token, too, only a hash is stored.
"""

from __future__ import annotations

import secrets
from functools import partial
from hashlib import sha256
from time import time
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.people.sessions import TOKEN, Sessions, begin, describe_agent, hashed, take_cookie
from volte.people.store import LINK, Accounts, Session, session_ended
from volte.say import N_
from volte.say.measures import day_and_time
from volte.store import Conflict, Person
from volte.store.store import session_lasts
from volte.web.addresses import shared
from volte.web.page import done_text, page
from volte.web.pictures import picture_of
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other

MINUTES: Final = 10  # minutes for which a link is good

DONE: Final = {
    "session_ended": N_("That device has been signed out."),
    "sessions_ended": N_("All your other devices have been signed out."),
}
"""Messages about what has just been done, by `done` in the query."""


def routes() -> list[BaseRoute]:
    return [
        route("/me/sessions", listed),
        route("/me/sessions", end, methods=["POST"]),
        route("/me/device", hand_out, methods=["POST"]),
        route("/me/device", to_the_settings),
        route("/device/{token}", ask),
        route("/device/{token}", take, methods=["POST"]),
        route("/device/{token}/qr.svg", picture),
    ]


async def listed(visit: Visit) -> Response:
    """The page of the visitor's sessions, the present one first."""
    words, own = visit.words, hashed(visit.token)
    sessions = await room_of(visit).store[Accounts].sessions(visit.someone().id)
    sessions.sort(key=lambda each: each.token_hash != own)
    shown = [
        {
            "key": _session_key(each),
            "device": describe_agent(words, each.agent),
            "begun": day_and_time(words, each.begun),
            "used": day_and_time(words, time() if each.token_hash == own else each.used),
            "here": each.token_hash == own,
        }
        for each in sessions
    ]
    return page(visit, "sessions.html", sessions=shown, done=done_text(visit, DONE))


async def end(visit: Visit) -> Response:
    """End one of the visitor's sessions, or all but the present one."""
    form = await visit.fields()
    who = visit.someone()
    sessions = visit.room[Sessions]
    if form.get("others"):
        await sessions.end_all(who.id, visit.token)
        return see_other("/me/sessions?done=sessions_ended")
    for each in await room_of(visit).store[Accounts].sessions(who.id):
        if _session_key(each) == form.get("session", ""):
            await room_of(visit).store.write(*session_ended(who.id, each.token_hash))
            await sessions.hang_up(each.token_hash)
            if each.token_hash == hashed(visit.token):
                response = see_other("/")
                take_cookie(visit, response)
                return response
    return see_other("/me/sessions?done=session_ended")


def _session_key(session: Session) -> str:
    """The key of a session on the page, from which nobody can work out its token."""
    return sha256(b"shown " + session.token_hash).hexdigest()[:24]


# One more device


async def hand_out(visit: Visit) -> Response:
    """The page with a link for another device of the visitor, and its picture."""
    await visit.fields()
    who = visit.someone()
    token = secrets.token_urlsafe(32)
    until, lasts = time() + MINUTES * 60, session_lasts(hashed(visit.token))
    try:
        await room_of(visit).store.put_session(_key(token), who.id, until, LINK, lasts)
    except Conflict:
        raise Refused(401, "no_session") from None
    address = _address(visit, token)
    return page(visit, "device.html", token=token, address=address, minutes=MINUTES, owner="")


async def to_the_settings(_: Visit) -> Response:
    """Lead somebody who loads the answer to the form again to the settings."""
    return see_other("/me")


async def ask(visit: Visit) -> Response:
    """The page that asks on the other device, since some programs load every link that they see."""
    token, owner = await _owner(visit)
    return page(visit, "device.html", token=token, address="", minutes=0, owner=owner.name)


async def take(visit: Visit) -> Response:
    """Sign the browser in as the link's owner, and use the link up."""
    await visit.fields()
    token, owner = await _owner(visit)
    response = see_other("/")
    try:
        await begin(visit, owner, response, partial(room_of(visit).store.take_session, _key(token)))
    except Conflict:  # of two who come at once, one finds it used up
        raise Refused(410, "device_link_over") from None
    return response


async def picture(visit: Visit) -> Response:
    """The link as a picture for the camera of a telephone."""
    token, _ = await _owner(visit)
    return await picture_of(visit, _address(visit, token), **{"cache-control": "no-store"})


async def _owner(visit: Visit) -> tuple[str, Person]:
    """The token of a link, and its owner. Raises `Refused` for a used, old or invented link."""
    token = visit.path_params["token"]
    owner = await room_of(visit).store.session(_key(token)) if TOKEN.fullmatch(token) else None
    if owner is None:
        raise Refused(410, "device_link_over")
    return token, owner


def _key(token: str) -> bytes:
    """The stored hash of a link's token; it differs from that of a cookie with the same text."""
    return sha256(b"device " + token.encode()).digest()


def _address(visit: Visit, token: str) -> str:
    return f"{shared(visit)}/device/{token}"
