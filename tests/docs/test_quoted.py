"""Names of buttons and settings in the pages for players: as the program says them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from kit.sentences import plain, sentences

from volte.say import Words

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = ("README", "docs/first-game", "docs/playroom", "docs/score")

EXAMPLES: Final = {
    "Tonight at 20:30",
    "Ce soir à 20:30",
    "2, ace, king, your turn",
    "2, as, roi, à vous",
}
"""Quoted as what might be heard or read; places are filled in."""

QUOTED: Final = {"en": re.compile("“([^”]+)”"), "fr": re.compile("«\u00a0([^»]+)\u00a0»")}
PATHS: Final = re.compile(" → ")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_page_for_players_names_buttons_as_they_are(lang: str, page: str) -> None:
    text = (ROOT / f"{page}{'.fr' if lang == 'fr' else ''}.md").read_text(encoding="utf-8")
    words = Words(lang)
    plainly = {each for each in sentences() if isinstance(each, str) and "{" not in each}
    said = {plain(words.t(each)) for each in plainly}
    quoted = {
        name
        for each in QUOTED[lang].findall(text)
        for name in PATHS.split(plain(each).replace("\n", " "))
    }
    unknown = quoted - said - EXAMPLES
    begun = {name for name in unknown if any(re.match(f"{re.escape(name)} ?;", it) for it in said)}
    assert unknown - begun == set()
