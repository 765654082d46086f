"""Going on at another device: a link that is good for ten minutes, and for one time.

What makes somebody who they are is the cookie of a browser. The link hands no cookie on: it gives
the other browser a session of its own. Of its token, as of every other, the store has a hash.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from time import time
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.people.sessions import TOKEN, begin
from volte.people.store import LINK
from volte.store import Conflict, Person
from volte.web.addresses import picture_of, shared
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other

MINUTES: Final = 10


def routes() -> list[BaseRoute]:
    return [
        route("/me/device", hand_out, methods=["POST"]),
        route("/me/device", to_the_settings, methods=["GET"]),
        route("/device/{token}", ask, methods=["GET"]),
        route("/device/{token}", take, methods=["POST"]),
        route("/device/{token}/qr.svg", picture),
    ]


async def hand_out(visit: Visit) -> Response:
    """A link for the person who asks, and its picture."""
    await visit.fields()
    who = visit.someone()
    token = secrets.token_urlsafe(32)
    until = time() + MINUTES * 60
    await visit.room.store.put_session(_key(token), who.id, until, LINK)
    address = _address(visit, token)
    return page(visit, "device.html", token=token, address=address, minutes=MINUTES, owner="")


async def to_the_settings(_: Visit) -> Response:
    """Where somebody lands who loads the answer to the form again."""
    return see_other("/me")


async def ask(visit: Visit) -> Response:
    """On the other device: nothing is done before a button is pressed, as some programs look at
    every link that they see.
    """
    token, owner = await _owner(visit)
    return page(visit, "device.html", token=token, address="", minutes=0, owner=owner.name)


async def take(visit: Visit) -> Response:
    """The browser is that person's from now on, and the link is used up."""
    await visit.fields()
    token, owner = await _owner(visit)
    try:
        await visit.room.store.take_session(_key(token))
    except Conflict:  # of two who come at once, one finds it used up
        raise Refused(410, "device_link_over") from None
    response = see_other("/")
    await begin(visit, owner, response)
    return response


async def picture(visit: Visit) -> Response:
    """The link as a picture for the camera of a telephone."""
    token, _ = await _owner(visit)
    return picture_of(_address(visit, token), **{"cache-control": "no-store"})


async def _owner(visit: Visit) -> tuple[str, Person]:
    """Whose link it is. Raises `Refused` for one that is used up, too old, or never was one."""
    token = visit.path_params["token"]
    owner = None
    if TOKEN.fullmatch(token):
        owner = await visit.room.store.session(_key(token))
    if owner is None:
        raise Refused(410, "device_link_over")
    return token, owner


def _key(token: str) -> bytes:
    """What is kept of a link: never what is kept of a cookie with the same letters."""
    return sha256(b"device " + token.encode()).digest()


def _address(visit: Visit, token: str) -> str:
    return f"{shared(visit)}/device/{token}"
