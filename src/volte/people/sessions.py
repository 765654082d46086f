"""Who somebody is: a random token in a cookie, whose hash the store has; known devices, guests."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from hashlib import sha256
from time import time
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from volte.names import clean_name
from volte.people.store import Account, Accounts
from volte.say import Words
from volte.say.catalogue import language_of
from volte.store import Person, Store
from volte.table import Someone
from volte.web.addresses import base_path
from volte.web.logs import get_logger
from volte.web.metrics import SESSIONS
from volte.web.refused import Refused
from volte.web.visit import Visit, room_of, visitor_of, wanted_language

COOKIE: Final = "volte"
OWN: Final = "__Host-"  # before a cookie's name: set by this very host, over HTTPS, for all paths
SECURE: Final = "__Secure-"  # before a cookie's name: set over HTTPS

TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
RENEWED: Final = 3600  # seconds after which a session that is used is made to last again
REMEMBERED: Final = 100_000  # sessions whose renewal is remembered

ROLES: Final = ("moderator", "administrator")

PROGRAM: Final = "volte"
"""The agent of the client in a terminal."""

BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Chrome": "Chrome",
    "Chromium": "Chromium",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
"""By a word of the header `User-Agent`; many browsers add the words of others after their own."""

SYSTEMS: Final = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}

log = get_logger("volte.server")


class Sessions:
    """The stored sessions. When one ends, the connections to tables that it opened are closed.

    Args:
        days: that a session lasts after it was last used.
    """

    def __init__(self, store: Store, days: int) -> None:
        self._store = store
        self.lasting = days * 86_400
        self._renewed: OrderedDict[bytes, float] = OrderedDict()

    async def begin(self, person: Person, agent: str = "") -> str:
        """Begins a session; its token.

        Args:
            agent: the kind of device; see `agent_of`.
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
        """Lets a session that is used last on from now, unless that was done lately; whether it
        was done. One that has ended meanwhile stays so.
        """
        key, now = hashed(token), time()
        if now - self._renewed.get(key, 0) < RENEWED:
            return False
        self._remember(key, now)
        await self._store.renew_session(key, now + self.lasting)
        return True

    async def end(self, key: bytes) -> None:
        """Ends the session whose token has that hash."""
        await self._store.drop_session(key)
        await self._ended(key)

    async def end_all(self, person: str, keep: str = "") -> None:
        """Ends all sessions of a person, but that of the token `keep`."""
        ended = await self._store[Accounts].end_sessions(person, hashed(keep) if keep else b"")
        await self._ended(*ended)
        log.info("sessions_ended", person=person, count=len(ended))

    async def secured(self, before: Account, after: Account, token: str) -> None:
        """Stores a new password. All sessions but that of the token end, and no device is known
        any more. Raises `Conflict`.
        """
        own, accounts = hashed(token), self._store[Accounts]
        sessions = await accounts.sessions(after.person)
        await accounts.change(before, after, keep=own)
        await self._ended(*(each.token_hash for each in sessions if each.token_hash != own))

    async def recovered(self, account: Account, code: bytes) -> None:
        """Stores a new password of somebody who has a code. All their sessions end, and no device
        is known any more. Raises `Conflict`.
        """
        sessions = await self._store[Accounts].sessions(account.person)
        await self._store[Accounts].recover(account, code)
        await self._ended(*(each.token_hash for each in sessions))

    async def _ended(self, *keys: bytes) -> None:
        for key in keys:
            self._renewed.pop(key, None)
            await self._store.bus.publish("session", key.hex())

    def _remember(self, key: bytes, now: float) -> None:
        self._renewed[key] = now
        self._renewed.move_to_end(key)
        if len(self._renewed) > REMEMBERED:
            self._renewed.popitem(last=False)


def hashed(token: str) -> bytes:
    """The hash of a token, which is all that the store has of it."""
    return sha256(token.encode()).digest()


# The browser of a visit


async def identify(connection: HTTPConnection) -> None:
    """Finds out who holds a connection, and their language. Raises `Unavailable`."""
    visitor = visitor_of(connection)
    token = connection.cookies.get(cookie_name(connection), "")
    visitor.person = await room_of(connection)[Sessions].person(token)
    if visitor.person is not None:
        visitor.token = token
        visitor.lang = wanted_language(connection, visitor.person)


async def become(visit: Visit, person: Person) -> None:
    """Answers the visit as that person from now on; the cookie has still to be given.

    The token is always a new one: whoever knew the old one knows nothing.
    """
    sessions, visitor = visit.room[Sessions], visit.visitor
    token = await sessions.begin(person, agent_of(visit.headers.get("user-agent", "")))
    if visitor.token:
        await sessions.end(hashed(visitor.token))
    visitor.person, visitor.token = person, token


async def begin(visit: Visit, person: Person, response: Response) -> None:
    """Makes the browser that person's from this response on; the session before it ends."""
    await become(visit, person)
    give_cookie(visit, response, visit.token)


