"""The way to the hand is short: nothing waits for an answer that it does not need."""

from __future__ import annotations

import json
from typing import Any

import pytest
from page.company import sit_together
from page.players import Player
from playwright.sync_api import WebSocket

from volte.server import assets

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
    player.assert_content()


def test_bytes_are_told_only_when_all_people_have_promised_theirs(player: Player) -> None:
    player.come_in()
    other = player.beside()
    try:
        line = listened(player)
        sit_together(player, other)
        said = commands(line)
        assert said[said.index("Promise") + 1] == "<"
        before = line[: next(at for at, (_, each) in enumerate(line) if did(each) == "Contribute")]
        promised = [each["happening"] for _, each in before if happened(each) == "Promised"]
        assert sorted(each["seat"] for each in promised) == [0, 1]
        assert all(each["digest"] for each in promised)
    finally:
        other.close()


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
    player.assert_content()
