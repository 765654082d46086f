"""One browser for a whole run, and a playroom; tests borrow browsers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.browser.alone import lent_alone
from kit.browser.players import ARGUMENTS, CHROMIUM, PATIENCE, Browse, Browsers, Player
from kit.exporting import exported
from kit.hosting import Host
from kit.luck import luck_is_told
from kit.sites import Playroom, open_playroom
from playwright.sync_api import Browser, expect, sync_playwright

__all__ = ["luck_is_told"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest file first, so that nobody waits for it at the end."""
    items.sort(key=lambda item: item.path.stem != "test_every_page")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def playroom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playroom]:
    with open_playroom(tmp_path_factory.mktemp("playroom"), turn_down=0.01, cut=0.01) as open_one:
        yield open_one


@pytest.fixture(scope="session")
def browsers(browser: Browser) -> Browsers:
    return Browsers(browser)


@pytest.fixture
def browse(browsers: Browsers, playroom: Playroom) -> Iterator[Browse]:
    with browsers.lent(playroom) as opens:
        yield opens


@pytest.fixture(scope="session")
def site_alone() -> Iterator[str]:
    """The address of a site without a server."""
    with Host({"": exported()}) as host:
        yield host.address


@pytest.fixture(params=["server", pytest.param("alone", marks=pytest.mark.full)])
def anywhere(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Browse]:
    """Opens browsers at the playroom, and at a site without a server."""
    if request.param == "server":
        yield request.getfixturevalue("browse")
        return
    with lent_alone(browser, request.getfixturevalue("site_alone")) as opens:
        yield opens


@pytest.fixture(scope="module")
def module_browse(browsers: Browsers, playroom: Playroom) -> Iterator[Browse]:
    """Opens browsers that all tests of a module share."""
    with browsers.lent(playroom) as opens:
        yield opens


@pytest.fixture
def newcomer(browse: Browse) -> Player:
    """Somebody who reads French, at a desk; they have not come in yet."""
    return browse("fr")


@pytest.fixture
def player(newcomer: Player) -> Player:
    """Zoé, who has come in."""
    return newcomer.come_in()


@pytest.fixture
def english(browse: Browse) -> Player:
    """Zoé, who reads English, and has come in."""
    return browse("en").come_in()
