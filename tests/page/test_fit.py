"""The table fits every window, nothing on it moves, and fingers find what they look for."""

from __future__ import annotations

from itertools import product

import pytest
from kit.sites import House
from page.fitting import SHIFTS, brightness, faults, measured, shifted, state_faults, walk
from page.means import GUARDED, legal, press
from page.pictures import LANGUAGES, SCREENS, TABLES, THEMES
from page.places import SEED
from page.players import Player, Theme, dealt_from
from playwright.sync_api import Browser

SIZES = (
    *((320, 568), (360, 640), (390, 844), (412, 915), (768, 1024), (844, 390)),
    *((932, 430), (1024, 768), (1280, 800), (1440, 900), (1920, 1080)),
)
GATE = ((320, 568, 3), (390, 844, 4), (844, 390, 7), (1280, 800, 4))
REST = [
    (width, height, seats)
    for (width, height), seats in product(SIZES, range(3, 8))
    if (width, height, seats) not in GATE
]
MOST_SHIFT = 0.02
Look = tuple[str, Theme, tuple[int, int]]
LOOKS: list[Look] = [
    (lang, theme, window) for lang in LANGUAGES for theme in THEMES for window in SCREENS.values()
]


def seated(
    browser: Browser,
    house: House,
    width: int,
    height: int,
    seats: int,
    *,
    lang: str = "en",
    theme: Theme = "light",
    larger: bool = False,
) -> Player:
    """Somebody at a table of that many, in a window of that size, to whom cards are dealt."""
    player = Player(browser, house, lang, width=width, height=height, theme=theme, touch=True)
    player.context.add_init_script(SHIFTS)
    if larger:
        player.context.add_init_script(
            "addEventListener('DOMContentLoaded', () => {"
            " document.documentElement.style.fontSize = '200%' })"
        )
    player.come_in()
    wide = seats > 7
    player.begin("cancellation" if wide else "coeurs", players=seats)
    player.due()
    return player


def assert_fits(browser: Browser, house: House, width: int, height: int, seats: int) -> None:
    player = seated(browser, house, width, height, seats)
    try:
        wrong = walk(player)
        assert not wrong, "\n".join(f"{phase}: {each}" for phase, found in wrong for each in found)
        moved, what = shifted(player)
        assert moved < MOST_SHIFT, what
        player.assert_content()
    finally:
        player.close()


@pytest.mark.parametrize(("width", "height", "seats"), GATE)
def test_a_deal_fits_the_window(
    browser: Browser, house: House, width: int, height: int, seats: int
) -> None:
    """Passing, leading, following, refused, with a hint, at the end; and nothing has moved."""
    assert_fits(browser, house, width, height, seats)


@pytest.mark.full
@pytest.mark.parametrize(("width", "height", "seats"), REST)
def test_a_deal_fits_every_window(
    browser: Browser, house: House, width: int, height: int, seats: int
) -> None:
    assert_fits(browser, house, width, height, seats)


@pytest.mark.parametrize(
    ("width", "height", "seats", "larger"),
    [
        (390, 844, 4, True),
        pytest.param(320, 568, 4, True, marks=pytest.mark.full),
        pytest.param(844, 390, 7, True, marks=pytest.mark.full),
        pytest.param(1280, 800, 7, True, marks=pytest.mark.full),
        pytest.param(320, 568, 8, False, marks=pytest.mark.full),
        pytest.param(390, 844, 10, False, marks=pytest.mark.full),
        pytest.param(844, 390, 10, False, marks=pytest.mark.full),
        pytest.param(1440, 900, 10, False, marks=pytest.mark.full),
    ],
)
def test_hand_and_button_stay_in_view(
    browser: Browser, house: House, width: int, height: int, seats: int, larger: bool
) -> None:
    """With twice the letters, and with eight and more; up to four at 390 × 844 fit wholly."""
    player = seated(browser, house, width, height, seats, larger=larger)
    try:
        whole = larger and (width, height) == (390, 844)
        assert not faults(player, seats=whole)
    finally:
        player.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_card_that_may_not_be_played_is_marked_by_more_than_colour(
    browser: Browser, house: House, theme: Theme
) -> None:
    player = Player(browser, house, "fr", theme=theme)
    try:
        player.come_in()
        player.begin("coeurs", pass_count=0)
        barred = player.page.locator("#hand [aria-disabled=true]")
        while not (player.due() == "Play" and barred.count() and legal(player).count()):
            moment = player.moment()
            legal(player).first.press("Enter")
            player.until_after(moment)
        player.page.evaluate("document.activeElement.blur()")
        assert brightness(player, legal(player).first) > brightness(player, barred.first) + 30
        sunk = barred.first.locator(".face").bounding_box()
        stands = legal(player).first.locator(".face").bounding_box()
        assert sunk is not None
        assert stands is not None
        assert sunk["y"] > stands["y"] + 3
        hatched = "(card) => getComputedStyle(card, '::after').backgroundImage"
        assert "gradient" in barred.first.evaluate(hatched)
    finally:
        player.close()


def test_a_click_right_after_the_main_button_has_changed_does_nothing(player: Player) -> None:
    player.come_in()
    player.begin("microsoft")
    assert player.due() == "Pass"
    for place in range(3):
        player.cards().nth(place).press("Enter")
    player.page.evaluate(
        """() => new MutationObserver((_, watching) => {
            const button = document.querySelector("#actions [data-key=Play]");
            if (!button) return;
            watching.disconnect();
            button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
            window.pressed = true;
        }).observe(document.getElementById("actions"), { childList: true })"""
    )
    press(player, "Pass")
    player.wait("() => window.pressed === true")
    assert player.due() == "Play"
    player.page.wait_for_timeout(GUARDED)
    assert player.held() == 13
    assert not player.page.is_visible("#answer-section")
    legal(player).first.focus()
    player.page.click("#actions [data-key=Play]")
    player.wait("() => document.querySelectorAll('#hand [role=option]').length === 12")


def test_an_undo_that_is_asked_for_stands_over_the_felt(browser: Browser, house: House) -> None:
    player = Player(browser, house, "en", width=390, height=844)
    try:
        player.come_in()
        player.begin("coeurs", pass_count=0)
        player.due()
        for name in ("asked", "wanted", "connection"):
            player.page.evaluate(
                """(id) => {
                    const shown = document.getElementById(id);
                    shown.hidden = false;
                    if (shown.children.length === 0) shown.textContent = "… … …";
                }""",
                name,
            )
            assert not measured(player, "astray", f"#{name}")
            player.page.evaluate("(id) => { document.getElementById(id).hidden = true }", name)
    finally:
        player.close()


@pytest.mark.full
@pytest.mark.parametrize("look", LOOKS)
def test_every_state_fits(browser: Browser, house: House, look: Look) -> None:
    """Undo asked, chat, trick and deal and match over, refereed, many seats: in each language."""
    lang, theme, (width, height) = look
    player = Player(
        browser, house, lang, width=width, height=height, theme=theme, still=True, touch=True
    )
    wrong = []
    try:
        with dealt_from(house, SEED):
            for walk in TABLES:
                for state in walk(player):
                    wrong += [f"{state}: {each}" for each in state_faults(player)]
        assert not wrong, "\n".join(wrong)
    finally:
        player.close()
