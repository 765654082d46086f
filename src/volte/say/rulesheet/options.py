"""Names and meanings of options and presets, for lists and for docs/rules/options.md."""

from __future__ import annotations

from typing import Final

from volte.names import isolated
from volte.rules import EndKind, Ruleset, described
from volte.say.language import Language
from volte.say.texts import table

PRESET_WORDS: Final = table("presets")
"""Title, summary and source of each preset, by its name."""

_MEANINGS: Final = table("options")["options"]
"""Meanings of the options, by name."""

OPTION_VALUES: Final = {
    name: values for name, values in table("options").items() if name != "options"
}
"""Meanings of an option's values, by its name; numbers and cards speak for themselves."""


def option_meaning(words: Language, name: str) -> str:
    """The meaning of an option, in a few words. Raises `KeyError`."""
    return words.t(_MEANINGS[name])


def preset_title(words: Language, name: str) -> str:
    """The title of a preset. Raises `KeyError`."""
    title = PRESET_WORDS[name]["title"]
    return words.t(title)


def game_title(words: Language, rules: Ruleset) -> str:
    """Title of the game: the name that a table has given its rules, or that of the preset."""
    return isolated(rules.name) or preset_title(words, described(rules)[0])


def rules_phrase(words: Language, rules: Ruleset) -> str:
    """The rules in a line: title, number of players, end of the match, whether options differ.

    "Les Cœurs, 5 players, 1 deal, with changes"
    """
    end, (_, changes) = rules.ending.match_end, described(rules)
    if end.kind is EndKind.DEALS:
        until = words.n("{count} deal", "{count} deals", end.number)
    else:
        until = words.n("to {count} point", "to {count} points", end.number)
    parts = [
        game_title(words, rules),
        words.n("{count} player", "{count} players", rules.players),
        until,
    ]
    if changes.keys() - {"players", "match_end"}:
        parts.append(words.t("with changes"))
    return ", ".join(parts)


def preset_summary(words: Language, name: str) -> str:
    """One sentence that tells the preset apart. Raises `KeyError`."""
    summary = PRESET_WORDS[name]["summary"]
    return words.t(summary)


def rules_played(rules: Ruleset, whole_matches: bool) -> str:
    """The preset and the options that differ, as they are typed: "coeurs players=5"."""
    preset, differences = described(rules)
    if not whole_matches:
        differences.pop("match_end", None)
    settings = [f"{name}={typed_value(value)}" for name, value in differences.items()]
    return " ".join([preset, *settings])


def typed_value(value: object) -> str:
    """A value as people type it after `--set`."""
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
