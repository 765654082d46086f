"""Pages of a site without a server, made from the templates of the playroom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from volte.alone.places import SECTIONS, SiteFacts, there
from volte.bots.levels import LEVELS, OF_EXTRA
from volte.forms.fields import FilledForm
from volte.forms.game import STYLED, game_choices, game_fields
from volte.forms.preferences import ALONE, filled_in
from volte.history.match_page import OPENED
from volte.people.settings_shown import list_keys, quick_context
from volte.rules import DEFAULT, PRESETS, make_ruleset
from volte.say import N_, Words, words_of
from volte.say.catalogue import LANGUAGES
from volte.say.keys import OF_COMPANY, ON_PAGE, keys_of
from volte.say.rulesheet.vocabulary import all_terms
from volte.say.texts import sections, table
from volte.scorekeeper.web.sheets import STATE
from volte.site.licences import COMPONENTS
from volte.site.policy import MISSING
from volte.table import Setup
from volte.web.assets import static
from volte.web.controls import presets_told
from volte.web.page import HEADINGS, other_languages
from volte.web.page import rendered as from_template
from volte.web.rules_page import rules_context

TEXTS: Final = {
    "fair": (N_("What the check here proves"), "fairness_alone"),
    "history": (N_("Where the game comes from"), "origins"),
}
"""Pages that are texts: titles and files, by path."""

TITLES: Final = {
    "clerk": N_("Something went wrong: what now?"),
    "deals": N_("Deals by a link"),
    "learn": N_("Learn to play"),
    "matches": N_("My matches"),
    "puzzle": N_("Puzzles"),
    "score": N_("Score sheets"),
}
"""Titles of the sections, until the pages in them have come."""

SENTENCES: Final = table("solo")

FRONT: Final = (N_("Hearts for everybody, at the same table."), N_("Play now"))
"""The title and the link of the page of all languages."""


class SitePage(NamedTuple):
    """A page in one language: its path below those of that language, and how it is made."""

    path: str  # such as `rules/microsoft`; empty for the first page
    template: str
    context: Mapping[str, Any]


def rendered(
    base: str, attributes: Mapping[str, str], policy: str = "", playroom: str = ""
) -> dict[str, bytes]:
    """Pages of the site in all languages, by their path in its folder.

    Args:
        base: path at which the folder is served; empty for the root of its host.
        attributes: of the root element of each page.
        policy: the content security policy, to be written into each page.
        playroom: address at which people play together; empty if none is known.
    """
    attributes = {**attributes, "data-base": base, "data-languages": " ".join(LANGUAGES)}
    facts = SiteFacts(base, attributes, policy, [], playroom)
    made = {
        "index.html": _languages(facts, *FRONT, leads=True),
        MISSING: _languages(facts, HEADINGS[404], SENTENCES["start"]["first"]),
    }
    for lang in LANGUAGES:
        words, home = words_of(lang), f"{base}/{lang}"
        own = re.compile(rf'(href="{re.escape(home)}(?:/[\w/-]*[\w-])?)/?(?=["?#])')
        for path, template, context in _pages(words, base):
            elsewhere = [
                (each, called, f"{base}/{each}/{path}/".replace("//", "/"))
                for each, called in other_languages(lang)
            ]
            given: dict[str, Any] = {
                "static": partial(static, lang=lang, base=base),
                "there": there,
                "alone": facts._replace(elsewhere=elsewhere),
                "path": f"/{path}",
            }
            text = from_template(template, words, home, None, **{**given, **context})
            # Hosts of files find a folder by the slash at its end.
            name = path if path.endswith(".html") else f"{path}/index.html".lstrip("/")
            made[f"{lang}/{name}"] = own.sub(r"\1/", text).encode()
    return made


def _pages(words: Words, base: str) -> Iterator[SitePage]:
    """The pages in a language of a site at that path."""
    form = FilledForm.of(game_fields(words), {})
    levels = (STYLED, *(level for level in LEVELS if level not in OF_EXTRA))
    choices = game_choices(words, form["preset"], levels)
    first = {"form": form.texts, "sentences": _said(words), "elsewhere": (OPENED, STATE)}
    yield SitePage("", "first.html", first | choices)
    yield SitePage("table", "table.html", _table(words))
    chosen = filled_in({"lang": words.lang})
    here = {"sections": SECTIONS, "chosen": chosen, "sentences": _said(words)}
    for section in SECTIONS:
        yield SitePage(section, "section.html", here | {"title": words.t(TITLES[section])})
    filled = FilledForm.of(ALONE, chosen)
    shown = {"form": filled.texts, "shown": filled.carried, "csrf": ""}
    yield SitePage("settings.html", "settings.html", shown | quick_context(words, chosen, ALONE))
    presets = presets_told(words)
    keys = [key for key in keys_of(*ON_PAGE) if key not in OF_COMPANY]
    told = {
        "presets": presets,
        "keys_told": list_keys(words, None, keys),
        "terms": all_terms(words),
    }
    yield SitePage("help", "help.html", told)
    yield SitePage("rules", "rules.html", {"presets": presets})
    for name, preset in PRESETS.items():
        usual, *_ = preset.players
        yield SitePage(f"rules/{name}", "preset.html", rules_context(words, name, usual))
        for players in preset.players:
            context = rules_context(words, name, players)
            yield SitePage(f"rules/{name}/{players}", "preset.html", context)
    for path, (title, file) in TEXTS.items():
        text = {"title": words.t(title), "sections": sections(words, file)}
        yield SitePage(path, "text.html", text)
    # The last section of a server is about a form on its page.
    access = (*sections(words, "accessibility")[:-1], *sections(words, "accessibility_alone"))
    title = words.t(N_("Accessibility"))
    yield SitePage("accessibility", "text.html", {"title": title, "sections": access})
    handed_on = {"works": COMPONENTS, "licences": f"{base}/licences/"}
    yield SitePage("licences", "licences.html", handed_on)


def _said(words: Words) -> dict[str, str]:
    """The sentences of the scripts, their places left open."""
    every = {**SENTENCES["start"], **SENTENCES["first"], **SENTENCES["pages"]}
    return {name: words.unfilled(sentence) for name, sentence in every.items()}


def _table(words: Words) -> dict[str, Any]:
    """Context of the page of a table; what depends on its rules comes from its scenes."""
    return {
        "setup": Setup(words.t("The table"), make_ruleset(DEFAULT)),
        "chosen": filled_in({"lang": words.lang}),
        "sentences": _said(words),
        "levels": (),
        "live_at": "",
        "begin": False,
        "sit": False,
        "private": True,
        "hosts": False,
        "address": "",
    }


def _languages(facts: SiteFacts, title: str, link: str, *, leads: bool = False) -> bytes:
    """A page in all languages: in each a title, and a link to its first page.

    Args:
        leads: whether it leads on at once, to the pages in the visitor's language.
    """
    spoken = [(lang, words_of(lang).t(title), words_of(lang).t(link)) for lang in LANGUAGES]
    given = {"alone": facts, "spoken": spoken, "leads": leads}
    words = words_of(LANGUAGES[0])
    return from_template("languages.html", words, facts.base, None, **given).encode()
