"""Words for the people and the game that somebody looks for, typed after PEOPLE or `--people`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from volte.console.terminal import TerminalFault
from volte.forms.meeting import ANY_RULES, EMPTY, NEAR, PACES, PeopleWanted
from volte.forms.settings import own_name
from volte.names import meant
from volte.rules import PRESETS
from volte.say import N_, Words
from volte.say.catalogue import LANGUAGES, TONGUES, tongue
from volte.say.rulesheet.options import preset_title
from volte.table.setup import LEAST_CLOCK

MOST_WORDS: Final = 12  # in the title of a preset

Choice = tuple[str, Any]  # field of `PeopleWanted`, and its value

_WORDS: Final[Mapping[str, Choice]] = {
    **dict.fromkeys(("any", "tout"), ("", None)),
    **dict.fromkeys(("calm", "calme"), ("pace", "calm")),
    **dict.fromkeys(("brisk", "rapide"), ("pace", "brisk")),
    **dict.fromkeys(("near", "proche"), ("near", True)),
    **dict.fromkeys(("empty", "vide"), ("empty", True)),
}
"""Choices by the words for them, beside those of games and languages."""


def read_wish(words: Words, typed: str) -> PeopleWanted:
    """The people and the game that some words mean; any where they do not say.

    >>> from volte.say import words_of
    >>> read_wish(words_of("en"), "La Dame de pique, English, near")
    PeopleWanted(rules='dame-de-pique', pace='', langs=('en',), near=True, empty=False)

    Raises `TerminalFault` for a word that means nothing, and for two games or two paces.
    """
    wish = PeopleWanted()
    for text, (name, value) in _parts(words, typed):
        before = getattr(wish, name)
        if name == "langs":
            value = (*before, *{value}.difference(before))
        elif before not in ("", False, value):
            raise TerminalFault("wished_twice", word=text)
        wish = wish._replace(**{name: value})
    return wish


def _parts(words: Words, typed: str) -> Iterator[tuple[str, Choice]]:
    """The parts of a wish as typed, each with its choice; longer names go first."""
    choices = _choices(words)
    left = typed.replace(",", " ").split()
    while left:
        for used in range(min(len(left), MOST_WORDS), 0, -1):
            text = " ".join(left[:used])
            choice = choices.get(meant(text, choices))
            if choice is not None:
                break
        else:
            raise TerminalFault("no_such_wish", word=left[0])
        left = left[used:]
        if choice[0]:
            yield text, choice


def _choices(words: Words) -> dict[str, Choice]:
    """All choices, by the words and names for them."""
    choices = dict(_WORDS)
    for preset in PRESETS:
        title = preset_title(words, preset).replace(",", "")
        choices |= dict.fromkeys((title, preset), ("rules", preset))
    for lang in LANGUAGES:
        choices |= dict.fromkeys((own_name(lang), lang), ("langs", tongue(lang)))
    return choices


def wish_lines(words: Words) -> tuple[str, ...]:
    """Help on the words of a wish, a line each."""
    paces = {pace: words.t(text, seconds=LEAST_CLOCK) for pace, text in PACES.items()}
    of_words = {
        N_("ANY: {choice}."): f"{words.t(ANY_RULES)}, {paces['']}",
        N_("CALM: {choice}."): paces["calm"],
        N_("BRISK: {choice}."): paces["brisk"],
        N_("NEAR: {choice}."): words.t(NEAR),
        N_("EMPTY: {choice}."): words.t(EMPTY),
    }
    named = [(lang.upper(), own_name(lang)) for lang in TONGUES]
    named += [(preset, preset_title(words, preset)) for preset in PRESETS]
    return (
        words.t("After PEOPLE you can type, in any order:"),
        *(words.t(message, choice=choice) for message, choice in of_words.items()),
        *(words.t(N_("{word}: {choice}."), word=word, choice=choice) for word, choice in named),
    )
