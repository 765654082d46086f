"""The settings of a person, how they are changed, and the list of keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from volte.people.passwords import own_account
from volte.say import Verbosity, Words
from volte.say.catalogue import LANGUAGES
from volte.say.texts import table
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

MOVES: Final = ("arrows", "suits", "ends", "enter", "escape")
LABELS: Final = table("settings")["settings"]
VALUES: Final = {name: each for name, each in table("settings").items() if name != "settings"}
"""What the settings are called, and what the values of a choice mean."""

SENTENCES: Final = table("settings_page")

QUESTIONS: Final = (
    *("table", "scores", "turn", "situation", "hand", "last", "points", "sheet", "rules", "hint"),
    *("talk", "verbosity", "keys"),
)
REVIEWS: Final = ("repeat", "before", "after", "kind")
RULINGS: Final = ("turn_down", "put_right", "object", "claim_revoke", "cut", "accept")


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
    """Stores the settings; the answer to a script in the background is JSON."""
    person = visit.known()
    form = await visit.fields()
    words = visit.words
    chosen: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, each in PREFERENCES.items():
        sent = form.get(name)
        if sent is None and not isinstance(each, Switch):
            continue  # the form is older than this setting, which stays as it is
        chosen[name] = sent if isinstance(sent, str) else ""
        try:
            chosen[name] = each.read(chosen[name])
        except ValueError:
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
    changed = replace(person, lang=lang, settings=person.settings | chosen)
    store = visit.room.store
    await store.change_person(changed)
    if in_background:
        return JSONResponse(settings_of(changed))
    following = local_path(str(form.get("next", "/me")))
    return see_other("/me?kept=1" if following == "/me" else following)


async def keep_helped(visit: Visit) -> Response:
    """Stores that the help for newcomers has been read."""
    visit.someone()
    await visit.fields()
    return await _save_one(visit, "helped", True)


async def keep_verbosity(visit: Visit) -> Response:
    """Stores the verbosity, as a key at the table changes it."""
    visit.someone()
    form = await visit.fields()
    try:
        verbosity = Verbosity(str(form.get("verbosity", "")))
    except ValueError:
        raise HTTPException(422) from None
    return await _save_one(visit, "verbosity", str(verbosity))


async def _save_one(visit: Visit, name: str, value: Any) -> Response:
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
    return words.t(
        "The key {key} is that of “{other}” already: choose another one for “{name}”.",
        key=key.upper(),
        name=words.t(LABELS[name]),
        other=words.t(LABELS[other]),
    )


def settings_context(visit: Visit, chosen: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the template of the settings needs.

    Args:
        chosen: what somebody has just typed; None for what is stored.
    """
    words = visit.words
    values = chosen or settings_of(visit.known())
    groups = [
        (*_described(words, "groups", name, "about"), [_shown(words, each) for each in group])
        for name, group in GROUPS.items()
    ]
    cues = [_described(words, "cues", name, "like") for name in SENTENCES["cues"]]
    return {"settings": values, "preferences": groups, "cues": cues}


def _described(words: Words, kind: str, name: str, what: str) -> tuple[str, str, str]:
    """Something by its name, and in two sentences: what it is called, and what there is to it."""
    return name, words.t(SENTENCES[kind][name]), words.t(SENTENCES[f"{kind}_{what}"][name])


def _shown(words: Words, preference: Preference) -> dict[str, Any]:
    """A setting, as the template draws it."""
    choices: list[tuple[str, str]] = []
    if preference.name == "lang":
        choices = [(lang, own_name(lang)) for lang in LANGUAGES]
    elif isinstance(preference, Choice):
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
    """All settings of a person: the usual values where they have not chosen."""
    return filled_in({**person.settings, "lang": person.lang})


def wishes(visit: Visit) -> dict[str, Any]:
    """The settings of the visitor; the usual ones where there is no session."""
    person = visit.person
    return {**USUAL, "lang": visit.lang} if person is None else settings_of(person)


def list_keys(
    words: Words,
    person: Person | None,
    questions: Sequence[str] = QUESTIONS,
    rulings: Sequence[str] = RULINGS,
    reviews: Sequence[str] = REVIEWS,
    moves: Sequence[str] = (*MOVES, "type"),
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Headings, each with keys: what is pressed, and what that does, as the person has set it."""
    chosen = USUAL if person is None else settings_of(person)

    def letter(name: str) -> tuple[str, str]:
        return str(chosen[f"key_{name}"]).upper(), words.t(LABELS[f"key_{name}"])

    def named(name: str) -> tuple[str, str]:
        _, key, meaning = _described(words, "keys", name, "do")
        return key, meaning

    keys = [
        (words.t("Your cards"), [*map(named, moves)]),
        (words.t("Questions"), [named("digits"), named("seats"), *map(letter, questions)]),
        (words.t("What was said"), [*map(letter, reviews)]),
        (words.t("At a table with a referee"), [*map(letter, rulings)]),
    ]
    return [(heading, listed) for heading, listed in keys if listed]