async def end(visit: Visit, response: Response) -> None:
    """Ends the session of the browser."""
    if visit.token:
        await visit.room[Sessions].end(hashed(visit.token))
    take_cookie(visit, response)


def cookie_name(connection: HTTPConnection, name: str = COOKIE) -> str:
    """The full name of a secret cookie; that of the session, if no other is named."""
    if not is_secure(connection):
        return name
    return f"{SECURE if base_path(connection) else OWN}{name}"


def give_cookie(visit: Visit, response: Response, value: str, name: str = COOKIE) -> None:
    """Sets a secret cookie, which lasts as long as a session does."""
    response.set_cookie(
        cookie_name(visit, name),
        value,
        max_age=visit.room[Sessions].lasting,
        path=base_path(visit) or "/",
        secure=is_secure(visit),
        httponly=True,
        samesite="lax",
    )


def take_cookie(visit: Visit, response: Response) -> None:
    """Deletes the cookie of the session."""
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


def agent_of(header: str) -> str:
    """The kind of browser and system, by the header `User-Agent`: no more of it is kept.

    >>> agent_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox/Linux'
    >>> agent_of("curl/8"), agent_of("volte/1.0")
    ('', 'volte')
    """
    if header.startswith("volte/"):
        return PROGRAM
    browser, system = (
        next((name for word, name in names.items() if word in header), "")
        for names in (BROWSERS, SYSTEMS)
    )
    return f"{browser}/{system}" if browser or system else ""


def describe_agent(words: Words, agent: str) -> str:
    """A result of `agent_of` in words."""
    browser, _, system = agent.partition("/")
    if agent == PROGRAM:
        return words.t("Volte in a terminal")
    if browser and system:
        return words.t("{browser} on {system}", browser=browser, system=system)
    return browser or system or words.t("A device that does not say what it is")


# Known devices: where somebody has signed in before, the failed tries of others do not lock them
# out. The cookie of such a device has a random token for each of the last people who signed in
# there. The store keeps a hash of the token and whose it is, so it counts for nothing at any other
# login.

DEVICE: Final = "volte_device"
MOST_PEOPLE: Final = 4  # whose tokens one browser keeps; whoever signed in last comes first


async def known_device(connection: HTTPConnection, person: str | None) -> str:
    """What tries from this device are counted by, if it is known; else empty.

    Args:
        person: whose it has to be; empty for a login that nobody has, for which the same is looked
            up; None for anybody's.
    """
    keys = [_device_key(token) for token in _tokens(connection)]
    found = await room_of(connection).store[Accounts].devices_of(keys, person)
    return min(found).hex() if found else ""


async def know_device(visit: Visit, response: Response, person: str) -> None:
    """Makes the device a known one of that person's, by a new token if it is not one yet."""
    accounts, tokens = visit.room.store[Accounts], _tokens(visit)
    known = await accounts.devices_of([_device_key(each) for each in tokens], person)
    token = next((each for each in tokens if _device_key(each) in known), secrets.token_urlsafe(32))
    await accounts.put_device(_device_key(token), person, _until(visit))
    _give(visit, response, [token, *(each for each in tokens if each != token)])


async def keep_device_known(visit: Visit, response: Response) -> None:
    """Lets the device be known for longer, as it is used; does nothing where it is not known."""
    tokens = _tokens(visit)
    if tokens:
        accounts = visit.room.store[Accounts]
        await accounts.renew_devices([_device_key(each) for each in tokens], _until(visit))
        _give(visit, response, tokens)


def _tokens(connection: HTTPConnection) -> list[str]:
    value = connection.cookies.get(cookie_name(connection, DEVICE), "")
    return [token for token in value.split(".") if TOKEN.fullmatch(token)][:MOST_PEOPLE]


def _give(visit: Visit, response: Response, tokens: list[str]) -> None:
    give_cookie(visit, response, ".".join(tokens[:MOST_PEOPLE]), DEVICE)


def _until(visit: Visit) -> float:
    return time() + visit.room[Sessions].lasting


def _device_key(token: str) -> bytes:
    """The stored hash of a token: another one than that of a session with the same letters."""
    return sha256(b"known device " + token.encode()).digest()


# Guests, and moderators


async def new_guest(visit: Visit, name: str, lang: str = "") -> Person:
    """Stores a new person of that name. Raises `NameFault` and `Refused`."""
    name = clean_name(name)
    await visit.room.limits.spend("guest", visit.address)
    person = Person(secrets.token_urlsafe(12), name, language_of(lang) or visit.lang, {}, time())
    await visit.room.store.put_person(person)
    return person


async def moderator(visit: Visit) -> Someone:
    """The visitor, if they are a moderator. Raises `Refused`: 401 for nobody, 403 for others."""
    who = visit.someone()
    if await visit.room.store[Accounts].role(who.id) not in ROLES:
        raise Refused(403, "forbidden")
    return who
