"""Help for newcomers, and dialogs: where the focus goes, what is out of reach meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from kit.sites import House
from page.means import legal, press
from page.players import Player
from playwright.sync_api import Browser

CLIPPED = """(id) => getComputedStyle(document.getElementById(id)).clipPath !== 'none'"""
INSIDE = "() => document.activeElement.closest('.dialog') !== null"
REACHED = """() => [...document.querySelectorAll('a, button, input, select, [tabindex="0"]')]
    .filter((each) => each.checkVisibility() && !each.closest('[inert], .dialog')).length"""


def playing(player: Player, **settings: Any) -> None:
    """Has come in with those settings, and is to play."""
    player.come_in(**settings)
    player.begin("coeurs", pass_count=0)
    assert player.due() == "Play"


# Dialogs


@pytest.mark.parametrize("opener", ["Claim", "Stand", "Close", "keys"])
def test_a_dialog_keeps_the_focus_and_gives_it_back(player: Player, opener: str) -> None:
    playing(player)
    player.page.evaluate("document.getElementById('host-part').open = true")
    player.page.focus(f"[data-key={opener}]")
    player.page.keyboard.press("Enter")
    player.wait(INSIDE)
    dialog = player.page.get_by_role("dialog")
    assert dialog.get_attribute("aria-modal") == "true"
    assert dialog.evaluate("(dialog) => dialog.querySelector('#dialog-title').innerText !== ''")
    assert dialog.get_attribute("aria-labelledby") == "dialog-title"
    assert dialog.get_attribute("aria-describedby") is None  # it is read with all the rest
    assert player.page.evaluate(REACHED) == 0
    assert player.page.evaluate("document.getElementById('live').closest('[inert]') === null")
    buttons = dialog.locator("button").count()
    assert dialog.evaluate("(dialog) => dialog === document.activeElement")
    for key in ["Tab"] * (buttons + 1) + ["Shift+Tab"] * (buttons + 2):
        player.page.keyboard.press(key)
        assert player.page.evaluate(INSIDE)
    dialog.locator("h2").click()  # words take no focus, and do not lose it either
    assert player.page.evaluate(INSIDE)
    player.page.keyboard.press("Tab")
    assert player.page.evaluate("document.activeElement.matches('.dialog button')")
    player.page.keyboard.press("Escape")
    assert not dialog.count()
    assert player.page.evaluate("document.activeElement.dataset.key") == opener
    assert player.page.locator("[inert]").count() == 0
    assert player.held() == 13
    player.keep_focus()
    player.assert_content()


def test_what_happens_behind_a_dialog_does_not_disturb_it(player: Player) -> None:
    playing(player, bot_pace=1500)
    moment = player.moment()
    legal(player).first.focus()
    player.page.keyboard.press("Enter")
    player.wait("() => document.querySelectorAll('#hand [role=option]').length === 12")
    player.page.keyboard.press("?")
    player.wait(INSIDE)
    player.until_after(moment)
    assert player.due() == "Play"
    assert player.page.evaluate(INSIDE)
    player.page.keyboard.press("Tab")
    player.page.keyboard.press("Enter")
    assert player.focused().startswith("card-")
    player.keep_focus()
    player.assert_content()


def test_a_seat_is_left_only_when_that_is_said_twice(player: Player) -> None:
    playing(player, bot_pace=1500)
    press(player, "Stand")
    player.page.click(".dialog button:last-child")
    assert player.held() == 13
    press(player, "Stand")
    player.page.click(".dialog .first")
    player.page.wait_for_selector(":is(#actions, #more) [data-key^=Sit]")
    player.wait("() => document.activeElement.closest('#actions') !== null")
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector("#more [data-key=Stand]")
    player.keep_focus()
    player.assert_content()


def test_a_claim_is_judged_once_it_is_meant(player: Player) -> None:
    playing(player)
    press(player, "Claim")
    player.page.click(".dialog .first")
    player.page.wait_for_selector(".answer.refused:not([hidden])")
    assert player.held() == 13
    player.keep_focus()
    player.assert_content()


# Help for newcomers


def test_the_help_is_there_until_it_is_read(player: Player) -> None:
    player.come_in(helped=False)
    player.begin("coeurs", pass_count=0)
    player.page.wait_for_selector("#intro")
    assert player.focused() == ""  # it takes no focus
    player.due()
    player.page.reload()
    player.page.wait_for_selector("#intro")
    player.due()
    assert player.page.evaluate(CLIPPED, "intro")  # for ears alone
    player.page.focus("#intro button")
    assert not player.page.evaluate(CLIPPED, "intro")
    with player.page.expect_response("**/me/helped") as kept:
        player.page.keyboard.press("Enter")
    assert kept.value.status == 204
    assert player.focused().startswith("card-")
    assert not player.page.is_visible("#intro")
    player.page.reload()
    player.due()
    assert not player.page.is_visible("#intro")
    player.page.click("[data-key=Menu]")
    player.page.click("#intro-again button")
    player.wait("() => document.activeElement.id === 'intro-title'")
    assert not player.page.evaluate(CLIPPED, "intro")
    player.page.keyboard.press("Escape")
    assert player.focused().startswith("card-")
    assert player.page.is_visible("#intro")
    player.assert_content()


def test_the_help_names_the_keys_as_they_are_set(browser: Browser, house: House) -> None:
    player = Player(browser, house, "en", width=320, height=640)
    player.come_in(helped=False, key_table="x", key_repeat="z", tap="confirm")
    player.begin("coeurs", pass_count=0)
    player.page.wait_for_selector("#intro")
    told = player.page.inner_text("#intro")
    assert "X (Cards on the table), S (Scores), T (Whose turn)" in told
    assert "Z says the last message again." in told
    assert "the button below your hand plays it" in told
    assert player.page.evaluate("document.documentElement.scrollWidth") <= 320
    player.suit(helped=False, keys=False)
    player.page.reload()
    player.page.wait_for_selector("#intro")
    told = player.page.inner_text("#intro")
    assert "(Scores)" not in told
    assert "With the mouse" in told
    player.assert_content()
    player.close()


def test_the_help_says_nothing_of_keys_to_fingers(browser: Browser, house: House) -> None:
    player = Player(browser, house, "fr", width=320, height=640, touch=True)
    player.come_in(helped=False)
    player.begin("coeurs", pass_count=0)
    player.page.wait_for_selector("#intro")
    told = player.page.inner_text("#intro")
    assert "touchez-la une fois" in told
    assert "Tab" not in told
    player.page.tap("[data-key=Menu]")
    player.page.tap("#intro-again button")
    player.page.tap("#intro button")
    assert not player.page.is_visible("#intro")
    player.assert_content()
    player.close()
