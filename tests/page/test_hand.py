"""The hand: clicks and taps as each person has them, order, jumps, and cards that stay."""

from __future__ import annotations

import re
from typing import Any

import pytest
from kit.sites import House
from page.means import GUARDED, Mouse, Touch, action, legal, press
from page.players import Player, dealt_from
from playwright.sync_api import Browser, Locator

RAISED = "#hand .raised"
HELD = "() => [...document.querySelectorAll('#hand [role=option]')].map((each) => each.dataset.key)"
HELD_FEWER = "(held) => document.querySelectorAll('#hand [role=option]').length < held"
SAID = "(words) => window.watched.said.some((line) => line.includes(words))"
ANOTHERS = """() => {
    const kept = sessionStorage.getItem("volte pass");
    sessionStorage.setItem("volte pass", kept.replace('"whose":"', '"whose":"another'));
}"""
"""As if somebody else had chosen these cards in this tab."""

ON_FIRST_PLAYABLE = """() => {
    const first = document.querySelector("#hand [role=option]:not([aria-disabled])");
    return document.activeElement === first;
}"""

SEED = 5
"""Of a deal in which the second card of the first trick is ours, and not all may be played."""


def a_finger(browser: Browser, house: House, lang: str = "en") -> Player:
    """Somebody at a telephone."""
    return Player(browser, house, lang, width=320, height=640, touch=True, still=True)


def at_turn(player: Player, **settings: Any) -> None:
    """Has come in with those settings and is to play, nothing having been passed."""
    player.come_in(**settings)
    player.begin("coeurs", pass_count=0)
    assert player.due() == "Play"


def gone(player: Player, held: int) -> None:
    player.wait(HELD_FEWER, held)


def name_of(card: Locator) -> str:
    return (card.text_content() or "").strip()


# Clicks and taps


def test_a_click_plays_at_once(player: Player) -> None:
    at_turn(player)
    held = player.held()
    legal(player).first.click()
    gone(player, held)
    player.keep_focus()
    player.assert_content()


@pytest.mark.parametrize("tap", ["auto", "twice"])
def test_the_first_tap_raises_a_card_and_the_second_plays_it(
    browser: Browser, house: House, tap: str
) -> None:
    player = a_finger(browser, house)
    at_turn(player, tap=tap)
    held = player.held()
    card = legal(player).last
    name = name_of(card)
    card.tap()
    player.page.wait_for_selector(RAISED)
    assert name_of(player.page.locator(RAISED)) == name
    player.wait(SAID, f"Raised: {name}")
    assert player.held() == held
    assert action(player, "Play").inner_text() == f"Play: {name}"
    player.page.locator(RAISED).tap()
    gone(player, held)
    assert player.page.locator(RAISED).count() == 0
    player.keep_focus()
    player.assert_content()
    player.close()


def test_another_tap_raises_another_card(browser: Browser, house: House) -> None:
    player = a_finger(browser, house)
    with dealt_from(house, SEED):
        at_turn(player)
    for card in (legal(player).first, legal(player).last):
        name = name_of(card)
        card.tap()
        assert [name_of(each) for each in player.page.locator(RAISED).all()] == [name]
    player.page.locator("#status").tap()
    assert player.page.locator(RAISED).count() == 0
    legal(player).first.tap()
    player.page.keyboard.press("Escape")
    assert player.page.locator(RAISED).count() == 0
    assert player.held() == 13
    player.close()


def test_a_tap_raises_and_the_button_plays(browser: Browser, house: House) -> None:
    player = a_finger(browser, house, "fr")
    at_turn(player, tap="confirm")
    held = player.held()
    card = legal(player).first
    card.tap()
    assert player.page.locator(RAISED).count() == 1
    card.tap()
    assert player.page.locator(RAISED).count() == 0
    card.tap()
    assert player.held() == held
    press(player, "Play", "tap")
    gone(player, held)
    player.keep_focus()
    player.assert_content()
    player.close()


def test_one_tap_plays_where_that_is_wished(browser: Browser, house: House) -> None:
    player = a_finger(browser, house)
    at_turn(player, tap="once")
    held = player.held()
    legal(player).first.tap()
    gone(player, held)
    player.close()


