"""Parts of the page as sheets, the menu that opens them, and the settings at a table."""

from __future__ import annotations

from typing import Final

from kit.browser import fitting
from kit.browser.players import Browse, Player, scripts

SCRIPTS: Final = scripts(__file__)
LETTERS: Final = "#questions kbd:visible"
STANDS: Final = """() => [document.documentElement.scrollHeight - innerHeight, scrollY]"""
SAVED: Final = """() => document.querySelector("#settings-form [name=shown]").value
    .includes('"bot_pace":"300"')"""
SHOWN: Final = "#aside > .shown"


def opened(player: Player, part: str) -> None:
    """Open a part by the menu, with a finger."""
    player.page.tap("[data-key=Menu]")
    player.page.tap(f"#around [data-key={part}]")
    player.page.wait_for_selector(f"#{part}-part.shown")


def lies_over_the_felt(player: Player) -> None:
    assert not fitting.measured(player, "astray", "#aside")
    assert player.page.evaluate(STANDS) == [0, 0]


def test_parts_of_the_page_are_sheets_that_leave_the_hand_and_give_the_focus_back(
    browse: Browse,
) -> None:
    """By a swipe, a press beside, Escape, or the heading; letters come with the first key."""
    player = browse("en", width=390, height=844, touch=True).at_turn(seed=3)
    player.take_focus()
    card = player.focused()
    for part in ("talk", "rules", "sheet", "log", "settings", "invite", "host", "proof"):
        opened(player, part)
        lies_over_the_felt(player)
    player.page.evaluate(f"{SCRIPTS}.swipe", "#proof-part summary")
    player.shown(SHOWN).to_have_count(0)
    assert player.page.evaluate("document.activeElement.dataset.key") == "Menu"
    player.page.tap("[data-key=Menu]")
    toolbars = player.page.locator("#menu [role=toolbar]")
    assert [each.get_attribute("aria-label") for each in toolbars.all()] == [
        *("Playing", "Questions", "The table")
    ]
    assert not player.page.locator(LETTERS).count()
    assert not player.page.locator("#menu button:visible:not(:has(svg))").count()
    player.page.tap("#around [data-key=log]")
    player.page.tap("#status")
    player.shown(SHOWN).to_have_count(0)
    assert player.page.locator("#log-part[open]").count() == 1  # it is read where it stands
    player.take_focus()
    for key, part in (("r", "rules"), ("m", "talk")):
        player.keys(key)
        player.page.wait_for_selector(f"#{part}-part.shown")
        player.keys("Escape")
        player.shown(SHOWN).to_have_count(0)
        assert player.focused() == card
    player.page.tap("[data-key=Menu]")
    assert player.page.locator(LETTERS).count() == 7
    player.page.tap("[data-key=Menu]")
    player.page.evaluate("document.documentElement.dataset.buttons = 'all'")
    panel = player.page.locator("#menu .panel").bounding_box()
    assert panel is not None
    assert panel["height"] > 3 * fitting.FINGER  # three rows, as the settings may have it
    player.keep_focus()


def test_settings_at_the_table_hold_at_once_and_each_stands_at_its_name(browse: Browse) -> None:
    player = browse("fr", width=390, height=844, touch=True).at_turn(seed=3)
    opened(player, "settings")
    page = player.page
    page.wait_for_selector("#settings-form")
    assert page.evaluate(f"{SCRIPTS}.astray") == []
    for choice in ("colours-two", "theme-dark", "face-cat", "sounds-off", "large"):
        page.locator(f"#{choice}").check(force=True)
    page.get_by_label("rapide").check(force=True)
    looks = page.evaluate("({ ...document.documentElement.dataset })")
    assert (looks["colours"], looks["theme"], looks["large"]) == ("two", "dark", "true")
    page.wait_for_selector("#seats .own [href$='#face-cat']")
    player.wait(SAVED)
    person = player.playroom.do(player.playroom.site.room.store.person(player.someone.id))
    assert person is not None
    kept = person.settings
    assert (kept["bot_pace"], kept["trick_pace"], kept["sounds"]) == (300, 700, "off")
    assert (kept["colours"], kept["face"], kept["large"]) == ("two", "cat", True)
    page.fill("#search", "dos")
    player.hears("Réglages trouvés\u00a0: 1")
    assert page.locator("#settings-form :is(input, select):visible").count() == 2
    player.keys("Escape")
    player.shown(SHOWN).to_have_count(0)
