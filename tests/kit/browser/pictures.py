"""Pictures of every page and every state of the table: see scripts/pictures."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kit.browser import states
from kit.browser.means import Mouse, legal
from kit.browser.pages import pages
from kit.browser.players import ARGUMENTS, CHROMIUM, Player, Theme, dealt_from
from kit.sites import Playroom, open_playroom
from playwright.sync_api import Browser, sync_playwright

SCREENS: Final = {
    "phone": (390, 844),
    "low": (667, 375),
    "desk": (1280, 800),
    "large": (2560, 1440),
}
LANGUAGES: Final = ("fr", "fr-CA", "en")
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
TABLES: Final = (
    states.table_states,
    states.shapes,
    states.company_states,
    states.meeting_states,
    states.refereed_states,
    states.wider_states,
    states.opened_states,
    states.dead_ends,
)
"""Walks through states of the table, which fit the window; all other pages are taken whole."""

README: Final[tuple[tuple[str, str, tuple[int, int]], ...]] = (
    ("first-page", "en", (1024, 640)),
    ("table", "en", (1024, 640)),
    ("telephone", "fr", (360, 640)),
)
"""The pictures of the README: their names, languages and windows."""

LOOKS: Final = {*SCREENS, *LANGUAGES, *THEMES}

INDEX: Final = """<!doctype html><meta charset="utf-8"><title>Pictures</title>
<style>body { font: 1rem system-ui; background: #888 } figure { display: inline-block;
margin: .5rem; vertical-align: top } img { height: 22rem; border: 1px solid }</style>
"""
FIGURE: Final = """<figure><a href="{0}.png"><img loading="lazy" src="{0}.png" alt=""></a>
<figcaption>{0}</figcaption></figure>
"""


def looks(chosen: list[str]) -> Iterator[tuple[str, str, Theme, str]]:
    """Yield each look that was asked for: name, language, theme and screen."""
    for lang in LANGUAGES:
        for theme in THEMES:
            for screen in SCREENS:
                words = {lang, theme, screen}
                if words.issuperset(word for word in chosen if word in LOOKS):
                    yield f"{lang}-{theme}-{screen}", lang, theme, screen


def take(browser: Browser, playroom: Playroom, folder: Path, chosen: list[str]) -> None:
    """Take the pictures whose names are chosen; all if none is."""
    names = [word for word in chosen if word not in LOOKS]
    for look, lang, theme, screen in looks(chosen):
        width, height = SCREENS[screen]
        for whole, walk in ((True, pages), *((False, walk) for walk in TABLES)):
            player = Player(
                browser, playroom, lang, width=width, height=height, theme=theme, still=True
            )
            with dealt_from(playroom, states.SEED):
                for name in walk(player):
                    if not names or name in names:
                        path = folder / f"{name}.{look}.png"
                        player.page.screenshot(path=path, full_page=whole)
                        print(path)
            player.close()


def take_readme(browser: Browser, playroom: Playroom, folder: Path) -> None:
    """The first page, and a table in the middle of a deal, at a desk and on a telephone."""
    for name, lang, (width, height) in README:
        player = Player(browser, playroom, lang, width=width, height=height, still=True)
        with dealt_from(playroom, states.SEED):
            player.go_to("/")
            if name != "first-page":
                player.play_now()
                player.suit(bot_pace=0, trick_pace=0, helped=True)
                player.page.reload()
                while not (player.due() == "Play" and len(player.scene["trick"]) == 3):
                    moment = player.moment()
                    if player.due() == "Pass":
                        Mouse().pass_cards(player)
                    else:
                        legal(player).first.press("Enter")
                    player.until_after(moment)
        player.page.wait_for_timeout(1000)
        path = folder / f"{name}.jpg"
        player.page.screenshot(path=path, type="jpeg", quality=62)
        print(path)
        player.close()


def index(folder: Path) -> None:
    """Write a page with all pictures of a folder."""
    names = sorted(path.stem for path in folder.glob("*.png"))
    text = INDEX + "".join(FIGURE.format(name) for name in names)
    (folder / "index.html").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="fr fr-CA en light dark phone low desk large, or the names of pages and states",
    )
    parser.add_argument("--folder", type=Path, default=Path("build/pictures"))
    parser.add_argument("--readme", action="store_true", help="those of the README alone")
    asked = parser.parse_args()
    if CHROMIUM is None:
        parser.error("Chromium is missing: please install the package chromium")
    asked.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as room,
        open_playroom(Path(room)) as playroom,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        if asked.readme:
            asked.folder = Path("docs/pictures")
            asked.folder.mkdir(exist_ok=True)
            take_readme(browser, playroom, asked.folder)
        else:
            take(browser, playroom, asked.folder, asked.words)
            index(asked.folder)
        browser.close()


if __name__ == "__main__":
    main()
