"""The pages as a screen reader has them: roles and names, as text files that a person can read.

VOLTE_REMAKE_GOLDENS=1 writes the files anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from difflib import unified_diff
from pathlib import Path

import pytest
from kit.sites import House
from page.places import SEED, shapes, table_states
from page.players import Player, dealt_from
from page.refereed import refereed_states
from page.wider import wider_states
from playwright.sync_api import Browser

SNAPSHOTS = Path(__file__).parent / "snapshots"

UNSPOKEN = "(silent) => document.getElementById('live').setAttribute('aria-hidden', silent)"
"""The live region says what it says when it likes: see the announcements for that."""

LOG = re.compile(r'^( *)(- log "[^"]*").*$(?:\n\1 +.*$)*', re.MULTILINE)
"""So does the log, where it tells of pauses while pages were loaded."""


def read(player: Player) -> str:
    """The main part of the page, without what is never the same twice."""
    player.page.evaluate(UNSPOKEN, "true")
    text = player.page.locator("main").aria_snapshot() + "\n"
    player.page.evaluate(UNSPOKEN, "false")
    text = LOG.sub(r"\1\2: …", text)
    return re.sub(r"(http://[\w.:]+)?/(tables|matches)/[\w-]+(/invited/\w+)?", r"/\2/…", text)


ENGLISH_FIRST = pytest.mark.parametrize("lang", ["en", pytest.param("fr", marks=pytest.mark.full)])


@ENGLISH_FIRST
def test_states_of_the_table(browser: Browser, house: House, lang: str) -> None:
    agree(Player(browser, house, lang, still=True), house, table_states, shapes)


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_states_of_a_refereed_table(browser: Browser, house: House, lang: str) -> None:
    player = Player(browser, house, lang, still=True)
    player.come_in()
    agree(player, house, refereed_states)


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_states_of_the_wider_family(browser: Browser, house: House, lang: str) -> None:
    player = Player(browser, house, lang, still=True)
    player.come_in()
    agree(player, house, wider_states)


def agree(player: Player, house: House, *walks: Callable[[Player], Iterator[str]]) -> None:
    """All that is walked through is as its files say."""
    wrong = []
    try:
        with dealt_from(house, SEED):
            for states in walks:
                for name in states(player):
                    player.page.wait_for_selector(".lingering", state="detached")
                    wrong += unlike(SNAPSHOTS / player.lang / f"{name}.txt", read(player))
    finally:
        player.close()
    assert not wrong, "\n".join(["look at what VOLTE_REMAKE_GOLDENS=1 changes:", *wrong])


def unlike(golden: Path, text: str) -> list[str]:
    """The lines in which they differ."""
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    kept = golden.read_text(encoding="utf-8") if golden.exists() else ""
    return list(unified_diff(kept.splitlines(), text.splitlines(), golden.name, n=0, lineterm=""))
