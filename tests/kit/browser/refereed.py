"""A refereed table at which somebody plays with two others, who err when the test says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final, TypeAlias

from kit.browser.means import CORNER, Mouse, press, tab_to
from kit.browser.players import PATIENCE, Player
from kit.playing import Player as Guest
from kit.sites import Playroom
from playwright.sync_api import Locator

from volte.cards import SUIT_MASKS, Card
from volte.game import Play
from volte.referee import Accept, RefereedDeal
from volte.say import Words
from volte.table.commands import Sit
from volte.web.assets import client_sentences

NAMES: Final = ("Ana", "Max")

PAINTED: Final = """(wanted) => {
    const scene = window.watched.scene;
    const cards = document.querySelectorAll('#hand [role=option]').length;
    return cards === scene.hand.length
        && [...scene.may, scene.phase].some((each) => wanted.includes(each));
}"""


class Circle:
    """The player at seat 0 of a refereed table, and two others, who act as the test says."""

    def __init__(self, player: Player, deals: int) -> None:
        assert isinstance(player.playroom, Playroom)
        self.player = player
        self.playroom: Playroom = player.playroom
        table = player.open_table("coeurs-table", players=3, levels=["", ""], deals=deals)
        self.guests = tuple(self._seated(table, seat) for seat in (1, 2))
        self.ana, self.max = self.guests
        player.sit_down(table)
        press(player, "Start")

    def _seated(self, table: str, seat: int) -> Guest:
        async def come() -> Guest:
            guest = await Guest.come(self.player.address, NAMES[seat - 1])
            await guest.join(table)
            assert (await guest.do(Sit(seat))).ok
            return guest

        return self.playroom.do(come())

    def part(self) -> None:
        for guest in self.guests:
            self.playroom.do(guest.leave())

    def until(self, *wanted: str) -> None:
        """The others act honestly until the player may do one of these.

        The name of a phase will do as well.
        """
        end = monotonic() + PATIENCE / 1000
        while not self.player.page.evaluate(PAINTED, list(wanted)):
            assert monotonic() < end, (wanted, self.player.scene)
            if not any(self._acts(guest) for guest in self.guests):
                self.player.page.wait_for_timeout(20)

    def until_before(self, guest: Guest) -> None:
        """Play on until it is the player's turn, and that guest has yet to play."""
        self.until("Play")
        while guest.seat in [each["seat"] for each in self.player.scene["trick"]]:
            self.everybody_plays()
            self.until("Play", "TurnDown")

    def until_either(self) -> list[str]:
        """Play on until the player can follow suit and can break T1; return cards that break it."""
        while True:
            self.until("Play", "TurnDown")
            follows, others = by_duty(self.player)
            if "TurnDown" not in self.player.scene["may"] and follows and others:
                return others
            self.everybody_plays()

    def _acts(self, guest: Guest) -> bool:
        """Do what is due from a guest; whether anything was."""
        command = guest.next_command()
        return command is not None and self.playroom.do(guest.do(command)).ok

    def lays(self, guest: Guest, card: Card) -> None:
        """Let the guest lay a card, whether it may be played or not."""
        self._hears(guest)
        assert guest.seat is not None
        assert self.playroom.do(guest.act(Play(guest.seat, card))).ok
        self.player.wait(
            "(card) => window.watched.scene.trick.some((each) => each.card === card)", card.text
        )

    def _hears(self, guest: Guest) -> None:
        """Wait until the guest knows as much as the player: an older command would be stale."""
        number = self.player.scene["number"]
        self.playroom.do(guest.until(lambda: guest.number >= number))

    def revokes(self, guest: Guest) -> None:
        """Play on until the guest can break T1, and does, and that trick is turned down."""
        while (card := _astray(guest)) is None:
            self.everybody_plays()
        self.lays(guest, card)
        number = guest.view.deal.trick_number
        while guest.view.deal.trick_number == number:
            self.everybody_plays()

    def accepts(self, guest: Guest) -> None:
        """Let the guest accept the sheet after the last deal."""
        self._hears(guest)
        assert guest.seat is not None
        assert self.playroom.do(guest.act(Accept(guest.seat))).ok

    def everybody_plays(self) -> None:
        """Do one honest act: the player's if they are waited for, or else a guest's."""
        scene = self.player.scene
        if "TurnDown" in scene["may"]:
            self._player_does("TurnDown")
        elif "Play" in scene["may"]:
            honest(self.player)
        elif not any(self._acts(guest) for guest in self.guests):
            self.player.page.wait_for_timeout(20)

    def _player_does(self, name: str) -> None:
        number = self.player.scene["number"]
        press(self.player, name)
        self.player.wait("(number) => window.watched.scene.number > number", number)


def _astray(guest: Guest) -> Card | None:
    """A card that breaks T1 now; none if the seat is not on turn, or has to put a revoke right."""
    view, deal = guest.view, guest.view.deal
    assert isinstance(deal, RefereedDeal)
    led = deal.led
    free = view.my_turn and not deal.bound >> (view.seat or 0) & 1
    if not free or led is None or not view.hand.mask & SUIT_MASKS[led]:
        return None
    return next((card for card in view.hand if card.suit is not led), None)


def honest(player: Player) -> None:
    """Plays the lowest card that the duty to follow allows."""
    number = player.scene["number"]
    follows, others = by_duty(player)
    ByMouse().play(player, (follows or others)[-1])
    player.wait("(number) => window.watched.scene.number > number", number)


