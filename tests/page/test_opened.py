"""Whatever opens is left by keys, leads back to the hand, and the hand answers its keys at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.sites import House
from page.company import asked, sit_together
from page.means import Mouse, do_what_is_due, press, tab_to
from page.players import Player, dealt_from
from page.refereed import Circle, circle
from page.wider import choosing
from playwright.sync_api import Browser

IN_HAND = "() => document.activeElement.closest('#hand') !== null"
OPEN = "() => document.querySelector('.dialog, #typed')?.contains(document.activeElement)"
CLOSED = "() => document.querySelector('.dialog, #typed') === null"
SAID = "([heard, words]) => window.watched.said.slice(heard).some((each) => each.includes(words))"


@pytest.fixture
def zoe(browser: Browser, house: House) -> Iterator[Player]:
    """On turn at a refereed table: a trick has been turned down, and another card lies there."""
    player = Player(browser, house, "en", still=True)
    player.come_in()
    with dealt_from(house, 5), circle(player) as table:
        until_there_is_much_to_do(player, table)
        player.take_focus()
        yield player
        player.keep_focus()
        player.assert_content()
    player.close()


def until_there_is_much_to_do(player: Player, table: Circle) -> None:
    while True:
        table.until("Play", "TurnDown")
        scene = player.scene
        others = [each for each in scene["trick"] if each["seat"] != scene["seat"]]
        if others and scene["last"] and "Play" in scene["may"]:
            return
        table.everybody_plays()


def press_until_said(player: Player, key: str, words: str) -> None:
    heard = len(player.said)
    player.page.keyboard.press(key)
    player.wait(SAID, [heard, words])


def answers_again(player: Player) -> None:
    """The focus is in the hand, of which the keys of one letter are not mute."""
    player.wait(CLOSED)
    assert player.page.evaluate(IN_HAND)
    press_until_said(player, "t", "It is your turn")


def opened(player: Player, key: str, *further: str) -> None:
    player.page.keyboard.press(key)
    player.wait(OPEN)
    for each in further:
        player.page.keyboard.press(each)


def test_the_list_of_keys_leads_back_to_the_hand(browser: Browser, house: House) -> None:
    player = Player(browser, house, "en")
    player.come_in()
    player.begin("coeurs", pass_count=0)
    assert player.due() == "Play"
    player.take_focus()
    for last in ("Enter", " ", "Escape"):
        opened(player, "?", "Tab", last)
        answers_again(player)
    player.keep_focus()
    player.close()


@pytest.mark.full
def test_dialogs_lead_back_to_the_hand(zoe: Player) -> None:
    for last in ("Enter", " ", "Escape"):
        opened(zoe, "?", "Tab", last)
        answers_again(zoe)
    opened(zoe, "o")
    dialog = zoe.page.get_by_role("dialog")
    assert dialog.get_attribute("aria-describedby") is None  # it would be read out twice
    zoe.page.keyboard.press("Escape")
    answers_again(zoe)
    opened(zoe, "o", "Tab")
    press_until_said(zoe, "Enter", "You object to")
    answers_again(zoe)
    opened(zoe, "v", "Tab", " ", "Tab", " ", "Tab")
    press_until_said(zoe, " ", "You say that")
    answers_again(zoe)


@pytest.mark.full
def test_all_else_that_opens_leads_back_to_the_hand(zoe: Player) -> None:
    for last in ("Enter", " "):
        opened(zoe, "o", "Tab")
        press_until_said(zoe, last, "You object to")
        answers_again(zoe)
        opened(zoe, "v", *["Tab"] * 3, last)  # nobody named: the dialog says so, and stays
        assert zoe.page.evaluate(OPEN)
        zoe.page.keyboard.press("Escape")
        answers_again(zoe)
    opened(zoe, ".")
    zoe.page.keyboard.type("zz")
    press_until_said(zoe, "Enter", "zz")
    assert zoe.page.input_value("#typed") == "zz"
    zoe.page.keyboard.press("Escape")
    answers_again(zoe)
    for key, part in (("f", "sheet-part"), ("r", "rules-part")):
        zoe.page.keyboard.press(key)
        zoe.page.wait_for_selector(f"#{part}[open]")
        answers_again(zoe)
    zoe.page.keyboard.press("m")
    zoe.wait("() => document.activeElement.matches('#talk-part :is(input, select, #talk-log)')")
    zoe.page.keyboard.press("Escape")
    answers_again(zoe)
    zoe.page.focus("#settings-part summary")
    zoe.page.keyboard.press("Enter")
    for field in ("#verbosity", "#bot_pace", "#say_plays"):
        zoe.page.focus(field)
        zoe.page.keyboard.press("Escape")
        answers_again(zoe)


@pytest.mark.full
def test_what_a_button_opened_leads_back_to_it_and_then_to_the_hand(zoe: Player) -> None:
    """Leaving the seat, at first for no, and then for good: that is said."""
    go_to_stand(zoe)
    for keys in (("Enter", "Escape"), (" ", "Tab", "Tab", "Enter")):
        opened(zoe, *keys)
        zoe.wait(CLOSED)
        assert zoe.page.evaluate("document.activeElement.dataset.key") == "Stand"
    zoe.page.keyboard.press("Escape")
    answers_again(zoe)
    go_to_stand(zoe)
    opened(zoe, "Enter", "Tab")
    press_until_said(zoe, "Enter", "You no longer have a seat")


def go_to_stand(player: Player) -> None:
    tab_to(player, "#more")
    while player.page.evaluate("document.activeElement.dataset.key") != "Stand":
        player.page.keyboard.press("ArrowRight")


@pytest.mark.full
def test_the_choice_of_a_moon_leaves_the_keys_alive(browser: Browser, house: House) -> None:
    player = Player(browser, house, "en")
    player.come_in()
    choosing(player)
    player.page.keyboard.press("Escape")
    press_until_said(player, "t", "how it counts")
    tab_to(player, "#moon_minus")
    press_until_said(player, " ", "Points of deal")
    player.wait("() => document.getElementById('moon').hidden")
    press_until_said(player, "t", "The next deal waits for you")
    player.keep_focus()
    player.assert_content()
    player.close()


@pytest.mark.full
def test_the_question_of_an_undo_leads_back_to_the_hand(browser: Browser, house: House) -> None:
    zoe, ana = Player(browser, house, "en"), Player(browser, house, "en")
    zoe.come_in("Zoé")
    ana.come_in("Ana")
    sit_together(zoe, ana, pass_count=0)
    for last in ("Enter", " "):
        until_a_card_is_followed(zoe, ana)
        ana.take_focus()
        press(zoe, "AskUndo")
        ana.page.wait_for_selector("#asked:not([hidden])")
        tab_to(ana, "#refuse")
        ana.page.keyboard.press("Escape")
        answers_again(ana)
        tab_to(ana, "#refuse")
        press_until_said(ana, last, "You refuse")
        answers_again(ana)
    for each in (zoe, ana):
        each.keep_focus()
        each.assert_content()
        each.close()


def until_a_card_is_followed(before: Player, after: Player) -> None:
    """Both play on, until the one has played and the other is to follow."""
    while True:
        one = asked(before, after)
        assert one is not None
        followed = one is before and len(before.scene["trick"]) < 3
        do_what_is_due(one, Mouse(), one.due())
        if followed:
            after.wait("() => window.watched.scene.may.includes('Play')")
            return
