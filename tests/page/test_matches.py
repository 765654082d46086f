"""Whole matches: every preset, and every means by which people play."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from page.means import Keys, Means, Mouse, Touch, play_match
from page.players import Player
from playwright.sync_api import Browser
from server.visiting import House

from volte.rules import PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_of_each_preset(browser: Browser, house: House, name: str) -> None:
    player = Player(browser, house)
    try:
        player.come_in()
        player.begin(name)
        player.take_focus()
        assert play_match(player, Mouse()) == 1
        player.assert_content()
    finally:
        player.close()
