"""The pages of docs/ on the rules: a list of the games, a page for each, clauses and options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from volte.rules import OPTIONS, PRESETS, Preset, make_ruleset, options_of
from volte.say.language import Language
from volte.say.rulesheet.clauses import PARTS
from volte.say.rulesheet.options import (
    OPTION_VALUES,
    PRESET_WORDS,
    option_meaning,
    preset_summary,
    preset_title,
    typed_value,
)
from volte.say.rulesheet.phrases import left_out
from volte.say.rulesheet.sheet import markdown_sheet, rule_sheet
from volte.say.rulesheet.vocabulary import TERMS
from volte.say.texts import sections, table
from volte.say.words import Words

FOLDERS: Final = {"en": ("rules", ".md"), "fr": ("regles", ".fr.md")}
"""The folder of the pages of each language, and the end of their names."""

DECISIONS: Final = table("decisions")["decisions"]
"""Decisions on clauses of the wider family, with their sources, by clause."""


def rules_pages(lang: str) -> Mapping[str, str]:
    """The pages on the rules in that language, as Markdown, by their paths in docs/."""
    words = Words(lang)
    folder, end = FOLDERS[lang]
    pages = {
        f"rules{end}": _list(words),
        f"{folder}/clauses{end}": _clauses(words),
        f"{folder}/options{end}": _options(words),
    }
    pages |= {
        f"{folder}/{name}{end}": _game(name, preset, words) for name, preset in PRESETS.items()
    }
    return {path: "\n\n".join(parts) + "\n" for path, parts in pages.items()}


def _list(words: Words) -> Iterator[str]:
    _ = words.t
    folder, end = FOLDERS[words.lang]
    yield "# " + _("The rules")
    yield _("*[Lire en français](rules.fr.md)*")
    yield _(
        "Each game has its own page. In a terminal, `volte rules --rules coeurs` prints the"
        " rules of a game, or your own."
    )
    rows = [
        (
            f"[{preset_title(words, name)}]({folder}/{name}{end})",
            "–".join(map(str, sorted({min(preset.players), max(preset.players)}))),
            preset_summary(words, name),
        )
        for name, preset in PRESETS.items()
    ]
    yield _table((_("game"), _("players"), _("in short")), rows)
    yield _(
        "Change a game with its [options]({options}), or look up [every rule by its "
        "number]({clauses}).",
        options=f"{folder}/options{end}",
        clauses=f"{folder}/clauses{end}",
    )
    for heading, paragraphs in sections(words, "history"):
        yield "## " + heading
        yield from paragraphs
    english, french = Words("en"), Words("fr")
    rows = [(english.t(term.name), french.t(term.name), _(term.meaning)) for term in TERMS]
    yield _table((_("English"), _("French"), _("meaning")), rows)


def _back(words: Words) -> str:
    """The link to the list of games, for the head of a page."""
    return f"*[{words.t('All games')}](../rules{FOLDERS[words.lang][1]})*"


def _clauses(words: Words) -> Iterator[str]:
    _ = words.t
    yield "# " + _("The rules one by one")
    yield _back(words)
    yield _(
        "No game has all of these rules: each game’s [options]({options}) decide which.",
        options=f"options{FOLDERS[words.lang][1]}",
    )
    for title, clauses in PARTS:
        yield "## " + _(title)
        if "W1" in clauses:
            yield _(
                "A table may choose any of these rules; each changes only what it says. After "
                "each rule, you can read what Volte has decided and which sources it relied on."
            )
        yield "\n".join(
            f"- **{name}** {_(message)}{_decided(name, words)}" for name, message in clauses.items()
        )


def _decided(name: str, words: Words) -> str:
    """The decision on a clause, to stand behind it; empty where there was no choice."""
    text = decision(words, name)
    return " " + words.t("*Decided:* {told}", told=text) if text else ""


def decision(words: Language, clause: str) -> str:
    """The decision on a clause, as Markdown; empty where it follows from its source."""
    return words.t(DECISIONS[clause], **_LINKED) if clause in DECISIONS else ""


def preset_source(words: Language, name: str) -> str:
    """The source of a preset, as Markdown. Raises `KeyError`."""
    family = name.partition("-")[0]
    source = PRESET_WORDS[name].get("source") or PRESET_WORDS[family]["source"]
    return words.t(source, **_LINKED)


_BICYCLE: Final = "http://www.bicyclecards.com/card-games/rule"
_WIKIPEDIA: Final = "https://en.wikipedia.org/wiki"
_LINKED: Final = {
    "bicycle_cancellation": f"[Bicycle]({_BICYCLE}/cancellation-hearts)",
    "bicycle_omnibus": f"[Bicycle]({_BICYCLE}/omnibus-hearts)",
    "black_lady": f"[Wikipedia, Black lady]({_WIKIPEDIA}/Black_lady)",
    "black_maria": f"[Wikipedia, Black Maria]({_WIKIPEDIA}/Black_Maria_(card_game))",
    "blu_con": "[The Game of Hearts](http://www.blu-con.com/the-game-of-hearts/)",
    "cancellation": f"[Wikipedia, Cancellation Hearts]({_WIKIPEDIA}/Cancellation_Hearts)",
    "dodofox": "[Hearts by Dodofox](https://www.waerfa.com/hearts-by-dodofox)",
    "eliters": "[Eliters](http://www.eliters.com/games/league/trnyrule.asp?trid=10978)",
    "everything": "[Everything2](https://everything2.com/user/dogwalker/writeups/Hearts)",
    "gamerules": "[gamerules.com](https://gamerules.com/rules/black-maria/)",
    "geocities": (
        "[GeoCities, TimesSquare](https://geocities.datacellar.net/TimesSquare/2767/hearts.html)"
    ),
    "gnome": "[Gnome Hearts](https://www.jejik.com/gnome-hearts/users/)",
    "goldsmith": "[Jeff Goldsmith](https://www.jeff-goldsmith.com/games/hearts.html)",
    "hoyle": "[Alan Hoyle](https://www.alanhoyle.com/hearts-blackmaria.html)",
    "partner": f"[Wikipedia, Partner hearts]({_WIKIPEDIA}/Partner_hearts)",
    "pokerwiner": (
        "[pokerwiner.com](http://www.pokerwiner.com/games-of-playing-cards/hearts-1.html)"
    ),
    "waits": "[stadte.eu](https://stadte.eu/the-game-of-hearts.html)",
}
"""The pages to which sources and decisions lead, as Markdown."""


def _options(words: Words) -> Iterator[str]:
    _ = words.t
    yield "# " + _("Options")
    yield _back(words)
    yield _(
        "Any option goes with any game, and you can combine options as you like. A combination "
        "that cannot be played is refused, and you are told why."
    )
    yield "```\nvolte play --rules coeurs --set queen_discard=free --set players=5\n```"
    yield _("`--rules` also takes the name of a TOML file:")
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
        (f"`{name}={value}`", _(meaning))
        for name, values in OPTION_VALUES.items()
        for value, meaning in values.items()
    ]
    yield _table((_("value"), _("meaning")), meanings)


def _game(name: str, preset: Preset, words: Words) -> Iterator[str]:
    _ = words.t
    rules = make_ruleset(name)
    yield "# " + preset_title(words, name)
    yield _back(words)
    yield preset_summary(words, name)
    yield f"```\nvolte play --rules {name}\n```"
    if len(preset.players) > 1:
        yield _players(preset, words)
        yield _("With {count} players, you play like this:", count=rules.players)
    yield markdown_sheet(rule_sheet(rules, words), level=2)
    yield "## " + _("Options")
    rows = [
        (f"`{key}`", f"`{typed_value(value)}`" if value != [] else _("no cards"))
        for key, value in options_of(rules).items()
    ]
    yield _table((_("option"), _("value")), rows)
    yield _("Source: {told}", told=preset_source(words, name))


def _players(preset: Preset, words: Words) -> str:
    """Table of the deck and the pass, by the number of players."""
    _ = words.t
    heads = (_("players"), _("left out"), _("cards each"), _("kitty"), _("cards passed"))
    rows = []
    for players in sorted(preset.players):
        rules = make_ruleset(preset.name, {"players": players})
        passed = max(map(rules.pass_size, rules.passing.cycle), default=0)
        numbers = (rules.hand_size, rules.kitty_size, passed)
        rows.append((str(players), left_out(rules, words) or _("no cards"), *map(str, numbers)))
    return _table(heads, rows)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