def by_duty(player: Player) -> tuple[list[str], list[str]]:
    """The cards of the hand that follow the suit led, and all others."""
    scene = player.scene
    led = scene["trick"][0]["card"][-1] if scene["trick"] else ""
    cards = [each["card"] for each in scene["hand"]]
    return [card for card in cards if card[-1] == led], [card for card in cards if card[-1] != led]


DUE: Final = ("Accept", "Cut", "TurnDown", "Pass", "Play", "Next")
"""Actions that a refereed match asks of somebody, the most urgent first."""


# A person's acts at a refereed table


class ByMouse:
    """Clicks."""

    def play(self, player: Player, card: str) -> None:
        """Press a card to lay it on the table; out of turn, two presses are needed."""
        player.page.locator(f"#card-{card}").click(position=CORNER)

    def press(self, player: Player, name: str) -> None:
        press(player, name, "click")

    def object_to(self, player: Player, name: str) -> None:
        self.press(player, "Object")
        player.page.locator("[role=dialog] .choose button", has_text=name).click()

    def claim(self, player: Player, name: str, trick: int) -> None:
        self.press(player, "ClaimRevoke")
        dialog = player.page.locator("[role=dialog]")
        dialog.locator("label", has_text=name).first.click()
        dialog.locator(f"label:has([name=trick][value='{trick}'])").click()
        dialog.locator("button.first").click()


class ByTouch(ByMouse):
    """Taps: a card twice."""

    def play(self, player: Player, card: str) -> None:
        where = player.page.locator(f"#card-{card}")
        where.tap(position=CORNER)
        where.tap(position=CORNER)

    def press(self, player: Player, name: str) -> None:
        press(player, name, "tap")


class ByKeys:
    """Keys alone, with the letters of refereed tables."""

    LETTERS: Final = {
        "TurnDown": "d",
        "TakeBack": "u",
        "Object": "o",
        "ClaimRevoke": "v",
        "Cut": "k",
        "Accept": "a",
    }

    def play(self, player: Player, card: str) -> None:
        tab_to(player, "#hand")
        player.keys("Home")
        while player.page.evaluate("document.activeElement.dataset.key") != card:
            player.keys("ArrowRight")
        player.keys("Enter")

    def press(self, player: Player, name: str) -> None:
        tab_to(player, "#game")
        player.keys(self.LETTERS[name])

    def object_to(self, player: Player, name: str) -> None:
        self.press(player, "Object")
        self._until_focus(player, "Tab", name)
        player.keys("Enter")

    def claim(self, player: Player, name: str, trick: int) -> None:
        self.press(player, "ClaimRevoke")
        player.page.wait_for_selector("[role=dialog]")
        player.keys("Tab", " ")
        self._until_focus(player, "ArrowDown", name)
        player.keys("Tab", " ")
        self._until_focus(player, "ArrowDown", f" {trick},")
        player.keys("Tab", "Enter")

    def _until_focus(self, player: Player, key: str, text: str) -> None:
        player.page.wait_for_selector("[role=dialog]")
        told = "() => document.activeElement.closest('label, button')?.textContent ?? ''"
        for _ in range(20):
            if text in player.page.evaluate(told):
                return
            player.keys(key)
        raise AssertionError(f"no way to {text}")


class ByEar:
    """Roles and names alone, as a screen reader has them; nothing here knows an id or a class."""

    NAMES: Final = {
        "TurnDown": "turn_down",
        "TakeBack": "put_right",
        "Object": "object",
        "ClaimRevoke": "claim_revoke",
        "Cut": "cut",
        "Accept": "accept",
        "Next": "nothing_to_claim",
    }

    def __init__(self, lang: str) -> None:
        self._words = Words(lang)
        self._sentences = client_sentences(self._words)

    def play(self, player: Player, card: str) -> None:
        name = self._words.card(Card(card))
        player.page.get_by_role("option", name=name, exact=True).press("Enter")

    def press(self, player: Player, name: str) -> None:
        self._button(player, self.NAMES[name]).press("Enter")

    def object_to(self, player: Player, name: str) -> None:
        self.press(player, "Object")
        dialog = player.page.get_by_role("dialog", name=self._sentences["object_title"])
        dialog.get_by_role("button", name=name).press("Enter")

    def claim(self, player: Player, name: str, trick: int) -> None:
        self.press(player, "ClaimRevoke")
        dialog = player.page.get_by_role("dialog", name=self._sentences["claim_title"])
        who = dialog.get_by_role("group", name=self._sentences["claim_who"])
        who.get_by_role("radio", name=name).press(" ")
        which = dialog.get_by_role("group", name=self._sentences["claim_which"])
        which.get_by_role("radio").nth(-trick).press(" ")
        dialog.get_by_role("button", name=self._sentences["claim_sure"]).press("Enter")

    def _button(self, player: Player, name: str) -> Locator:
        return player.page.get_by_role("button", name=self._sentences[name], exact=True)


Means: TypeAlias = ByMouse | ByKeys | ByEar


@contextmanager
def circle(player: Player, deals: int = 1) -> Iterator[Circle]:
    """The table, with the cards dealt and passed."""
    table = Circle(player, deals)
    try:
        table.until("Pass")
        pass_cards(player)
        yield table
    finally:
        table.part()


def pass_cards(player: Player) -> None:
    Mouse().pass_cards(player)
    player.wait("() => !window.watched.scene.may.includes('Pass')")
