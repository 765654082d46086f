"""Forms by keys and by ear: where Tab leads, and what is heard before a field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from kit.sites import House
from page.players import Player
from playwright.sync_api import Browser, expect

PRESET: Final = "input[name=preset]:checked"
OPENING: Final = ("Enter", "Alt+ArrowDown")
PLACE: Final = "() => [...document.querySelectorAll('*')].indexOf(document.activeElement)"
WHERE: Final = "() => document.activeElement.id || document.activeElement.localName"


@pytest.fixture
def ana(browser: Browser, house: House) -> Iterator[Player]:
    player = Player(browser, house)
    player.come_in("Ana")
    yield player
    player.assert_content()
    player.close()


def focus_after(player: Player, *keys: str) -> list[str]:
    """Where the focus is after each of these keys."""
    found = []
    for key in keys:
        player.page.keyboard.press(key)
        found.append(player.page.evaluate(WHERE))
    return found


def test_every_tab_on_a_new_table_moves_on_and_the_sixth_is_at_the_button(ana: Player) -> None:
    ana.go_to("/tables/new")
    ana.page.focus(PRESET)
    ways = focus_after(ana, *["Tab"] * 6)
    assert ways == ["players", "seat1", "seat2", "seat3", "access-public", "button"]
    assert ana.page.evaluate("document.activeElement.value") == "open"
    ana.page.evaluate("document.getElementById('more').open = true")
    places = [ana.page.evaluate(PLACE)]
    while not ana.page.evaluate("document.activeElement.matches('.sheet')"):
        ana.page.keyboard.press("Tab")
        places.append(ana.page.evaluate(PLACE))
        assert places[-1] > places[-2], ana.page.evaluate(WHERE)
    assert len(places) > 40  # all the options lie between


@pytest.mark.parametrize(
    "key", ["Space", *(pytest.param(each, marks=pytest.mark.full) for each in OPENING)]
)
def test_tab_closes_an_open_list_and_moves_on(ana: Player, key: str) -> None:
    ana.go_to("/tables/new")
    ana.page.focus("#seat1")
    ana.page.keyboard.press(key)
    ana.page.wait_for_selector("#seat1:open")
    ana.page.keyboard.press("ArrowDown")
    assert focus_after(ana, "Tab", "Shift+Tab", "Tab", "Tab") == [
        "seat2",
        "seat1",
        "seat2",
        "seat3",
    ]
    assert ana.page.input_value("#seat1") == "strong"  # what was chosen in the list stays chosen


def test_options_that_another_game_fills_in_keep_the_focus(ana: Player) -> None:
    ana.go_to("/tables/new")
    ana.page.evaluate("document.getElementById('more').open = true")
    ana.page.check("input[name=preset][value=coeurs]")
    ana.page.focus("#queen_play")
    expect(ana.page.locator("#said")).not_to_be_empty()
    assert focus_after(ana, "Tab") == ["queen_discard"]


FIRST_FIELDS: Final = """() => [...document.querySelectorAll('#settings-form fieldset')].map(
    (each) => each.querySelector('input, select').id)"""


def test_each_part_of_the_settings_is_a_heading_and_the_name_of_its_fields(ana: Player) -> None:
    ana.go_to("/me")
    parts = ana.page.locator("#settings-form").get_by_role("heading", level=2).all_inner_texts()
    assert parts[:2] == ["What is told", "Playing"]
    firsts = ana.page.evaluate(FIRST_FIELDS)
    for part, first in zip(parts, firsts, strict=True):
        group = ana.page.get_by_role("group", name=part, exact=True)
        expect(group).to_have_count(1)
        expect(group.locator(f"#{first}")).to_have_count(1)
    headings = ana.page.get_by_role("heading", level=2).all_inner_texts()
    assert len(set(headings)) == len(headings)
