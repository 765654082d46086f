"""The pages of a site without a server: what leads where, in all languages."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import pytest

from volte.forms.preferences import OF_COMPANY, PREFERENCES
from volte.rules import PRESETS
from volte.say.catalogue import LANGUAGES, TONGUES, tongue
from volte.site.licences import COMPONENTS, texts
from volte.site.pages import rendered
from volte.web.assets import assets

BASE = "/games/volte"
PLAYROOM = "https://volte.example/cards/"
LINK = re.compile(r' (?:href|src|action)="([^"?#]*)[^"]*"')


@cache
def pages() -> dict[str, str]:
    made = rendered(BASE, {"data-runtime": "{}"}, "default-src 'self'", PLAYROOM)
    return {path: content.decode() for path, content in made.items()}


def links(path: str) -> set[str]:
    """The paths to which a page leads, below the site."""
    found = {*LINK.findall(pages()[path])} - {"", PLAYROOM, *(each.source for each in COMPONENTS)}
    assert all(each.startswith(f"{BASE}/") for each in found), path
    return {each.removeprefix(f"{BASE}/") for each in found}


def test_pages_lead_only_to_what_the_site_has() -> None:
    """So nothing is shown that needs a server, or other people."""
    folders = {path.removesuffix("index.html") for path in pages() if path.endswith("index.html")}
    beside = {*(f"{lang}/manifest.webmanifest" for lang in LANGUAGES), *texts()}
    for path in pages():
        files = {each for each in links(path) if each.startswith("static/")}
        assert {each.split("/", 2)[2] for each in files} <= assets().keys(), path
        sent = {f"{lang}/me" for lang in LANGUAGES} if path.endswith("settings.html") else set()
        assert links(path) - files <= folders | beside | sent, path


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_leads_to_itself_in_the_other_languages(lang: str) -> None:
    own = [path for path in pages() if path.startswith(f"{lang}/")]
    assert f"{lang}/index.html" in own
    for path, other in product(own, {*LANGUAGES} - {lang}):
        twin = f"{other}/{path.removeprefix(f'{lang}/')}"
        assert twin in pages()
        if not path.endswith("settings.html") and other in {*TONGUES} - {tongue(lang)}:
            assert twin.removesuffix("index.html") in links(path), path
            assert f'<html lang="{lang}"' in pages()[path]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_says_where_people_play_together(lang: str) -> None:
    link = f'<a href="{PLAYROOM}" rel="noopener noreferrer">volte.example/cards</a>'
    own = [path for path in pages() if path.startswith(f"{lang}/")]
    assert all(pages()[path].count(link) == (path != f"{lang}/settings.html") for path in own)


def test_settings_ask_for_nothing_about_other_people() -> None:
    page = pages()["en/settings.html"]
    assert [name for name in PREFERENCES if f' name="{name}"' not in page] == [*OF_COMPANY]
    assert not re.search("hear-(coming|going)|verybody", page)


def test_nobody_is_looked_for_where_nobody_can_come() -> None:
    asked = re.compile("/meet|play-with-people|else is looking for|autre cherche des partenaires")
    assert [name for name, page in pages().items() if asked.search(page)] == []


def test_where_nothing_is_a_page_in_all_languages_leads_to_the_first_pages() -> None:
    assert {f"{lang}/" for lang in LANGUAGES} <= links("404.html")
    assert "<script" not in pages()["404.html"]


def test_the_rules_of_every_game_are_there_for_every_number_of_players() -> None:
    for name, preset in PRESETS.items():
        for players in preset.players:
            assert f"fr/rules/{name}/{players}/index.html" in pages()


def test_what_a_page_may_load_stands_in_it_before_anything_is_loaded() -> None:
    for path, text in pages().items():
        if not path.endswith("settings.html"):
            policy, loads = text.index("Content-Security-Policy"), text.index("/static/")
            assert policy < loads, path
