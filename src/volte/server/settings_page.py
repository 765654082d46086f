"""The settings of a person: how things are told, and how fast they go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from volte.server.at_table import USUAL_BOT_PACE, USUAL_TRICK_PACE
from volte.server.page import local_path, page
from volte.server.visit import read_form, see_other, someone
from volte.store import Person, Store
from volte.wire.messages import SLOWEST_BOT, SLOWEST_TRICK
from volte.words import Verbosity, Words
from volte.words.catalogue import LANGUAGES
from volte.words.pages import page_sentence


async def show_settings(request: Request) -> Response:
    someone(request)
    saved = request.query_params.get("kept") == "1"
    return page(request, "me.html", saved=saved, **settings_context(request))


async def keep_settings(request: Request) -> Response:
    """Keeps the settings; a script that asks in the background is answered with nothing."""
    someone(request)
    form = await read_form(request)
    person: Person = request.state.person
    words: Words = request.state.words
    wrong: dict[str, str] = {}
    settings: dict[str, Any] = dict(person.settings)
    for name, most in (("bot_pace", SLOWEST_BOT), ("trick_pace", SLOWEST_TRICK)):
        text = str(form.get(name, "")).strip()
        if text.isascii() and text.isdecimal() and len(text) <= 6 and int(text) <= most:
            settings[name] = int(text)
        else:
            wrong[name] = page_sentence(words, "fault_number", least=0, most=most)
    for name in ("auto_forced", "keys", "speech"):
        settings[name] = bool(form.get(name))
    verbosity, lang = str(form.get("verbosity", "")), str(form.get("lang", ""))
    if verbosity in tuple(Verbosity):
        settings["verbosity"] = verbosity
    else:
        wrong["verbosity"] = page_sentence(words, "fault_choice")
    if lang not in LANGUAGES:
        wrong["lang"] = page_sentence(words, "fault_choice")
    if wrong:
        typed: dict[str, Any] = {name: form.get(name, "") for name in ("bot_pace", "trick_pace")}
        typed |= {name: bool(form.get(name)) for name in ("auto_forced", "keys", "speech")}
        typed |= {"verbosity": verbosity, "lang": lang}
        context = settings_context(request) | {"settings": typed}
        return page(request, "me.html", 422, saved=False, wrong=wrong, **context)
    store: Store = request.app.state.room.store
    await store.put_person(replace(person, lang=lang, settings=settings))
    if request.headers.get("x-volte") == "1":
        return Response(status_code=204)
    following = local_path(str(form.get("next", "/me")))
    return see_other("/me?kept=1" if following == "/me" else following)


def settings_context(request: Request) -> dict[str, Any]:
    """What the template of the settings needs."""
    words: Words = request.state.words
    levels = [(str(each), page_sentence(words, f"verbosity_{each}")) for each in Verbosity]
    return {"settings": settings_of(request.state.person), "verbosities": levels}


def settings_of(person: Person) -> dict[str, Any]:
    """The settings of a person, what they have not chosen filled in."""
    return {**USUAL_SETTINGS, **person.settings, "lang": person.lang}


USUAL_SETTINGS: Final[Mapping[str, Any]] = {
    "verbosity": str(Verbosity.NORMAL),
    "bot_pace": USUAL_BOT_PACE,
    "trick_pace": USUAL_TRICK_PACE,
    "auto_forced": False,
    "keys": True,
    "speech": False,
}
