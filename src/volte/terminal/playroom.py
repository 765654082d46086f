"""A playroom by HTTP: who one is there, which tables are open, and a new one."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPException
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urljoin, urlsplit

import msgspec

from volte import __version__
from volte.console.terminal import Misuse, TerminalFault
from volte.game.codec import card_text, decoded
from volte.rules.file import replace_file
from volte.table import Setup
from volte.wire.api import Entering, Guest, Identity, Invitation, ListedTable, NewTable, SigningIn

T = TypeVar("T")

SESSION: Final = ("volte", "__Host-volte", "__Secure-volte")
"""The names of the cookie that tells who somebody is: over HTTP, and over HTTPS."""

COOKIES: Final = (*SESSION, "volte_device", "__Host-volte_device", "__Secure-volte_device")
"""Those, and likewise the one by which a device is known where somebody has signed in before."""

LONGEST_WAIT: Final = 20.0
"""Seconds for an answer."""

LONGEST_ANSWER: Final = 1 << 20
"""Bytes of an answer that are read."""

LONGEST_SENTENCE: Final = 500

LEADING: Final = frozenset((301, 302, 303, 307, 308))
"""Statuses of an answer that says only where there is one."""


class KnownCookies(msgspec.Struct):
    """The people that this machine has been at one playroom: the cookies of each, by name."""

    last: str = ""  # the name of who was there last
    cookies: dict[str, str] = {}


class KeyRing:
    """Where the cookies of a site are kept: a private file in the data folder of Volte."""

    def __init__(self, folder: Path, site: str) -> None:
        self._path = folder / "playrooms" / f"{sha256(site.encode()).hexdigest()[:16]}.json"
        self._known = KnownCookies()
        with suppress(OSError, msgspec.DecodeError):
            self._known = msgspec.json.decode(self._path.read_bytes(), type=KnownCookies)

    def find(self, name: str | None) -> tuple[str, str]:
        """The name and the cookies of that person, or of the last one; empty where none is kept."""
        wanted = self._known.last if name is None else name
        return wanted, self._known.cookies.get(wanted, "")

    def keep(self, name: str, cookie: str) -> None:
        """Keeps cookies; where nothing can be written, the person is a stranger next time."""
        self._known.last = name
        self._known.cookies[name] = cookie
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self._path, msgspec.json.encode(self._known), 0o600)


class _Tables(msgspec.Struct):
    tables: list[ListedTable]


class _Opened(msgspec.Struct):
    table: str


class Playroom:
    """A playroom, as far as it can be asked by HTTP. Whatever goes wrong is a `TerminalFault`."""

    def __init__(self, site: str, lang: str) -> None:
        self.site = site
        self.cookie = ""  # a stranger, so far
        self._lang = lang  # of its sentences
        self._opener = urllib.request.OpenerDirector()
        for handler in (  # and none that follows a redirect: it would take the cookie anywhere
            urllib.request.ProxyHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.HTTPDefaultErrorHandler(),
        ):
            self._opener.add_handler(handler)

    @property
    def cookie(self) -> str:
        """What the playroom gave, to be sent back to it."""
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    @cookie.setter
    def cookie(self, header: str) -> None:
        pairs = (pair.partition("=") for pair in header.split("; ") if pair)
        self._cookies = {name: value for name, _, value in pairs}

    def me(self) -> Identity | None:
        """Who the cookie stands for; None where the playroom does not know."""
        if not self.cookie:
            return None
        try:
            return self._fetch(Identity, "/api/me")
        except Turned as turned:
            if turned.status == 401:
                return None
            raise

    def come_in(self, name: str) -> Identity:
        """Comes as a guest of that name."""
        self.cookie = ""
        return self._fetch(Identity, "/api/guest", Guest(name, self._lang))

    def sign_in(self, login: str, password: str) -> Identity:
        """Comes as the person who has that account, at a device that may be known there. Raises
        `Turned` for a wrong password."""
        for name in SESSION:
            self._cookies.pop(name, None)
        return self._fetch(Identity, "/api/signin", SigningIn(login, password))

    def tables(self) -> list[ListedTable]:
        """The tables that anybody can find."""
        return self._fetch(_Tables, "/api/tables").tables

    def open_table(self, setup: Setup, levels: Sequence[str], password: str = "") -> str:
        """Opens a table, sits down at its first seat, bots of these levels behind; its id.

        Args:
            levels: clockwise from the second seat on; empty for a seat left free.
            password: of a table that asks for one.
        """
        body = NewTable(setup, tuple(levels), password)
        return self._fetch(_Opened, "/api/tables", body).table

    def enter(self, table: str, password: str) -> bool:
        """Whether that is the password; it is asked for only once."""
        try:
            self._send(f"/api/tables/{table}/enter", Entering(password))
        except Turned as turned:
            if turned.status == 403:
                return False
            raise
        return True

    def invitation(self, table: str) -> str:
        """What the host's link has to say so that it invites people; empty where nothing has to."""
        return self._fetch(ListedTable, f"/api/tables/{table}").invitation

    def accept(self, table: str, invitation: str) -> None:
        """Accepts the host's invitation to that table."""
        self._send(f"/api/tables/{table}/invited", Invitation(invitation))

    def _fetch(self, kind: type[T], path: str, body: msgspec.Struct | None = None) -> T:
        try:
            return decoded(msgspec.json.Decoder(kind), self._send(path, body))
        except msgspec.DecodeError:
            raise TerminalFault("no_playroom_there", address=self.site) from None

    def _send(self, path: str, body: msgspec.Struct | None = None) -> bytes:
        headers = {"Accept": "application/json", "Accept-Language": self._lang, "X-Volte": "1"}
        headers["User-Agent"] = f"volte/{__version__}"
        if self.cookie:
            headers["Cookie"] = self.cookie
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None
        if body is not None:
            data = json.dumps(msgspec.to_builtins(body, enc_hook=card_text)).encode()
        address, leads = self.site + path, 0
        while True:
            request = urllib.request.Request(address, data, headers)
            try:
                return self._answer(request)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in LEADING:
                        raise self._turned(error.code, error.read(LONGEST_ANSWER)) from None
                    place = error.headers.get("Location", "")
                address, leads = led(address, place) if error.code == 307 else "", leads + 1
                if not address or leads > MOST_LEADS:
                    raise TerminalFault("leads_on", address=self.site, place=place) from None

    def _answer(self, request: urllib.request.Request) -> bytes:
        try:
            with self._opener.open(request, timeout=LONGEST_WAIT) as answer:
                for header in answer.headers.get_all("Set-Cookie", []):
                    with suppress(CookieError):
                        given = SimpleCookie(header).items()
                        self._cookies |= {
                            name: each.coded_value for name, each in given if name in COOKIES
                        }
                body: bytes = answer.read(LONGEST_ANSWER)
                return body
        except urllib.error.HTTPError:
            raise
        except (OSError, HTTPException) as error:
            why = getattr(error, "reason", error)
            reason = getattr(why, "strerror", None) or str(why) or type(why).__name__
            raise TerminalFault("no_playroom", address=self.site, why=reason) from None

    def _turned(self, status: int, body: bytes) -> Turned:
        """The answer that turns a request down, with the playroom's sentence where it has one."""
        try:
            line = str(json.loads(body)["line"])
        except (ValueError, KeyError, TypeError):
            return Turned(status, "no_playroom_there", address=self.site)
        return Turned(status, "playroom_says", sentence=Sentence(line))


