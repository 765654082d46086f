"""The page of a person's settings, changes to them, and the list of keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from volte.conversation.pace import USUAL_BOT_PACE, USUAL_TRICK_PACE
from volte.people.passwords import own_account
from volte.say import N_, Words
from volte.say.catalogue import LANGUAGES
from volte.say.keys import DIGITS, ON_PAGE, SEATS, Key, Keys, keys_of
from volte.say.texts import table
from volte.store import Person
from volte.web.fields import Choice, Clash, Field, FilledForm, NotTaken, Wrong
from volte.web.page import form_page, local_path
from volte.web.preferences import (
    GROUPS,
    PREFERENCES,
    USUAL,
    filled_in,
    twice_used,
)
from volte.web.visit import Visit, own_name, see_other

MOVES: Final = ("arrows", "suits", "ends", "enter", "escape")
LABELS: Final = {
    **table("settings")["settings"],
    **{f"key_{key.label}": key.effect for key in Key if key.own},
}
VALUES: Final = {name: each for name, each in table("settings").items() if name != "settings"}
"""Meanings of the values, for each setting that is a choice."""

SENTENCES: Final = table("settings_page")

_DIGITS: Final = (("digits", DIGITS), ("seats", SEATS))

PACES: Final = ((1600, 3000), (USUAL_BOT_PACE, USUAL_TRICK_PACE), (300, 700))
"""Milliseconds before a bot's card, and for which a full trick lies, from slow to quick."""

QUICK: Final = {
    "sounds": SENTENCES["groups"]["sounds"],
    "colours": LABELS["colours"],
    "theme": LABELS["theme"],
    "face": SENTENCES["groups"]["person"],
    "large": LABELS["large"],
}
"""Settings that stand first at a table, after the pace, with their labels there."""


async def show_settings(visit: Visit) -> Response:
    visit.someone()
    return await _settings_page(visit, _form_of(visit.known()))


async def settings_form(visit: Visit) -> Response:
    """The form alone, for the script of a table, when somebody opens the settings there."""
    person = visit.known()
    context = settings_context(visit.words) | {"path": "/me", "at_table": True}
    context["preferences"] = _quick_first(visit.words, context["preferences"])
    chosen = settings_of(person)
    context["pace"] = f"{chosen['bot_pace']} {chosen['trick_pace']}"
    return form_page(visit, "settings.html", _form_of(person), **context)


async def keep_settings(visit: Visit) -> Response:
    """Store the settings; the answer to a script in the background is JSON."""
    visit.someone()
    sent = await visit.fields()
    words = visit.words
    form = FilledForm.typed(PREFERENCES, sent)

    def chosen(person: Person) -> Person:
        def every(values: Mapping[str, Any]) -> dict[str, Any]:
            sent = {name: value for name, value in values.items() if name in form.fields}
            return filled_in({**person.settings, "lang": person.lang, **sent})

        read = form.upon(settings_of(person)).read(lambda values: _twice(words, every(values)))
        settings = {name: read[name] for name in form.fields}
        lang = settings.pop("lang", person.lang)
        return replace(person, lang=lang, settings=person.settings | settings)

    in_background = visit.headers.get("x-volte") == "1"
    try:
        person = await visit.change(chosen)
    except NotTaken as problem:
        if in_background:
            return JSONResponse(_outcome(words, problem), problem.status)
        return await _settings_page(visit, form, problem)
    if in_background:
        return JSONResponse(settings_of(person))
    following = local_path(str(sent.get("next", "/me")))
    return see_other("/me?kept=1" if following == "/me" else following)


def _outcome(words: Words, problem: NotTaken) -> dict[str, Any]:
    """The faults of a form by field, for the script; after a clash also the stored values."""
    stored = {"stored": problem.theirs} if isinstance(problem, Clash) else {}
    return {"wrong": problem.told_at(words, _meanings(words)), **stored}


def _form_of(person: Person) -> FilledForm:
    return FilledForm.of(PREFERENCES, settings_of(person))


async def _settings_page(
    visit: Visit, form: FilledForm, problem: NotTaken | None = None
) -> Response:
    return form_page(
        visit,
        "me.html",
        form,
        problem,
        _meanings(visit.words),
        saved=problem is None and visit.query_params.get("kept") == "1",
        account=await own_account(visit),
        **settings_context(visit.words),
    )


async def keep_helped(visit: Visit) -> Response:
    """Store that the help for newcomers has been read."""
    visit.someone()
    await visit.fields()
    return await _save(visit, {"helped": True})


async def keep_verbosity(visit: Visit) -> Response:
    """Store the verbosity, or the kinds of messages that are silenced, when a key changes them."""
    said = (each.name for each in GROUPS["telling"] if each.name.startswith("say_"))
    return await _keep(visit, "verbosity", *said)


async def keep_reader_rate(visit: Visit) -> Response:
    """Store the rate of the person's reader, when it has been measured at the table."""
    return await _keep(visit, "reader_rate")


