"""Who it is: a random token in a cookie, its hash in the store."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from hashlib import sha256
from time import time
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from volte.people.account_agents import agent_of
from volte.people.store import Account, Accounts
from volte.store import Person, Store
from volte.web.addresses import base_path
from volte.web.logs import get_logger
from volte.web.metrics import SESSIONS
from volte.web.visit import Visit, room_of, visitor_of, wanted_language

COOKIE: Final = "volte"
OWN: Final = "__Host-"
"""Before a cookie's name: only this very host can have set it, over HTTPS, for all its paths."""

SECURE: Final = "__Secure-"
"""Before a cookie's name: it was set over HTTPS."""

TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
RENEWED: Final = 3600
"""Seconds after which a session that is used is made to last again."""

REMEMBERED: Final = 100_000
"""Sessions whose renewal is remembered."""


log = get_logger("volte.server")


class Sessions:
    """The sessions that the store keeps. Whichever way one ends, its connections end with it.

    Args:
        days: that a session lasts after it was last used.
    """

    def __init__(self, store: Store, days: int) -> None:
        self._store = store
        self.lasting = days * 86_400
        self._renewed: OrderedDict[bytes, float] = OrderedDict()

    async def begin(self, person: Person, agent: str = "") -> str:
        """A new session's token.

        Args:
            agent: at what kind of device; see `agent_of`.
        """
        token = secrets.token_urlsafe(32)
        key, now = hashed(token), time()
        self._remember(key, now)
        await self._store.put_session(key, person.id, now + self.lasting, agent)
        SESSIONS.inc()
        return token

    async def person(self, token: str) -> Person | None:
        """Whose session it is; None for one that is unknown or over."""
        return await self._store.session(hashed(token)) if TOKEN.fullmatch(token) else None

    async def renew(self, token: str) -> bool:
        """Lets a session that is used last on from now; whether that was due.

        One that has been ended meanwhile stays so.
        """
        key, now = hashed(token), time()
        if now - self._renewed.get(key, 0) < RENEWED:
            return False
        self._remember(key, now)
        await self._store.renew_session(key, now + self.lasting)
        return True

    async def end(self, token: str) -> None:
        """Ends a session, and hangs up on the tables that are open by it."""
        await self.end_one(hashed(token))

    async def end_one(self, key: bytes) -> None:
        """Ends the session of which that is kept, likewise."""
        await self._store.drop_session(key)
        await self._ended(key)

    async def end_all(self, person: str, keep: str = "") -> int:
        """Ends all sessions of a person but that of one token, likewise: how many."""
        kept = hashed(keep) if keep else b""
        ended = await self._store[Accounts].end_sessions(person, kept)
        for key in ended:
            await self._ended(key)
        log.info("sessions_ended", person=person, count=len(ended))
        return len(ended)

    async def secured(self, before: Account, after: Account, token: str) -> None:
        """Keeps a new password: all sessions but that of the token end, and no device is known
        any more. Raises `Conflict`."""
        kept = hashed(token)
        ended = await self._store[Accounts].sessions(after.person)
        await self._store[Accounts].change(before, after, keep=kept)
        for each in ended:
            if each.token_hash != kept:
                await self._ended(each.token_hash)

    async def recovered(self, account: Account, code: bytes) -> None:
        """Lets somebody back in by a code: all their sessions end, and no device is known any
        more. Raises `Conflict`."""
        before = await self._store[Accounts].sessions(account.person)
        await self._store[Accounts].recover(account, code)
        for each in before:
            await self._ended(each.token_hash)

    async def _ended(self, key: bytes) -> None:
        self._renewed.pop(key, None)
        await self._store.bus.publish("session", key.hex())

    def _remember(self, key: bytes, now: float) -> None:
        self._renewed[key] = now
        self._renewed.move_to_end(key)
        if len(self._renewed) > REMEMBERED:
            self._renewed.popitem(last=False)


def hashed(token: str) -> bytes:
    """What is kept of a token."""
    return sha256(token.encode()).digest()


async def begin(visit: Visit, person: Person, response: Response) -> None:
    """Lets the browser be that person's from this response on; the session before it ends."""
    sessions = visit.room[Sessions]
    token = await become(visit, person)
    give_cookie(visit, response, token, sessions.lasting)


async def become(visit: Visit, person: Person) -> str:
    """Answers the visit as that person from now on; the token is to be given as a cookie.

    A token is never taken over from before: whoever knew the old one knows nothing.
    """
    sessions = visit.room[Sessions]
    visitor = visit.visitor
    token = await sessions.begin(person, agent_of(visit.headers.get("user-agent", "")))
    if visitor.token:
        await sessions.end(visitor.token)
    visitor.person, visitor.token = person, token
    return token


def cookie_name(connection: HTTPConnection, name: str = COOKIE) -> str:
    """What the cookie of a session is called, or another one that is a secret."""
    if not is_secure(connection):
        return name
    return f"{SECURE if base_path(connection) else OWN}{name}"


def give_cookie(
    visit: Visit, response: Response, token: str, lasting: int, name: str = COOKIE
) -> None:
    """Puts the cookie of a session on a response, or another one that is a secret."""
    response.set_cookie(
        cookie_name(visit, name),
        token,
        max_age=lasting,
        path=base_path(visit) or "/",
        secure=is_secure(visit),
        httponly=True,
        samesite="lax",
    )


def take_cookie(visit: Visit, response: Response) -> None:
    """Takes it away from the browser."""
    response.delete_cookie(
        cookie_name(visit),
        path=base_path(visit) or "/",
        secure=is_secure(visit),
        httponly=True,
        samesite="lax",
    )


def is_secure(connection: HTTPConnection) -> bool:
    """Whether the connection came over HTTPS."""
    return connection.scope["scheme"] in ("https", "wss")


async def end(visit: Visit, response: Response) -> None:
    """Ends the session, and hangs up on the tables that the browser has open."""
    sessions = visit.room[Sessions]
    if visit.token:
        await sessions.end(visit.token)
    take_cookie(visit, response)


async def identify(connection: HTTPConnection) -> None:
    """Whose connection it is, and what is their language. Raises `Unavailable`."""
    visitor = visitor_of(connection)
    token = connection.cookies.get(cookie_name(connection), "")
    visitor.person = await room_of(connection)[Sessions].person(token)
    if visitor.person is not None:
        visitor.token = token
        visitor.lang = wanted_language(connection, visitor.person)
