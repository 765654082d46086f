"""The means by which a person plays: a mouse, fingers, keys, or the accessibility tree.

Each of the first three is a class with the same few methods.
"""

from __future__ import annotations

import re
from time import monotonic
from typing import Any, Final, Literal, TypeAlias

from kit.browser.players import Player
from playwright.sync_api import Locator, Position

TABS: Final = 80  # presses of Tab after which something cannot be reached
BREATH: Final = 600
"""Milliseconds after which a tap is no longer half of a double tap, which would not count."""

GUARDED: Final = 320
"""Milliseconds for which a button whose meaning has changed ignores clicks."""

CORNER: Position = {"x": 12, "y": 24}
"""Visible point of a card in a fan, to be pressed: other cards lie over the rest."""


def legal(player: Player) -> Locator:
    """The cards that may be used now."""
    return player.page.locator("#hand [role=option]:not([aria-disabled=true])")


def action(player: Player, name: str) -> Locator:
    """A button below the hand, or in the menu."""
    return player.page.locator(f":is(#actions, #more) [data-key='{name}']")


def press(player: Player, name: str, how: Literal["Enter", "click", "tap"] = "Enter") -> None:
    """Press such a button by key, mouse or finger; open the menu first if it is in there."""
    button = action(player, name)
    button.wait_for()
    if how == "Enter":  # wherever it stands, and however new it is
        button.focus()
        player.keys(how)
        return
    if button.evaluate("(button) => button.closest('#menu:not(.open)') !== null"):
        getattr(player.page.locator("[data-key='Menu']"), how)()
    player.page.wait_for_timeout(GUARDED)
    getattr(button, how)()


class Mouse:
    """Clicks."""

    def pass_cards(self, player: Player) -> None:
        for place in range(player.scene["pass_count"]):
            player.cards().nth(place).click(position=CORNER)
        press(player, "Pass", "click")

    def play_card(self, player: Player) -> None:
        legal(player).first.click(position=CORNER)

    def go_on(self, player: Player, key: str = "Next") -> None:
        press(player, key, "click")

    def allow(self, player: Player) -> None:
        player.page.click("#allow")

    def choose_moon(self, player: Player) -> None:
        player.page.click("#moon_plus")


class Touch:
    """Taps, by the person's setting.

    Args:
        way: `once`: the first tap plays; `twice`: the second one; `confirm`: a button.
    """

    def __init__(self, way: str = "twice") -> None:
        self._way = way
        self._tapped = 0.0

    def pass_cards(self, player: Player) -> None:
        for place in range(player.scene["pass_count"]):
            player.cards().nth(place).tap(position=CORNER)
        press(player, "Pass", "tap")

    def play_card(self, player: Player) -> None:
        card = player.page.locator(f'[id="{legal(player).first.get_attribute("id")}"]')
        rest = BREATH - 1000 * (monotonic() - self._tapped)
        player.page.wait_for_timeout(max(rest, 0))
        card.tap(position=CORNER)
        if self._way == "twice":
            card.tap(position=CORNER)
        elif self._way == "confirm":
            press(player, "Play", "tap")
        self._tapped = monotonic()

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
        player.keys("Home")
        for _ in range(player.scene["pass_count"]):
            player.keys(" ", "ArrowRight")
        self._press(player, "#actions", "Pass")

    def play_card(self, player: Player) -> None:
        tab_to(player, "#hand")
        player.keys("Home")
        for _ in range(player.held()):
            if player.page.evaluate("document.activeElement.ariaDisabled !== 'true'"):
                break
            player.keys("ArrowRight")
        player.keys("Enter")

    def go_on(self, player: Player, key: str = "Next") -> None:
        self._press(player, "#actions", key)

    def allow(self, player: Player) -> None:
        tab_to(player, "#allow")
        player.keys("Enter")

    def choose_moon(self, player: Player) -> None:
        self._press(player, "#actions", "ChooseMoon")
        tab_to(player, "#moon_plus")
        player.keys("Enter")

    def _press(self, player: Player, bar: str, key: str) -> None:
        """Press a button of a toolbar, which is one stop of Tab."""
        tab_to(player, bar)
        player.keys("Home")
        for _ in range(player.page.locator(f"{bar} button").count()):
            if player.page.evaluate("document.activeElement.dataset.key") == key:
                break
            player.keys("ArrowRight")
        player.keys("Enter")


Means: TypeAlias = Mouse | Touch | Keys


def tab_to(player: Player, inside: str) -> None:
    """Tab until the focus is in there."""
    for _ in range(TABS):
        if player.page.evaluate("(where) => !!document.activeElement?.closest(where)", inside):
            return
        player.keys("Tab")
    raise AssertionError(f"Tab does not lead to {inside}")


def do_what_is_due(player: Player, means: Means, due: str) -> None:
    """Do one thing that the match asks, and wait until it has been done."""
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
    """Play until the deal or the match is over; return what is due then. The focus is kept."""
    while (due := player.due()) not in ("Back", "Next", "Cut", "ended", "closed"):
        do_what_is_due(player, means, due)
    player.keep_focus()
    return due