async def _keep(visit: Visit, *names: str) -> Response:
    """Store those of some settings that are sent, at least one."""
    visit.someone()
    form = await visit.fields()
    try:
        changes = {name: PREFERENCES[name].read(str(form[name])) for name in names if name in form}
    except Wrong:
        raise HTTPException(422) from None
    if not changes:
        raise HTTPException(422)
    return await _save(visit, changes)


async def _save(visit: Visit, changes: Mapping[str, Any]) -> Response:
    await visit.change(lambda person: replace(person, settings={**person.settings, **changes}))
    return Response(status_code=204)


def _twice(words: Words, settings: Mapping[str, Any]) -> Iterator[Wrong]:
    """A fault for each key that is chosen for two things."""
    for name, other in twice_used(settings):
        yield Wrong(
            name,
            N_("The key {key} is that of “{other}” already: choose another one for “{name}”."),
            key=settings[name].upper(),
            name=words.t(LABELS[name]),
            other=words.t(LABELS[other]),
        )


def settings_context(words: Words) -> dict[str, Any]:
    """Context for the template of the settings, beside their values."""
    groups = [
        (*_described(words, "groups", name, "about"), [_shown(words, each) for each in group])
        for name, group in GROUPS.items()
    ]
    cues = [_described(words, "cues", name, "like") for name in SENTENCES["cues"]]
    return {"preferences": groups, "cues": cues}


def _quick_first(
    words: Words, groups: Sequence[tuple[str, str, str, list[dict[str, Any]]]]
) -> list[tuple[str, str, str, list[dict[str, Any]]]]:
    """The groups with another before them: settings that one wants at a table, one touch away."""
    label, *names = map(words.t, SENTENCES["paces"].values())
    paces = [(f"{bot} {trick}", name) for (bot, trick), name in zip(PACES, names, strict=True)]
    pace = {"name": "pace", "label": label, "choices": paces}
    found = {each["name"]: each for _, _, _, members in groups for each in members}
    quick = [found[name] | {"label": words.t(label)} for name, label in QUICK.items()]
    picked = [
        each if each.get("kind") == "switch" else each | {"kind": "picked"}
        for each in (pace, *quick)
    ]
    others = [
        (name, heading, about, [each for each in members if each["name"] not in QUICK])
        for name, heading, about, members in groups
    ]
    return [(*_described(words, "groups", "quick", "about"), picked), *others]


def _meanings(words: Words) -> dict[str, dict[str, str]]:
    """Words for the values of each setting that is a choice."""
    choices = (each for each in PREFERENCES.values() if isinstance(each, Choice))
    return {each.name: dict(_choices(words, each)) for each in choices}


def _described(words: Words, kind: str, name: str, what: str) -> tuple[str, str, str]:
    """A name, with its title and its description in words."""
    return name, words.t(SENTENCES[kind][name]), words.t(SENTENCES[f"{kind}_{what}"][name])


def _shown(words: Words, preference: Field) -> dict[str, Any]:
    """A setting in the shape that the template needs."""
    return {
        "name": preference.name,
        "label": words.t(LABELS[preference.name]),
        "kind": type(preference).__name__.lower(),
        "choices": _choices(words, preference) if isinstance(preference, Choice) else [],
    }


def _choices(words: Words, preference: Choice) -> list[tuple[str, str]]:
    if preference.name == "lang":
        return [(lang, own_name(lang)) for lang in LANGUAGES]
    meanings = VALUES[preference.name]
    return [(value, words.t(meanings[value])) for value in preference.values]


def settings_of(person: Person) -> dict[str, Any]:
    """All settings of a person, with usual values where they have not chosen."""
    return filled_in({**person.settings, "lang": person.lang})


def wishes(visit: Visit) -> dict[str, Any]:
    """The settings of the visitor; the usual ones without a session."""
    person = visit.person
    return {**USUAL, "lang": visit.lang} if person is None else settings_of(person)


def list_keys(
    words: Words,
    person: Person | None,
    keys: Iterable[Key] = tuple(keys_of(*ON_PAGE)),
    moves: Sequence[str] = (*MOVES, "type"),
) -> list[tuple[str, list[tuple[str, str]]]]:
    """The list of keys: headings, each with pairs of key and effect, by the person's settings."""
    chosen = USUAL if person is None else settings_of(person)
    names, effects = SENTENCES["keys"], SENTENCES["keys_do"]

    def shown(key: Key) -> tuple[str, str]:
        single = key.single or key
        letter = str(chosen[f"key_{single.label}"]).upper()
        if key.single is not None:
            letter = words.t("Shift and {keys}", keys=letter)
        return letter, words.t(key.effect)

    def named(name: str) -> tuple[str, str]:
        return words.t(names[name]), words.t(effects[name])

    def of(sort: Keys) -> list[tuple[str, str]]:
        return [shown(key) for key in keys if key.sort is sort]

    digits = [(words.t(names[name]), words.t(does)) for name, does in _DIGITS]
    told = [
        (words.t("Your cards"), [*map(named, moves)]),
        (words.t("Questions"), [*digits, *of(Keys.ASKING)]),
        (words.t("What was said"), of(Keys.HEARING)),
        (words.t("Acts"), of(Keys.ACTING)),
    ]
    return [(heading, listed) for heading, listed in told if listed]
