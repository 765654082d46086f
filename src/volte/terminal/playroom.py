"""A playroom by HTTP: the person's identity there, the open tables, and new ones."""

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
from msgspec import structs

from volte import __version__
from volte.console.terminal import Misuse, TerminalFault
from volte.files import replace_file
from volte.game.codec import card_text, decoded
from volte.table import Setup
from volte.wire.api import (
    DealResults,
    DoneLine,
    Entering,
    FriendAnswer,
    Guest,
    Identity,
    Invitation,
    KeepApart,
    ListedTable,
    ListedTables,
    Meet,
    Met,
    NewTable,
    PeopleMet,
    PersonMet,
    PlayDeal,
    SigningIn,
)

T = TypeVar("T")

SESSION: Final = ("volte", "__Host-volte", "__Secure-volte")
"""Names of the session cookie: over HTTP, and over HTTPS."""

COOKIES: Final = (*SESSION, "volte_device", "__Host-volte_device", "__Secure-volte_device")
"""Names of the session cookies and of the known-device cookies."""

LONGEST_WAIT: Final = 20.0
"""Time limit for an answer, in seconds."""

LONGEST_ANSWER: Final = 1 << 20
"""Bytes that are read of an answer, at most."""

LONGEST_SENTENCE: Final = 500

LEADING: Final = frozenset((301, 302, 303, 307, 308))
"""Status codes of HTTP with which a playroom sends the client to another address."""


class KnownCookies(msgspec.Struct):
    """Cookies of the people who have visited one playroom from this machine, by name."""

    last: str = ""  # name of the last visitor
    cookies: dict[str, str] = {}


class KeyRing:
    """The cookies for one site, kept in a private file in the data folder of Volte."""

    def __init__(self, folder: Path, site: str) -> None:
        self._path = folder / "playrooms" / f"{sha256(site.encode()).hexdigest()[:16]}.json"
        self._known = KnownCookies()
        with suppress(OSError, msgspec.DecodeError):
            self._known = msgspec.json.decode(self._path.read_bytes(), type=KnownCookies)

    def find(self, name: str | None) -> tuple[str, str]:
        """Name and cookies of a person, or of the last visitor; cookies empty if there are none."""
        wanted = self._known.last if name is None else name
        return wanted, self._known.cookies.get(wanted, "")

    def keep(self, name: str, cookie: str) -> None:
        """Save cookies; if they cannot be written, the person is a stranger next time."""
        self._known.last = name
        self._known.cookies[name] = cookie
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self._path, msgspec.json.encode(self._known), 0o600)


class _Opened(msgspec.Struct):
    table: str


class NewsItem(msgspec.Struct, frozen=True):
    """Something that is true for the person now."""

    line: str
    kind: str = ""
    about: str = ""  # id of the table, evening or person
    path: str = ""

    @property
    def invites(self) -> bool:
        """Whether it is the invitation of a friend, whose id is `about`."""
        return self.kind == "invited"


class _News(msgspec.Struct):
    news: tuple[NewsItem, ...]


