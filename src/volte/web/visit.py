"""What handlers are given: a request, with who sends it and in what language to answer."""

from __future__ import annotations

import hmac
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias
from zoneinfo import available_timezones

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from volte.say import Words
from volte.say.catalogue import language_of
from volte.store import Person
from volte.table import Someone
from volte.web.limits import counted_address
from volte.web.refused import Refused
from volte.web.room import Room
from volte.web.security import csrf_of, own_origin

LANGUAGE_COOKIE: Final = "volte_lang"
ZONE_COOKIE: Final = "volte_zone"
"""The name of the browser's time zone, which install.js tells."""

KEPT: Final = "kept"
"""A cookie that shows whether the browser keeps cookies; in an address: it has been given."""

LONGEST_BODY: Final = 64 * 1024
MOST_FIELDS: Final = 300


@dataclass
class Visitor:
    """Who sends a request, or holds a connection to a table, and in what language to answer."""

    address: str  # as limits count it
    lang: str
    person: Person | None = None
    zone: str = ""  # of time; empty where the browser has not told it
    token: str = ""  # of their session
    notices: Sequence[str] = ()  # decisions of moderators, for the head of the page

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
    """A request to the playroom, with who sends it."""

    @property
    def visitor(self) -> Visitor:
        return visitor_of(self)

    @property
    def room(self) -> Room:
        return room_of(self)

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

    async def change(self, change: Callable[[Person], Person]) -> Person:
        """Changes the person's name, language or settings; the person then.

        Raises `Refused` 401 where nobody is there, or no longer, and what `change` raises.
        """
        changed = await self.room.store.change_person(self.known().id, change)
        if changed is None:
            raise Refused(401, "no_session")
        self.visitor.person = changed
        return changed

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
        """The address of the page, with its query; of a form, without."""
        query = self.url.query
        return f"{self.url.path}?{query}" if query and self.method == "GET" else self.url.path

    async def fields(self) -> FormData:
        """The fields of a form that is ours. Raises `Refused`, and `CookieWanted` where it is not
        known yet whether the browser keeps cookies: nothing is stored for one that does not.

        Nothing else reads forms: here they are held against origin and session.
        """
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in ("application/x-www-form-urlencoded", "multipart/form-data"):
            raise Refused(415, "wrong_form")
        try:
            form = await self.form(max_files=0, max_fields=MOST_FIELDS, max_part_size=LONGEST_BODY)
        except Refused:
            raise
        except (HTTPException, ValueError, LookupError):
            raise Refused(400, "wrong_form") from None
        if any(not isinstance(value, str) for value in form.values()):
            raise Refused(400, "wrong_form")
        if not own_origin(self, self.room.settings.origins):
            raise Refused(403, "wrong_origin")
        expected, given = csrf_of(self.token), str(form.get("csrf", ""))
        if expected and not hmac.compare_digest(expected.encode(), given.encode()):
            raise Refused(403, "csrf")
        if self.person is None and not self.cookies:
            if KEPT in self.query_params:
                raise Refused(403, "no_cookie")
            raise CookieWanted
        return form


Handler: TypeAlias = Callable[[Visit], Awaitable[Response]]


class CookieWanted(Exception):
    """Whoever sends a form has to send it once more, with a cookie that they are given."""


class NameWanted(Exception):
    """Whoever asks has to give a name first; then they go on at the address `following`."""

    def __init__(self, following: str) -> None:
        super().__init__(following)
        self.following = following


def route(
    path: str, handler: Handler, methods: Sequence[str] = ("GET",), *, named: bool = False
) -> Route:
    """An address, and the handler that answers there.

    Args:
        named: whoever has no name yet is asked for one before the handler is called.
    """

    async def answer(request: Request) -> Response:
        visit = Visit(request.scope, request.receive)
        if named and visit.person is None:
            raise NameWanted(visit.here)
        return await handler(visit)

    return Route(path, answer, methods=list(methods), name=handler.__name__)


def room_of(connection: HTTPConnection) -> Room:
    """The playroom that the connection came to."""
    room: Room = connection.app.state.room
    return room


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who sends the request, or holds the connection: nobody known until they are identified."""
    state = connection.scope.setdefault("state", {})
    if "visitor" not in state:
        address = counted_address(connection.client.host if connection.client else None)
        zone = connection.cookies.get(ZONE_COOKIE, "")
        state["visitor"] = Visitor(
            address, wanted_language(connection, None), zone=zone if zone in _zones() else ""
        )
    visitor: Visitor = state["visitor"]
    return visitor


@cache
def words_of(lang: str, zone: str = "") -> Words:
    """The words of a language; they never change."""
    return Words(lang, zone)


@cache
def _zones() -> frozenset[str]:
    """The names of all time zones."""
    return frozenset(available_timezones())


def own_name(lang: str) -> str:
    """What a language is called by those who speak it."""
    return words_of(lang).p("this language, in itself", "English")


def wanted_language(connection: HTTPConnection, person: Person | None) -> str:
    """The language to answer in: of the address, else the person's, else the browser's."""
    weight = weights(connection.headers.get("accept-language", ""))
    named = [
        connection.query_params.get("lang", ""),
        person.lang if person is not None else "",
        connection.cookies.get(LANGUAGE_COOKIE, ""),
        *sorted(filter(weight.get, weight), key=lambda entry: -weight[entry]),
    ]
    return next(filter(None, map(language_of, named)), "en")


def see_other(path: str) -> RedirectResponse:
    """Where to go on after a form."""
    return RedirectResponse(path, 303)


def weights(header: str) -> dict[str, float]:
    """What is named there, in lower case and in its order, each with its weight; 0 is refused.

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
