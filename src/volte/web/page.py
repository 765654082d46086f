"""Making of pages and refusals: templates in the visitor's language, JSON for programs."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from functools import partial
from time import time
from typing import Any, Final

import msgspec
from jinja2 import Environment, FileSystemLoader, ModuleLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from volte.cards import VolteError
from volte.forms.fields import FilledForm, NotTaken
from volte.forms.preferences import GROUPS
from volte.forms.settings import own_name
from volte.game.codec import encode
from volte.names import END_OF_ISOLATE, FIRST_STRONG, LONGEST_NAME, isolated
from volte.say import N_, Words
from volte.say.catalogue import TONGUES, tongue
from volte.say.reach import reach_told, within_reach
from volte.scene.clauses import sheet_in_html
from volte.store import Conflict, Gone, Person, Unavailable
from volte.store.errors import cause_of
from volte.web.addresses import base_path, named
from volte.web.again import form_again, sent_form, sign_in_page
from volte.web.assets import ROOMS, modules_of, own_sentences, static, stylesheet
from volte.web.refilled import SECRETS, TOKEN
from volte.web.refused import Refused
from volte.web.visit import Visit, WaitingMatch, languages_of_browser

COMPILED: Final = ROOMS / "web" / "compiled"
"""Folder with the templates compiled ahead, in browsers."""

TEMPLATES: Final = Environment(
    loader=ModuleLoader(COMPILED)
    if COMPILED.exists()
    else FileSystemLoader(sorted(ROOMS.glob("*/templates"))),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=lambda value: isolated(value) if type(value) is str else value,
)
"""Every text that a template shows is `isolated`, so that no page can forget it for a name."""
TEMPLATES.globals["sheet_in_html"] = sheet_in_html


def _with_isolates(text: str) -> str:
    """Put `<bdi>` around each isolated text, where HTML allows it. Values of form fields lose the
    isolates, so that a form sends back what was typed.
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
    """Render a template with the visitor's language, person, form token and notices."""
    known: dict[str, Any] = {
        "csrf": visit.form_token(),
        "refused": visit.visitor.refused,
        "carried": visit.visitor.carried,
        "to_be_told": visit.visitor.notices,
        "to_be_told_at": f"{time():.6f}",
        "news": [each for each in visit.visitor.news if not is_at(visit.url.path, each.path)],
        "waits": waiting_elsewhere(visit),
        "path": visit.url.path,
        "origin": named(visit.url, visit.room.host),
        "session_over": visit.person is None and bool(visit.visitor.claimed),
        "here": visit.here,
        "languages": other_languages(visit.lang, languages_of_browser(visit)),
    }
    given = known | visit.room.facts(visit.words) | context
    text = rendered(template, visit.words, base_path(visit), visit.person, **given)
    return as_page(visit, text, status)


