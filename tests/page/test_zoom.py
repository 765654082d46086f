"""Text and pages made larger, stronger contrast, and the system's own colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from kit.sites import House
from page.judging import WEAR, contrast_faults, measured
from page.places import SEED, pages, shapes
from page.players import Player, dealt_from
from playwright.sync_api import Browser

LARGE = "html { font-size: 200% !important; }"


def visited(player: Player, house: House) -> Iterator[str]:
    """Every page, and tables with the fewest and the most people."""
    yield from pages(player)
    with dealt_from(house, SEED):
        yield from shapes(player)


@pytest.mark.full
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_twice_the_size(browser: Browser, house: House, lang: str) -> None:
    """At 1280 pixels, by the browser's zoom (which leaves 640 of them) and by larger text."""
    player = Player(browser, house, lang, width=640, height=360, still=True)
    faults: list[str] = []
    try:
        for name in visited(player, house):
            found = measured(player.page, "wide")
            player.page.set_viewport_size({"width": 1280, "height": 720})
            player.page.evaluate(WEAR, LARGE)
            found += [*measured(player.page, "wide"), *measured(player.page, "cut")]
            player.page.evaluate(WEAR, "")
            player.page.set_viewport_size({"width": 640, "height": 360})
            faults += [f"{name}: {each}" for each in found]
    finally:
        player.close()
    assert not faults, "\n".join(["", *faults])


@pytest.mark.parametrize(
    "wish",
    [
        pytest.param({"contrast": "more"}, id="more-contrast", marks=pytest.mark.full),
        pytest.param(
            {"contrast": "more", "theme": "dark"}, id="more-contrast-dark", marks=pytest.mark.full
        ),
    ],
)
def test_colours_as_somebody_needs_them(
    browser: Browser, house: House, wish: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    player = Player(browser, house, "en", still=True, **wish)
    faults: list[str] = []
    least = 21.0
    try:
        for name in visited(player, house):
            found, contrast = contrast_faults(player.page)
            faults += [f"{name}: {each}" for each in found]
            least = min(least, contrast)
    finally:
        player.close()
    request.node.user_properties.append(("least contrast", f"{least:.2f}"))
    assert not faults, "\n".join(["", *faults])
    assert least >= 7


@pytest.mark.full
def test_in_the_systems_own_colours_controls_keep_an_edge(browser: Browser, house: House) -> None:
    """Backgrounds are all the same there."""
    player = Player(browser, house, "en", still=True, forced_colors="active")
    faults: list[str] = []
    try:
        for name in visited(player, house):
            faults += [f"{name}: {each}" for each in measured(player.page, "bare")]
    finally:
        player.close()
    assert not faults, "\n".join(["", *faults])
