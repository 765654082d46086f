"""The keys of one letter: where they work, as each person has set them, and who is told of them."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from typing import Any
from unittest.mock import patch

from kit.sites import House
from page.means import legal, press, tab_to
from page.places import OTHERS_PASSED
from page.players import Player
from playwright.sync_api import Browser

from volte.bots import Hint
from volte.say import Words
from volte.table.thinking import Thinking
from volte.view import View

HEAR_QUESTIONS = """() => {
    const send = WebSocket.prototype.send;
    window.asked = [];
    WebSocket.prototype.send = function (data) {
        const { say, what, card, seat } = JSON.parse(data || "{}");
        if (say === "ask") window.asked.push(what + (card || "") + (seat ?? ""));
        send.call(this, data);
    };
}"""
SAID = "(words) => window.watched.said.some((line) => line.includes(words))"
IN_HAND = "() => document.activeElement.closest('#hand') !== null"
TYPED = """(init) => document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { ...init, bubbles: true }))"""
"""A key that the keyboard of these tests does not have."""


def at_turn(player: Player, **settings: Any) -> None:
    """Has come in with those settings, is to play, and has the focus in the hand."""
    player.come_in(**settings)
    player.begin("coeurs", pass_count=0)
    assert player.due() == "Play"
    player.page.evaluate(HEAR_QUESTIONS)
    player.take_focus()


def asked(player: Player, *keys: str) -> list[str]:
    """What is asked by pressing keys."""
    for key in keys:
        player.page.keyboard.press(key)
    found: list[str] = player.page.evaluate("window.asked.splice(0)")
    return found


def listed(player: Player) -> dict[str, str]:
    """The keys that the dialog tells, and what each does."""
    player.page.wait_for_selector(".dialog")
    rows = player.page.locator(".dialog dl div").all()
    return {
        each.locator("kbd").inner_text(): each.locator("dd span").first.inner_text()
        for each in rows
    }


# Questions


def test_letters_ask_in_the_hand_and_on_its_buttons(player: Player) -> None:
    at_turn(player)
    assert asked(player, *"cstph") == ["table", "scores", "turn", "points", "hand"]
    assert asked(player, *"fig") == ["sheet", "hint", "situation"]
    assert asked(player, "C", "Shift+S") == ["table", "scores"]
    assert asked(player, *"1237") == ["table1", "table2", "table3", "table7"]
    for bar in ("#actions", "#questions"):
        tab_to(player, bar)
        assert asked(player, "t", "l") == ["turn", "last"]
    player.keep_focus()


def test_a_hint_is_said_whole_however_long_it_is(player: Player, house: House) -> None:
    """It comes from a process that thinks, with what else would cost."""
    bots, told = house.site.room.lobby.thinking, []
    advise = bots.advise

    async def noted(view: View, owner: Hashable = None) -> Hint:
        told.append((view, await advise(view, owner)))
        return told[-1][1]

    house.do(until_warm(bots))
    at_turn(player)
    with patch.object(bots, "advise", noted):
        player.page.keyboard.press("i")
        player.wait("() => window.watched.said.some((line) => line.startsWith('Jouez'))")
    [(view, advice)] = told
    sentence = Words("fr").hint(advice, view)
    assert player.said.count(sentence) == 1
    player.keep_focus()


async def until_warm(bots: Thinking) -> None:
    """Returns once a worker is there."""
    while not bots.workers:
        bots._apart.call()
        await asyncio.sleep(0.02)


def test_letters_ask_from_anywhere_but_where_one_types(player: Player) -> None:
    at_turn(player)
    for place in ("h1 ~ * summary, .aside summary", "header a", "#log"):
        player.page.focus(place)
        assert asked(player, "c", "1", "Shift+Digit2") == ["table", "table1", "seat1"]
    player.page.evaluate("document.getElementById('settings-part').open = true")
    player.page.fill("#bot_pace", "")
    assert asked(player, "1", "2", "e", "b") == []
    assert player.page.input_value("#bot_pace") == "12eb"
    player.take_focus()
    assert asked(player, "Control+c", "Alt+c", "Meta+c") == []
    assert asked(player, "c") == ["table"]


def test_a_digit_is_a_card_and_with_shift_a_seat_on_every_keyboard(player: Player) -> None:
    at_turn(player)
    for key, code, shift in (
        ("&", "Digit1", False),  # a French keyboard
        ("2", "Digit2", True),
        ("3", "Numpad3", False),
        ("$", "Digit4", True),  # an American one
    ):
        player.page.evaluate(TYPED, {"key": key, "code": code, "shiftKey": shift})
    assert asked(player) == ["table1", "seat1", "table3", "seat3"]


def test_shift_and_a_digit_tells_a_seat_and_one_key_the_situation(
    browser: Browser, house: House
) -> None:
    """One's own seat is the first, wherever one sits."""
    player = Player(browser, house, "en")
    at_turn(player)
    player.page.keyboard.press("Shift+Digit1")
    player.wait(SAID, "You: 13 cards, 0 points in this deal, 0 in all.")
    player.page.keyboard.press("Shift+Digit3")
    player.wait(SAID, f"{player.scene['seats'][2]['name']}: 1")
    player.page.keyboard.press("Shift+Digit9")
    player.wait(SAID, "This table has 4 seats.")
    player.page.keyboard.press("g")
    player.wait(SAID, "It is your turn, in trick 1 of 13.")
    told = player.said[-1]
    lowest = player.scene["hand"][-1]["card"][1]
    suit = {"C": "Clubs:", "D": "Diamonds:", "S": "Spades:", "H": "Hearts:"}[lowest]
    parts = ("It is your turn", "would take it:" if player.scene["trick"] else "No card", suit)
    assert [told.find(part) >= 0 for part in parts] == [True, True, True], told
    assert sorted(parts, key=told.find) == list(parts)
    player.keep_focus()
    player.assert_content()
    player.close()


