"""How little the page of a table costs."""

from __future__ import annotations

import pytest
from page.players import Player
from playwright.sync_api import Response

MOST = 150_000
"""Bytes of script and style that the page of a table may load, not compressed."""

PIECES = ("script", "stylesheet")


def test_script_and_style_of_a_table_are_small(
    player: Player, request: pytest.FixtureRequest
) -> None:
    """What a table at which cards are dealt has loaded; what comes later is only counted."""
    player.come_in()
    loaded: list[Response] = []
    player.page.on("response", lambda each: loaded.append(each))
    player.begin("microsoft")
    player.page.wait_for_load_state("networkidle")
    sizes = {each.url: len(each.body()) for each in loaded if each.request.resource_type in PIECES}
    assert len(sizes) > 10
    request.node.user_properties.append(("bytes of script and style", sum(sizes.values())))
    player.page.evaluate(
        "for (const each of document.querySelectorAll('details')) each.open = true"
    )
    player.take_focus()
    player.page.keyboard.press("?")
    player.page.wait_for_load_state("networkidle")
    every = {each.url: len(each.body()) for each in loaded if each.request.resource_type in PIECES}
    request.node.user_properties.append(("bytes with all that is open", sum(every.values())))
    assert sum(sizes.values()) < MOST, sizes
    assert not any("referee" in each for each in sizes)