@pytest.mark.parametrize("tap", ["twice", "confirm"])
def test_keys_and_clicks_without_a_pointer_act_at_once(player: Player, tap: str) -> None:
    at_turn(player, tap=tap)
    legal(player).first.focus()
    player.page.keyboard.press("Enter")
    gone(player, 13)
    assert player.due() == "Play"
    legal(player).first.evaluate("(card) => card.click()")  # as by a screen reader, or by voice
    gone(player, 12)
    player.keep_focus()
    player.assert_content()


def test_a_double_click_plays_one_card(player: Player) -> None:
    at_turn(player)
    card = legal(player).nth(1)
    box = card.bounding_box()
    assert box is not None
    player.page.mouse.dblclick(box["x"] + 5, box["y"] + box["height"] / 2)
    gone(player, 13)
    assert player.due() == "Play"
    assert player.held() == 12
    player.assert_content()


def test_the_button_plays_the_card_one_is_on(player: Player) -> None:
    at_turn(player)
    legal(player).first.focus()
    name = name_of(player.page.locator(":focus"))
    button = action(player, "Play")
    assert button.inner_text() == f"Jouer\u00a0: {name}"
    button.focus()
    player.page.keyboard.press("Enter")
    gone(player, 13)
    player.keep_focus()
    # Where the next turn has come already, the button is there for it.
    assert player.page.evaluate("document.activeElement.closest('#hand, #actions') !== null")


# Cards that stay


@pytest.mark.parametrize("by", ["mouse", "touch", "keys", "button"])
def test_a_card_that_may_not_be_played_says_why(browser: Browser, house: House, by: str) -> None:
    player = a_finger(browser, house)
    with dealt_from(house, SEED):
        at_turn(player)
    barred = player.page.locator("#hand [role=option][aria-disabled=true]").first
    reason = player.page.locator(f"#{barred.get_attribute('aria-describedby')}").text_content()
    assert reason
    match by:
        case "mouse":
            barred.click(force=True)  # a person can, although it is told as disabled
        case "touch":
            barred.tap(force=True)
        case "keys":
            barred.focus()
            player.page.keyboard.press(" ")
        case "button":
            barred.focus()
            assert action(player, "Play").get_attribute("aria-disabled") == "true"
            player.page.wait_for_timeout(GUARDED)
            action(player, "Play").tap(force=True)
    player.wait("(why) => document.getElementById('answer').textContent.includes(why)", reason)
    player.wait(SAID, reason)
    assert player.held() == 13
    assert player.page.locator(RAISED).count() == 0
    assert player.page.locator("#hand [aria-selected]").count() == 0  # or each is "not selected"
    player.keep_focus()
    player.assert_content()
    player.close()


def test_the_reason_is_heard_with_the_first_card_that_may_not_be_played(
    browser: Browser, house: House
) -> None:
    """With every card it would be too much; and none is told while it has the focus already."""
    player = Player(browser, house, "en", still=True)
    with dealt_from(house, SEED):
        at_turn(player)
    told = """(card) => {
        const by = card.getAttribute("aria-describedby");
        return by === null ? "" : document.getElementById(by).textContent;
    }"""
    barred = player.page.locator("#hand [role=option][aria-disabled=true]")
    reason = barred.first.evaluate(told)
    assert reason.startswith("The suit led must be followed")
    assert {each.evaluate(told) for each in barred.all()} == {reason}
    barred.first.focus()
    assert barred.first.evaluate(told) == reason
    others = barred.all()[1:]
    assert {each.evaluate(told) for each in others} == {"may not be played now"}
    legal(player).first.focus()
    assert {each.evaluate(told) for each in barred.all()} == {"may not be played now"}
    assert {each.evaluate(told) for each in legal(player).all()} == {""}


def test_out_of_turn_a_card_says_whose_turn_it_is(browser: Browser, house: House) -> None:
    player = Player(browser, house, "en", still=True)
    with dealt_from(house, SEED):
        at_turn(player)
    player.suit(bot_pace=10_000)
    player.page.reload()
    assert player.due() == "Play"
    legal(player).last.click()
    player.wait("() => !window.watched.scene.may.includes('Play')")
    held = player.held()
    player.cards().first.click()
    player.wait(
        "() => document.getElementById('answer').textContent === window.watched.scene.status"
    )
    assert player.held() == held
    player.close()


# Choosing


