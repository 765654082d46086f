"""Visits, which handlers get: a request with its sender and the language to answer in."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from volte.forms.when import time_zones
from volte.say import Words, words_of
from volte.say.catalogue import language_of
from volte.store import Person
from volte.table import Someone
from volte.web.page_room import PageRoom
from volte.web.refilled import TOKEN
from volte.web.refused import Refused
from volte.web.security import csrf_of, mark_of, names_origin, own_origin
from volte.web.work import Whose

LANGUAGE_COOKIE: Final = "volte_lang"
ZONE_COOKIE: Final = "volte_zone"
"""Cookie with the name of the browser's time zone, set by install.js."""

KEPT: Final = "kept"
"""Cookie that shows whether the browser keeps cookies; in a query: it has been offered."""

LONGEST_BODY: Final = 64 * 1024
MOST_FIELDS: Final = 300

ONCE: Final = re.compile(r"[A-Za-z0-9_-]{16}")
"""The random text that tells one page from another."""


class ShortNumber(IntegerConvertor):
    """A number in a path, `{deal:number}`; Python reads no endless one."""

    regex = "[0-9]{1,9}"


register_url_convertor("number", ShortNumber())


class SentForm(NamedTuple):
    """A form that came from a page of ours, accepted or not."""

    fields: Mapping[str, Sequence[str]]
    same: bool  # whether its sender is the person that it was made for
    mark: str  # of the person that it was made for; see `mark_of`
    once: str  # random text of the page that it was on


class NewsLine(NamedTuple):
    """Something that is true for somebody now, in words, for the head of every page."""

    kind: str  # `reminder`, or one of `volte.news.kinds.NewsKind`
    about: str  # id of the table, the evening or the person; with the kind, it names the line
    path: str  # of the page to go to; empty for none
    title: str  # for the title of the page
    line: str
    label: str = ""  # of the link to the page
    outside: str = ""  # the text outside of the page; empty where nobody has asked for one
    answer: str = ""  # where a form with `yes` is sent; empty where nothing is to be answered


class WaitingMatch(NamedTuple):
    """A match that goes on, and in which somebody has a seat."""

    path: str  # of its table's page
    table: str  # name of the table


@dataclass
class Visitor:
    """The sender of a request, or of a connection to a table, and the language to answer in."""

    address: str  # as the limits count it; see `counted_address`
    lang: str
    person: Person | None = None
    zone: str = ""  # time zone; empty if the browser has not told it
    token: str = ""  # of the session; empty if there is none
    claimed: str = ""  # the token that was sent, of a session or not
    notices: Sequence[str] = ()  # decisions of moderators, for the head of the page
    news: Sequence[NewsLine] = ()  # for the head of the page
    waits: WaitingMatch | None = None  # for the head of the page
    has_read: bool = False  # whether the form that was sent has been read
    sent: SentForm | None = None
    refused: tuple[str, str] | None = None
    """The reason for which the form on the page was refused: a short name, and a sentence."""
    carried: str = ""  # the form that was sent, as one text, while somebody signs in

    def known(self) -> Person:
        """The person. Raises `Refused` 401 where there is no session."""
        if self.person is None:
            raise Refused(401, "no_session")
        return self.person

    def someone(self) -> Someone:
        """The person as tables know them. Raises `Refused` 401 where there is no session."""
        person = self.known()
        return Someone(person.id, person.name)


class Visit(Request):
    """A request to the playroom, with its sender."""

    @property
    def visitor(self) -> Visitor:
        return visitor_of(self)

    @property
    def room(self) -> PageRoom:
        return page_room_of(self)

    @property
    def person(self) -> Person | None:
        return self.visitor.person

    @property
    def who(self) -> str:
        """The id of the person; empty where there is no session."""
        return self.person.id if self.person is not None else ""

    def known(self) -> Person:
        """The person. Raises `Refused` 401 where there is no session."""
        return self.visitor.known()

    def someone(self) -> Someone:
        """The person as tables know them. Raises `Refused` 401 where there is no session."""
        return self.visitor.someone()

    @property
    def whose(self) -> Whose:
        """Address and person: the queues of dear work go by them."""
        return self.address, self.who

    @property
    def lang(self) -> str:
        return self.visitor.lang

    @property
    def words(self) -> Words:
        return words_of(self.visitor.lang, self.visitor.zone)

    @property
    def address(self) -> str:
        return self.visitor.address

    @property
    def token(self) -> str:
        return self.visitor.token

    @property
    def here(self) -> str:
        """Path of the page with its query; without it if a form was sent."""
        query = self.url.query
        return f"{self.url.path}?{query}" if query and self.method == "GET" else self.url.path

    async def fields(self, longest: int = LONGEST_BODY) -> FormData:
        """The fields of a form that is ours. Raises `Refused`, and `CookieWanted` if it is not
        known yet whether the browser keeps cookies: nothing is stored for one that does not.

        Forms are read here only, where origin and session are checked.

        Args:
            longest: bytes that a field may have.
        """
        form = await self._form_sent(longest)
        if not own_origin(self, self.room.origins):
            raise Refused(403, "wrong_origin")
        given, _, rest = str(form.get(TOKEN, "")).partition(".")
        mark, _, once = rest.partition(".")
        expected, claimed = csrf_of(self.token), csrf_of(self.visitor.claimed)
        if names_origin(self):
            same = mark == mark_of(self.who) or (claimed != "" and _equal(claimed, given))
            fields = {name: tuple(map(str, form.getlist(name))) for name in form}
            self.visitor.sent = SentForm(fields, same, mark, once)
        if expected and not _equal(expected, given):
            raise Refused(403, "csrf")
        if self.person is None and not self.cookies:
            if KEPT in self.query_params:
                raise Refused(403, "no_cookie")
            raise CookieWanted
        return form

    async def _form_sent(self, longest: int) -> FormData:
        """The form of the request, with the text of a file that comes with it.

        Raises `Refused` where it is none, or is broken.
        """
        self.visitor.has_read = True
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in ("application/x-www-form-urlencoded", "multipart/form-data"):
            raise Refused(415, "wrong_form")
        if kind == "multipart/form-data" and not _whole(await self.body()):
            raise Refused(400, "wrong_form")
        try:
            async with self.form(
                max_files=1, max_fields=MOST_FIELDS, max_part_size=longest
            ) as form:
                return FormData([(name, await _text(value)) for name, value in form.multi_items()])
        except Refused:
            raise
        except (HTTPException, ValueError, LookupError):
            raise Refused(400, "wrong_form") from None

    def form_token(self) -> str:
        """Hidden text in the forms of a page; it names the session, the person and the page.

        A form that is shown again keeps the name of the page that it was on.
        """
        sent, mark = self.visitor.sent, mark_of(self.who)
        once = secrets.token_urlsafe(12)
        if sent is not None and sent.same:
            mark = mark or sent.mark
            once = sent.once if ONCE.fullmatch(sent.once) else once
        return f"{csrf_of(self.token or self.visitor.claimed)}.{mark}.{once}"

    def key_of(self, form: FormData) -> str:
        """Id, in hexadecimal, for the thing that a form creates. Sending the same form of the same
        page again gives the same id, so the thing is created once."""
        once = str(form.get(TOKEN, "")).rpartition(".")[2]
        if not ONCE.fullmatch(once):
            return secrets.token_hex(32)
        fields = sorted((name, str(text)) for name, text in form.multi_items() if name != TOKEN)
        return sha256(repr((self.url.path, self.who, once, fields)).encode()).hexdigest()