def play_match(player: Player, means: Means) -> int:
    """Play to the end of the match; return the number of deals."""
    deals = 1
    while (due := play_deal(player, means)) != "ended":
        do_what_is_due(player, means, due)
        deals += 1
    return deals


# Two people at one table


def sit_together(host: Player, friend: Player, name: str = "microsoft", **rules: Any) -> None:
    """Both at a table of the host's, with two bots; the match begins."""
    table = host.open_table(name, levels=["", "casual", "casual"], **rules)
    host.sit_down(table)
    friend.sit_down(table)
    press(friend, "Sit 1")
    action(friend, "Stand").wait_for()
    press(host, "Start")
    for each in (host, friend):
        each.page.wait_for_selector("#hand [role=option]")
        each.take_focus()


def on_turn(*players: Player) -> Player | None:
    """The player whose turn it is; None if the deal is over."""
    while True:
        for each in players:
            may = each.scene["may"]
            if "Pass" in may or "Play" in may:
                return each
            if each.scene["phase"] in ("between", "ended"):
                return None
        players[0].page.wait_for_timeout(20)


def until_a_card_is_followed(before: Player, after: Player) -> None:
    """Both play on until `before` has played and `after` is to follow."""
    while True:
        one = on_turn(before, after)
        assert one is not None
        followed = one is before and one.due() == "Play" and len(before.scene["trick"]) < 3
        do_what_is_due(one, Mouse(), one.due())
        if followed:
            after.wait("() => window.watched.scene.may.includes('Play')")
            return


# By the accessibility tree alone: roles and names, as a screen reader has them

EAR_PATIENCE: Final = 20.0  # seconds
PAUSE: Final = 30  # milliseconds between two looks at the messages

WORDS: Final = {
    "en": {
        "hand": "Your hand",
        "now": "What is going on",
        "passing": r"^Pass these cards(?: \((\d) of (\d)\))?",
        "turn": "It is your turn to (play|lead)",
        "next": "Next deal",
        "over": "The match is over",
    },
    "fr": {
        "hand": "Votre main",
        "now": "Ce qui se passe",
        "passing": r"^Passer ces cartes(?: \((\d) sur (\d)\))?",
        "turn": "C’est à vous (de jouer|d’entamer)",
        "next": "Manche suivante",
        "over": "La partie est finie",
    },
}


class Ear:
    """Somebody who hears the page of a table, and plays.

    Nothing here knows an id, a class, or where anything stands.
    """

    def __init__(self, player: Player) -> None:
        self._page = player.page
        self._words = WORDS[player.lang]

    def play_match(self) -> int:
        """Play to the end of the match; return the number of cards."""
        played = 0
        while (due := self.due()) != "over":
            if due == "pass":
                self.pass_cards()
            elif due == "play":
                self.play_card()
                played += 1
            else:
                self._press_and_lose(self.button(f"^{self._words['next']}"))
        return played

    def due(self) -> str:
        """Wait until there is something to do, and return its name."""
        until = monotonic() + EAR_PATIENCE
        while monotonic() < until:
            if self._page.get_by_role("region", name=self._words["over"]).count():
                return "over"
            if self.button(self._words["passing"]).count():
                return "pass"
            if self.button(f"^{self._words['next']}").count():
                return "next"
            if re.search(self._words["turn"], self.status()) and self.playable().count():
                return "play"
            self._page.wait_for_timeout(PAUSE)
        raise AssertionError(f"nothing to do: {self.status()}")

    def status(self) -> str:
        """The sentence of the status."""
        return self._page.get_by_role("region", name=self._words["now"]).aria_snapshot()

    def button(self, name: str) -> Locator:
        return self._page.get_by_role("button", name=re.compile(name))

    def hand(self) -> Locator:
        return self._page.get_by_role("listbox", name=self._words["hand"]).get_by_role("option")

    def playable(self) -> Locator:
        """The cards that are not announced as unavailable."""
        hand = self._page.get_by_role("listbox", name=self._words["hand"])
        return hand.get_by_role("option", disabled=False)

    def pass_cards(self) -> None:
        """Choose as many cards as the button asks for, and pass them."""
        passing = self.button(self._words["passing"])
        name = re.search(self._words["passing"], passing.text_content() or "")
        assert name is not None
        for place in range(int(name[2])):
            self.hand().nth(place).press("Enter")
        self._press_and_lose(passing)

    def _press_and_lose(self, button: Locator) -> None:
        """Press a button that goes away when pressed, so it is not pressed twice."""
        button.focus()
        self._page.keyboard.press("Enter")
        button.wait_for(state="detached")

    def play_card(self) -> None:
        held = self.hand().count()
        self.playable().first.press("Enter")
        until = monotonic() + EAR_PATIENCE
        while self.hand().count() == held:
            assert monotonic() < until, "the card has not gone"
            self._page.wait_for_timeout(PAUSE)