def test_asking_for_the_rules_opens_them_and_moves_nothing(player: Player) -> None:
    at_turn(player)
    card = player.focused()
    player.page.keyboard.press("r")
    player.wait(SAID, "Ouvert plus bas sur cette page")
    assert player.page.evaluate("document.getElementById('rules-part').open")
    assert player.focused() == card
    assert asked(player, "s", "t", "1") == ["scores", "turn", "table1"]
    player.keep_focus()


# Cards that are typed


def test_cards_are_typed_passed_and_played(browser: Browser, house: House) -> None:
    """Fewer than are to be passed are chosen; what is wrong is said, and stays where it is."""
    player = Player(browser, house, "en")
    player.come_in()
    player.begin("microsoft")
    assert player.due() == "Pass"
    player.wait(OTHERS_PASSED)
    player.take_focus()
    line = player.page.get_by_role("textbox", name="Type a card")
    player.page.keyboard.press(".")
    line.fill(".2")
    player.page.keyboard.press("Enter")
    player.wait(SAID, "1 chosen.")
    player.page.keyboard.press(".")
    line.fill(".1 .2, .13")
    moment = player.moment()
    player.page.keyboard.press("Enter")
    player.until_after(moment)
    assert player.due() == "Play"
    assert player.page.evaluate(IN_HAND)
    player.page.keyboard.press(".")
    line.fill("zz")
    player.page.keyboard.press("Enter")
    player.wait(SAID, "zz")
    assert line.input_value() == "zz"
    held = player.held()
    place = [each["legal"] for each in player.scene["hand"]].index(True) + 1
    line.fill(f".{place}")
    player.page.keyboard.press("Enter")
    player.wait("() => !document.getElementById('typed')")
    assert player.held() < held
    assert player.due() == "Play"
    player.page.keyboard.press(".")
    line.wait_for()
    player.page.keyboard.press("Escape")
    assert line.count() == 0
    assert player.page.evaluate(IN_HAND)
    player.keep_focus()
    player.assert_content()
    player.close()


def test_each_question_shows_its_key_and_keeps_its_name(browser: Browser, house: House) -> None:
    player = Player(browser, house, "en")
    at_turn(player, key_scores="é")
    button = player.page.get_by_role("button", name="Scores", exact=True)
    assert button.locator("kbd").inner_text() == "É"
    assert button.get_attribute("aria-keyshortcuts") == "É"
    player.page.evaluate(TYPED, {"key": "É", "shiftKey": True})
    assert asked(player, "s") == ["scores"]
    player.assert_content()
    player.close()


def test_keys_go_where_they_are_put(player: Player) -> None:
    at_turn(player, key_table="x", key_repeat="c", key_keys="z")
    assert asked(player, "x", "c", "2") == ["table", "table2"]
    player.page.keyboard.press("?")
    assert not player.page.is_visible(".dialog")
    player.page.keyboard.press("z")
    assert listed(player)["X"] == "Cartes sur la table"
    player.page.keyboard.press("Escape")
    player.keep_focus()


def test_without_letters_arrows_and_buttons_are_left(player: Player) -> None:
    at_turn(player, keys=False)
    before = player.focused()
    assert asked(player, *"cst?e1") == []
    assert not player.page.is_visible(".dialog")
    assert player.page.locator("[aria-keyshortcuts], #questions kbd").count() == 0
    player.page.keyboard.press("End")
    assert player.focused() != before
    player.page.click("[data-key=Menu]")
    player.page.click("#questions [data-key=keys]")
    assert set(listed(player)) == {
        "Flèches gauche et droite",
        "Début, Fin",
        "Flèches haut et bas",
        "Entrée ou Espace",
        "Tab",
        "Échap",
    }
    assert "désactivées" in player.page.inner_text(".dialog")
    player.page.keyboard.press("Tab")
    player.page.keyboard.press("Enter")
    assert player.page.evaluate("document.activeElement.dataset.key") == "keys"
    legal(player).first.focus()
    player.page.keyboard.press("Enter")
    player.wait("() => document.querySelectorAll('#hand [role=option]').length === 12")
    player.keep_focus()
    player.assert_content()


