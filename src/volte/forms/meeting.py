"""The form of "Play with people": whom somebody wants to play with, and what."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from volte.forms.fields import Choice, FilledForm, Several, Switch, Wrong, declared
from volte.forms.game import Game, newcomers_preset
from volte.forms.settings import own_name
from volte.rules import PRESETS
from volte.say import N_, Words
from volte.say.catalogue import TONGUES, language_of, tongue
from volte.say.rulesheet.options import preset_title
from volte.table.setup import LEAST_CLOCK

SETTING: Final = "meeting"
"""The setting of a person that keeps what they looked for last."""

PACES: Final = {
    "": N_("any pace"),
    "calm": N_("no clock"),
    "brisk": N_("{seconds} seconds per turn"),
}
"""Paces of play to look for, in words; "" for any."""

ANY_RULES: Final = N_("any rules")
NEAR: Final = N_("only people about as strong as I am")
EMPTY: Final = N_("no bots while I wait")


class PeopleWanted(NamedTuple):
    """The people and the game that somebody looks for."""

    rules: str = ""  # the preset; empty for any
    pace: str = ""  # a key of `PACES`
    langs: tuple[str, ...] = ()  # languages of the others; empty for any
    near: bool = False  # only people with a rating like one's own
    empty: bool = False  # wait at the empty table, without bots

    @classmethod
    def of_settings(cls, settings: Mapping[str, Any]) -> PeopleWanted:
        """People and game that the person looked for last, as far as these settings tell."""
        kept = settings.get(SETTING)
        return read_wanted(kept) if isinstance(kept, Mapping) else cls()

    @property
    def texts(self) -> dict[str, str]:
        """The texts of the fields that say so."""
        return {name: each.shown(getattr(self, name)) for name, each in MEETING.items()}

    def game(self, usual: Game) -> Game:
        """The game to play while nobody has come: the rules looked for, or the usual ones."""
        if self.rules in ("", usual.preset):
            return usual
        return Game(self.rules, PRESETS[self.rules].players[0])


MEETING: Final = declared(
    Choice("rules", "", values=("", *PRESETS)),
    Choice("pace", "", values=tuple(PACES)),
    Several("langs", (), lambda lang: tongue(language_of(lang) or lang), values=TONGUES),
    Switch("near"),
    Switch("empty"),
)


def wanted_of(form: FilledForm) -> PeopleWanted:
    """People and game that a form asks for. Raises `Wrong`."""
    return _wanted(form.read(names=MEETING))


def read_wanted(kept: Mapping[str, Any]) -> PeopleWanted:
    """People and game that were kept as texts, empty where one means nothing here any more."""
    read = dict[str, Any]()
    for name, each in MEETING.items():
        with suppress(Wrong):
            read[name] = each.read(str(kept.get(name, "")))
    return _wanted(read)


def _wanted(read: Mapping[str, Any]) -> PeopleWanted:
    """The values of the fields, each language once."""
    return PeopleWanted(**{**read, "langs": tuple(dict.fromkeys(read.get("langs", ())))})


def meeting_choices(words: Words, chosen: str) -> dict[str, Any]:
    """Context of a template with the form: choices in words.

    Args:
        chosen: the preset that comes first; empty for none.
    """
    presets = dict.fromkeys((chosen, newcomers_preset(words), *PRESETS))
    return {
        "meeting_rules": [
            ("", words.t(ANY_RULES)),
            *((name, preset_title(words, name)) for name in presets if name in PRESETS),
        ],
        "meeting_paces": [
            (name, words.t(text, seconds=LEAST_CLOCK)) for name, text in PACES.items()
        ],
        "meeting_langs": [(lang, own_name(lang)) for lang in TONGUES],
        "meeting_boxes": [("near", words.t(NEAR)), ("empty", words.t(EMPTY))],
    }


def wanted_phrase(words: Words, wanted: PeopleWanted) -> str:
    """Tell in a phrase what somebody looks for: rules, pace, and what else they have chosen.

    >>> from volte.say import words_of
    >>> wanted_phrase(words_of("en"), PeopleWanted(langs=("fr",)))
    'any rules, any pace, Français'
    """
    rules = preset_title(words, wanted.rules) if wanted.rules else words.t(ANY_RULES)
    langs = [own_name(lang) for lang in wanted.langs]
    boxes = [words.t(text) for on, text in ((wanted.near, NEAR), (wanted.empty, EMPTY)) if on]
    pace = words.t(PACES[wanted.pace], seconds=LEAST_CLOCK)
    return ", ".join((rules, pace, *langs, *boxes))
