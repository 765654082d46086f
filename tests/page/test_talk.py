"""Talk at a table: by keys alone, each in their own language, and never over the cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from kit.sites import House
from page.company import sit_together
from page.judging import axe_faults
from page.places import moderating, moderation
from page.players import Player
from playwright.sync_api import Browser

NBSP: Final = "\u00a0"
COVERED: Final = """() => {
    const boxes = ['hand', 'trick', 'seats', 'actions'].map((id) => document.getElementById(id));
    const panel = document.getElementById('talk-part').getBoundingClientRect();
    return boxes.filter((each) => {
        const box = each.getBoundingClientRect();
        return box.left < panel.right && panel.left < box.right
            && box.top < panel.bottom && panel.top < box.bottom;
    }).map((each) => each.id);
}"""
"""What of the game the open panel lies over."""

WIDE: Final = "() => document.documentElement.scrollWidth > window.innerWidth"


@pytest.fixture
def company(browser: Browser, house: House) -> Iterator[tuple[Player, Player]]:
    """Zoé reads French, and Ana English; they sit at one table, and hold their cards."""
    zoe, ana = Player(browser, house, "fr"), Player(browser, house, "en", width=320, height=720)
    zoe.come_in("Zoé")
    ana.come_in("Ana")
    sit_together(zoe, ana)
    yield zoe, ana
    for each in (zoe, ana):
        each.assert_content()
        each.close()


def button(player: Player) -> str:
    """The name of the button that opens the talk."""
    return player.page.inner_text("#questions [data-key=talk] span")


def open_by_key(player: Player) -> None:
    player.take_focus()
    player.page.keyboard.press("m")
    player.wait("() => document.activeElement.id === 'talk-text'")


def hears(player: Player, line: str) -> None:
    """It is said to them, once."""
    player.wait("(line) => window.watched.said.some((each) => each.includes(line))", line)
    assert len([each for each in player.said if line in each]) == 1, player.said


def test_two_people_talk_by_keys_each_in_their_own_language(
    company: tuple[Player, Player],
) -> None:
    zoe, ana = company
    open_by_key(ana)
    ana.page.keyboard.type("Hello, me here: cshtm")
    ana.page.keyboard.press("Enter")
    hears(ana, "You: Hello, me here: cshtm")
    assert ana.page.input_value("#talk-text") == ""
    hears(zoe, f"Ana{NBSP}: Hello, me here: cshtm")
    assert button(zoe) == "Discussion, 1 de plus"
    open_by_key(zoe)
    assert button(zoe) == "Discussion"
    assert "Hello, me here" in zoe.page.inner_text("#talk-log")
    zoe.page.keyboard.press("Tab")  # to the button that sends
    zoe.page.keyboard.press("Tab")  # to the phrases
    assert zoe.focused() == "talk-phrase"
    zoe.page.keyboard.type("Bien")
    zoe.page.keyboard.press("Tab")
    zoe.page.keyboard.press("Enter")
    hears(zoe, f"Vous{NBSP}: Bien joué{NBSP}!")
    hears(ana, "Zoé: Well played!")
    assert "Well played!" in ana.page.inner_text("#talk-log")
    for each in company:
        assert axe_faults(each.page) == []
        assert each.page.evaluate(COVERED) == []
        assert not each.page.evaluate(WIDE)
        each.page.keyboard.press("Escape")
        assert each.page.evaluate("document.activeElement.closest('#hand') !== null")


@pytest.mark.full
def test_somebody_is_muted_and_reported_from_what_they_said(
    company: tuple[Player, Player],
) -> None:
    zoe, ana = company
    open_by_key(zoe)
    zoe.page.keyboard.type("Premier")
    zoe.page.keyboard.press("Enter")
    hears(ana, "Zoé: Premier")
    open_by_key(ana)
    page = ana.page
    page.keyboard.press("Shift+Tab")
    more = page.get_by_role("button", name="About what Zoé said")
    assert more.evaluate("(each) => each === document.activeElement")
    assert more.get_attribute("aria-expanded") == "false"
    page.keyboard.press("Enter")
    assert more.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert ana.focused() == "talk-report-title"
    assert "Premier" in page.inner_text("#talk-report")
    assert axe_faults(page) == []
    page.get_by_role("button", name="Send the report").press("Enter")
    hears(ana, "Thank you. A moderator will look at it")
    assert not page.is_visible("#talk-report")
    page.get_by_role("button", name="Do not read Zoé any more").press("Enter")
    hears(ana, "You will not read Zoé any more")
    assert "Premier" not in page.inner_text("#talk-log")
    zoe.page.keyboard.type("Second")
    zoe.page.keyboard.press("Enter")
    hears(zoe, f"Vous{NBSP}: Second")
    ana.page.fill("#talk-text", "Still here")
    ana.page.keyboard.press("Enter")
    hears(ana, "You: Still here")
    assert not any("Second" in each for each in ana.said)
    ana.keep_focus()


@pytest.mark.full
def test_what_cannot_be_said_is_told_beside_the_field(company: tuple[Player, Player]) -> None:
    _, ana = company
    open_by_key(ana)
    ana.page.keyboard.press("Enter")
    hears(ana, "Write something first")
    field = ana.page.locator("#talk-text")
    assert field.get_attribute("aria-invalid") == "true"
    assert ana.focused() == "talk-text"


@pytest.mark.full
@pytest.mark.parametrize("width", [320, 1280])
def test_the_pages_of_moderators_are_for_everybody(
    browser: Browser, house: House, width: int
) -> None:
    mia = Player(browser, house, "fr", width=width)
    mia.come_in("Mia")
    for visit in (moderation, moderating("/moderation/measures"), moderating("/moderation")):
        visit(mia)
        assert axe_faults(mia.page) == []
        assert not mia.page.evaluate(WIDE)
    mia.forgiven = "422"
    mia.close()