def test_cards_for_the_pass_are_chosen_by_all_means(browser: Browser, house: House) -> None:
    player = a_finger(browser, house)
    player.come_in()
    player.begin("microsoft")
    assert player.due() == "Pass"
    chosen = player.page.get_by_role("option", name=re.compile(", to pass$"))
    player.cards().nth(0).tap()  # one tap is enough: nothing is played by it
    assert chosen.count() == 1
    player.page.keyboard.press("End")
    player.page.keyboard.press(" ")
    assert chosen.count() == 2
    player.cards().nth(5).evaluate("(card) => card.click()")
    assert chosen.count() == 3
    player.wait("() => window.watched.said.at(-1).trim() === '3 chosen.'")
    player.cards().nth(7).tap()
    assert "put one back" in player.page.inner_text("#answer")
    assert chosen.count() == 3
    player.cards().nth(0).focus()
    name = name_of(player.cards().nth(0)).removesuffix(", to pass")
    assert action(player, "Choose").inner_text() == f"Put back: {name}"
    press(player, "Choose", "tap")
    assert chosen.count() == 2
    assert action(player, "Choose").inner_text() == f"Choose: {name}"
    press(player, "Pass", "tap")
    assert "2" in player.page.inner_text("#answer")
    press(player, "Choose", "tap")
    assert action(player, "Pass").inner_text() == "Pass these cards"
    moment = player.moment()
    press(player, "Pass", "tap")
    player.until_after(moment)
    player.due()
    player.keep_focus()
    player.assert_content()
    player.close()


def test_a_reload_keeps_the_cards_that_are_chosen_for_the_pass(
    browser: Browser, house: House
) -> None:
    player = Player(browser, house, "en")
    player.come_in()
    player.begin("microsoft")
    assert player.due() == "Pass"
    chosen = player.page.get_by_role("option", name=re.compile(", to pass$"))
    for place in (0, 5, 9):
        player.cards().nth(place).click()
    names = chosen.all_text_contents()
    assert len(names) == 3
    player.page.reload()
    player.wait("() => document.querySelectorAll('#hand .chosen').length === 3")
    assert chosen.all_text_contents() == names
    assert not any("3 of 3" in line for line in player.said)
    player.page.evaluate(ANOTHERS)
    player.page.reload()
    assert player.due() == "Pass"
    assert chosen.count() == 0
    for place in (0, 5, 9):
        player.cards().nth(place).click()
    moment = player.moment()
    press(player, "Pass")
    player.until_after(moment)
    assert player.page.evaluate("sessionStorage.length") == 0
    player.assert_content()
    player.close()


# Order, and moving


def test_by_suit_the_arrows_jump_from_suit_to_suit(player: Player, house: House) -> None:
    at_turn(player)
    cards = player.page.evaluate(HELD)
    assert cards == sorted(cards, key=lambda card: ("CDSH".index(card[1]), rank(card)))
    assert walked(player, "ArrowDown") == starts(cards, 1)
    assert walked(player, "ArrowUp") == starts(cards, 1)[::-1]
    player.page.keyboard.press("End")
    assert player.focused() == f"card-{cards[-1]}"
    player.page.keyboard.press("PageUp")
    player.page.keyboard.press("PageDown")
    assert player.focused() == f"card-{starts(cards, 1)[-1]}"
    for _ in range(14):
        player.page.keyboard.press("ArrowLeft")
    assert player.focused() == f"card-{cards[0]}"
    player.page.keyboard.press("ArrowRight")
    assert player.focused() == f"card-{cards[1]}"


def test_by_rank_they_jump_from_rank_to_rank(player: Player) -> None:
    at_turn(player, order="rank")
    cards = player.page.evaluate(HELD)
    assert cards == sorted(cards, key=lambda card: (rank(card), "CDSH".index(card[1])))
    assert walked(player, "ArrowDown") == starts(cards, 0)


def rank(card: str) -> int:
    """From high to low; jokers last."""
    return 99 if card[1] == "J" else "AKQJT98765432".index(card[0])


def starts(cards: list[str], sign: int) -> list[str]:
    """The first card of each suit, or rank."""
    pairs = zip(cards, ["  ", *cards], strict=False)
    return [card for card, before in pairs if card[sign] != before[sign]]


