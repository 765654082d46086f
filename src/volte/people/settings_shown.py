"""The settings of a person and the list of keys, in the shape that templates need."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Final

from volte.conversation.pace import USUAL_BOT_PACE, USUAL_TRICK_PACE
from volte.forms.fields import Choice, Field
from volte.forms.preferences import GROUPS, PREFERENCES, USUAL
from volte.forms.settings import LABELS, choices, settings_of
from volte.say import Words
from volte.say.keys import DIGITS, ON_PAGE, SEATS, Key, Keys, keys_of
from volte.say.texts import table
from volte.store import Person
from volte.web.visit import Visit

MOVES: Final = ("arrows", "suits", "ends", "enter", "escape")
SENTENCES: Final = table("settings_page")

_DIGITS: Final = (("digits", DIGITS), ("seats", SEATS))

PEOPLE: Final = ("coming", "going")
"""Sounds that tell of other people."""

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


def settings_context(words: Words, asked: Container[str] = PREFERENCES) -> dict[str, Any]:
    """Context for the template of the settings, beside their values.

    Args:
        asked: names of the settings that are asked for.
    """
    groups = [
        (
            *_described(words, "groups", name, "about"),
            [_shown(words, each) for each in group if each.name in asked],
        )
        for name, group in GROUPS.items()
    ]
    company = "sound_people" in asked
    heard = [name for name in SENTENCES["cues"] if company or name not in PEOPLE]
    cues = [_described(words, "cues", name, "like") for name in heard]
    return {"preferences": groups, "cues": cues}


def quick_context(
    words: Words, chosen: Mapping[str, Any], asked: Container[str] = PREFERENCES
) -> dict[str, Any]:
    """Context for the template of the settings at a table, whose first group has what one wants
    there, one touch away; see `settings_context`."""
    context = settings_context(words, asked)
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
        (words.t("Actions"), of(Keys.ACTING)),
    ]
    return [(heading, listed) for heading, listed in told if listed]
