"""Two people at one table, and lines and servers that go away in the middle of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.sites import House, Process
from page.company import asked, sit_together
from page.line import Line
from page.means import Keys, Mouse, do_what_is_due, play_deal, press
from page.players import TABLE, Player
from page.wider import EIGHT_EACH, SIXTEEN
from playwright.sync_api import Browser

Company = tuple[Player, Player]


@pytest.fixture
def company(browser: Browser, house: House) -> Iterator[Company]:
    """Somebody who reads French, and a friend who reads English; they have come in."""
    host, friend = Player(browser, house, "fr"), Player(browser, house, "en")
    host.come_in("Zoé")
    friend.come_in("Ana")
    yield host, friend
    host.close()
    friend.close()


def test_two_people_at_one_table_each_read_their_own_language(company: Company) -> None:
    host, friend = company
    sit_together(host, friend, removed=SIXTEEN)
    assert " de " in host.page.inner_text("#hand")
    assert " of " in friend.page.inner_text("#hand")
    while (one := asked(host, friend)) is not None:
        do_what_is_due(one, Keys() if one is host else Mouse(), one.due())
    for each in company:
        assert each.due() == "ended"
        each.keep_focus()
        each.assert_content()
    assert host.scene["seats"][0]["total"] == friend.scene["seats"][0]["total"]


def test_a_card_is_asked_back_and_the_focus_stays(company: Company) -> None:
    host, friend = company
    sit_together(host, friend)
    while True:  # until a card of the host's is followed by one of the friend's
        one = asked(host, friend)
        assert one is not None
        due = one.due()
        if one is host and due == "Play" and len(host.scene["trick"]) < 3:
            break
        do_what_is_due(one, Mouse(), due)
    do_what_is_due(host, Mouse(), "Play")
    friend.take_focus()
    held = friend.focused()
    press(host, "AskUndo")
    friend.page.wait_for_selector("#asked:not([hidden])")
    assert friend.focused() == held
    friend.page.click("#refuse")
    friend.wait("() => document.getElementById('asked').hidden")
    friend.keep_focus()
    host.page.wait_for_selector("#actions:not(:has([data-key=AskUndo]))")
    for each in company:
        each.assert_content()


@pytest.mark.full
def test_a_bot_stands_in_for_whoever_loses_the_line(browser: Browser, house: House) -> None:
    with Line(house.address) as line:
        host, friend = Player(browser, house, "fr"), Player(browser, line.address, "en")
        friend.forgiven = "WebSocket|ERR_CONNECTION_REFUSED"
        try:
            host.come_in("Zoé")
            friend.come_in("Ana")
            sit_together(host, friend)
            for each in (host, friend):
                do_what_is_due(each, Mouse(), "Pass")
            line.cut()
            friend.page.wait_for_selector("#connection:not([hidden])")
            host.wait("() => window.watched.scene.seats[1].state === 'stand_in'")
            for _ in range(3):
                do_what_is_due(host, Mouse(), host.due())
            friend.keep_focus()
            line.mend()
            friend.page.wait_for_selector("#connection", state="hidden")
            host.wait("() => window.watched.scene.seats[1].state === 'here'")
            while (one := asked(host, friend)) is not None:
                do_what_is_due(one, Mouse(), one.due())
            for each in (host, friend):
                assert each.due() == "ended"
                each.keep_focus()
                each.assert_content()
        finally:
            host.close()
            friend.close()


def test_a_server_that_was_killed_in_the_middle_of_a_trick_is_found_again(
    browser: Browser, tmp_path: Path
) -> None:
    with Process(f"sqlite:///{tmp_path / 'playroom.sqlite'}", tmp_path) as server:
        player = Player(browser, server.address, "en")
        player.forgiven = "WebSocket|ERR_CONNECTION"
        try:
            player.come_in()
            player.begin("microsoft", removed=EIGHT_EACH)
            player.due()
            player.take_focus()
            do_what_is_due(player, Keys(), "Pass")
            while player.due() and not player.scene["trick"]:  # somebody else has led
                do_what_is_due(player, Keys(), "Play")
            before = player.page.evaluate(TABLE)
            held = player.held()
            server.kill()
            player.wait("() => !document.getElementById('connection').hidden")
            player.keep_focus()
            Keys().play_card(player)  # it goes out when the connection is back
            server.restart()
            player.wait("() => document.getElementById('connection').hidden")
            player.wait(f"() => window.watched.scene.hand.length === {held - 1}")
            assert player.due() == "Play"
            assert player.page.evaluate(TABLE) != before
            assert play_deal(player, Keys()) == "ended"
            player.assert_content()
        finally:
            player.close()


def test_a_private_table_is_opened_and_a_friend_let_in_by_keys(company: Company) -> None:
    """The host presses "Invite" in the middle of a deal, and answers who asks for a bot's seat."""
    host, friend = company
    host.play_now()
    host.page.wait_for_selector("#hand [role=option]")
    assert friend.page.request.get(host.page.url).status == 404
    host.page.locator("#invite-part summary").press("Enter")
    host.page.locator("#invite").press("Enter")
    host.wait("() => document.activeElement?.id === 'address'")
    friend.sit_down(host.page.input_value("#address").rpartition("/")[2])
    press(friend, "Sit 2")
    host.page.wait_for_selector("#wanted:not([hidden])")
    assert "Ana" in host.page.inner_text("#wanted-text")
    host.wait("() => window.watched.said.some((line) => line.includes('Ana demande la place'))")
    host.page.locator("#let-sit").press("Enter")
    friend.page.wait_for_selector("#hand [role=option]")
    host.wait("() => document.getElementById('wanted').hidden")
    host.keep_focus()
    for each in company:
        each.assert_content()
