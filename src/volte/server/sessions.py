"""Who it is: a random token in a cookie, its hash in the store."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from hashlib import sha256
from time import time
from typing import Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from volte.store import Person, Store

COOKIE: Final = "volte"
TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
RENEWED: Final = 86_400
"""Seconds after which a session that is used is made to last again."""

REMEMBERED: Final = 100_000
"""Sessions whose renewal is remembered."""


class Sessions:
    """The sessions that the store keeps.

    Args:
        days: that a session lasts after it was last used.
    """

    def __init__(self, store: Store, days: int) -> None:
        self._store = store
        self.lasting = days * 86_400
        self._renewed: OrderedDict[bytes, float] = OrderedDict()

    async def begin(self, person: Person) -> str:
        """A new session's token."""
        token = secrets.token_urlsafe(32)
        await self.renew(token, person)
        return token

    async def person(self, token: str) -> Person | None:
        """Whose session it is; None for one that is unknown or over."""
        return await self._store.session(hashed(token)) if TOKEN.fullmatch(token) else None

    async def renew(self, token: str, person: Person) -> bool:
        """Lets a session that is used last on from now; whether that was due."""
        key, now = hashed(token), time()
        if now - self._renewed.get(key, 0) < RENEWED:
            return False
        self._renewed[key] = now
        self._renewed.move_to_end(key)
        if len(self._renewed) > REMEMBERED:
            self._renewed.popitem(last=False)
        await self._store.put_session(key, person.id, now + self.lasting)
        return True

    async def end(self, token: str) -> None:
        """Forgets a session."""
        await self._store.drop_session(hashed(token))
        self._renewed.pop(hashed(token), None)


def hashed(token: str) -> bytes:
    """What is kept of a token."""
    return sha256(token.encode()).digest()


async def begin(request: Request, person: Person, response: Response) -> None:
    """Lets the browser be that person's from this response on; the session before it ends."""
    sessions: Sessions = request.app.state.room.sessions
    if request.state.token:
        await sessions.end(request.state.token)
        request.app.state.room.live.hang_up(hashed(request.state.token))
    give_cookie(response, await sessions.begin(person), sessions.lasting, is_secure(request))


def give_cookie(response: Response, token: str, lasting: int, secure: bool) -> None:
    """Puts the cookie of a session on a response."""
    response.set_cookie(
        COOKIE, token, max_age=lasting, secure=secure, httponly=True, samesite="lax"
    )


def is_secure(connection: HTTPConnection) -> bool:
    """Whether the connection came over HTTPS."""
    return connection.scope["scheme"] in ("https", "wss")


async def end(request: Request, response: Response) -> None:
    """Ends the session, and hangs up on the tables that the browser has open."""
    sessions: Sessions = request.app.state.room.sessions
    if request.state.token:
        await sessions.end(request.state.token)
        request.app.state.room.live.hang_up(hashed(request.state.token))
    response.delete_cookie(COOKIE, secure=is_secure(request), httponly=True, samesite="lax")
