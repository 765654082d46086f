"""One browser for a whole run, and a playroom and a player for whoever asks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.sites import House, open_house
from page.players import ARGUMENTS, CHROMIUM, Player
from playwright.sync_api import Browser, sync_playwright


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house"), turn_down=0.01, cut=0.01) as open_one:
        yield open_one


@pytest.fixture
def player(browser: Browser, house: House) -> Iterator[Player]:
    """Somebody who reads French, at a desk; they have not come in yet."""
    somebody = Player(browser, house, "fr")
    yield somebody
    somebody.close()
