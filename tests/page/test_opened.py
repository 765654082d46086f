"""Help and other parts that open: left by keys, they lead back to the hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.browser.means import legal, press, sit_together, tab_to, until_a_card_is_followed
from kit.browser.players import Browse, Player, dealt_from
from kit.browser.refereed import Circle, circle
from kit.browser.states import choosing
from kit.sites import Playroom

CLIPPED = """(id) => getComputedStyle(document.getElementById(id)).clipPath !== 'none'"""
INSIDE = "() => document.activeElement.closest('.dialog') !== null"
REACHED = """() => [...document.querySelectorAll('a, button, input, select, [tabindex="0"]')]
    .filter((each) => each.checkVisibility() && !each.closest('[inert], .dialog')).length"""


# Dialogs


def test_a_dialog_keeps_the_focus_and_gives_it_back(newcomer: Player) -> None:
    newcomer.at_turn()
    newcomer.page.evaluate("document.getElementById('host-part').open = true")
    for opener in ("Stand", "Close", "keys"):
        newcomer.page.focus(f"[data-key={opener}]")
        newcomer.keys("Enter")
        newcomer.wait(INSIDE)
        dialog = newcomer.page.get_by_role("dialog")
        assert dialog.get_attribute("aria-modal") == "true"
        assert dialog.evaluate("(dialog) => dialog.querySelector('#dialog-title').innerText !== ''")
        assert dialog.get_attribute("aria-labelledby") == "dialog-title"
        assert dialog.get_attribute("aria-describedby") is None  # it is read with all the rest
        assert newcomer.page.evaluate(REACHED) == 0
        assert newcomer.page.evaluate("document.getElementById('live').closest('[inert]') === null")
        buttons = dialog.locator("button").count()
        assert dialog.evaluate("(dialog) => dialog === document.activeElement")
        for key in ["Tab"] * (buttons + 1) + ["Shift+Tab"] * (buttons + 2):
            newcomer.keys(key)
            assert newcomer.page.evaluate(INSIDE)
        dialog.locator("h2").click()  # words take no focus, and do not lose it either
        assert newcomer.page.evaluate(INSIDE)
        newcomer.keys("Tab")
        assert newcomer.page.evaluate("document.activeElement.matches('.dialog button')")
        newcomer.keys("Escape")
        assert not dialog.count()
        assert newcomer.page.evaluate("document.activeElement.dataset.key") == opener
        assert newcomer.page.locator("[inert]").count() == 0
    assert newcomer.held() == 13
    newcomer.keep_focus()


@pytest.mark.full
def test_what_happens_behind_a_dialog_does_not_disturb_it(newcomer: Player) -> None:
    newcomer.at_turn(bot_pace=800)
    moment = newcomer.moment()
    legal(newcomer).first.focus()
    newcomer.keys("Enter")
    newcomer.wait("() => document.querySelectorAll('#hand [role=option]').length === 12")
    newcomer.keys("?")
    newcomer.wait(INSIDE)
    newcomer.until_after(moment)
    assert newcomer.due() == "Play"
    assert newcomer.page.evaluate(INSIDE)
    newcomer.keys("Tab", "Enter")
    assert newcomer.focused().startswith("card-")
    newcomer.keep_focus()


@pytest.mark.full
def test_a_seat_is_left_only_when_that_is_said_twice(newcomer: Player) -> None:
    newcomer.at_turn(bot_pace=1500)
    press(newcomer, "Stand")
    newcomer.page.click(".dialog button:last-child")
    assert newcomer.held() == 13
    press(newcomer, "Stand")
    newcomer.page.click(".dialog .first")
    newcomer.page.wait_for_selector(":is(#actions, #more) [data-key^=Sit]")
    newcomer.wait("() => document.activeElement.closest('#actions') !== null")
    newcomer.keys("Enter")
    newcomer.page.wait_for_selector("#more [data-key=Stand]")
    newcomer.keep_focus()


# Help for newcomers


def test_the_help_is_there_until_it_is_read(newcomer: Player) -> None:
    newcomer.come_in(helped=False)
    newcomer.begin("coeurs", pass_count=0)
    newcomer.page.wait_for_selector("#intro")
    assert newcomer.focused() == ""  # it takes no focus
    newcomer.due()
    newcomer.page.reload()
    newcomer.page.wait_for_selector("#intro")
    newcomer.due()
    assert newcomer.page.evaluate(CLIPPED, "intro")  # for ears alone
    newcomer.page.focus("#intro button")
    assert not newcomer.page.evaluate(CLIPPED, "intro")
    with newcomer.page.expect_response("**/me/helped") as kept:
        newcomer.keys("Enter")
    assert kept.value.status == 204
    assert newcomer.focused().startswith("card-")
    assert not newcomer.page.is_visible("#intro")
    newcomer.page.reload()
    newcomer.due()
    assert not newcomer.page.is_visible("#intro")
    newcomer.page.click("[data-key=Menu]")
    newcomer.page.click("#around [data-key=intro]")
    newcomer.wait("() => document.activeElement.id === 'intro-title'")
    assert not newcomer.page.evaluate(CLIPPED, "intro")
    newcomer.keys("Escape")
    assert newcomer.focused().startswith("card-")
    assert newcomer.page.is_visible("#intro")


@pytest.mark.full
def test_the_help_names_the_keys_as_they_are_set(browse: Browse) -> None:
    player = browse("en", width=320, height=640).come_in(
        helped=False, key_table="x", key_repeat="z", tap="confirm"
    )
    player.begin("coeurs", pass_count=0)
    player.page.wait_for_selector("#intro")
    told = player.page.inner_text("#intro")
    assert "X (Cards on the table), S (Scores), T (Whose turn)" in told
    assert "Z repeats the last message." in told
    assert "Click a card, then press the button." in told
    assert player.page.evaluate("document.documentElement.scrollWidth") <= 320
    player.suit(helped=False, keys=False)
    player.page.reload()
    player.page.wait_for_selector("#intro")
    told = player.page.inner_text("#intro")
    assert "(Scores)" not in told
    assert "Click" in told


@pytest.mark.full
def test_the_help_says_nothing_of_keys_to_fingers(browse: Browse) -> None:
    player = browse("fr", width=320, height=640, touch=True).come_in(helped=False)
    player.begin("coeurs", pass_count=0)
    player.page.wait_for_selector("#intro")
    told = player.page.inner_text("#intro")
    assert "Touchez deux fois une carte" in told
    assert "Tab" not in told
    assert "lic" not in told  # neither "Cliquez" nor "clic"
    player.page.tap("[data-key=Menu]")
    player.page.tap("#around [data-key=intro]")
    player.page.tap("#intro button")
    assert not player.page.is_visible("#intro")


IN_HAND = "() => document.activeElement.closest('#hand') !== null"
OPEN = "() => document.querySelector('.dialog, #typed')?.contains(document.activeElement)"
CLOSED = "() => document.querySelector('.dialog, #typed') === null"
SAID = "([heard, words]) => window.watched.said.slice(heard).some((each) => each.includes(words))"


@pytest.fixture
def zoe(browse: Browse, playroom: Playroom) -> Iterator[Player]:
    """On turn at a refereed table: a trick has been turned down, and another card lies there."""
    player = browse("en", still=True).come_in()
    with dealt_from(playroom, 5), circle(player) as table:
        until_there_is_much_to_do(player, table)
        player.take_focus()
        yield player
        player.keep_focus()


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
    player.keys(key)
    player.wait(SAID, [heard, words])


def answers_again(player: Player) -> None:
    """Check that the focus is in the hand and that its keys of one letter work."""
    player.wait(CLOSED)
    assert player.page.evaluate(IN_HAND)
    press_until_said(player, "t", "It is your turn")


def opened(player: Player, key: str, *further: str) -> None:
    player.keys(key)
    player.wait(OPEN)
    for each in further:
        player.keys(each)


@pytest.mark.full
def test_the_list_of_keys_leads_back_to_the_hand(browse: Browse) -> None:
    player = browse("en").at_turn()
    player.take_focus()
    for last in ("Enter", " ", "Escape"):
        opened(player, "?", "Tab", last)
        answers_again(player)
    player.keep_focus()


@pytest.mark.full
def test_dialogs_lead_back_to_the_hand(zoe: Player) -> None:
    for last in ("Enter", " ", "Escape"):
        opened(zoe, "?", "Tab", last)
        answers_again(zoe)
    opened(zoe, "o")
    dialog = zoe.page.get_by_role("dialog")
    assert dialog.get_attribute("aria-describedby") is None  # it would be read out twice
    zoe.keys("Escape")
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
        zoe.keys("Escape")
        answers_again(zoe)
    opened(zoe, ".")
    zoe.page.keyboard.type("zz")
    press_until_said(zoe, "Enter", "zz")
    assert zoe.page.input_value("#typed") == "zz"
    zoe.keys("Escape")
    answers_again(zoe)
    for key, part in (("f", "sheet-part"), ("r", "rules-part")):
        zoe.keys(key)
        zoe.page.wait_for_selector(f"#{part}[open]")
        answers_again(zoe)
    zoe.keys("m")
    zoe.wait("() => document.activeElement.matches('#talk-part :is(input, select, #talk-log)')")
    zoe.keys("Escape")
    answers_again(zoe)
    zoe.page.focus("#settings-part summary")
    zoe.keys("Enter")
    for field in ("#verbosity", "#bot_pace", "#say_plays"):
        zoe.page.focus(field)
        zoe.keys("Escape")
        answers_again(zoe)


@pytest.mark.full
def test_what_a_button_opened_leads_back_to_it_and_then_to_the_hand(zoe: Player) -> None:
    """Leaving the seat, at first for no, and then for good: that is said."""
    go_to_stand(zoe)
    for keys in (("Enter", "Escape"), (" ", "Tab", "Tab", "Enter")):
        opened(zoe, *keys)
        zoe.wait(CLOSED)
        assert zoe.page.evaluate("document.activeElement.dataset.key") == "Stand"
    zoe.keys("Escape")
    answers_again(zoe)
    go_to_stand(zoe)
    opened(zoe, "Enter", "Tab")
    press_until_said(zoe, "Enter", "You no longer have a seat")


def go_to_stand(player: Player) -> None:
    tab_to(player, "#more")
    while player.page.evaluate("document.activeElement.dataset.key") != "Stand":
        player.keys("ArrowRight")


@pytest.mark.full
def test_the_choice_of_a_moon_leaves_the_keys_alive(browse: Browse) -> None:
    player = browse("en").come_in()
    choosing(player)
    player.keys("Escape")
    press_until_said(player, "t", "how the points count")
    tab_to(player, "#moon_minus")
    press_until_said(player, " ", "Points for deal")
    player.wait("() => document.getElementById('moon').hidden")
    press_until_said(player, "t", "The next deal is waiting for you")
    player.keep_focus()


@pytest.mark.full
def test_the_question_of_an_undo_leads_back_to_the_hand(browse: Browse) -> None:
    zoe, ana = browse("en"), browse("en")
    zoe.come_in("Zoé")
    ana.come_in("Ana")
    sit_together(zoe, ana, pass_count=0)
    for last in ("Enter", " "):
        until_a_card_is_followed(zoe, ana)
        ana.take_focus()
        press(zoe, "AskUndo")
        ana.page.wait_for_selector("#asked:not([hidden])")
        tab_to(ana, "#refuse")
        ana.keys("Escape")
        answers_again(ana)
        tab_to(ana, "#refuse")
        press_until_said(ana, last, "You refuse")
        answers_again(ana)
    for each in (zoe, ana):
        each.keep_focus()
