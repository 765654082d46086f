"""Sessions: a random token in a cookie, whose hash the store has; known devices, guests."""

from __future__ import annotations

import re
import secrets
from hashlib import sha256
from time import time
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from volte.names import clean_name
from volte.people.store import Accounts, device_known, secured
from volte.say import Words
from volte.say.catalogue import language_of
from volte.store import Conflict, Person
from volte.store.recent import Recent
from volte.store.store import Store, session_begun, session_over, sessions_over
from volte.store.writer import Write, Writing, one
from volte.table import Someone
from volte.web.addresses import base_path
from volte.web.logs import get_logger
from volte.web.metrics import SESSIONS
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, visitor_of, wanted_language

COOKIE: Final = "volte"
OWN: Final = "__Host-"  # before a cookie's name: set by this very host, over HTTPS, for all paths
SECURE: Final = "__Secure-"  # before a cookie's name: set over HTTPS

TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
RENEWED: Final = 3600  # seconds until the next use of a session prolongs it again
REMEMBERED: Final = 100_000  # sessions whose renewal is remembered

ROLES: Final = ("moderator", "administrator")

PROGRAM: Final = "volte"
"""The agent of Volte's client in a terminal."""

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
"""Browsers by a word of the header `User-Agent`; many add the words of others after their own."""

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
        days: days that a session lasts after its last use.
    """

    def __init__(self, store: Store, days: int) -> None:
        self._store = store
        self.lasting = days * 86_400
        self._renewed = Recent[bytes, float](REMEMBERED)

    def begun(self, token: str) -> None:
        """Notes that a session has just been stored."""
        self._renewed[hashed(token)] = time()
        SESSIONS.inc()

    async def person(self, token: str) -> Person | None:
        """The owner of a session; None for a session that is unknown or over."""
        return await self._store.session(hashed(token)) if TOKEN.fullmatch(token) else None

    async def renew(self, token: str) -> bool:
        """Prolongs a session that is used, unless that was done lately. True if it was done now.
        A session that has ended meanwhile stays ended.
        """
        key, now = hashed(token), time()
        if now - self._renewed.get(key, 0) < RENEWED:
            return False
        self._renewed[key] = now
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
        """Ends all sessions of a person, except the session of the token `keep`.

        Args:
            writing: ends them, if the person's proof still holds; else raises `Conflict`.
        """
        over = sessions_over(person, hashed(keep) if keep else b"")
        await (writing or self._store.write)(*over)
        await self.ended(person)

    async def ended(self, person: str) -> None:
        """Closes the connections of a person whose sessions have ended."""
        await self._store.bus.publish("sessions", person)
        log.info("sessions_ended", person=person)


def hashed(token: str) -> bytes:
    """The hash of a token; the store never has the token itself."""
    return sha256(token.encode()).digest()


# The browser of a visit


def token_of(connection: HTTPConnection) -> str:
    """The session token that a connection sends; empty for none. It may be an invented one."""
    return connection.cookies.get(cookie_name(connection), "")


async def identify(connection: HTTPConnection) -> None:
    """Find out the person of a connection, and their language. Raises `Unavailable`."""
    visitor, token = visitor_of(connection), token_of(connection)
    visitor.person = await room_of(connection)[Sessions].person(token)
    if visitor.person is not None:
        visitor.token = token
        visitor.lang = wanted_language(connection, visitor.person)


Cookies = dict[str, str]  # values of secret cookies that are to be given, by name


async def become(
    visit: Visit,
    person: Person,
    writing: Writing | None = None,
    *also: Write,
    goes_on: bool = False,
    known: bool = False,
    alone: bool = False,
) -> Cookies:
    """Make a person the visitor of a visit, in a new session; the cookies have still to be given.

    The token is always a new one, so somebody who knew the old one knows nothing. All is stored in
    one transaction, or nothing: raises `Conflict` where the person's proof has changed since it was
    checked, or they are gone; and `Refused` 401 where the proof was a session that has ended.

    Args:
        writing: stores the session, if the person's proof still holds.
        also: writes to be stored with it.
        goes_on: whether the proof is the session of this browser, which must not have ended.
        known: whether the device becomes a known one of the person.
        alone: whether all their other sessions end, and their other devices are no longer known.
    """
    sessions, visitor, store = visit.room[Sessions], visit.visitor, room_of(visit).store
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
    """Sign the browser in as a person, from this response on; see `become`."""
    give_cookies(visit, response, await become(visit, person, writing, known=known))


async def still_here(visit: Visit) -> None:
    """Check once more that the session of the visit lasts. Raises `Refused` 401."""
    if await visit.room[Sessions].person(visit.token) is None:
        raise Refused(401, "no_session")


async def end(visit: Visit, response: Response) -> None:
    """End the session of the browser, and delete its cookie."""
    if visit.token:
        await visit.room[Sessions].end(hashed(visit.token))
    take_cookie(visit, response)


def cookie_name(connection: HTTPConnection, name: str = COOKIE) -> str:
    """The full name of a secret cookie, with the prefix that fits the connection."""
    if not is_secure(connection):
        return name
    return f"{SECURE if base_path(connection) else OWN}{name}"


def give_cookies(visit: Visit, response: Response, cookies: Cookies) -> None:
    """Set secret cookies, which last as long as a session does."""
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
    """Delete the cookie of the session."""
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
    """The kind of browser and system from the header `User-Agent`; only this is stored.

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
    return browser or system or words.t("An unknown device")


