"""The pages docs/rules.md and docs/rules.fr.md: history, words, clauses, options, every preset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from volte.rules import OPTIONS, PRESETS, Preset, Value, make_ruleset, options_of
from volte.say.catalogue import LANGUAGES
from volte.say.rulesheet.clauses import PARTS
from volte.say.rulesheet.options import (
    OPTION_VALUES,
    option_meaning,
    preset_summary,
    preset_title,
)
from volte.say.rulesheet.sheet import markdown_sheet, rule_sheet
from volte.say.rulesheet.sources import decision, preset_source
from volte.say.rulesheet.table import left_out
from volte.say.texts.origins import VOCABULARY, history, names_of_the_moon
from volte.say.words import Words

PAGES: Final = {"en": "rules.md"} | {lang: f"rules.{lang}.md" for lang in LANGUAGES if lang != "en"}
"""The page of each language, by name."""


def rules_page(lang: str) -> str:
    """The whole page in Markdown."""
    words = Words(lang)
    parts = [*_opening(words), *_clauses(words), *_options(words), *_presets(words)]
    return "\n\n".join(parts) + "\n"


def _opening(words: Words) -> Iterator[str]:
    _ = words.t
    yield "# " + _("The rules")
    yield _("*[Lire en français](rules.fr.md)*")
    yield _(
        "This page is made by the program, from the same sentences that it speaks: every rule with"
        " the mark by which refusals name it, then the exact rules of every table that has a name."
        " `volte rules --rules coeurs` prints those of any table, your own included."
    )
    yield "## " + _("History")
    yield from history(words)
    yield "## " + _("Words of the game")
    yield names_of_the_moon(words)
    english, french = Words("en"), Words("fr")
    rows = [(english.t(name), french.t(name), _(meaning)) for name, meaning in VOCABULARY]
    yield _table((_("English"), _("French"), _("meaning")), rows)


def _clauses(words: Words) -> Iterator[str]:
    _ = words.t
    yield "## " + _("The rules one by one")
    yield _(
        "Not every table plays by all of them: its options decide, as the sheets further down show."
    )
    for title, clauses in PARTS:
        yield "### " + _(title)
        if "W1" in clauses:
            yield _(
                "Of the rules above, these change what they name, where a table has chosen so. What"
                " was decided follows each, and where it is from."
            )
        yield _list(
            " ".join(filter(None, (f"**{name}** {_(message)}", _decided(name, words))))
            for name, message in clauses.items()
        )


def _decided(name: str, words: Words) -> str:
    text = decision(words, name)
    return words.t("*Decided:* {told}", told=text) if text else ""


def _options(words: Words) -> Iterator[str]:
    _ = words.t
    yield "## " + _("Options")
    yield _(
        "Any option goes with any preset, and any options go together. What cannot be played is"
        " refused with the reason."
    )
    yield "```\nvolte play --rules coeurs --set queen_discard=free --set players=5\n```"
    yield _("They can also stand in a TOML file, which `--rules` takes in place of a name:")
    yield '```\npreset = "coeurs"\nqueen_discard = "free"\nplayers = 5\n```'
    rows = [
        (
            f"`{name}`",
            ", ".join(f"`{value}`" for value in option.values),
            option_meaning(words, name),
        )
        for name, option in OPTIONS.items()
    ]
    yield _table((_("option"), _("values"), _("what it decides")), rows)
    yield _("What the values mean:")
    meanings = [
        (f"`{name}={value}`", words.t(OPTION_VALUES[name][value]))
        for name, values in OPTION_VALUES.items()
        for value in values
    ]
    yield _table((_("value"), _("meaning")), meanings)


def _presets(words: Words) -> Iterator[str]:
    _ = words.t
    yield "## " + _("Tables with a name")
    for name, preset in PRESETS.items():
        yield f"### {preset_title(words, name)} (`{name}`)"
        yield preset_summary(words, name)
        yield _("Source: {told}", told=preset_source(words, name))
        yield f"```\nvolte play --rules {name}\n```"
        yield _players(preset, words)
        rules = make_ruleset(name)
        if len(preset.players) > 1:
            yield _("With {count} players, this is played:", count=rules.players)
        yield markdown_sheet(rule_sheet(rules, words), words, level=4)
        yield "#### " + _("Options")
        rows = [(f"`{key}`", _typed(value, words)) for key, value in options_of(rules).items()]
        yield _table((_("option"), _("value")), rows)


def _players(preset: Preset, words: Words) -> str:
    """What changes with the number of players."""
    _ = words.t
    heads = (_("players"), _("left out"), _("cards each"), _("kitty"), _("cards passed"))
    rows = []
    for players in sorted(preset.players):
        rules = make_ruleset(preset.name, {"players": players})
        passed = max(map(rules.pass_size, rules.passing.cycle), default=0)
        numbers = (rules.hand_size, rules.kitty_size, passed)
        rows.append((str(players), left_out(rules, words) or _("no cards"), *map(str, numbers)))
    return _table(heads, rows)


def _typed(value: Value, words: Words) -> str:
    """A value as people type it after `--set`."""
    _ = words.t
    if isinstance(value, list):
        return f"`{','.join(value)}`" if value else _("no cards")
    return f"`{str(value).lower()}`" if isinstance(value, bool) else f"`{value}`"


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
