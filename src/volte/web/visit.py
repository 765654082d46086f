"""Every request, as handlers find it: whose it is, and in what language to answer."""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec
from starlette.datastructures import FormData, Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from volte.cards import Fault
from volte.people.known_devices import keep_device_known
from volte.people.sessions import cookie_name, give_cookie
from volte.say import Words
from volte.say.catalogue import language_of
from volte.say.serving import serving_sentence
from volte.server.health import OPEN
from volte.server.room import Room
from volte.store import Person, Unavailable
from volte.table import Someone
from volte.talk.measures import to_tell
from volte.web.accepted import weights
from volte.web.limits import counted_address
from volte.web.logs import cause_of, get_logger
from volte.web.refused import Refused
from volte.web.security import check_csrf, csrf_of

LANGUAGE_COOKIE: Final = "volte_lang"
OPEN_TO_ALL: Final = (
    "/static/",
    *OPEN,
    "/wire.json",
    "/favicon.ico",
    "/manifest.webmanifest",
    "/worker.js",
    "/offline",
)
"""Where nobody is asked who they are."""

LONGEST_BODY: Final = 64 * 1024
LONGEST_READ: Final = 2**21
MOST_FIELDS: Final = 300

log = get_logger("volte.server")


class Visits:
    """Middleware: `request.state` gets `person`, `token`, `csrf`, `lang`, `words`, `address`,
    `told` (what moderators have to say to the person)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive, send)
        prepare(request)
        try:
            if not request.url.path.startswith(OPEN_TO_ALL):
                await room_of(request).limits.spend("page", request.state.address)
                await identify(request)
                await _news(request)
                if await _renewed(request):
                    send = await _with_cookies(request, send)
        except (Refused, Unavailable) as error:
            response = await refusal(request, error)
            await response(scope, receive, send)
            return
        await self._app(scope, _bounded(receive), send)


async def _news(request: Request) -> None:
    """What moderators have to tell the person, for the head of the next page."""
    state = request.state
    if state.person is not None and request.method == "GET":
        state.told = await to_tell(room_of(request), state.person.id, state.words)


async def _renewed(request: Request) -> bool:
    """Whether the session lasts longer from now on, and so must its cookie."""
    state, sessions = request.state, room_of(request).sessions
    return state.person is not None and await sessions.renew(state.token)


async def _with_cookies(request: Request, send: Send) -> Send:
    """The same, with the cookies of the session and of the device; what a handler says about them
    counts for more."""
    carrier = Response()
    lasting = room_of(request).sessions.lasting
    give_cookie(request, carrier, request.state.token, lasting)
    await keep_device_known(request, carrier)

    async def send_with_cookies(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            given = {said.partition("=")[0] for said in headers.getlist("set-cookie")}
            for cookie in carrier.headers.getlist("set-cookie"):
                if cookie.partition("=")[0] not in given:
                    headers.append("set-cookie", cookie)
        await send(message)

    return send_with_cookies


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


async def identify(connection: HTTPConnection) -> None:
    """Whose connection it is, and what is their language. Raises `Unavailable`."""
    state = connection.state
    token = connection.cookies.get(cookie_name(connection), "")
    state.person = await room_of(connection).sessions.person(token)
    if state.person is not None:
        state.token, state.csrf = token, csrf_of(token)
        state.lang = asked_language(connection, state.person)
        state.words = words_of(state.lang)


def _bounded(receive: Receive) -> Receive:
    """The same, as long as what is sent is no longer than a form can be.

    A little more is read all the same: whoever is cut off in the middle hears no answer.
    """
    size = 0

    async def receive_some() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size <= LONGEST_BODY:
            return message
        while message.get("more_body", False) and size <= LONGEST_READ:
            message = await receive()
            size += len(message.get("body", b""))
        raise Refused(413, "too_large")

    return receive_some


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
        line = line or serving_sentence(request.state.words, reason, **params)
        content = msgspec.json.encode(Refusing(reason, line))
        return Response(content, status, headers, "application/json")
    from volte.web.errors import error_page

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
