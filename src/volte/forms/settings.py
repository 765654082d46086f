"""A person's settings: read from the forms that change them, and filled into them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from volte.forms.fields import Choice, Clash, Field, FilledForm, NotTaken, Wrong
from volte.forms.preferences import GROUPS, PREFERENCES, filled_in, twice_used
from volte.say import N_, Words, words_of
from volte.say.catalogue import LANGUAGES
from volte.say.keys import Key
from volte.say.texts import table
from volte.store import Person

LABELS: Final = {
    **table("settings")["settings"],
    **{f"key_{key.label}": key.effect for key in Key if key.own},
}
VALUES: Final = {name: each for name, each in table("settings").items() if name != "settings"}
"""Meanings of the values, for each setting that is a choice."""

AT_TABLE: Final[Mapping[str, tuple[str, ...]]] = {
    "helped": (),
    "verbosity": (
        "verbosity",
        *(each.name for each in GROUPS["telling"] if each.name.startswith("say_")),
    ),
    "reader_rate": ("reader_rate",),
}
"""Settings that are changed at a table without their form, by the last part of the address."""


def settings_of(person: Person) -> dict[str, Any]:
    """All settings of a person, with usual values where they have not chosen."""
    return filled_in({**person.settings, "lang": person.lang})


def form_of(person: Person, asked: Mapping[str, Field] = PREFERENCES) -> FilledForm:
    """The form with the settings of a person, those that it asks for."""
    return FilledForm.of(asked, settings_of(person))


def with_settings(person: Person, form: FilledForm, words: Words) -> Person:
    """The person with the settings of a form that they have sent. Raises `NotTaken`."""

    def every(values: Mapping[str, Any]) -> dict[str, Any]:
        sent = {name: value for name, value in values.items() if name in form.fields}
        return filled_in({**person.settings, "lang": person.lang, **sent})

    read = form.upon(settings_of(person)).read(lambda values: _twice(words, every(values)))
    settings = {name: read[name] for name in form.fields}
    lang = settings.pop("lang", person.lang)
    return replace(person, lang=lang, settings=person.settings | settings)


def changed_at_table(place: str, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that somebody has changed at a table, by a key say. Raises `Wrong`.

    Args:
        place: a key of `AT_TABLE`.
        sent: the form of the script.
    """
    if place == "helped":
        return {"helped": True}
    names = AT_TABLE[place]
    return {name: PREFERENCES[name].read(str(sent[name])) for name in names if name in sent}


def outcome(words: Words, problem: NotTaken) -> dict[str, Any]:
    """The faults of a form by field, for the script; after a clash also the stored values."""
    stored = {"stored": problem.theirs} if isinstance(problem, Clash) else {}
    return {"wrong": problem.told_at(words, meanings(words)), **stored}


def meanings(words: Words) -> dict[str, dict[str, str]]:
    """Words for the values of each setting that is a choice."""
    chosen = (each for each in PREFERENCES.values() if isinstance(each, Choice))
    return {each.name: dict(choices(words, each)) for each in chosen}


def choices(words: Words, preference: Choice) -> list[tuple[str, str]]:
    """The values of a setting, each with its meaning."""
    if preference.name == "lang":
        return [(lang, own_name(lang)) for lang in LANGUAGES]
    known = VALUES[preference.name]
    return [(value, words.t(known[value])) for value in preference.values]


def own_name(lang: str) -> str:
    """The name of a language in that language."""
    return words_of(lang).p("this language, in itself", "English")


def _twice(words: Words, settings: Mapping[str, Any]) -> Iterator[Wrong]:
    """A fault for each key that is chosen for two things."""
    for name, other in twice_used(settings):
        yield Wrong(
            name,
            N_("The key {key} is already used for “{other}”: choose another for “{name}”."),
            key=settings[name].upper(),
            name=words.t(LABELS[name]),
            other=words.t(LABELS[other]),
        )