def walked(player: Player, key: str) -> list[str]:
    """The cards on which one comes to stand from the beginning, or the end, by a key alone."""
    player.take_focus()
    player.page.keyboard.press("Home" if key == "ArrowDown" else "End")
    if key == "ArrowUp":
        player.page.keyboard.press("PageUp")
        player.page.keyboard.press("PageDown")
    found = [player.focused()]
    while True:
        player.page.keyboard.press(key)
        if player.focused() == found[-1]:
            return [each.removeprefix("card-") for each in found]
        found.append(player.focused())


def test_the_order_changes_with_the_setting_at_once(player: Player) -> None:
    at_turn(player)
    by_suit = player.page.evaluate(HELD)
    player.page.evaluate("document.getElementById('settings-part').open = true")
    player.page.select_option("#order", "rank")
    player.page.click("#settings-form button.first")
    player.wait(f"(before) => ({HELD})().join() !== before.join()", by_suit)
    assert sorted(player.page.evaluate(HELD)) == sorted(by_suit)
    player.keep_focus()
    player.assert_content()


def test_on_my_turn_the_first_card_that_i_may_play_has_the_focus(
    browser: Browser, house: House
) -> None:
    """Where that is wished; else the focus stays on the card it is on."""
    player = Player(browser, house, "en", still=True)
    with dealt_from(house, SEED):
        at_turn(player, first_playable=True)
    player.page.keyboard.press("End")
    legal(player).last.click()
    assert player.due() == "Play"
    player.wait(ON_FIRST_PLAYABLE)
    player.close()


def test_arrows_skip_cards_that_may_not_be_played(browser: Browser, house: House) -> None:
    """Where that is wished; with Shift they reach every card, as Home and End do the outer ones."""
    player = Player(browser, house, "en", still=True)
    with dealt_from(house, SEED):
        at_turn(player, skip_barred=True)
    cards = player.page.evaluate(HELD)
    may = [each["card"] for each in player.scene["hand"] if each["legal"]]
    assert 0 < len(may) < len(cards)
    player.take_focus()
    player.page.keyboard.press("Home")
    assert player.focused() == f"card-{cards[0]}"
    assert walked_on(player, "ArrowRight") == [each for each in may if each != cards[0]]
    assert walked_on(player, "ArrowLeft") == may[-2::-1]
    player.page.keyboard.press("Home")
    assert (
        walked_on(player, "ArrowDown")[:1] == [each for each in may if each[1] != cards[0][1]][:1]
    )
    player.page.keyboard.press("Home")
    assert walked_on(player, "Shift+ArrowRight") == cards[1:]
    player.close()


def walked_on(player: Player, key: str) -> list[str]:
    """The cards on which one comes to stand by a key alone, from where one is."""
    found = [player.focused()]
    while True:
        player.page.keyboard.press(key)
        if player.focused() == found[-1]:
            return [each.removeprefix("card-") for each in found[1:]]
        found.append(player.focused())


@pytest.mark.parametrize("touch", [False, True])
def test_seventeen_cards_have_room_and_can_each_be_hit(
    browser: Browser, house: House, touch: bool
) -> None:
    player = Player(browser, house, "fr", width=320, height=640, touch=touch)
    player.come_in()
    player.begin("coeurs", players=3, levels=["casual", "casual"])
    assert player.held() == 17
    assert player.page.evaluate("document.documentElement.scrollWidth") <= 320
    hit = """(card) => {
        card.scrollIntoView({ block: "center" });
        const { left, right, top, bottom } = card.getBoundingClientRect();
        let wide = 0;
        for (let x = Math.ceil(left); x < right; x += 1) {
            const found = document.elementFromPoint(x, (top + bottom) / 2);
            if (card.contains(found)) wide += 1;
        }
        return wide;
    }"""
    assert min(each.evaluate(hit) for each in player.cards().all()) >= 14
    while player.due() == "Pass":
        moment = player.moment()
        (Touch() if touch else Mouse()).pass_cards(player)
        player.until_after(moment)
    player.assert_content()
    player.close()


def test_jokers_are_held_and_named(player: Player) -> None:
    player.come_in()
    for _ in range(6):
        player.begin("salon-six-jokers", players=6, levels=["casual"] * 5)
        player.due()
        cards = player.page.evaluate(HELD)
        jokers = [card for card in cards if card[1] == "J"]
        if jokers:
            card = player.page.locator(f"#card-{jokers[0]}")
            assert "oker" in name_of(card)
            assert cards[-1] == jokers[-1]
            break
    player.assert_content()