def _whole(body: bytes) -> bool:
    """Whether a body in parts has its end; the file of a part without one would stay open."""
    line, _, rest = body.partition(b"\r\n")
    return rest.rstrip(b"\r\n").endswith(b"\r\n" + line + b"--")


async def _text(value: UploadFile | str) -> str:
    """The text of a field; of a file, its content, with signs in place of what is no text."""
    return value if isinstance(value, str) else (await value.read()).decode(errors="replace")


def _equal(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode())


Handler: TypeAlias = Callable[[Visit], Awaitable[Response]]


class CookieWanted(Exception):
    """A form has to be sent once more, with the cookie that its sender is now given."""


class NameWanted(Exception):
    """The visitor has to give a name first; then they go on at the address `following`."""

    def __init__(self, following: str) -> None:
        super().__init__(following)
        self.following = following


def route(
    path: str, handler: Handler, methods: Sequence[str] = ("GET",), *, named: bool = False
) -> Route:
    """Route from an address to the handler that answers there.

    Args:
        named: ask visitors without a name for one before the handler is called.
    """

    async def answer(request: Request) -> Response:
        visit = Visit(request.scope, request.receive)
        if named and visit.person is None:
            raise NameWanted(visit.here)
        return await handler(visit)

    return Route(path, answer, methods=list(methods), name=handler.__name__)


def page_room_of(connection: HTTPConnection) -> PageRoom:
    """The room that the connection came to."""
    room: PageRoom = connection.app.state.room
    return room


def visitor_of(connection: HTTPConnection) -> Visitor:
    """The visitor of a request or connection; without a person until they are identified."""
    state = connection.scope.setdefault("state", {})
    if "visitor" not in state:
        address = counted_address(connection.client.host if connection.client else None)
        zone = connection.cookies.get(ZONE_COOKIE, "")
        state["visitor"] = Visitor(
            address, wanted_language(connection, None), zone=zone if zone in time_zones() else ""
        )
    visitor: Visitor = state["visitor"]
    return visitor


def counted_address(host: str | None) -> str:
    """Address for the limits; IPv6 ones without their last 64 bits, as one household has 2⁶⁴."""
    try:
        address = ip_address(host or "")
    except ValueError:
        return host or ""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)


def wanted_language(connection: HTTPConnection, person: Person | None) -> str:
    """Language to answer in: the address's, else the person's, the cookie's or the browser's."""
    named = [
        connection.query_params.get("lang", ""),
        person.lang if person is not None else "",
        connection.cookies.get(LANGUAGE_COOKIE, ""),
    ]
    spoken = filter(None, map(language_of, named))
    return next(chain(spoken, languages_of_browser(connection)), "en")


def languages_of_browser(connection: HTTPConnection) -> list[str]:
    """Languages of Volte for which a browser asks, the one it would have first."""
    weight = weights(connection.headers.get("accept-language", ""))
    named = sorted(filter(weight.get, weight), key=lambda entry: -weight[entry])
    return [lang for lang in map(language_of, named) if lang is not None]


def see_other(path: str) -> RedirectResponse:
    """Redirect after a form: the browser gets the page at `path`."""
    return RedirectResponse(path, 303)


def weights(header: str) -> dict[str, float]:
    """Entries of an `Accept-…` header, in lower case and in their order, with weights (0: refused).

    >>> weights("fr, en;q=0.8, br;q=0")
    {'fr': 1.0, 'en': 0.8, 'br': 0.0}
    """
    entries = [entry.partition(";") for entry in header.split(",")]
    return {name.strip().lower(): _weight(rest) for name, _, rest in entries if name.strip()}


def _weight(parameters: str) -> float:
    found = re.search(r"(?:^|;)\s*q\s*=([^;]*)", parameters, re.IGNORECASE)
    try:
        return float(found[1]) if found is not None else 1.0
    except ValueError:
        return 0.0