class Playroom:
    """A playroom and its requests by HTTP. Every error is a `TerminalFault`."""

    def __init__(self, site: str, lang: str) -> None:
        self.site = site
        self.cookie = ""  # no session yet
        self._lang = lang  # language of its sentences
        self._opener = urllib.request.OpenerDirector()
        for handler in (  # none that follows redirects: it would send the cookie anywhere
            urllib.request.ProxyHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.HTTPDefaultErrorHandler(),
        ):
            self._opener.add_handler(handler)

    @property
    def cookie(self) -> str:
        """The cookies that the playroom has set, as one header to send back."""
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    @cookie.setter
    def cookie(self, header: str) -> None:
        pairs = (pair.partition("=") for pair in header.split("; ") if pair)
        self._cookies = {name: value for name, _, value in pairs}

    def me(self) -> Identity | None:
        """The identity behind the cookie; None if the playroom does not know it."""
        if not self.cookie:
            return None
        try:
            return self._fetch(Identity, "/api/me")
        except Turned as turned:
            if turned.status == 401:
                return None
            raise

    def come_in(self, name: str) -> Identity:
        """Come in as a guest of that name."""
        self.cookie = ""
        return self._fetch(Identity, "/api/guest", Guest(name, self._lang))

    def sign_in(self, login: str, password: str) -> Identity:
        """Sign in to an account; the device's cookie is sent too, as it may be known there. Raises
        `Turned` for a wrong password."""
        for name in SESSION:
            self._cookies.pop(name, None)
        return self._fetch(Identity, "/api/signin", SigningIn(login, password))

    def tables(self) -> ListedTables:
        """The tables that anybody can find, and the match that waits for the person."""
        return self._fetch(ListedTables, "/api/tables")

    def open_table(self, setup: Setup, levels: Sequence[str], password: str = "") -> str:
        """Open a table, sit down at its first seat, and seat bots; return the table's id.

        Args:
            levels: levels clockwise from the second seat on; empty for a free seat.
            password: the new table's password, if it has one.
        """
        body = NewTable(setup, tuple(levels), password)
        return self._fetch(_Opened, "/api/tables", body).table

    def wanted(self) -> Meet:
        """The people and the game that the person looked for last."""
        return self._fetch(Meet, "/api/meet")

    def meet(self, wanted: Meet) -> Met:
        """A table where people play with anybody who wants the same."""
        return self._fetch(Met, "/api/meet", wanted)

    def companions(self) -> tuple[PersonMet, ...]:
        """The people of the person's last meeting table."""
        return self._fetch(PeopleMet, "/api/companions").companions

    def keep_apart(self, other: PersonMet, apart: bool) -> str:
        """Keep the person apart from another one, or no longer; return the sentence for that."""
        body = KeepApart(other.person, apart)
        return str(Sentence(self._fetch(DoneLine, "/api/companions", body).line))

    def news(self, at: str = "") -> tuple[NewsItem, ...]:
        """Everything that is true for the person now, but for the page at that path."""
        found = self._fetch(_News, f"/api/news?seen=1&at={at}").news
        return tuple(structs.replace(each, line=str(Sentence(each.line))) for each in found)

    def answer_friend(self, by: str, yes: bool) -> str:
        """Answer a friend's invitation; return the id of its table."""
        return self._fetch(Met, f"/api/friends/invited/{by}", FriendAnswer(yes)).table

    def enter(self, table: str, password: str) -> bool:
        """Enter a table by its password, for good; False if the password is wrong."""
        try:
            self._send(f"/api/tables/{table}/enter", Entering(password))
        except Turned as turned:
            if turned.status == 403:
                return False
            raise
        return True

    def play_deal(self, board: str) -> str:
        """Begin to play a deal by its link, or go on; return the id of the table."""
        return self._fetch(Met, f"/api/deals/{board}/play", PlayDeal()).table

    def deal_results(self, board: str) -> tuple[str, ...]:
        """The results of a deal by its link, in lines; none before the person's own is in."""
        found = self._fetch(DealResults, f"/api/deals/{board}").lines
        return tuple(str(Sentence(each)) for each in found)

    def invitation(self, table: str) -> str:
        """The invitation for the host's link; empty if the address alone is enough."""
        return self._fetch(ListedTable, f"/api/tables/{table}").invitation

    def accept(self, table: str, invitation: str) -> None:
        """Accept the host's invitation to a table."""
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
                        new = {name: each.coded_value for name, each in given if name in COOKIES}
                        self._cookies = self._cookies | new  # another thread may be reading it
                body: bytes = answer.read(LONGEST_ANSWER)
                return body
        except urllib.error.HTTPError:
            raise
        except (OSError, HTTPException) as error:
            why = getattr(error, "reason", error)
            reason = getattr(why, "strerror", None) or str(why) or type(why).__name__
            raise TerminalFault("no_playroom", address=self.site, why=reason) from None

    def _turned(self, status: int, body: bytes) -> Turned:
        """The error for a request turned down, with the playroom's sentence if it sent one."""
        try:
            line = str(json.loads(body)["line"])
        except (ValueError, KeyError, TypeError):
            return Turned(status, "no_playroom_there", address=self.site)
        return Turned(status, "playroom_says", sentence=Sentence(line))


class Sentence:
    """A sentence of the playroom, which is told in full where other texts are shortened."""

    def __init__(self, text: str) -> None:
        self._text = " ".join(text.split())[:LONGEST_SENTENCE]

    def __str__(self) -> str:
        return self._text


class Turned(TerminalFault):
    """The playroom has turned a request down."""

    def __init__(self, status: int, reason: str, /, **params: Any) -> None:
        super().__init__(reason, **params)
        self.status = status  # HTTP status


_PATH: Final = re.compile(
    r"((?:/(?!tables/|live/|deals/)[\w-]+)*?)"
    r"(?:(?:/node/[\da-z-]{1,32})?/(?:tables|live)/([\w-]{1,64})(?:/invited/([\da-f]{1,64}))?"
    r"|/deals/([\da-f]{32}|[\d-]{10}|[\w-]+-\d{4}-W\d\d|today))?/?",
    re.ASCII,
)

_HOST: Final = re.compile(r"(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?", re.ASCII | re.IGNORECASE)

_LEAD: Final = re.compile(r"(?:/[\w-]+)+(?:\?[\w=&-]*)?", re.ASCII)

MOST_LEADS: Final = 2
"""Redirects in a row that are followed."""


def led(address: str, path: str) -> str:
    """The address that a playroom redirects to, at the same origin; empty if it is no plain path.

    >>> led("wss://volte.example/games/live/x7", "/games/node/a/live/x7")
    'wss://volte.example/games/node/a/live/x7'
    >>> led("wss://volte.example/games/live/x7", "//elsewhere.example/live/x7")
    ''
    """
    return urljoin(address, path) if _LEAD.fullmatch(path) else ""


@dataclass(frozen=True)
class Address:
    """The address of a playroom, or of a table in it."""

    site: str  # such as `http://host:port`, with the base path if the playroom has one
    table: str = ""  # the id of a table; empty for the playroom itself
    invitation: str = ""  # the host's invitation, if the address is their link
    board: str = ""  # the id of a deal by its link, or a date, or `today`

    @classmethod
    def read(cls, text: str) -> Address:
        """Read the address that somebody typed; `http://` may be left out. Raises `Misuse`.

        >>> Address.read("volte.example:8000/tables/x7#top")
        Address(site='http://volte.example:8000', table='x7', invitation='', board='')
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
        base, *rest = path.groups("")
        return cls(f"{parts.scheme}://{parts.netloc.lower()}{base}", *rest)

    @property
    def page(self) -> str:
        """The address of the page, for a browser."""
        invited = f"/invited/{self.invitation}" if self.invitation else ""
        return f"{self.site}/tables/{self.table}{invited}" if self.table else self.site

    @property
    def live(self) -> str:
        """The WebSocket address of the table."""
        return f"ws{self.site.removeprefix('http')}/live/{self.table}"
