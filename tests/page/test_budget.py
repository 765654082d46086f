"""How little the page of a table costs, and how near the first card is."""

from __future__ import annotations

from time import monotonic

import pytest
from page.means import legal
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


def test_from_nothing_to_the_first_card_in_two_activations(
    player: Player, request: pytest.FixtureRequest
) -> None:
    """As a guest with bots: one press sits them down and deals, the next one takes a card."""
    begun = monotonic()
    player.go_to("/")
    player.page.click("form[action='/play'] button")
    player.page.wait_for_selector("#hand [role=option]")
    player.due()
    card = legal(player).first
    card.click()
    player.page.wait_for_selector("#hand .chosen, #trick li")
    taken = monotonic() - begun
    request.node.user_properties.append(("milliseconds to the first card", round(taken * 1000)))
