"""Known devices: where somebody has proved who they are, nobody else's tries hold them up.

The cookie of such a device has a random token for each of the last people who signed in there.
The store keeps a hash of the token and whose it is, so it counts for nothing at any other login.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from time import time
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from volte.people.sessions import TOKEN, Sessions, cookie_name, give_cookie
from volte.people.store import Accounts
from volte.web.visit import Visit, room_of

COOKIE: Final = "volte_device"

MOST_PEOPLE: Final = 4
"""People whose tokens one browser keeps; whoever signed in last comes first."""


async def known_device(connection: HTTPConnection, person: str | None) -> str:
    """What the device is counted by, where it is known; else empty.

    Args:
        person: whose it has to be; empty for a login that nobody has, for which the same is looked
            up; None for anybody's.
    """
    keys = [_key(token) for token in _tokens(connection)]
    found = await _accounts(connection).devices_of(keys, person)
    return min(found).hex() if found else ""


async def know_device(visit: Visit, response: Response, person: str) -> None:
    """Makes the device a known one of that person's, where it is not yet, by a token that nobody
    has seen before."""
    tokens = _tokens(visit)
    known = await _accounts(visit).devices_of([_key(each) for each in tokens], person)
    own = [each for each in tokens if _key(each) in known] or [secrets.token_urlsafe(32)]
    await _accounts(visit).put_device(_key(own[0]), person, time() + _sessions(visit).lasting)
    _give(visit, response, [own[0], *(each for each in tokens if each != own[0])])


async def keep_device_known(visit: Visit, response: Response) -> None:
    """Lets the device be known for longer, as it is used; nothing happens where it is not."""
    tokens = _tokens(visit)
    if tokens:
        until = time() + _sessions(visit).lasting
        await _accounts(visit).renew_devices([_key(each) for each in tokens], until)
        _give(visit, response, tokens)


def _tokens(connection: HTTPConnection) -> list[str]:
    value = connection.cookies.get(cookie_name(connection, COOKIE), "")
    return [token for token in value.split(".") if TOKEN.fullmatch(token)][:MOST_PEOPLE]


def _give(visit: Visit, response: Response, tokens: list[str]) -> None:
    value, lasting = ".".join(tokens[:MOST_PEOPLE]), _sessions(visit).lasting
    give_cookie(visit, response, value, lasting, COOKIE)


def _key(token: str) -> bytes:
    """What is kept of a token: never what is kept of a session with the same letters."""
    return sha256(b"known device " + token.encode()).digest()


def _accounts(connection: HTTPConnection) -> Accounts:
    return room_of(connection).store[Accounts]


def _sessions(connection: HTTPConnection) -> Sessions:
    return room_of(connection)[Sessions]
