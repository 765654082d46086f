"""Playing by the accessibility tree alone: roles and names, as a screen reader has them.

Nothing here knows an id, a class, or where anything stands.
"""

from __future__ import annotations

import re
from time import monotonic
from typing import Final

from page.players import Player
from playwright.sync_api import Locator

PATIENCE: Final = 20.0
PAUSE: Final = 30
"""Milliseconds between two times of listening."""

WORDS: Final = {
    "en": {
        "play_now": "Play now",
        "hand": "Your hand",
        "now": "What is going on",
        "passing": r"^Pass these cards(?: \((\d) of (\d)\))?",
        "turn": "It is your turn to (play|lead)",
        "next": "Next deal",
        "over": "The match is over",
    },
    "fr": {
        "play_now": "Jouer",
        "hand": "Votre main",
        "now": "Ce qui se passe",
        "passing": r"^Passer ces cartes(?: \((\d) sur (\d)\))?",
        "turn": "C’est à vous (de jouer|d’entamer)",
        "next": "Manche suivante",
        "over": "La partie est finie",
    },
}


class Ear:
    """Somebody who hears the page of a table, and plays."""

    def __init__(self, player: Player) -> None:
        self._page = player.page
        self._words = WORDS[player.lang]

    def play_match(self) -> int:
        """Plays to the end of the match; how many cards."""
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
        """Waits until there is something to do: what."""
        until = monotonic() + PATIENCE
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
        """What is going on, in words."""
        return self._page.get_by_role("region", name=self._words["now"]).aria_snapshot()

    def button(self, name: str) -> Locator:
        return self._page.get_by_role("button", name=re.compile(name))

    def hand(self) -> Locator:
        return self._page.get_by_role("listbox", name=self._words["hand"]).get_by_role("option")

    def playable(self) -> Locator:
        """The cards that are not told as unavailable."""
        hand = self._page.get_by_role("listbox", name=self._words["hand"])
        return hand.get_by_role("option", disabled=False)

    def pass_cards(self) -> None:
        """Chooses as many cards as the button asks for, and passes them."""
        passing = self.button(self._words["passing"])
        name = re.search(self._words["passing"], passing.text_content() or "")
        assert name is not None
        for place in range(int(name[2])):
            self.hand().nth(place).press("Enter")
        self._press_and_lose(passing)

    def _press_and_lose(self, button: Locator) -> None:
        """Presses a button that goes away with it, and so is not pressed twice."""
        button.focus()
        self._page.keyboard.press("Enter")
        button.wait_for(state="detached")

    def play_card(self) -> None:
        held = self.hand().count()
        self.playable().first.press("Enter")
        until = monotonic() + PATIENCE
        while self.hand().count() == held:
            assert monotonic() < until, "the card has not gone"
            self._page.wait_for_timeout(PAUSE)
