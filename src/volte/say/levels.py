"""The levels of bots in words; `volte.bots.levels` has the bots themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from volte.bots import CHARACTERS, OFFERED
from volte.say.language import N_, Language
from volte.say.texts import table


class LevelWords(NamedTuple):
    """The sentences that name a level."""

    name: str
    many: str  # several bots of the level
    asked: str  # a bot as asked to a seat
    sits: str  # the news that such a bot sits down


LEVEL_WORDS: Final = {
    "beginner": LevelWords(
        N_("beginner"),
        N_("beginner bots"),
        N_("a beginner bot"),
        N_("{player}, a beginner bot, sits down."),
    ),
    "casual": LevelWords(
        N_("casual"),
        N_("casual bots"),
        N_("a casual bot"),
        N_("{player}, a casual bot, sits down."),
    ),
    "strong": LevelWords(
        N_("strong"),
        N_("strong bots"),
        N_("a strong bot"),
        N_("{player}, a strong bot, sits down."),
    ),
    "expert": LevelWords(
        N_("expert"),
        N_("expert bots"),
        N_("an expert bot"),
        N_("{player}, an expert bot, sits down."),
    ),
}
"""Sentences of each level, by its name, the weakest first."""

OFFERED_WORDS: Final = {level: LEVEL_WORDS[level] for level in OFFERED}
"""The names of the levels that this installation offers, by level."""

STYLES: Final = table("characters")["styles"]
"""Style of each character in a word or two, by key."""

ABOUTS: Final = table("characters")["abouts"]
"""A sentence about each character, for those who choose an opponent, by key."""


def level_called(language: Language, level: str) -> str:
    """Description of a bot: the name of its level, or the style of a character."""
    if level in STYLES:
        return language.t(STYLES[level])
    return language.t(LEVEL_WORDS[level].name) if level in LEVEL_WORDS else level


class Introduction(NamedTuple):
    """A character, as presented to people who choose an opponent."""

    key: str
    name: str
    style: str
    about: str  # a line with name, level and a sentence


def introductions(language: Language, keys: Iterable[str] = CHARACTERS) -> list[Introduction]:
    """The characters with those keys, as they are presented where opponents are chosen."""
    return [
        Introduction(
            key,
            CHARACTERS[key].name,
            level_called(language, key),
            language.t(
                "{name} ({level}): {about}",
                name=CHARACTERS[key].name,
                level=level_called(language, CHARACTERS[key].level),
                about=language.t(ABOUTS[key]),
            ),
        )
        for key in keys
    ]


def asked_words(words: Language, guests: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Bots that can be asked to a seat: name or key, and words.

    Args:
        guests: names of outside bots, which can be chosen as well.
    """
    guest = N_("a bot, {name}")
    ours = [(level, words.t(each.asked)) for level, each in OFFERED_WORDS.items()]
    characters = [(each.key, f"{each.name}, {each.style}") for each in introductions(words)]
    return [*ours, *characters, *((name, words.t(guest, name=name)) for name in guests)]
