"""The way to the hand is short: nothing waits for an answer that it does not need."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from kit.browser.means import sit_together
from kit.browser.players import Player
from playwright.sync_api import WebSocket, expect

from volte.web import assets

PLAY_NOW: Final = {"fr": "Jouer tout de suite", "en": "Play now"}

Line = list[tuple[str, dict[str, Any]]]


def listened(player: Player) -> Line:
    """All that goes over the line of the next page, as `>` or `<` and the message."""
    line: Line = []

    def opened(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: note(">", text))
        socket.on("framereceived", lambda text: note("<", text))

    def note(way: str, text: str | bytes) -> None:
        if text:  # else the line is tried
            line.append((way, json.loads(text)))

    player.page.on("websocket", opened)
    return line


def did(message: dict[str, Any]) -> str:
    """The name of a command; empty for any other message."""
    return str(message["command"]["do"]) if message["say"] == "do" else ""


def happened(message: dict[str, Any]) -> str:
    """The name of a happening; empty for any other message."""
    return str(message["happening"]["event"]) if message["say"] == "happened" else ""


def commands(line: Line) -> list[str]:
    """What was done, with `<` for each time that something was heard in between."""
    told: list[str] = []
    for way, message in line:
        if did(message):
            told.append(did(message))
        elif way == "<" and told and told[-1] != "<":
            told.append("<")
    return told


def test_a_match_begins_with_the_hello_and_one_person_is_asked_once(player: Player) -> None:
    player.come_in()
    line = listened(player)
    player.begin()
    assert [way for way, _ in line[:3]] == [">", ">", "<"]
    assert [message["say"] for _, message in line[:3]] == ["hello", "do", "welcome"]
    assert commands(line)[:4] == ["Start", "<", "Promise", "Contribute"]


def test_bytes_are_told_only_when_all_people_have_promised_theirs(player: Player) -> None:
    player.come_in()
    other = player.beside()
    line = listened(player)
    sit_together(player, other)
    said = commands(line)
    assert said[said.index("Promise") + 1] == "<"
    before = line[: next(at for at, (_, each) in enumerate(line) if did(each) == "Contribute")]
    promised = [each["happening"] for _, each in before if happened(each) == "Promised"]
    assert sorted(each["seat"] for each in promised) == [0, 1]
    assert all(each["digest"] for each in promised)


def test_a_page_that_is_older_than_the_files_is_loaded_again_before_it_mixes_them(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.come_in()
    player.begin()
    hand = player.scene["hand"]
    monkeypatch.setattr(assets, "version", lambda: "f" * 16)
    player.page.evaluate("document.getElementById('settings-part').open = true")
    player.page.wait_for_selector(
        f"script[src='/static/{'f' * 16}-{player.lang}/table.js']", state="attached"
    )
    player.page.wait_for_selector("#hand [role=option]")
    assert player.scene["hand"] == hand
    player.page.evaluate("document.getElementById('settings-part').open = true")
    player.page.wait_for_selector("#settings-form")


@pytest.mark.parametrize("keyed", [True, False])
def test_whoever_plays_by_keys_is_in_the_hand_at_once(player: Player, keyed: bool) -> None:
    """Of a page with a fragment, screen readers do not read all that they find."""
    player.go_to("/")
    button = player.page.get_by_role("button", name=PLAY_NOW[player.lang])
    if keyed:
        button.press("Enter")
    else:
        button.click()
    player.page.wait_for_selector("#hand [role=option]")
    assert player.due() == "Pass"
    assert player.focused().startswith("card-") is keyed
    assert player.page.evaluate("location.hash") == ("#cards" if keyed else "")
    assert player.page.evaluate("location.search") == ""
    if keyed:
        moment = player.moment()
        for key in ("Space", "ArrowRight", "Space", "ArrowRight", "Space", "Tab", "Enter"):
            player.page.keyboard.press(key)
        player.until_after(moment)
        assert player.due() == "Play"
        player.keep_focus()


def test_two_presses_lead_to_the_hand_and_escape_from_anywhere(player: Player) -> None:
    player.come_in()
    player.begin()
    assert player.due() == "Pass"
    for key in ("Tab", "Enter"):
        player.page.keyboard.press(key)
    assert player.focused().startswith("card-")
    for place in (".brand", "#to-hand", "#questions [tabindex='0']", "#log", "footer a"):
        player.page.focus(place)
        player.page.keyboard.press("Escape")
        assert player.focused().startswith("card-"), place
    player.keep_focus()


def test_whoever_only_watches_is_led_to_no_hand(player: Player) -> None:
    player.come_in()
    player.begin(levels=["casual", "casual", ""], players=4)
    table = player.page.url.rsplit("/", 1)[-1]
    other = player.beside()
    other.go_to(f"/tables/{table}")
    other.wait("() => window.watched.scene?.seat === null")
    expect(other.page.locator("#to-hand")).to_be_hidden()
