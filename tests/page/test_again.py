"""The same cards again, everybody one seat on: by keys, in two languages."""

from __future__ import annotations

import pytest
from kit.browser.judging import axe_faults, room_faults
from kit.browser.means import Keys, do_what_is_due, on_turn, press, sit_together
from kit.browser.players import Browse, Player
from kit.browser.states import SIXTEEN


def played_out(*people: Player) -> None:
    """Play the match to its end."""
    while (one := on_turn(*people)) is not None:
        do_what_is_due(one, Keys(), one.due())
    for each in people:
        assert each.due() == "ended"
        each.page.wait_for_selector("#ending.over")


def deal_again(host: Player, *people: Player) -> None:
    """Press the button in the summary of the match, and go on at the next seat."""
    seats = [each.scene["seat"] for each in people]
    host.page.locator("#ending button").first.press("Enter")
    for each, seat in zip(people, seats, strict=True):
        each.wait("() => window.watched.scene.phase !== 'ended'")
        assert each.scene["seat"] == (seat + 1) % len(each.scene["seats"])
        each.keep_focus()


def compares(player: Player, you: str) -> None:
    """Check the table of both matches: whoever had the same cards stands in one row."""
    scene, rows = player.scene, player.page.locator("#ending table.beside tbody tr")
    assert rows.count() == len(scene["seats"])
    cells = rows.nth(scene["seat"]).locator("th, td")
    assert cells.nth(2).inner_text() == you
    assert cells.nth(3).inner_text() == str(scene["seats"][scene["seat"]]["total"])


def test_one_person_plays_the_neighbours_cards_on_a_small_phone(browse: Browse) -> None:
    zoe = browse("fr", width=320, height=640).come_in("Zoé")
    zoe.begin("microsoft", removed=SIXTEEN)
    zoe.take_focus()
    played_out(zoe)
    deal_again(zoe, zoe)
    zoe.hears("Les cartes de la partie précédente, chacun décalé d’une place.")
    played_out(zoe)
    zoe.hears("Avec les mêmes cartes, ")
    compares(zoe, "Vous")
    assert zoe.page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.full
def test_two_people_play_the_same_cards_twice_more(browse: Browse) -> None:
    host, friend = browse("fr").come_in("Zoé"), browse("en").come_in("Ana")
    sit_together(host, friend, removed=SIXTEEN)
    played_out(host, friend)
    press(friend, "Next")
    for _ in range(2):
        deal_again(host, host, friend)
        friend.hears("The cards of the match before, everybody one seat on.")
        played_out(host, friend)
        friend.hears("With the same cards, ")
        compares(host, "Vous")
        compares(friend, "You")
    for each in (host, friend):
        assert axe_faults(each.page) == []
    friend.page.locator("#ending a[href$='/proof']").press("Enter")
    friend.page.wait_for_selector("#proofs .all")
    friend.page.goto(friend.page.url.removesuffix("/proof"))
    assert axe_faults(friend.page) == []
    assert room_faults(friend.page) == []
    assert "With the same cards, " in friend.page.inner_text("main")
    friend.page.get_by_role("link", name="Earlier match, same cards").press("Enter")
    friend.page.wait_for_selector("text=Later match, same cards")


@pytest.mark.full
def test_a_summary_that_is_painted_anew_keeps_the_focus(browse: Browse) -> None:
    host, friend = browse("fr").come_in("Zoé"), browse("en").come_in("Ana")
    sit_together(host, friend, removed=SIXTEEN)
    played_out(host, friend)
    link = host.page.locator("#ending a[href$='/proof']")
    link.focus()
    assert host.page.get_by_role("button", name="Mêmes cartes, places décalées").count() == 2
    press(friend, "Stand")
    friend.page.click("[role=dialog] button.first")
    host.page.wait_for_selector("#ending .next")
    assert host.page.get_by_role("button", name="Mêmes cartes, places décalées").count() == 0
    assert link.evaluate("(link) => link === document.activeElement")