def other_languages(lang: str, asked: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Languages to offer on a page in one: code and own name. Of each that is spoken in several
    countries, the one for which the browser asks; the settings offer all.
    """
    found = {other: other for other in TONGUES if other != tongue(lang)}
    found |= {tongue(each): each for each in reversed(asked) if tongue(each) in found}
    return [(each, own_name(each)) for each in found.values()]


def waiting_elsewhere(visit: Visit) -> WaitingMatch | None:
    """The match that waits for the visitor, unless the page is one of its table."""
    waits = visit.visitor.waits
    return None if waits is not None and is_at(visit.url.path, waits.path) else waits


def is_at(place: str, path: str) -> bool:
    """Whether a page is at a path, or beneath it; no page is at an empty one."""
    return path != "" and f"{place}/".startswith(f"{path}/")


def rendered(template: str, words: Words, base: str, person: Person | None, **context: Any) -> str:
    """HTML of a template for a person, or for nobody in particular.

    Args:
        base: the base path of the addresses of pages and static files.
        context: names for the template; they go before those that every template has.
    """
    known: dict[str, Any] = {
        "_": words.t,
        "p": words.p,
        "lang": words.lang,
        "languages": other_languages(words.lang),
        "base": base,
        "letters": tongue(words.lang),  # of the cards
        "own_sentences": own_sentences(words.lang),
        "static": partial(static, lang=words.lang, base=base),
        "modules_of": modules_of,
        "person": person,
        "looks": looks(person),
        "longest_name": LONGEST_NAME,
        "wrong": {},
        "refused": None,
        "to_be_told": (),
        "news": (),
        "waits": None,
        "session_over": False,
        "reach": partial(reach_told, words),
        "within_reach": within_reach,
        "there": lambda address: True,  # whether the site has a page at that path
        "alone": None,  # of a site without a server, what its pages need beside all this
    }
    given = known | context
    given["stylesheet"] = partial(stylesheet, given["static"])
    return _with_isolates(TEMPLATES.get_template(template).render(given))


def form_page(
    visit: Visit,
    template: str,
    form: FilledForm,
    problem: NotTaken | None = None,
    meanings: Mapping[str, Mapping[str, str]] | None = None,
    **context: Any,
) -> HTMLResponse:
    """The page of a form, with the faults of its fields.

    Args:
        meanings: by field, the names of a choice's values.
    """
    status, wrong = 200, dict[str, str]()
    if problem is not None:
        status, wrong = problem.status, problem.told_at(visit.words, meanings)
    form = form.again(problem)
    context = {"wrong": wrong, "form": form.texts, "shown": form.carried} | context
    response = page(visit, template, status, **context)
    response.headers.update(problem.headers if problem is not None else {})
    return response


def as_json(content: Any, status: int = 200) -> Response:
    """JSON answer for programs; cards are texts in it."""
    return Response(encode(content), status, media_type="application/json")


def looks(person: Person | None) -> dict[str, str]:
    """A person's choices about looks, as attributes of the root element of pages."""
    chosen = person.settings if person is not None else {}
    values = {each.name: chosen.get(each.name, each.usual) for each in GROUPS["look"]}
    return {f"data-{name}": str(value).lower() for name, value in values.items()}


def done_text(visit: Visit, sentences: Mapping[str, str]) -> str:
    """Sentence for the deed that `done` in the address names; empty if none was done."""
    done = visit.query_params.get("done", "")
    return visit.words.t(sentences[done]) if done in sentences else ""


def local_path(text: str) -> str:
    """The text if it is a path of this site, or else the first page; for redirects after forms.

    >>> local_path("/tables/new"), local_path("//elsewhere.example"), local_path("/\\\\x")
    ('/tables/new', '/', '/')
    """
    plain = text.startswith("/") and not text.startswith("//") and len(text) <= 200
    safe = plain and text.isascii() and text.isprintable() and "\\" not in text
    return text if safe else "/"


log: Final = logging.getLogger("volte.server")


class Refusing(msgspec.Struct, frozen=True):
    """JSON of a refusal, for programs."""

    reason: str
    line: str
    field: str = ""  # the faulty field of the JSON, such as `setup.rules.slam`; empty for none


async def refusal(request: Request, error: Exception) -> Response:
    """The answer to a request that is refused or has failed, for a person or for a program."""
    visit = Visit(request.scope, request.receive)
    status, reason = 500, "failed"
    params: Mapping[str, object] = {}
    line = field = ""
    match error:
        case Refused():
            status, reason, params = error.status_code, error.reason, error.params
            field = str(params.get("field", ""))
        case HTTPException():
            status, known = error.status_code, error.status_code not in (404, 405)
            reason = error.detail if known else "not_found"  # from Starlette itself
        case Unavailable():
            status, reason = 503, "unavailable"
            log.warning("database_unavailable", extra={"why": cause_of(error)})
        case Gone():
            status, reason = 410, "person_gone"
        case Conflict():
            status, reason = 409, "others_faster"
        case VolteError():
            status, reason = 422, error.reason
            line, field = visit.words.fault(error), error.field
    headers = dict(getattr(error, "headers", None) or {})
    if status == 503:  # limits set the time themselves
        headers.setdefault("retry-after", "10")
    line = line or visit.words.why(reason, **params)
    if wants_json(visit):
        content = msgspec.json.encode(Refusing(reason, line, field))
        return Response(content, status, headers, "application/json")
    response = await _form_back(visit, error, status, reason, line)
    if response is None and reason == "no_session" and visit.method == "GET":
        first = {"form": {"name": ""}, "next": visit.url.path}
        response = page(visit, "name.html", status, **first)
    if response is None:
        table = params.get("table", "")
        context = {"sentence": line, "table": table, "again": None}
        response = _refused(visit, status, reason, **context)
    response.headers.update(headers)
    return response


REFUSALS: Final = dict.fromkeys((HTTPException, VolteError, Unavailable, Gone, Conflict), refusal)
"""The answers of an application to errors that are refusals."""

SPARING: Final = ("busy", "unavailable")
"""Reasons that forbid making the form's page again: it would cost more of what is short."""

FINAL: Final = frozenset((400, 404, 405, 410, 413, 415))
"""Statuses of forms that would be refused again, however often they are sent."""


async def _form_back(
    visit: Visit, error: Exception, status: int, reason: str, line: str
) -> HTMLResponse | None:
    """Page with the refused form filled in again, or with hidden fields if its own page cannot be
    made now. None where no form was sent from a page of ours."""
    sent = await sent_form(visit) if status != 500 or visit.visitor.has_read else None
    if sent is None or status in FINAL or reason in ("forbidden", "wrong_origin"):
        return None
    routed = "endpoint" in visit.scope  # else the sender has not been identified yet
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
    return _refused(visit, status, reason, **context)


HEADINGS: Final = {
    404: N_("There is nothing here"),
    410: N_("No longer available"),
    429: N_("One moment, please"),
    500: N_("Something went wrong"),
    503: N_("One moment, please"),
}
"""Headings of refusals; elsewhere it says that something did not work."""


def _refused(visit: Visit, status: int, reason: str, **context: Any) -> HTMLResponse:
    """The page that says why nothing was done, and where one can go from there."""
    heading = visit.words.t(HEADINGS.get(status, N_("This did not work")))
    later = visit.method == "GET" and status in (429, 500, 503)
    context |= {"reason": reason, "heading": heading, "later": later}
    return page(visit, "refused.html", status, **context)


def as_page(visit: Visit, text: str, status: int = 200) -> HTMLResponse:
    """Response with the HTML of a page that has been made already."""
    return HTMLResponse(text, status, {"content-language": visit.lang, "vary": "cookie"})


def wants_json(request: Request) -> bool:
    """Whether the request comes from a program, not from a browser."""
    accept = request.headers.get("accept", "")
    listens = "application/json" in accept and "text/html" not in accept
    return listens or request.url.path.startswith("/api/")
