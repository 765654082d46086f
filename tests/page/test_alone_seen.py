"""Pages of a site without a server: judged, measured, and walked through by keys alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, TypeAlias

import pytest
from kit.browser import judging
from kit.browser.alone import LONG, Alone, address_of, lent_alone
from kit.browser.judging import AAA
from kit.browser.means import Keys, do_what_is_due, tab_to
from kit.spoken import EVERY
from page.test_every_page import LARGE, Look, every_look, judge
from playwright.sync_api import Browser, Route

pytestmark = pytest.mark.full

Visiting: TypeAlias = Callable[..., Alone]

PLAIN: Final = ("fair", "help", "rules", "rules/coeurs", "accessibility", "licences")
"""Addresses of pages that are only read."""

DEAL: Final = f"/deals/microsoft.4.0.casual.{'0123456789abcdef' * 2}"
MADE: Final = (
    "/learn",
    "/learn/3?turn=0&tried=1&card=KC",
    "/puzzle",
    "/puzzle/all",
    "/clerk",
    "/deals",
    DEAL,
)
"""Addresses of pages that the worker makes."""

PACKAGES: Final = "**/packages.zip.txt"


@pytest.fixture
def visiting(browser: Browser, site_alone: str) -> Iterator[Visiting]:
    """Opens browsers at the site; they complain of nothing but what a test breaks."""
    with lent_alone(browser, site_alone) as browse:
        yield partial(browse, still=True, moving=False)


def held(route: Route) -> None:
    """Leave a request without an answer."""


def missing(route: Route) -> None:
    route.fulfill(status=404, body="")


def texts(player: Alone) -> Iterator[str]:
    """The pages without a match."""
    player.go_to("/")
    player.page.wait_for_selector("#kept-none:visible")
    player.go_to(f"/{player.lang}/")
    player.page.wait_for_selector("#kept-none:visible")
    yield "first"
    player.page.click("details.game > summary")
    yield "first-open"
    for path in PLAIN:
        player.go_to(f"/{player.lang}/{path}/")
        yield path.replace("/", "-")


def tables(player: Alone) -> Iterator[str]:
    """A table from its start to the cards, and what is kept of it."""
    player.page.route(PACKAGES, held)
    player.go_to(address_of(player.lang, preset="coeurs"))
    player.page.wait_for_selector("#start-told")
    yield "starting"
    player.page.unroute(PACKAGES)
    player.page.route(PACKAGES, missing)
    player.page.reload()
    player.page.wait_for_selector("#start-buttons a")
    yield "failed"
    player.complaints.clear()  # about the file that was missing
    player.page.unroute(PACKAGES)
    player.sit_alone(preset="coeurs", players="4", level="casual")
    player.due()
    yield "passing-alone"
    do_what_is_due(player, Keys(), "Pass")
    player.due()
    yield "playing-alone"
    elsewhere = player.context.new_page()
    elsewhere.goto(player.page.url)
    elsewhere.wait_for_selector("#start-buttons button", timeout=LONG)
    first, player.page = player.page, elsewhere
    yield "elsewhere"
    player.page = first
    elsewhere.close()
    player.go_to(f"/{player.lang}/")
    player.page.wait_for_selector("#kept-list li")
    yield "kept"
    player.page.locator("#kept-list button").click()
    player.page.wait_for_selector("[role=dialog]")
    yield "delete"


def made(player: Alone) -> Iterator[str]:
    """Pages that the worker makes, from the start of Python to a page that is not there."""
    player.page.route(PACKAGES, held)
    player.page.goto(f"{player.address}/{player.lang}/learn/")
    player.page.wait_for_selector("#start-told")
    yield "loading"
    player.page.unroute(PACKAGES)
    for path in (*MADE, "/clerk/revoke", "/puzzle/0"):
        player.go_to(path)
        yield path.strip("/").replace("/", "-")


@every_look()
def test_pages_of_a_site_are_for_everybody(
    visiting: Visiting, look: Look, request: pytest.FixtureRequest
) -> None:
    player = visiting(look.lang, width=look.width, height=720, theme=look.theme)
    judge(player, texts(player), request, AAA)


@every_look()
def test_pages_that_the_worker_makes_are_for_everybody(
    visiting: Visiting, look: Look, request: pytest.FixtureRequest
) -> None:
    player = visiting(look.lang, width=look.width, height=720, theme=look.theme)
    judge(player, made(player), request)


@every_look()
def test_a_table_that_starts_fails_or_plays_is_for_everybody(
    visiting: Visiting, look: Look, request: pytest.FixtureRequest
) -> None:
    player = visiting(look.lang, width=look.width, height=720, theme=look.theme)
    judge(player, tables(player), request)


@pytest.mark.parametrize("lang", EVERY)
def test_twice_the_size(visiting: Visiting, lang: str) -> None:
    """As in `test_every_page`: by zoom, and by larger text."""
    player = visiting(lang, width=640, height=360)
    faults: list[str] = []
    for walk in (texts, made, tables):
        for name in walk(player):
            found = judging.measured(player.page, "wide")
            player.page.set_viewport_size({"width": 1280, "height": 720})
            player.page.evaluate(judging.WEAR, LARGE)
            found += [*judging.measured(player.page, "wide"), *judging.measured(player.page, "cut")]
            player.page.evaluate(judging.WEAR, "")
            player.page.set_viewport_size({"width": 640, "height": 360})
            faults += [f"{name}: {each}" for each in found]
    assert not faults, "\n".join(["", *faults])


@pytest.mark.parametrize("lang", EVERY)
def test_by_keys_alone_from_the_first_page_to_the_next_deal(visiting: Visiting, lang: str) -> None:
    """Tab finds all of it, and no happening loses or moves the focus."""
    player = visiting(lang)
    player.go_to(f"/{lang}/")
    player.page.wait_for_selector("#kept-none:visible")
    tab_to(player, "#play-now")
    player.keys("Enter")
    player.dealt()
    player.page.wait_for_selector("#hand [role=option]:focus")
    player.suit(bot_pace=0, trick_pace=0, helped=True)
    player.page.reload()
    player.dealt()
    while (due := player.due()) != "Next":
        do_what_is_due(player, Keys(), due)
    player.keep_focus()
    do_what_is_due(player, Keys(), "Next")
    assert player.due() == "Pass"
    player.keep_focus()
