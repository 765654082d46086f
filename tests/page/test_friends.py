"""Friends: they come by a link, find a table full, plan one, and play again."""

from __future__ import annotations

import time

import pytest
from kit.browser.means import Mouse, do_what_is_due, on_turn, press, sit_together
from kit.browser.players import Browse, Player
from kit.browser.states import SIXTEEN

from volte.server.tables.planned import BEFORE

SEATED = "() => window.watched.scene !== null && window.watched.scene.seat !== null"
BEGIN = "form[action='/guest'] button.first"


def played_out(*people: Player) -> None:
    """Play the match to its end."""
    while (one := on_turn(*people)) is not None:
        do_what_is_due(one, Mouse(), one.due())
    for each in people:
        assert each.due() == "ended"


@pytest.mark.full
def test_three_friends_come_by_a_link_and_a_fifth_finds_the_table_full(browse: Browse) -> None:
    """A newcomer gives a name and presses once; somebody known here presses once."""
    host, known = browse("fr").come_in("Zoé"), browse("en").come_in("Ana")
    table = host.open_table(levels=("", "", ""), setup={"access": "link"})
    link = f"/tables/{table}"
    host.sit_down(table)
    host.page.focus("#address")
    for seat, (lang, name) in enumerate((("en", "Ben"), ("fr", "Célestin")), start=1):
        newcomer = browse(lang)
        newcomer.go_to(link)
        newcomer.page.fill("#name", name)
        newcomer.page.click(BEGIN)
        newcomer.wait(SEATED)
        assert newcomer.scene["seat"] == seat
        host.hears(name)
        host.wait("(name) => window.watched.scene.seats.some((each) => each.name === name)", name)
    known.go_to(link)
    press(known, "Sit 3")
    known.wait(SEATED)
    host.hears("Ana")
    host.keep_focus()
    fifth = browse("en")
    fifth.go_to(link)
    fifth.page.fill("#name", "Dan")
    fifth.page.click(BEGIN)
    fifth.page.click(f"form[action='{link}/another'] button")
    fifth.wait(SEATED)
    assert fifth.page.evaluate("location.pathname") != link
    assert [seat["name"] for seat in fifth.scene["seats"]] == ["Dan", "", "", ""]
    assert "/tables/" in fifth.page.input_value("#address")


@pytest.mark.full
def test_a_planned_table_is_seen_from_two_zones_and_comes_back_to_mind(browse: Browse) -> None:
    """The reminder comes while a page stands open."""
    host = browse("fr", own=True, timezone_id="Europe/Paris").come_in("Zoé")
    guest = browse("en", own=True, timezone_id="America/New_York").come_in("Ana")
    at = time.time() + BEFORE + 8
    table = host.open_table(levels=("", "", ""), setup={"planned": at})
    told = {}
    for each in (host, guest):
        each.go_to("/")  # whose script tells the zone
        each.wait("() => document.cookie.includes('volte_zone')")
        each.go_to(f"/tables/{table}/remind")
        told[each] = each.page.locator("dl.facts dd").first.inner_text()
    hours = {each: int(text.rpartition(":")[0].split()[-1]) for each, text in told.items()}
    assert (hours[host] - hours[guest]) % 12 == 6
    guest.page.click("button[value=on]")
    guest.go_to("/help")
    guest.page.wait_for_selector("#news > div")
    assert guest.page.title().partition(": ")[2].startswith("Table")
    guest.page.click("#news a")
    guest.page.wait_for_url(f"**/tables/{table}")


@pytest.mark.full
def test_the_same_people_play_again_by_a_press_of_the_host_whom_the_others_ask(
    browse: Browse,
) -> None:
    host, friend = browse("fr").come_in("Zoé"), browse("en").come_in("Ana")
    sit_together(host, friend, removed=SIXTEEN)
    played_out(host, friend)
    for each in (host, friend):
        each.page.wait_for_selector("#ending.over")
    assert friend.page.locator("[data-key=Next]").inner_text() == "Play again together"
    press(friend, "Next")
    host.hears("Ana")
    press(host, "Start")
    for each in (host, friend):
        each.wait("() => window.watched.scene.phase !== 'ended'")
        each.keep_focus()
    played_out(host, friend)
    press(friend, "Stand")
    friend.page.click("[role=dialog] button.first")
    host.page.wait_for_selector("#ending .next")
    assert "Ana" in host.page.locator("#ending .next").inner_text()
    host.page.click("#ending button")
    host.page.wait_for_selector("#address:visible")
