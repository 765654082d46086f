"""Takes a picture of every page and every state of the table: see scripts/pictures."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from page.places import SEED, company_states, pages, shapes, table_states
from page.players import ARGUMENTS, CHROMIUM, Player, Theme, dealt_from
from page.refereed import refereed_states
from page.wider import wider_states
from playwright.sync_api import Browser, sync_playwright
from server.visiting import House, open_house

SCREENS: Final = {"phone": (390, 844), "desk": (1280, 800)}
LANGUAGES: Final = ("fr", "en")
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
WALKS: Final = (
    pages,
    table_states,
    shapes,
    company_states,
    refereed_states,
    wider_states,
)
DIALOGS: Final = ("keys", "sure", "referee-object", "referee-claim")
LOOKS: Final = {*SCREENS, *LANGUAGES, *THEMES}

INDEX: Final = """<!doctype html><meta charset="utf-8"><title>Pictures</title>
<style>body { font: 1rem system-ui; background: #888 } figure { display: inline-block;
margin: .5rem; vertical-align: top } img { height: 22rem; border: 1px solid }</style>
"""
FIGURE: Final = """<figure><a href="{0}.png"><img loading="lazy" src="{0}.png" alt=""></a>
<figcaption>{0}</figcaption></figure>
"""


def looks(chosen: list[str]) -> Iterator[tuple[str, str, Theme, str]]:
    """Each way of looking that was asked for: its name, language, theme and screen."""
    for lang in LANGUAGES:
        for theme in THEMES:
            for screen in SCREENS:
                words = {lang, theme, screen}
                if words.issuperset(word for word in chosen if word in LOOKS):
                    yield f"{lang}-{theme}-{screen}", lang, theme, screen


def take(browser: Browser, house: House, folder: Path, chosen: list[str]) -> None:
    """Takes the pictures whose names are among those chosen; all, where none is."""
    names = [word for word in chosen if word not in LOOKS]
    for look, lang, theme, screen in looks(chosen):
        width, height = SCREENS[screen]
        player = Player(browser, house, lang, width=width, height=height, theme=theme, still=True)
        with dealt_from(house, SEED):
            for name in chain(*(walk(player) for walk in WALKS)):
                if not names or name in names:
                    path = folder / f"{name}.{look}.png"
                    player.page.screenshot(path=path, full_page=name not in DIALOGS)
                    print(path)
        player.close()


def index(folder: Path) -> None:
    """A page with all the pictures that are there."""
    names = sorted(path.stem for path in folder.glob("*.png"))
    text = INDEX + "".join(FIGURE.format(name) for name in names)
    (folder / "index.html").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="fr en light dark phone desk, or the names of pages and states",
    )
    parser.add_argument("--folder", type=Path, default=Path("build/pictures"))
    asked = parser.parse_args()
    if CHROMIUM is None:
        parser.error("Chromium is missing: please install the package chromium")
    asked.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as room,
        open_house(Path(room)) as house,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        take(browser, house, asked.folder, asked.words)
        browser.close()
    index(asked.folder)


if __name__ == "__main__":
    main()
