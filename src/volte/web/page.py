"""How pages are made: templates in the language of whoever asks."""

from __future__ import annotations

from functools import partial
from time import time
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from volte.names import LONGEST_NAME
from volte.say.catalogue import LANGUAGES
from volte.store import Person
from volte.web.assets import ROOMS, modules_of, static, stylesheet
from volte.web.base_path import base_path
from volte.web.preferences import GROUPS
from volte.web.security import csrf_of
from volte.web.visit import Visit, own_name

TEMPLATES: Final = Environment(
    loader=FileSystemLoader(sorted(ROOMS.glob("*/templates"))),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.globals |= {"modules_of": modules_of}


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
        "csrf": csrf_of(visit.token),
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
    return HTMLResponse(text, status, {"content-language": words.lang, "vary": "cookie"})


def looks(person: Person | None) -> dict[str, str]:
    """How pages look to somebody, as attributes of their root."""
    chosen = person.settings if person is not None else {}
    values = {each.name: chosen.get(each.name, each.usual) for each in GROUPS["look"]}
    return {f"data-{name}": str(value).lower() for name, value in values.items()}


def local_path(text: str) -> str:
    """Where to go on after a form: a path of this site, or the first page.

    >>> local_path("/tables/new"), local_path("//elsewhere.example"), local_path("/\\\\x")
    ('/tables/new', '/', '/')
    """
    plain = text.startswith("/") and not text.startswith("//") and len(text) <= 200
    safe = plain and text.isascii() and text.isprintable() and "\\" not in text
    return text if safe else "/"
