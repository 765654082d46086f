"""The match that waits: from any page, and on another device, one press leads back into it."""

from __future__ import annotations

import pytest
from kit.browser.players import Browse


@pytest.mark.full
@pytest.mark.parametrize("key", ["", "Enter"])
def test_whoever_comes_back_is_where_they_were_also_on_another_device(
    browse: Browse, key: str
) -> None:
    player = browse("en", own=True).at_turn()
    hand = player.cards().all_inner_texts()
    player.go_to("/rules")
    there = player.beside()
    session = next(each for each in player.context.cookies() if each["name"] == "volte")
    there.context.add_cookies([{"name": "volte", "value": session["value"], "url": player.address}])
    for each, path in ((player, "/clubs"), (there, "/help")):
        each.go_to(path)
        back = each.page.locator(".waits a")
        if key:
            back.press(key)
        else:
            back.click()
        assert each.due() == "Play"
        assert each.cards().all_inner_texts() == hand
        assert not each.page.locator(".waits").count()
