"""The first page, seen: the button and the game above the fold, and five clicks to a card."""

from __future__ import annotations

from typing import Final

import pytest
from kit.sites import House
from page.means import Mouse, press
from page.players import Player
from playwright.sync_api import Browser

PLAY: Final = "form[action='/play'] button"
LINE: Final = ".game summary"
SIZES: Final = ((320, 568), (390, 844), (844, 390), (1280, 800), (1440, 900))
SMALLEST: Final = 44
"""Pixels that a finger needs."""

SEEN: Final = """(queries) => queries.map((query) => {
    const { left, top, right, bottom, height } =
        document.querySelector(query).getBoundingClientRect();
    return { height,
        within: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight };
})"""
CARDS: Final = """() => [...document.querySelectorAll('.spread .face')].map((face) => {
    const { left, right, top, bottom, width } = face.getBoundingClientRect();
    return width > 40 && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
})"""
CUT: Final = """() => [...document.querySelectorAll('.offer :is(button, select, input, p)')]
    .filter((each) => each.checkVisibility() && each.type !== 'hidden')
    .filter((each) => each.getBoundingClientRect().right
        > document.querySelector('.welcome').getBoundingClientRect().right - 8)
    .map((each) => each.outerHTML)"""
COVERED: Final = """() => [...document.querySelectorAll('.offer :is(button, select, input, p)')]
    .filter((each) => each.checkVisibility() && each.type !== 'hidden')
    .filter((each) => [...document.querySelectorAll('.spread .face')].some((face) => {
        const [a, b] = [each, face].map((some) => some.getBoundingClientRect());
        return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    })).map((each) => each.outerHTML)"""


@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.full)])
def test_game_and_button_and_cards_are_above_the_fold(
    browser: Browser, house: House, lang: str
) -> None:
    player = Player(browser, house, lang)
    player.go_to("/")
    for width, height in SIZES:
        player.page.set_viewport_size({"width": width, "height": height})
        for query, seen in zip((PLAY, LINE), player.page.evaluate(SEEN, [PLAY, LINE]), strict=True):
            assert seen["within"], (query, width, height)
            assert seen["height"] >= SMALLEST, (query, width, height)
        assert player.page.evaluate(CARDS) == [True] * 5, (width, height)
    player.page.click(LINE)
    for width, height in SIZES:
        player.page.set_viewport_size({"width": width, "height": height})
        assert player.page.evaluate(COVERED) == [], (width, height)
        assert player.page.evaluate(CUT) == [], (width, height)
    player.close()


@pytest.mark.full
def test_five_clicks_from_the_address_to_the_first_card(browser: Browser, house: House) -> None:
    player = Player(browser, house, "en", still=True)
    player.go_to("/")
    player.page.click(PLAY)
    assert player.due() == "Pass"
    assert player.scene["pass_count"] == 3
    moment = player.moment()
    Mouse().pass_cards(player)  # three cards, and the button
    player.until_after(moment)
    assert player.due() == "Play"
    player.close()


def test_a_number_that_the_rules_do_not_allow_cannot_be_chosen(player: Player) -> None:
    player.go_to("/")
    line = player.page.locator(LINE)
    line.press("Enter")
    player.page.select_option("#preset", "salon-six-deux")
    assert player.page.input_value("#players") == "6"
    assert player.page.locator("#players option:not([disabled])").count() == 1
    player.page.select_option("#preset", "coeurs")
    player.page.select_option("#players", "5")
    player.page.select_option("#level", "beginner")
    assert line.inner_text().startswith("Les Cœurs, cinq joueurs, robots débutants")


def test_the_game_is_chosen_without_a_script(browser: Browser, house: House) -> None:
    player = Player(browser, house, "en", java_script_enabled=False)
    player.go_to("/")
    player.page.click(LINE)
    player.page.select_option("#preset", "cancellation")
    player.page.click(PLAY)
    assert "please choose 6, 7, 8" in player.page.locator(".faults").inner_text()
    player.page.select_option("#players", "7")
    player.page.click(PLAY)
    assert "/tables/" in player.page.url
    player.close()


@pytest.mark.parametrize("lang", ["en", pytest.param("fr", marks=pytest.mark.full)])
def test_a_newcomer_who_presses_watch_gives_a_name_and_enter_and_watches(
    browser: Browser, house: House, lang: str
) -> None:
    host, newcomer = Player(browser, house), Player(browser, house, lang)
    host.come_in()
    table = host.open_table(setup={"watching": "hidden", "open_seats": "all"})
    host.sit_down(table)
    press(host, "Start")
    host.due()
    newcomer.go_to("/")
    newcomer.page.locator(f"a[href^='/tables/{table}']").last.press("Enter")
    newcomer.page.locator("#name").fill("Léa")
    newcomer.page.locator("#name").press("Enter")
    newcomer.wait("() => window.watched.scene?.may.includes('Sit')")
    loaded = newcomer.page.evaluate("performance.getEntriesByType('navigation')[0].name")
    assert loaded.endswith(f"/tables/{table}?watch")  # the page takes no seat by itself
    assert newcomer.scene["seat"] is None
    assert "Sit" in newcomer.scene["may"]  # a bot's seat is open to them, and they are not in it
    assert [seat["name"] for seat in newcomer.scene["seats"] if seat["state"] != "bot"] == ["Zoé"]
    newcomer.assert_content()
    newcomer.close()
    host.close()