class Sentence:
    """A sentence of the playroom's, told as it is where other texts are shortened."""

    def __init__(self, text: str) -> None:
        self._text = " ".join(text.split())[:LONGEST_SENTENCE]

    def __str__(self) -> str:
        return self._text


class Turned(TerminalFault):
    """The playroom has turned a request down."""

    def __init__(self, status: int, reason: str, /, **params: Any) -> None:
        super().__init__(reason, **params)
        self.status = status  # of HTTP


_PATH: Final = re.compile(
    r"((?:/(?!tables/|live/)[\w-]+)*?)"
    r"(?:(?:/node/[\da-z-]{1,32})?/(?:tables|live)/([\w-]{1,64})(?:/invited/([\da-f]{1,64}))?)?/?",
    re.ASCII,
)

_HOST: Final = re.compile(r"(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?", re.ASCII | re.IGNORECASE)

_LEAD: Final = re.compile(r"(?:/[\w-]+)+(?:\?[\w=&-]*)?", re.ASCII)

MOST_LEADS: Final = 2
"""Redirects in a row that are followed."""


def led(address: str, path: str) -> str:
    """The address that a playroom redirects to, at the same origin; empty for anything but a path.

    >>> led("wss://volte.example/games/live/x7", "/games/node/a/live/x7")
    'wss://volte.example/games/node/a/live/x7'
    >>> led("wss://volte.example/games/live/x7", "//elsewhere.example/live/x7")
    ''
    """
    return urljoin(address, path) if _LEAD.fullmatch(path) else ""


@dataclass(frozen=True)
class Address:
    """The address of a playroom, or of a table in it."""

    site: str  # as in `http://host:port`, and the path of a playroom that shares its host
    table: str = ""  # the id of a table; empty for the playroom itself
    invitation: str = ""  # of its host, where the address is the link that invites people

    @classmethod
    def read(cls, text: str) -> Address:
        """The address that somebody typed; `http://` goes without saying. Raises `Misuse`.

        >>> Address.read("volte.example:8000/tables/x7#top")
        Address(site='http://volte.example:8000', table='x7', invitation='')
        """
        try:
            parts = urlsplit(text if "://" in text else f"http://{text}")
            port = parts.port
        except ValueError:
            raise Misuse("not_an_address", address=text) from None
        path = _PATH.fullmatch(parts.path)
        if (
            parts.scheme not in ("http", "https")
            or not _HOST.fullmatch(parts.netloc)
            or port == 0
            or path is None
        ):
            raise Misuse("not_an_address", address=text)
        base, table, invitation = path.groups("")
        return cls(f"{parts.scheme}://{parts.netloc.lower()}{base}", table, invitation)

    @property
    def page(self) -> str:
        """The address of its page, for a browser."""
        invited = f"/invited/{self.invitation}" if self.invitation else ""
        return f"{self.site}/tables/{self.table}{invited}" if self.table else self.site

    @property
    def live(self) -> str:
        """Where the table is played, by WebSocket."""
        return f"ws{self.site.removeprefix('http')}/live/{self.table}"
