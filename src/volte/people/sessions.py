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
from volte.people.store import Accounts, device_known, secured
from volte.say import Words
from volte.say.catalogue import language_of
from volte.store import Conflict, Person, Store
from volte.store.store import session_begun, session_over, sessions_over
from volte.store.writer import Write, Writing, one
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

    def begun(self, token: str) -> None:
        """Notes that a session has just been stored."""
        self._remember(hashed(token), time())
        SESSIONS.inc()

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
        await self.hang_up(key)

    async def hang_up(self, key: bytes) -> None:
        """Closes the connections of a session that has ended."""
        self._renewed.pop(key, None)
        await self._store.bus.publish("session", key.hex())

    async def end_all(self, person: str, keep: str = "", writing: Writing | None = None) -> None:
        """Ends all sessions of a person, but that of the token `keep`.

        Args:
            writing: ends them, if what was proved still holds; else raises `Conflict`.
        """
        over = sessions_over(person, hashed(keep) if keep else b"")
        await (writing or self._store.write)(*over)
        await self.ended(person)

    async def ended(self, person: str) -> None:
        """Closes the connections of a person whose sessions have ended."""
        await self._store.bus.publish("sessions", person)
        log.info("sessions_ended", person=person)

    def _remember(self, key: bytes, now: float) -> None:
        self._renewed[key] = now
        self._renewed.move_to_end(key)
        if len(self._renewed) > REMEMBERED:
            self._renewed.popitem(last=False)


def hashed(token: str) -> bytes:
    """The hash of a token, which is all that the store has of it."""
    return sha256(token.encode()).digest()


# The browser of a visit


def token_of(connection: HTTPConnection) -> str:
    """The token that a connection says is that of its session."""
    return connection.cookies.get(cookie_name(connection), "")


async def identify(connection: HTTPConnection) -> None:
    """Finds out who holds a connection, and their language. Raises `Unavailable`."""
    visitor, token = visitor_of(connection), token_of(connection)
    visitor.person = await room_of(connection)[Sessions].person(token)
    if visitor.person is not None:
        visitor.token = token
        visitor.lang = wanted_language(connection, visitor.person)


Cookies = dict[str, str]  # secret ones to be given, by name


async def become(
    visit: Visit,
    person: Person,
    writing: Writing | None = None,
    *also: Write,
    goes_on: bool = False,
    known: bool = False,
    alone: bool = False,
) -> Cookies:
    """Answers the visit as that person from now on; the cookies have still to be given.

    The token is always a new one: whoever knew the old one knows nothing. All is stored in one
    transaction, or nothing is: raises `Conflict` where what lets them in has changed since it was
    checked, or they are gone; and `Refused` 401 where it was a session, which has ended.

    Args:
        writing: stores it, if what was proved still holds.
        also: what is stored with it.
        goes_on: whether it is by the session of this browser, which must not have ended, that they
            are let in.
        known: whether the device becomes a known one of theirs.
        alone: whether all their other sessions end, and other devices are known no longer.
    """
    sessions, visitor, store = visit.room[Sessions], visit.visitor, visit.room.store
    token, before = secrets.token_urlsafe(32), hashed(visitor.token) if visitor.token else b""
    key, until, cookies = hashed(token), time() + sessions.lasting, {COOKIE: token}
    writes = [*session_begun(key, person.id, until, agent_of(visit.headers.get("user-agent", "")))]
    if before or goes_on:
        over = session_over(before)
        writes.append(one(over) if goes_on else over)
    device = b""
    if known:
        tokens = await _device_tokens(visit, person.id, anew=alone)
        device, cookies[DEVICE] = _device_key(tokens[0]), ".".join(tokens)
        writes += device_known(device, person.id, until)
    if alone:
        writes += secured(person.id, key, device)
    try:
        await (writing or store.write)(*writes, *also)
    except Conflict:
        if goes_on:
            await still_here(visit)
        raise
    sessions.begun(token)
    visitor.person, visitor.token = person, token
    if before:
        await sessions.hang_up(before)
    if alone:
        await sessions.ended(person.id)
    return cookies


async def begin(
    visit: Visit,
    person: Person,
    response: Response,
    writing: Writing | None = None,
    *,
    known: bool = False,
) -> None:
    """Makes the browser that person's from this response on; see `become`."""
    give_cookies(visit, response, await become(visit, person, writing, known=known))


async def still_here(visit: Visit) -> None:
    """Looks once more whether the session of the visit lasts. Raises `Refused` 401."""
    if await visit.room[Sessions].person(visit.token) is None:
        raise Refused(401, "no_session")


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


def give_cookies(visit: Visit, response: Response, cookies: Cookies) -> None:
    """Sets secret cookies, which last as long as a session does."""
    for name, value in cookies.items():
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


async def _device_tokens(visit: Visit, person: str, anew: bool) -> list[str]:
    """The tokens of the device for its cookie, that person's first.

    Args:
        anew: whether it is a new one also where the device is known, as others may know it.
    """
    accounts, tokens = visit.room.store[Accounts], _tokens(visit)
    known = await accounts.devices_of([_device_key(each) for each in tokens], person)
    theirs = [each for each in tokens if _device_key(each) in known]
    token = secrets.token_urlsafe(32) if anew or not theirs else theirs[0]
    return [token, *(each for each in tokens if each not in theirs)][:MOST_PEOPLE]


async def cookies_used(visit: Visit) -> Cookies:
    """The cookies of the session and of the device, which is known for longer as it is used."""
    tokens, cookies = _tokens(visit), {COOKIE: visit.token}
    if tokens:
        until = time() + visit.room[Sessions].lasting
        accounts = visit.room.store[Accounts]
        await accounts.renew_devices([_device_key(each) for each in tokens], until)
        cookies[DEVICE] = ".".join(tokens)
    return cookies


def _tokens(connection: HTTPConnection) -> list[str]:
    value = connection.cookies.get(cookie_name(connection, DEVICE), "")
    return [token for token in value.split(".") if TOKEN.fullmatch(token)][:MOST_PEOPLE]


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
