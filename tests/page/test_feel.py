"""How playing feels: what is done shows at once, where one looks, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.sites import House
from page.line import Line
from page.means import CORNER, Mouse, do_what_is_due, legal
from page.players import Player, dealt_from
from playwright.sync_api import Browser

SEED = 7
LOST = "() => !document.getElementById('connection').hidden"


def at_turn(player: Player, house: House) -> None:
    """Somebody who reads English has passed, and has to play."""
    player.come_in()
    with dealt_from(house, SEED):
        player.begin("microsoft")
    player.due()
    do_what_is_due(player, Mouse(), "Pass")
    assert player.due() == "Play"


@pytest.fixture
def reader(browser: Browser, house: House) -> Iterator[tuple[Player, Line]]:
    """Somebody at a line that can be cut, who still plays the cards of a seed."""
    with Line(house.address) as line:
        player = Player(browser, house, "en", still=True)
        player.address = line.address
        player.forgiven = "WebSocket|ERR_CONNECTION_REFUSED"
        yield player, line
        player.close()


def test_a_card_leaves_the_hand_at_once_waits_for_a_dead_line_and_is_played_once(
    reader: tuple[Player, Line], house: House
) -> None:
    player, line = reader
    at_turn(player, house)
    player.take_focus()
    card = legal(player).first.get_attribute("data-key")
    line.die()
    player.page.focus(f"[id='card-{card}']")
    player.page.keyboard.press("Enter")
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector("#trick .waiting", state="attached")
    assert player.held() == 12
    assert player.page.locator("#trick .waiting").count() == 1
    assert player.focused().startswith("card-")
    assert not any(line.startswith("You play") for line in player.said)
    player.wait(LOST)
    player.page.wait_for_selector("#waiting:not([hidden])")
    player.wait("() => window.watched.scene.hand.length === 12")
    player.wait("() => document.getElementById('waiting').hidden")
    player.due()
    assert player.held() == 12
    assert card not in [each["card"] for each in player.scene["hand"]]
    player.keep_focus()
    player.assert_content()


def test_a_card_that_waits_can_be_taken_back(reader: tuple[Player, Line], house: House) -> None:
    player, line = reader
    at_turn(player, house)
    card = legal(player).first.get_attribute("data-key")
    line.cut()
    player.wait(LOST)
    player.page.focus(f"[id='card-{card}']")
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector("#waiting:not([hidden])")
    assert player.held() == 12
    player.page.keyboard.press("Escape")
    assert player.held() == 13
    assert player.focused() == f"card-{card}"
    line.mend()
    player.wait("() => document.getElementById('connection').hidden")
    assert player.due() == "Play"
    assert player.held() == 13


def test_a_refused_card_comes_back_and_a_hint_marks_its_card(
    reader: tuple[Player, Line], house: House
) -> None:
    player, _ = reader
    at_turn(player, house)
    assert player.page.title().startswith("● Your turn – ")
    player.take_focus()
    player.page.keyboard.press("i")
    player.page.wait_for_selector("#hand .hinted")
    hinted = player.page.locator("#hand .hinted")
    assert hinted.count() == 1
    assert player.page.is_visible("#answer-section.pointing")
    barred = player.page.locator("#hand [aria-disabled=true]").first
    barred.click(force=True, position=CORNER)
    player.page.wait_for_selector("#answer-section.refused.pointing")
    player.page.click("#answer-close")
    assert not player.page.is_visible("#answer-section")
    do_what_is_due(player, Mouse(), "Play")
    assert hinted.count() == 0
    player.assert_content()


def test_a_click_meant_for_another_button_does_nothing(
    reader: tuple[Player, Line], house: House
) -> None:
    """A button that comes into the place of another counts as one that has changed."""
    player, _ = reader
    at_turn(player, house)
    clicked = """() => {
        const bar = document.getElementById("actions");
        const press = () => {
            const button = bar.querySelector("[data-key=Play]");
            button?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
            return button !== null;
        };
        return new Promise((resolve) => {
            new MutationObserver((_, watch) => {
                if (press()) resolve(watch.disconnect());
            }).observe(bar, { childList: true });
        });
    }"""
    player.page.evaluate(f"() => {{ window.pressed = ({clicked})(); }}")
    do_what_is_due(player, Mouse(), "Play")
    assert player.due() == "Play"
    player.page.evaluate("window.pressed")
    assert player.held() == 12
    assert player.due() == "Play"


def test_keys_are_answered_from_what_is_known_while_the_line_is_dead(
    reader: tuple[Player, Line], house: House
) -> None:
    player, line = reader
    at_turn(player, house)
    player.take_focus()
    hand = [each["name"] for each in player.scene["hand"]]
    status = player.scene["status"]
    line.die()
    for key in "tthc":  # while nobody knows yet: the last one is answered
        player.page.keyboard.press(key)
    line.cut()
    player.wait(LOST)
    player.wait("() => window.watched.said.at(-1).startsWith('Before the connection')")
    heard = len(player.said)
    for key, told in (
        ("t", status),
        ("h", ", ".join(hand)),
        ("s", player.scene["seats"][1]["name"]),
    ):
        player.page.keyboard.press(key)
        player.wait(
            "([n, told]) => window.watched.said.slice(n).join().includes(told)", [heard, told]
        )
        heard = len(player.said)
    player.page.keyboard.press("i")
    asked_again = "The connection is lost: that can be asked again when it is back."
    player.wait("(line) => window.watched.said.at(-1) === line", asked_again)
    line.mend()
    player.wait("() => document.getElementById('connection').hidden")
    player.wait("() => window.watched.said.at(-1).includes('The connection is back.')")
    player.page.wait_for_timeout(500)
    told_before = [each for each in player.said if each.startswith("Before the connection")]
    assert len(told_before) == 4
    assert "The connection is back." in player.said[-1]


def test_one_act_waits_for_a_dead_line_and_that_is_said_once(
    reader: tuple[Player, Line], house: House
) -> None:
    player, line = reader
    at_turn(player, house)
    line.cut()
    player.wait(LOST)
    legal(player).first.press("Enter")
    player.page.wait_for_selector("#waiting:not([hidden])")
    player.page.locator("#hand [role=option]").first.press("Enter")
    player.wait("() => window.watched.said.at(-1).includes('still waits')")
    assert sum("goes out when it is back" in line for line in player.said) == 1
    line.mend()
    player.wait("() => window.watched.scene.hand.length === 12")
    player.due()
    assert player.held() == 12
