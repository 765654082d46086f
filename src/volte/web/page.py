"""How pages are made: templates in the language of whoever asks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from time import time
from typing import Any, Final

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from volte.cards import VolteError
from volte.game.codec import encode
from volte.names import END_OF_ISOLATE, FIRST_STRONG, LONGEST_NAME, isolated
from volte.say.catalogue import LANGUAGES
from volte.store import Conflict, Gone, Person, Unavailable
from volte.web.addresses import base_path
from volte.web.again import form_again, sent_form, sign_in_page
from volte.web.assets import ROOMS, modules_of, static, stylesheet
from volte.web.fields import FilledForm, NotTaken
from volte.web.logs import cause_of, get_logger
from volte.web.preferences import GROUPS
from volte.web.refilled import SECRETS, TOKEN
from volte.web.refused import Refused
from volte.web.visit import Visit, own_name

TEMPLATES: Final = Environment(
    loader=FileSystemLoader(sorted(ROOMS.glob("*/templates"))),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=lambda value: isolated(value) if type(value) is str else value,
)
"""Whatever a template shows is `isolated`, so that no page can forget it for a name."""
TEMPLATES.globals |= {"modules_of": modules_of}


def _with_isolates(text: str) -> str:
    """The HTML with an element about each isolated text, where there may be one. What a form sends
    back is as it was typed.
    """
    if FIRST_STRONG not in text:
        return text
    plain = _TYPED.sub(lambda typed: typed[0].translate(_NO_ISOLATES), text)
    return _ISOLATE.sub(r"<bdi>\1</bdi>", plain)


_TYPED: Final = re.compile(' value="[^"]*|<textarea[^>]*>[^<]*')
_NO_ISOLATES: Final = dict.fromkeys(map(ord, FIRST_STRONG + END_OF_ISOLATE))
_ISOLATE: Final = re.compile(
    f"{FIRST_STRONG}([^{FIRST_STRONG}{END_OF_ISOLATE}<>]*){END_OF_ISOLATE}"
    "(?=[^<>]*<(?!/(?:title|option|text)>))"
)


def page(visit: Visit, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """The page of that template; every one knows who asks, and speaks their language."""
    words = visit.words
    base = base_path(visit)
    known = {
        "_": words.t,
        "p": words.p,
        "lang": words.lang,
        "languages": [(lang, own_name(lang)) for lang in LANGUAGES],
        "base": base,
        "static": partial(static, lang=words.lang, base=base),
        "stylesheet": partial(stylesheet, lang=words.lang, base=base),
        "csrf": visit.form_token(),
        "refused": visit.visitor.refused,
        "carried": visit.visitor.carried,
        "to_be_told": visit.visitor.notices,
        "to_be_told_at": f"{time():.6f}",
        "person": visit.person,
        "looks": looks(visit.person),
        "path": visit.url.path,
        "here": visit.here,
        "longest_name": LONGEST_NAME,
        "wrong": {},
        "name": "",
        "next": visit.url.path,
    }
    text = TEMPLATES.get_template(template).render(known | context)
    return HTMLResponse(
        _with_isolates(text), status, {"content-language": words.lang, "vary": "cookie"}
    )


def form_page(
    visit: Visit,
    template: str,
    form: FilledForm,
    problem: NotTaken | None = None,
    meanings: Mapping[str, Mapping[str, str]] | None = None,
    **context: Any,
) -> HTMLResponse:
    """The page of a form, with what is wrong in it.

    Args:
        meanings: by field, what the values of a choice are called.
    """
    status, wrong = 200, dict[str, str]()
    if problem is not None:
        status, wrong = problem.status, problem.told_at(visit.words, meanings)
    form = form.again(problem)
    fields = {**dict.fromkeys(form.kinds, ""), **form.fields}  # some may not have been sent
    return page(visit, template, status, wrong=wrong, form=fields, shown=form.carried, **context)


def as_json(content: Any, status: int = 200) -> Response:
    """An answer for programs, the cards in it as texts."""
    return Response(encode(content), status, media_type="application/json")


def looks(person: Person | None) -> dict[str, str]:
    """How pages look to somebody, as attributes of their root."""
    chosen = person.settings if person is not None else {}
    values = {each.name: chosen.get(each.name, each.usual) for each in GROUPS["look"]}
    return {f"data-{name}": str(value).lower() for name, value in values.items()}


def done_text(visit: Visit, sentences: Mapping[str, str]) -> str:
    """What has just been done, as `done` in the address names it; empty where nothing was."""
    done = visit.query_params.get("done", "")
    return visit.words.t(sentences[done]) if done in sentences else ""


def local_path(text: str) -> str:
    """Where to go on after a form: a path of this site, or the first page.

    >>> local_path("/tables/new"), local_path("//elsewhere.example"), local_path("/\\\\x")
    ('/tables/new', '/', '/')
    """
    plain = text.startswith("/") and not text.startswith("//") and len(text) <= 200
    safe = plain and text.isascii() and text.isprintable() and "\\" not in text
    return text if safe else "/"


log = get_logger("volte.server")


class Refusing(msgspec.Struct, frozen=True):
    """Why something is not done, for programs."""

    reason: str
    line: str
    field: str = ""  # of the JSON, where it is, such as `setup.rules.slam`; empty elsewhere


async def refusal(request: Request, error: Exception) -> Response:
    """The answer to a request that is refused or has failed, for a person or for a program."""
    visit = Visit(request.scope, request.receive)
    status, reason = 500, "failed"
    params: dict[str, object] = {}
    line = field = ""
    match error:
        case Refused():
            status, reason, params = error.status_code, error.reason, error.params
            field = str(params.get("field", ""))
        case HTTPException():
            status, known = error.status_code, error.status_code not in (404, 405)
            reason = error.detail if known else "not_found"  # Starlette itself says so
        case Unavailable():
            status, reason = 503, "unavailable"
            log.warning("database_unavailable", why=cause_of(error))
        case Gone():
            status, reason = 410, "person_gone"
        case Conflict():
            status, reason = 409, "others_faster"
        case VolteError():
            status, reason = 422, error.reason
            line, field = visit.words.fault(error), error.field
    headers = dict(getattr(error, "headers", None) or {})
    if status == 503:  # where it is a limit, the time is known
        headers.setdefault("retry-after", "10")
    line = line or visit.words.why(reason, **params)
    if wants_json(visit):
        content = msgspec.json.encode(Refusing(reason, line, field))
        return Response(content, status, headers, "application/json")
    response = await _form_back(visit, error, status, reason, line)
    if response is None and reason == "no_session" and visit.method == "GET":
        response = page(visit, "name.html", status)
    if response is None:
        table = params.get("table", "")
        context = {"sentence": line, "table": table, "again": None}
        response = page(visit, "refused.html", status, reason=reason, **context)
    response.headers.update(headers)
    return response


SPARING: Final = ("busy", "unavailable")
"""Reasons for which the page of a form is not made again."""

FINAL: Final = frozenset((400, 404, 405, 410, 413, 415))
"""Statuses of what is refused however often it is sent."""


async def _form_back(
    visit: Visit, error: Exception, status: int, reason: str, line: str
) -> HTMLResponse | None:
    """The form that is refused, filled in again; where its page cannot be made now, what was sent
    of it. None where there is no such form."""
    sent = await sent_form(visit) if status != 500 or visit.visitor.has_read else None
    if sent is None or status in FINAL or reason in ("forbidden", "wrong_origin"):
        return None
    routed = "endpoint" in visit.scope  # else nothing is known yet of who sends it
    text = None
    if routed and reason == "no_session":
        text = await sign_in_page(visit, sent) if sent.mark else None
    elif routed and reason not in SPARING:
        text = await form_again(visit, sent, visit.url.path, reason, line)
    if text is not None:
        return as_page(visit, text, status)
    if reason == "no_session" or not sent.same:
        return None
    kept = sent.fields.keys() - SECRETS - {TOKEN}
    again = [(name, text) for name, texts in sent.fields.items() if name in kept for text in texts]
    secrets = [(name, visit.words.t(SECRETS[name])) for name in sent.fields if name in SECRETS]
    context = {"sentence": line, "table": "", "again": again, "secrets": secrets}
    return page(visit, "refused.html", status, reason=reason, **context)


def as_page(visit: Visit, text: str, status: int = 200) -> HTMLResponse:
    """Response with the HTML of a page that has been made already."""
    return HTMLResponse(text, status, {"content-language": visit.lang, "vary": "cookie"})


def wants_json(request: Request) -> bool:
    """Whether a program sends the request, and no browser."""
    accept = request.headers.get("accept", "")
    listens = "application/json" in accept and "text/html" not in accept
    return listens or request.url.path.startswith("/api/")
