"""A deal by a link where there is no server, by keys: its address is all that is passed on."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from kit.browser.alone import COME, LONG, Alone, lent_alone
from kit.browser.means import Keys, play_match, press
from kit.browser.players import QUICK
from kit.exporting import exported
from kit.hosting import Host
from playwright.sync_api import Browser, expect

BASE = "/games/volte"
MADE = ".saved:focus"


def open_deal(alone: Alone, address: str) -> None:
    """Open the address of a deal, and begin it by keys."""
    alone.suit(**QUICK)
    alone.page.goto(address)
    alone.page.wait_for_selector(COME, timeout=LONG, state="attached")
    alone.page.press("#play button", "Enter")
    alone.dealt()


def hand_of(alone: Alone) -> list[str]:
    """The ids of the cards of the hand, in its order."""
    ids: list[str] = alone.cards().evaluate_all("(all) => all.map(({ id }) => id)")
    return ids


def told_of(alone: Alone) -> list[str]:
    """The lines of what has happened."""
    return alone.page.locator("#log p").all_inner_texts()


@pytest.mark.full
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_two_browsers_play_what_an_address_says_and_nothing_is_compared(
    browser: Browser, lang: str
) -> None:
    with Host({BASE: exported(BASE)}) as host, lent_alone(browser, host.address + BASE) as browse:
        maker = browse(lang)
        maker.go_to("/deals")
        maker.page.press("main form button", "Enter")
        maker.page.wait_for_selector(MADE)
        maker.wait("() => !location.href.includes('done')")
        address = maker.page.input_value("#share")
        assert urlsplit(address).path == f"{BASE}/{lang}/deals/"
        results, hands, logs = [], [], []
        friend = browse(lang)
        friend.go_to("/learn")
        for player in (maker, friend):
            open_deal(player, address)
            hands.append(hand_of(player))
            player.take_focus()
            play_match(player, Keys())
            player.keep_focus()
            logs.append(told_of(player))
            press(player, "Onward")
            player.page.wait_for_selector(COME, timeout=LONG, state="attached")
            expect(player.page.locator("main h1")).to_be_focused()
            results.append(player.page.inner_text("main .lead"))
            assert player.page.locator("main table").count() == 0
            assert player.page.input_value("#share") == address
        assert len(logs[0]) > 13
        assert hands[0] == hands[1]
        assert logs[0] == logs[1]
        assert results[0] == results[1]
        player.page.press("#play button", "Enter")
        player.dealt()
        assert hand_of(player) == hands[0]
        player.page.goto(address[:-1])
        expect(player.page.locator("main h1")).to_be_visible(timeout=LONG)
        assert player.page.locator("#play").count() == 0
