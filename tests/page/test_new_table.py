"""The form for a new table in a browser: presses until friends play, one screen, the games."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import pytest
from kit import Playroom
from kit.browser.players import Browse, Player
from playwright.sync_api import expect

COUNTED: Final = """addEventListener('click', ({ isTrusted, detail }) => {
    if (isTrusted && detail) sessionStorage.presses = Number(sessionStorage.presses ?? 0) + 1;
}, true)"""
"""Counts the presses of a person; a label presses its field without a `detail`."""

NAMES: Final = {
    "en": ("New table", "Open the table", "Copy the address", "Sit down"),
    "fr": ("Nouvelle table", "Ouvrir la table", "Copier l’adresse", "Prendre place"),
}
CARDS: Final = "#hand [role=option]"


def presses(player: Player) -> int:
    return int(player.page.evaluate("Number(sessionStorage.presses ?? 0)"))


@pytest.mark.full
@pytest.mark.parametrize("langs", [("en", "fr"), ("fr", "en")], ids="-".join)
def test_a_friend_plays_after_four_presses_of_the_host_and_one_of_their_own(
    browse: Browse, playroom: Playroom, langs: tuple[str, str]
) -> None:
    """Both have never been here, and come by an address that others can reach."""
    address = f"volte.test:{urlsplit(playroom.address).port}"
    host = browse(langs[0], own=True, at=f"http://a.{address}")
    friend = browse(langs[1], own=True, at=f"http://b.{address}")
    for each in (host, friend):
        each.context.add_init_script(COUNTED)
        each.forgiven = "Cross-Origin-Opener-Policy"  # plain HTTP, at a name
    new, opens, copies, _ = NAMES[langs[0]]
    host.go_to("/")
    host.page.locator("main").get_by_role("link", name=new).click()
    host.page.get_by_role("button", name=opens).first.click()
    host.page.locator("#gathering img").wait_for()
    host.page.get_by_role("button", name=copies).click()
    host.page.get_by_role("button", name=copies).and_(host.page.locator(":focus")).wait_for()
    link = host.page.input_value("#address")
    assert link.startswith(f"http://a.{address}/tables/")
    friend.go_to(urlsplit(link).path)
    friend.page.fill("#name", "Léa")
    friend.page.get_by_role("button", name=NAMES[langs[1]][-1]).click()
    friend.wait("() => window.watched.scene?.seat === 1")
    host.wait("() => window.watched.scene.seats[1].state === 'here'")
    host.page.locator("#actions [data-key=Start]").click()
    for each in (host, friend):
        each.page.wait_for_selector(CARDS)
    assert (presses(host), presses(friend)) == (4, 1)


SIZES: Final = ((1280, 800), (390, 844))
SEEN: Final = """() => {
    const { bottom } = document.querySelector("#table-form > .buttons").getBoundingClientRect();
    const wide = document.documentElement.scrollWidth > innerWidth;
    return bottom <= innerHeight && scrollY === 0 && !wide;
}"""


@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.full)])
def test_who_game_pace_and_button_are_one_screen_and_anything_more_is_folded_away(
    browse: Browse, lang: str
) -> None:
    """For somebody without a name as well, who has one field more."""
    player = browse(lang)
    player.go_to("/tables/new")
    for width, height in SIZES:
        player.page.set_viewport_size({"width": width, "height": height})
        assert player.page.evaluate(SEEN), (width, height)


def test_a_game_is_chosen_by_two_presses_and_its_line_and_rules_are_there(browse: Browse) -> None:
    player = browse("en").come_in()
    player.go_to("/tables/new")
    line, games = player.page.locator("#games > summary"), player.page.locator("#games")
    line.click()
    player.page.get_by_text("Les Cœurs with a pot").click()
    expect(games).not_to_have_attribute("open", "")
    expect(line).to_be_focused()
    expect(line).to_contain_text("Les Cœurs with a pot · change")
    expect(line).to_contain_text("you pay your points into a pot")
    player.shown("#sheet").to_contain_text("pot")
    player.keys("Enter", "Tab")
    expect(games.locator(":checked")).to_be_focused()
    player.keys("ArrowDown")  # a key goes from game to game, and leaves the list open
    expect(games).to_have_attribute("open", "")
    chosen = games.locator(".preset:has(:checked) strong").inner_text()
    player.keys("Enter")
    expect(line).to_be_focused()
    expect(line).to_contain_text(chosen)
    player.keep_focus()


def test_who_plays_brings_seats_along_and_what_is_changed_there_shows_above(
    browse: Browse,
) -> None:
    player = browse("en").come_in()
    page = player.page
    player.go_to("/tables/new")
    page.evaluate("document.getElementById('more').open = true")
    page.check("#who-bots")
    expect(page.locator("#access-private")).to_be_checked()
    expect(page.locator("#seat1")).to_have_value("alice")
    page.check("#access-public")
    expect(page.locator("#who-anybody")).to_be_checked()
    expect(page.locator("#seat1")).to_have_value("alice")  # chosen by hand, so to speak
    page.fill("#clock", "45")
    expect(page.locator("#pace option:checked")).to_have_text("45 seconds")
    page.select_option("#pace", "brisk")
    expect(page.locator("#clock")).to_have_value("30")


def test_a_table_is_planned_without_a_script_by_fields_that_come_once_later_is_chosen(
    browse: Browse,
) -> None:
    player = browse("en", java_script_enabled=False)
    page = player.page
    player.go_to("/tables/new")
    expect(page.locator("#date")).to_be_hidden()
    page.select_option("#when", "later")
    day, hour = page.locator("#date"), page.locator("#time")
    expect(hour).to_have_value("20:30")
    assert day.input_value()
    page.select_option("#zone", "America/Los_Angeles")  # where that hour is always still to come
    page.get_by_role("button", name="Open the table").first.click()
    expect(page.locator("h1")).to_have_text("Guest’s table")
