"""The means by which a person plays: a mouse, fingers, keys, or what a screen reader is told.

Each is a class with the same few methods, so that any of them can play a whole match.
"""

from __future__ import annotations

from typing import Literal, Protocol

from page.players import Player
from playwright.sync_api import Locator, Position

TABS: int = 80
"""Presses of Tab after which something cannot be reached."""

BREATH: int = 600
"""Milliseconds after which a tap is not half of a double one, which would count for nothing."""

GUARDED: int = 320
"""Milliseconds for which a click may be meant for what a button did before, and does nothing."""

CORNER: Position = {"x": 12, "y": 24}
"""Where a card in a fan can be seen, and so be pressed: others lie over the rest."""


class Means(Protocol):
    """How a person does what is due."""

    def pass_cards(self, player: Player) -> None: ...

    def play_card(self, player: Player) -> None: ...

    def go_on(self, player: Player, key: str = "Next") -> None:
        """To the next deal, or whatever that button is for."""
        ...

    def allow(self, player: Player) -> None:
        """Lets another take a card back."""
        ...

    def choose_moon(self, player: Player) -> None:
        """Has a moon counted for the others."""
        ...


def legal(player: Player) -> Locator:
    """The cards that may be used now."""
    return player.page.locator("#hand [role=option]:not([aria-disabled=true])")


def action(player: Player, name: str) -> Locator:
    """A button below the hand, or in the menu."""
    return player.page.locator(f":is(#actions, #more) [data-key='{name}']")


def press(player: Player, name: str, how: Literal["click", "tap"] = "click") -> None:
    """Presses such a button with mouse or finger, and opens the menu if it stands there."""
    button = action(player, name)
    button.wait_for()
    if button.evaluate("(button) => button.closest('#menu:not(.open)') !== null"):
        getattr(player.page.locator("[data-key='Menu']"), how)()
    player.page.wait_for_timeout(GUARDED)
    getattr(button, how)()


class Mouse:
    """Clicks."""

    def pass_cards(self, player: Player) -> None:
        for place in range(player.scene["pass_count"]):
            player.cards().nth(place).click(position=CORNER)
        press(player, "Pass")

    def play_card(self, player: Player) -> None:
        legal(player).first.click(position=CORNER)

    def go_on(self, player: Player, key: str = "Next") -> None:
        press(player, key)

    def allow(self, player: Player) -> None:
        player.page.click("#allow")

    def choose_moon(self, player: Player) -> None:
        player.page.click("#moon_plus")


class Touch:
    """Taps, as somebody has set them.

    Args:
        way: `once` where the first tap plays, `twice` where a second one does, `confirm` where a
            button does.
    """

    def __init__(self, way: str = "twice") -> None:
        self._way = way

    def pass_cards(self, player: Player) -> None:
        for place in range(player.scene["pass_count"]):
            player.cards().nth(place).tap(position=CORNER)
        press(player, "Pass", "tap")

    def play_card(self, player: Player) -> None:
        card = player.page.locator(f'[id="{legal(player).first.get_attribute("id")}"]')
        player.page.wait_for_timeout(BREATH)
        card.tap(position=CORNER)
        if self._way == "twice":
            card.tap(position=CORNER)
        elif self._way == "confirm":
            press(player, "Play", "tap")

    def go_on(self, player: Player, key: str = "Next") -> None:
        press(player, key, "tap")

    def allow(self, player: Player) -> None:
        player.page.tap("#allow")

    def choose_moon(self, player: Player) -> None:
        player.page.tap("#moon_plus")


class Keys:
    """Keys alone: Tab, arrows, Home, Enter and Space."""

    def pass_cards(self, player: Player) -> None:
        tab_to(player, "#hand")
        player.page.keyboard.press("Home")
        for _ in range(player.scene["pass_count"]):
            player.page.keyboard.press(" ")
            player.page.keyboard.press("ArrowRight")
        self._press(player, "#actions", "Pass")

    def play_card(self, player: Player) -> None:
        tab_to(player, "#hand")
        player.page.keyboard.press("Home")
        for _ in range(player.held()):
            if player.page.evaluate("document.activeElement.ariaDisabled !== 'true'"):
                break
            player.page.keyboard.press("ArrowRight")
        player.page.keyboard.press("Enter")

    def go_on(self, player: Player, key: str = "Next") -> None:
        self._press(player, "#actions", key)

    def allow(self, player: Player) -> None:
        tab_to(player, "#allow")
        player.page.keyboard.press("Enter")

    def choose_moon(self, player: Player) -> None:
        self._press(player, "#actions", "ChooseMoon")
        tab_to(player, "#moon_plus")
        player.page.keyboard.press("Enter")

    def _press(self, player: Player, bar: str, key: str) -> None:
        """A button of a toolbar, of which Tab finds only one."""
        tab_to(player, bar)
        player.page.keyboard.press("Home")
        for _ in range(player.page.locator(f"{bar} button").count()):
            if player.page.evaluate("document.activeElement.dataset.key") == key:
                break
            player.page.keyboard.press("ArrowRight")
        player.page.keyboard.press("Enter")


def tab_to(player: Player, inside: str) -> None:
    """Tab until the focus is in there."""
    for _ in range(TABS):
        if player.page.evaluate("(where) => !!document.activeElement?.closest(where)", inside):
            return
        player.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {inside}")


def do_what_is_due(player: Player, means: Means, due: str) -> None:
    """One thing that the match asks, and waits until it has been done."""
    moment = player.moment()
    match due:
        case "AnswerUndo":
            means.allow(player)
        case "Pass":
            means.pass_cards(player)
        case "Play":
            means.play_card(player)
        case "ChooseMoon":
            means.choose_moon(player)
        case "Next" | "TurnDown" | "Cut" | "Accept":
            means.go_on(player, due)
    player.until_after(moment)


def play_deal(player: Player, means: Means) -> str:
    """Plays until the deal, or the match, is over; what is due then. The focus is kept."""
    while (due := player.due()) not in ("Back", "Next", "Cut", "ended", "closed"):
        do_what_is_due(player, means, due)
    player.keep_focus()
    return due


def play_match(player: Player, means: Means) -> int:
    """Plays to the end of the match; how many deals it had."""
    deals = 1
    while (due := play_deal(player, means)) != "ended":
        do_what_is_due(player, means, due)
        deals += 1
    return deals
