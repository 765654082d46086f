"""The form of "Play now": a table with bots by rules that have a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from volte.bots import COMPANY, OFFERED, company_of
from volte.forms.fields import Amount, Choice, Field, FilledForm, Wrong, declared
from volte.names import LONGEST_NAME, clean_name, on_one_line
from volte.rules import PRESETS
from volte.say import N_, Words
from volte.say.levels import LEVEL_WORDS, introductions
from volte.say.rulesheet.options import preset_title

STYLED: Final = "characters"
"""In place of a level: opponents with character, each with a style of its own."""

ADAPTS: Final = "adapts"
"""In place of a level: opponents of a level that suits the person's results."""

PLAYERS: Final = {
    3: N_("three players"),
    4: N_("four players"),
    5: N_("five players"),
    6: N_("six players"),
    7: N_("seven players"),
    8: N_("eight players"),
    9: N_("nine players"),
    10: N_("ten players"),
}
"""Numbers of players at a table, in words."""


LEVELS: Final = {
    STYLED: N_("bots with personality"),
    ADAPTS: N_("bots that adapt to me"),
    **{level: each.many for level, each in LEVEL_WORDS.items()},
}
"""The bots that a table may be filled with, in words."""


class Game(NamedTuple):
    """A table with bots, as "Play now" opens it."""

    preset: str
    players: int  # their number, the person included
    level: str = STYLED  # level of all the bots, or `STYLED`, or `ADAPTS`

    def bots(self, suited: str) -> tuple[str, ...]:
        """Levels or characters at the other seats; `suited` is the level that suits the person."""
        others = self.players - 1
        if self.level == ADAPTS:
            return company_of(suited, others)
        return COMPANY[:others] if self.level == STYLED else (self.level,) * others


def game_fields(words: Words) -> dict[str, Field]:
    """The fields of "Play now"; an empty one is as newcomers of a language know the game."""
    usual = newcomers_preset(words)
    return declared(
        Choice("preset", usual, lambda name: name or usual, values=tuple(PRESETS)),
        Amount("players", PRESETS[usual].players[0], least=3, most=10, optional=True),
        Choice("level", STYLED, lambda level: level or STYLED, values=(STYLED, ADAPTS, *OFFERED)),
        Field("name", meant=lambda name: name.strip() and clean_name(name)),
        Field("lang"),
    )


def game_of(form: FilledForm, words: Words) -> tuple[Game, dict[str, str]]:
    """The game that a form asks for, and the name and language of a newcomer. Raises `Wrong`."""
    read = form.read(partial(_unsuited, words), names=game_fields(words))
    name, players = read.pop("preset"), read.pop("players")
    return Game(name, players or PRESETS[name].players[0], read.pop("level")), read


def _unsuited(words: Words, read: Mapping[str, Any]) -> Iterator[Wrong]:
    """The fault of a number of players that the chosen rules are not made for."""
    if "preset" not in read or read.get("players") is None:
        return
    made_for = sorted(PRESETS[read["preset"]].players)
    if read["players"] not in made_for:
        yield Wrong(
            "players",
            N_("You cannot play {rules} with {count}: please choose {numbers}."),
            rules=preset_title(words, read["preset"]),
            count=words.t(PLAYERS[read["players"]]),
            numbers=words.listed([*map(str, made_for)], "or"),
        )


def game_choices(words: Words, chosen: str, levels: Iterable[str]) -> dict[str, Any]:
    """Context of a template with the form: choices in words, and the bots with personality.

    Args:
        chosen: the preset that is chosen, which comes first.
        levels: the keys of `LEVELS` to offer.
    """
    presets = dict.fromkeys((chosen, newcomers_preset(words), *PRESETS))
    return {
        "presets": [
            (name, preset_title(words, name), PRESETS[name].players)
            for name in presets
            if name in PRESETS
        ],
        "players": [(str(number), words.t(text)) for number, text in PLAYERS.items()],
        "levels": [(level, words.t(LEVELS[level])) for level in levels],
        "characters": introductions(words),
    }


def usual_game(words: Words) -> Game:
    """The game as newcomers who speak that language know it."""
    preset = newcomers_preset(words)
    return Game(preset, PRESETS[preset].players[0])


def newcomers_preset(words: Words) -> str:
    """The preset that newcomers who speak that language know."""
    # Translators: the name of a preset.
    return words.p("the preset that newcomers know", "microsoft")


def table_of(words: Words, host: str) -> str:
    """The first name of a host's table; the host's own name if that gets too long."""
    called = on_one_line(words.t("{name}’s table", name=host))
    return called if len(called) <= LONGEST_NAME else host