# Known devices: where somebody has signed in before, the failed tries of others do not lock them
# out. The cookie of such a device has a random token for each of the last people who signed in
# there. The store keeps a hash of the token and its owner, so it counts for nothing at any other
# login.

DEVICE: Final = "volte_device"
MOST_PEOPLE: Final = 4  # people whose tokens one browser keeps, the last to sign in first


async def known_device(connection: HTTPConnection, person: str | None) -> str:
    """The key by which tries from this device are counted, if it is known; else empty.

    Args:
        person: the owner that the device must have; empty for an unknown login, which takes the
            same lookup; None for any owner.
    """
    keys = [_device_key(token) for token in _tokens(connection)]
    found = await room_of(connection).store[Accounts].devices_of(keys, person)
    return min(found).hex() if found else ""


async def _device_tokens(visit: Visit, person: str, anew: bool) -> list[str]:
    """The tokens of the device for its cookie, the person's own first.

    Args:
        anew: whether the person gets a new token even where the device has one, as others may know
            that.
    """
    accounts, tokens = room_of(visit).store[Accounts], _tokens(visit)
    known = await accounts.devices_of([_device_key(each) for each in tokens], person)
    theirs = [each for each in tokens if _device_key(each) in known]
    token = secrets.token_urlsafe(32) if anew or not theirs else theirs[0]
    return [token, *(each for each in tokens if each not in theirs)][:MOST_PEOPLE]


async def cookies_used(visit: Visit) -> Cookies:
    """The cookies of the session and of the device; a device in use stays known for longer."""
    tokens, cookies = _tokens(visit), {COOKIE: visit.token}
    if tokens:
        until = time() + visit.room[Sessions].lasting
        accounts = room_of(visit).store[Accounts]
        await accounts.renew_devices([_device_key(each) for each in tokens], until)
        cookies[DEVICE] = ".".join(tokens)
    return cookies


def _tokens(connection: HTTPConnection) -> list[str]:
    value = connection.cookies.get(cookie_name(connection, DEVICE), "")
    return [token for token in value.split(".") if TOKEN.fullmatch(token)][:MOST_PEOPLE]


def _device_key(token: str) -> bytes:
    """The stored hash of a device's token; it differs from that of a session with the same text."""
    return sha256(b"known device " + token.encode()).digest()


# Guests, and moderators


async def new_guest(visit: Visit, name: str, lang: str = "") -> Person:
    """Stores a new person of that name. Raises `NameFault` and `Refused`."""
    name = clean_name(name)
    await visit.room.limits.spend("guest", visit.address)
    person = Person(secrets.token_urlsafe(12), name, language_of(lang) or visit.lang, {}, time())
    await room_of(visit).store.put_person(person)
    return person


async def moderator(visit: Visit) -> Someone:
    """The visitor, if they are a moderator. Raises `Refused`: 401 for nobody, 403 for others."""
    who = visit.someone()
    if await room_of(visit).store[Accounts].role(who.id) not in ROLES:
        raise Refused(403, "forbidden")
    return who
