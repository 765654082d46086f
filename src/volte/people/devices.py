"""Going on at another device: a link that is good for ten minutes, and for one time.

What makes somebody who they are is the cookie of a browser. The link hands no cookie on: it gives
the other browser a session of its own. Of its token, as of every other, the store has a hash.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from time import time
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from volte.people.sessions import TOKEN, begin
from volte.store import Conflict, Person
from volte.store.accounts import LINK
from volte.web.addresses import shared
from volte.web.page import page
from volte.web.pictures import picture_of
from volte.web.refused import Refused
from volte.web.visit import read_form, room_of, see_other, someone

MINUTES: Final = 10


def routes() -> list[BaseRoute]:
    return [
        Route("/me/device", hand_out, methods=["POST"]),
        Route("/me/device", to_the_settings, methods=["GET"]),
        Route("/device/{token}", ask, methods=["GET"]),
        Route("/device/{token}", take, methods=["POST"]),
        Route("/device/{token}/qr.svg", picture),
    ]


async def hand_out(request: Request) -> Response:
    """A link for the person who asks, and its picture."""
    await read_form(request)
    who = someone(request)
    token = secrets.token_urlsafe(32)
    until = time() + MINUTES * 60
    await room_of(request).store.put_session(_key(token), who.id, until, LINK)
    address = _address(request, token)
    return page(request, "device.html", token=token, address=address, minutes=MINUTES, owner="")


async def to_the_settings(_: Request) -> Response:
    """Where somebody lands who loads the answer to the form again."""
    return see_other("/me")


async def ask(request: Request) -> Response:
    """On the other device: nothing is done before a button is pressed, as some programs look at
    every link that they see.
    """
    token, owner = await _owner(request)
    return page(request, "device.html", token=token, address="", minutes=0, owner=owner.name)


async def take(request: Request) -> Response:
    """The browser is that person's from now on, and the link is used up."""
    await read_form(request)
    token, owner = await _owner(request)
    try:
        await room_of(request).store.take_session(_key(token))
    except Conflict:  # of two who come at once, one finds it used up
        raise Refused(410, "device_link_over") from None
    response = see_other("/")
    await begin(request, owner, response)
    return response


async def picture(request: Request) -> Response:
    """The link as a picture for the camera of a telephone."""
    token, _ = await _owner(request)
    return picture_of(_address(request, token), **{"cache-control": "no-store"})


async def _owner(request: Request) -> tuple[str, Person]:
    """Whose link it is. Raises `Refused` for one that is used up, too old, or never was one."""
    token = request.path_params["token"]
    owner = None
    if TOKEN.fullmatch(token):
        owner = await room_of(request).store.session(_key(token))
    if owner is None:
        raise Refused(410, "device_link_over")
    return token, owner


def _key(token: str) -> bytes:
    """What is kept of a link: never what is kept of a cookie with the same letters."""
    return sha256(b"device " + token.encode()).digest()


def _address(request: Request, token: str) -> str:
    return f"{shared(request)}/device/{token}"
