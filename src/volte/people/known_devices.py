"""Known devices: where somebody has signed in before, the failed tries of others do not lock them
out.

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
MOST_PEOPLE: Final = 4  # whose tokens one browser keeps; whoever signed in last comes first


async def known_device(connection: HTTPConnection, person: str | None) -> str:
    """What tries from this device are counted by, if it is known; else empty.

    Args:
        person: whose it has to be; empty for a login that nobody has, for which the same is looked
            up; None for anybody's.
    """
    keys = [_key(token) for token in _tokens(connection)]
    found = await room_of(connection).store[Accounts].devices_of(keys, person)
    return min(found).hex() if found else ""


async def know_device(visit: Visit, response: Response, person: str) -> None:
    """Makes the device a known one of that person's, by a new token if it is not one yet."""
    accounts, tokens = visit.room.store[Accounts], _tokens(visit)
    known = await accounts.devices_of([_key(each) for each in tokens], person)
    token = next((each for each in tokens if _key(each) in known), secrets.token_urlsafe(32))
    await accounts.put_device(_key(token), person, _until(visit))
    _give(visit, response, [token, *(each for each in tokens if each != token)])


async def keep_device_known(visit: Visit, response: Response) -> None:
    """Lets the device be known for longer, as it is used; does nothing where it is not known."""
    tokens = _tokens(visit)
    if tokens:
        accounts = visit.room.store[Accounts]
        await accounts.renew_devices([_key(each) for each in tokens], _until(visit))
        _give(visit, response, tokens)


def _tokens(connection: HTTPConnection) -> list[str]:
    value = connection.cookies.get(cookie_name(connection, COOKIE), "")
    return [token for token in value.split(".") if TOKEN.fullmatch(token)][:MOST_PEOPLE]


def _give(visit: Visit, response: Response, tokens: list[str]) -> None:
    give_cookie(visit, response, ".".join(tokens[:MOST_PEOPLE]), COOKIE)


def _until(visit: Visit) -> float:
    return time() + visit.room[Sessions].lasting


def _key(token: str) -> bytes:
    """The stored hash of a token: another one than that of a session with the same letters."""
    return sha256(b"known device " + token.encode()).digest()
