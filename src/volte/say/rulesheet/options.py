"""What the options and the presets are called and mean, for lists and for docs/rules.md."""

from __future__ import annotations

from typing import Final

from volte.names import isolated
from volte.rules import Ruleset, described
from volte.say.language import Language
from volte.say.texts import table

PRESET_WORDS: Final = table("presets")
"""By preset: its title, its summary, and where it is from."""

_MEANINGS: Final = table("options")["options"]
"""What each option decides."""

OPTION_VALUES: Final = {
    name: values for name, values in table("options").items() if name != "options"
}
"""What the values of an option mean, by its name; numbers and cards speak for themselves."""


def option_meaning(words: Language, name: str) -> str:
    """What the option of that name decides, in a few words. Raises `KeyError`."""
    return words.t(_MEANINGS[name])


def preset_title(words: Language, name: str) -> str:
    """What the preset of that name is called. Raises `KeyError`."""
    title = PRESET_WORDS[name]["title"]
    return words.t(title)


def game_title(words: Language, rules: Ruleset) -> str:
    """Title of the game: the name that a table has given its rules, or that of the preset."""
    return isolated(rules.name) or preset_title(words, described(rules)[0])


def preset_summary(words: Language, name: str) -> str:
    """One sentence that tells the preset apart. Raises `KeyError`."""
    summary = PRESET_WORDS[name]["summary"]
    return words.t(summary)


def rules_played(rules: Ruleset, whole_matches: bool) -> str:
    """The preset and what differs, as it is typed: "coeurs players=5"."""
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
