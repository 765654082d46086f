"""The settings of a person, as they are shown and kept."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from volte.people.account_passwords import own_account
from volte.people.settings_words import CUES, HEADINGS, LABELS, VALUES
from volte.say import Verbosity, Words
from volte.say.catalogue import LANGUAGES
from volte.store import Person
from volte.web.page import local_path, page
from volte.web.preferences import (
    GROUPS,
    PREFERENCES,
    USUAL,
    Amount,
    Choice,
    Letter,
    Preference,
    Switch,
    filled_in,
    twice_used,
)
from volte.web.visit import Visit, own_name, see_other

"""Languages are called by their own names."""


async def show_settings(visit: Visit) -> Response:
    visit.someone()
    saved = visit.query_params.get("kept") == "1"
    account = await own_account(visit)
    return page(visit, "me.html", saved=saved, account=account, **settings_context(visit))


async def settings_form(visit: Visit) -> Response:
    """The form alone, for the script of a table, where somebody opens the settings."""
    visit.someone()
    return page(visit, "settings.html", path="/me", at_table=True, **settings_context(visit))


async def keep_settings(visit: Visit) -> Response:
    """Keeps the settings; a script that asks in the background is told them as JSON."""
    person = visit.known()
    form = await visit.fields()
    words = visit.words
    chosen: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, each in PREFERENCES.items():
        sent = form.get(name)
        if sent is None and not isinstance(each, Switch):
            continue  # the form is older than this setting, which stays as it is
        typed = sent if isinstance(sent, str) else ""
        try:
            chosen[name] = each.read(typed)
        except ValueError:
            chosen[name] = typed
            wrong[name] = _fault(words, each)
    every = filled_in({**person.settings, "lang": person.lang, **chosen})
    wrong |= {name: _taken(words, every[name], name, other) for name, other in twice_used(every)}
    in_background = visit.headers.get("x-volte") == "1"
    if wrong and in_background:
        return JSONResponse({"wrong": wrong}, 422)
    if wrong:
        context = settings_context(visit, every) | {"account": await own_account(visit)}
        return page(visit, "me.html", 422, saved=False, wrong=wrong, **context)
    lang = chosen.pop("lang", person.lang)
    kept = replace(person, lang=lang, settings=person.settings | chosen)
    store = visit.room.store
    await store.change_person(kept)
    if in_background:
        return JSONResponse(settings_of(kept))
    following = local_path(str(form.get("next", "/me")))
    return see_other("/me?kept=1" if following == "/me" else following)


async def keep_helped(visit: Visit) -> Response:
    """The help for newcomers has been read, and is not shown by itself again."""
    visit.someone()
    await visit.fields()
    return await _kept_alone(visit, "helped", True)


async def keep_verbosity(visit: Visit) -> Response:
    """How much is told, as a key at the table changes it."""
    visit.someone()
    form = await visit.fields()
    try:
        verbosity = Verbosity(str(form.get("verbosity", "")))
    except ValueError:
        raise HTTPException(422) from None
    return await _kept_alone(visit, "verbosity", str(verbosity))


async def _kept_alone(visit: Visit, name: str, value: Any) -> Response:
    person = visit.known()
    store = visit.room.store
    await store.change_person(replace(person, settings=person.settings | {name: value}))
    return Response(status_code=204)


def _fault(words: Words, preference: Preference) -> str:
    match preference:
        case Amount(least=least, most=most):
            return words.t(
                "Please enter a whole number from {least} to {most}.", least=least, most=most
            )
        case Letter():
            return words.t("Please type one letter or sign, and no digit.")
    return words.t("Please choose one of the answers offered.")


def _taken(words: Words, key: str, name: str, other: str) -> str:
    """That a key has another meaning already."""
    labels = {"name": words.t(LABELS[name]), "other": words.t(LABELS[other])}
    return words.t(
        "The key {key} is that of “{other}” already: choose another one for “{name}”.",
        key=key.upper(),
        **labels,
    )


def settings_context(visit: Visit, chosen: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the template of the settings needs.

    Args:
        chosen: what somebody has just typed; None for what is kept.
    """
    words = visit.words
    values = chosen or settings_of(visit.known())
    groups = [
        (name, *map(words.t, HEADINGS[name]), [_shown(words, each) for each in group])
        for name, group in GROUPS.items()
    ]
    cues = [(name, *map(words.t, texts)) for name, texts in CUES.items()]
    return {"settings": values, "preferences": groups, "cues": cues}


def _shown(words: Words, preference: Preference) -> dict[str, Any]:
    """One of them, as the template draws it."""
    choices: list[tuple[str, str]] = []
    if isinstance(preference, Choice):
        if preference.name == "lang":
            choices = [(lang, own_name(lang)) for lang in LANGUAGES]
        else:
            meanings = VALUES[preference.name]
            choices = [(value, words.t(meanings[value])) for value in preference.values]
    kinds = {Choice: "choice", Switch: "switch", Amount: "amount", Letter: "letter"}
    return {
        "name": preference.name,
        "label": words.t(LABELS[preference.name]),
        "kind": kinds[type(preference)],
        "choices": choices,
    }


def settings_of(person: Person) -> dict[str, Any]:
    """The settings of a person, what they have not chosen filled in."""
    return filled_in({**person.settings, "lang": person.lang})


def wishes(visit: Visit) -> dict[str, Any]:
    """The settings of who asks, also where nobody knows them here: they may have come by a key."""
    person = visit.person
    return {**USUAL, "lang": visit.lang} if person is None else settings_of(person)