def test_one_key_goes_through_how_much_is_told(player: Player) -> None:
    at_turn(player, verbosity="full")
    card = player.focused()
    for sentence, kept in (
        ("Autant d’annonces qu’à une vraie table.", "normal"),
        ("Peu d’annonces.", "brief"),
        ("Le strict minimum d’annonces.", "terse"),
    ):
        with player.page.expect_response("**/me/verbosity") as answer:
            player.page.keyboard.press("w")
        assert answer.value.status == 204
        assert f"verbosity={kept}" in (answer.value.request.post_data or "")
        player.wait("(said) => window.watched.said.at(-1).startsWith(said)", sentence)
    assert player.focused() == card
    player.page.keyboard.press("?")
    assert listed(player)["W"].startswith("Ce qui vous est dit")
    player.page.keyboard.press("Escape")
    legal(player).first.focus()
    heard, rank = len(player.said), legal(player).first.inner_text().split(" de ")[0]
    player.page.keyboard.press("Enter")
    player.wait("(heard) => window.watched.said.length > heard", heard)
    assert rank in player.said[heard].lower()
    assert "Vous\u00a0:" not in player.said[heard]
    player.keep_focus()
    player.page.evaluate("document.getElementById('settings-part').open = true")
    player.page.wait_for_selector("#verbosity")
    assert player.page.input_value("#verbosity") == "terse"
    player.page.focus("#hand [tabindex='0']")
    player.page.keyboard.press("w")
    player.wait("() => window.watched.said.at(-1).startsWith('Toutes les annonces.')")
    assert player.page.input_value("#verbosity") == "full"
    player.forgiven = "ERR_FAILED"
    player.page.route("**/me/verbosity", lambda route: route.abort())
    player.page.keyboard.press("w")
    player.wait("() => window.watched.said.at(-1).includes('pas pu être enregistré')")
    assert any(line.startswith("Autant d’annonces") for line in player.said[-2:])
    player.assert_content()


# Hearing again


def test_what_was_said_is_heard_again_from_anywhere(player: Player) -> None:
    at_turn(player)
    player.page.keyboard.press("t")
    player.wait("() => window.watched.said.length > 0")
    for place in ("#hand [tabindex='0']", "#settings-part summary", "header a"):
        player.page.focus(place)
        for key in ("e", "b", "n"):
            heard = len(player.said)
            player.page.keyboard.press(key)
            player.wait("(heard) => window.watched.said.length > heard", heard)
        assert player.page.evaluate("(place) => document.activeElement.matches(place)", place)


def test_escape_leads_back_to_the_hand(player: Player) -> None:
    at_turn(player)
    card = player.focused()
    for place in ("#questions [tabindex='0']", "#settings-part summary", "#log", "header a"):
        player.page.focus(place)
        player.page.keyboard.press("Escape")
        assert player.focused() == card


# The keys that work now


def test_the_dialog_tells_the_keys_that_work_now(browser: Browser, house: House) -> None:
    player = Player(browser, house, "en")
    player.come_in()
    player.sit_down(player.open_table("microsoft"))
    player.page.focus("#actions [tabindex='0']")
    player.page.keyboard.press("?")
    assert listed(player)["Enter or Space"] == "Begin the match"
    assert not {"C", "S", "1 to 4"} & set(listed(player))
    player.page.keyboard.press("Escape")
    press(player, "Start")

    assert player.due() == "Pass"
    # The dialog is fetched: whatever else comes meanwhile would seem to have moved the focus.
    player.wait(OTHERS_PASSED)
    player.take_focus()
    player.page.keyboard.press("?")
    assert listed(player)["Enter or Space"] == "choose the card, or put it back"
    assert {"H", "S", "T", "E", "B", "N", "?"} <= set(listed(player))
    assert not {"C", "L", "P", "1 to 4"} & set(listed(player))
    player.page.keyboard.press("Escape")

    for place in range(3):
        player.cards().nth(place).click()
    moment = player.moment()
    press(player, "Pass")
    player.until_after(moment)
    assert player.due() == "Play"
    player.take_focus()
    player.page.keyboard.press("Shift+?")
    assert listed(player)["Enter or Space"] == "play the card"
    assert listed(player)["1 to 4"] == "one of the cards on the table"
    assert {"C", "S", "T", "H", "P", "F", "R", "I"} <= set(listed(player))
    player.page.keyboard.press("Escape")
    player.keep_focus()
    player.assert_content()
    player.close()
