"""Every request, as handlers find it: whose it is, and in what language to answer."""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec
from starlette.datastructures import FormData, Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response

from volte.cards import Fault
from volte.say import Words
from volte.say.catalogue import language_of
from volte.store import Person, Unavailable
from volte.table import Someone
from volte.web.accepted import weights
from volte.web.errors import error_page
from volte.web.limits import counted_address
from volte.web.logs import cause_of, get_logger
from volte.web.refused import Refused
from volte.web.room import Room
from volte.web.security import check_csrf

LANGUAGE_COOKIE: Final = "volte_lang"

LONGEST_BODY: Final = 64 * 1024
MOST_FIELDS: Final = 300

log = get_logger("volte.server")


def room_of(connection: HTTPConnection) -> Room:
    """The playroom that the connection came to."""
    room: Room = connection.app.state.room
    return room


def prepare(connection: HTTPConnection) -> None:
    """What can be said of a connection before anybody knows whose it is."""
    state = connection.state
    state.person, state.token, state.csrf, state.told = None, "", "", []
    state.address = counted_address(connection.client.host if connection.client else None)
    state.lang = asked_language(connection, None)
    state.words = words_of(state.lang)


@cache
def words_of(lang: str) -> Words:
    """The words of a language; they never change."""
    return Words(lang)


def asked_language(connection: HTTPConnection, person: Person | None) -> str:
    """What to speak: as the address says, as the person likes it, or as the browser asks."""
    asked = connection.query_params.get("lang", "")
    named = [
        asked,
        person.lang if person is not None else "",
        connection.cookies.get(LANGUAGE_COOKIE, ""),
        *_accepted(connection.headers),
    ]
    return next(filter(None, map(language_of, named)), "en")


def _accepted(headers: Headers) -> list[str]:
    weight = weights(headers.get("accept-language", ""))
    return sorted((entry for entry in weight if weight[entry]), key=lambda entry: -weight[entry])


def someone(connection: HTTPConnection) -> Someone:
    """Who asks. Raises `Refused` 401 for somebody without a session."""
    person: Person | None = connection.state.person
    if person is None:
        raise Refused(401, "no_session")
    return Someone(person.id, person.name)


class NameWanted(Exception):
    """Whoever asks has to say a name first; then they go on at the address `following`."""

    def __init__(self, following: str) -> None:
        super().__init__(following)
        self.following = following


async def read_form(request: Request) -> FormData:
    """The fields of a form that is ours. Raises `Refused`.

    Nothing else reads forms: here they are held against origin and session.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        raise Refused(415, "wrong_form")
    try:
        form = await request.form(max_files=0, max_fields=MOST_FIELDS, max_part_size=LONGEST_BODY)
    except Refused:
        raise
    except (HTTPException, ValueError, LookupError):
        raise Refused(400, "wrong_form") from None
    if any(not isinstance(value, str) for value in form.values()):
        raise Refused(400, "wrong_form")
    check_csrf(request, str(form.get("csrf", "")))
    return form


def see_other(path: str) -> RedirectResponse:
    """Where to go on after a form."""
    return RedirectResponse(path, 303)


class Refusing(msgspec.Struct, frozen=True):
    """Why something is not done, for programs."""

    reason: str
    line: str


async def refusal(request: Request, error: Exception) -> Response:
    """What is answered instead, to a person or to a program."""
    status, reason = 500, "failed"
    params: dict[str, object] = {}
    line = ""
    match error:
        case Refused():
            status, reason, params = error.status_code, error.reason, error.params
        case HTTPException():
            status, reason = error.status_code, HTTP_REASONS.get(error.status_code, error.detail)
        case Unavailable():
            status, reason = 503, "unavailable"
            log.warning("database_unavailable", why=cause_of(error))
        case Fault():
            status, reason = 422, error.reason
            line = request.state.words.fault(error)
    headers = dict(getattr(error, "headers", None) or {})
    if status == 503:  # where it is a limit, the time is known
        headers.setdefault("retry-after", "10")
    if wants_json(request):
        line = line or request.state.words.why(reason, **params)
        content = msgspec.json.encode(Refusing(reason, line))
        return Response(content, status, headers, "application/json")
    response = error_page(request, status, reason, line, **params)
    response.headers.update(headers)
    return response


HTTP_REASONS: Final = {404: "not_found", 405: "not_found"}


def wants_json(request: Request) -> bool:
    """Whether a program asks, and no browser."""
    return request.url.path.startswith("/api/") or (
        "application/json" in request.headers.get("accept", "")
        and "text/html" not in request.headers.get("accept", "")
    )
