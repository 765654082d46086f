"""The page of a person's settings, changes to them, and the list of keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from volte.conversation.pace import USUAL_BOT_PACE, USUAL_TRICK_PACE
from volte.forms.fields import Choice, Field, FilledForm, NotTaken, Wrong
from volte.forms.preferences import (
    GROUPS,
    PREFERENCES,
    USUAL,
)
from volte.forms.settings import (
    LABELS,
    changed_at_table,
    choices,
    form_of,
    meanings,
    outcome,
    settings_of,
    with_settings,
)
from volte.people.passwords import own_account
from volte.say import Words
from volte.say.keys import DIGITS, ON_PAGE, SEATS, Key, Keys, keys_of
from volte.say.texts import table
from volte.store import Person
from volte.web.page import form_page, local_path
from volte.web.visit import Visit, see_other

MOVES: Final = ("arrows", "suits", "ends", "enter", "escape")
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
    return await _settings_page(visit, form_of(visit.known()))


async def settings_form(visit: Visit) -> Response:
    """The form alone, for the script of a table, when somebody opens the settings there."""
    person = visit.known()
    return form_page(
        visit, "settings.html", form_of(person), **quick_context(visit.words, settings_of(person))
    )


async def keep_settings(visit: Visit) -> Response:
    """Store the settings; the answer to a script in the background is JSON."""
    visit.someone()
    sent = await visit.fields()
    words = visit.words
    form = FilledForm.typed(PREFERENCES, sent)
    in_background = visit.headers.get("x-volte") == "1"
    try:
        person = await visit.change(lambda person: with_settings(person, form, words))
    except NotTaken as problem:
        if in_background:
            return JSONResponse(outcome(words, problem), problem.status)
        return await _settings_page(visit, form, problem)
    if in_background:
        return JSONResponse(settings_of(person))
    following = local_path(str(sent.get("next", "/me")))
    return see_other("/me?kept=1" if following == "/me" else following)


async def _settings_page(
    visit: Visit, form: FilledForm, problem: NotTaken | None = None
) -> Response:
    return form_page(
        visit,
        "me.html",
        form,
        problem,
        meanings(visit.words),
        saved=problem is None and visit.query_params.get("kept") == "1",
        account=await own_account(visit),
        **settings_context(visit.words),
    )


async def keep_at_table(visit: Visit) -> Response:
    """Store what somebody has changed at a table: that they have read the help for newcomers, the
    verbosity or the kinds of messages that are silenced, the rate of their reader."""
    visit.someone()
    form = await visit.fields()
    try:
        changes = changed_at_table(visit.url.path.rpartition("/")[2], form)
    except Wrong:
        raise HTTPException(422) from None
    if not changes:
        raise HTTPException(422)
    await visit.change(lambda person: replace(person, settings={**person.settings, **changes}))
    return Response(status_code=204)


def settings_context(words: Words) -> dict[str, Any]:
    """Context for the template of the settings, beside their values."""
    groups = [
        (*_described(words, "groups", name, "about"), [_shown(words, each) for each in group])
        for name, group in GROUPS.items()
    ]
    cues = [_described(words, "cues", name, "like") for name in SENTENCES["cues"]]
    return {"preferences": groups, "cues": cues}


def quick_context(words: Words, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Context for the template of the settings at a table, whose first group has what one wants
    there, one touch away."""
    context = settings_context(words)
    label, *names = map(words.t, SENTENCES["paces"].values())
    paces = [(f"{bot} {trick}", name) for (bot, trick), name in zip(PACES, names, strict=True)]
    pace = {"name": "pace", "label": label, "choices": paces}
    found = {each["name"]: each for _, _, _, members in context["preferences"] for each in members}
    quick = [found[name] | {"label": words.t(label)} for name, label in QUICK.items()]
    picked = [
        each if each.get("kind") == "switch" else each | {"kind": "picked"}
        for each in (pace, *quick)
    ]
    others = [
        (name, heading, about, [each for each in members if each["name"] not in QUICK])
        for name, heading, about, members in context["preferences"]
    ]
    groups = [(*_described(words, "groups", "quick", "about"), picked), *others]
    pace_now = f"{chosen['bot_pace']} {chosen['trick_pace']}"
    return context | {"preferences": groups, "pace": pace_now, "path": "/me", "at_table": True}


def _described(words: Words, kind: str, name: str, what: str) -> tuple[str, str, str]:
    """A name, with its title and its description in words."""
    return name, words.t(SENTENCES[kind][name]), words.t(SENTENCES[f"{kind}_{what}"][name])


def _shown(words: Words, preference: Field) -> dict[str, Any]:
    """A setting in the shape that the template needs."""
    return {
        "name": preference.name,
        "label": words.t(LABELS[preference.name]),
        "kind": type(preference).__name__.lower(),
        "choices": choices(words, preference) if isinstance(preference, Choice) else [],
    }


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
