"""The states of the table that only the wider family has, on decks so small that they come soon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from page.means import CORNER, Mouse, action, do_what_is_due, press
from page.players import Player

from volte.rules.options import Value

LOADED: Final = """() => [...document.styleSheets].some(
    (each) => each.href?.endsWith('/wider.css'))"""

MOST: Final = 200
"""Acts after which what was waited for cannot come any more."""


def without(keep: str, packs: int = 1) -> list[str]:
    """All cards but those of a space-separated list, as the option `removed` wants them."""
    kept = keep.split()
    cards = [f"{rank}{suit}" for suit in "CDSH" for rank in "23456789TJQKA"]
    marks = ["", "'"][:packs]
    return [f"{card}{mark}" for card in cards if card not in kept for mark in marks]


TWELVE: Final = without("JC QC KC AC JD QD KD AD JS QS KS AS")
"""For three: four cards each, the queen alone counting, so that every deal has its moon."""

PAIRS: Final = without("2C 2D QS 2H 3H 4H", packs=2)
"""For six: two cards each; a club or diamond that is led can only be cancelled, or held up."""

EIGHT_EACH: Final = without(" ".join(f"{rank}{suit}" for suit in "CDSH" for rank in "789TJQKA"))
"""For four: whole deals, of which nothing is missing but five tricks like all others."""

SIXTEEN: Final = without("JC QC KC AC JD QD KD AD JS QS KS AS JH QH KH AH")
"""For four: four cards each."""


def play_until(player: Player, condition: str) -> None:
    """Plays on, deal after deal, until the scene is such."""
    for _ in range(MOST):
        due = player.due()
        if player.page.evaluate(f"() => (({condition}))(window.watched.scene)"):
            return
        if due == "Next" and player.scene["refereed"]:  # a bot cuts before anybody can press it
            player.wait("() => !window.watched.scene.may.includes('Next')")
        else:
            do_what_is_due(player, Mouse(), due)
    raise AssertionError(condition)


def scattering(player: Player) -> None:
    """A card has been chosen for each of the others; two of them have been swapped."""
    player.begin("microsoft", pass_cycle=["scatter"], removed=SIXTEEN)
    player.due()
    player.wait(LOADED)
    player.take_focus()
    for place in (0, 3, 2):
        player.cards().nth(place).click(position=CORNER)
    player.page.locator("#each button:visible").first.click()


def choosing(player: Player, name: str = "microsoft", **more: Value) -> None:
    """The person has shot a moon, and has to say how it counts."""
    options: dict[str, Value] = {"pass_count": 0, "moon": "shooter_chooses", **more}
    player.begin(name, players=3, removed=TWELVE, deals=30, **options)
    player.take_focus()
    play_until(player, "(scene) => scene.may.includes('ChooseMoon')")
    player.page.wait_for_selector("#moon:not([hidden])")


def holding(player: Player) -> None:
    """A trick waits for whoever takes the next one, and the last trick is looked at."""
    player.begin("cancellation", players=6, removed=PAIRS, deals=60)
    player.take_focus()
    play_until(player, "(scene) => scene.wider.held.length > 0 && scene.may.includes('Play')")
    player.page.evaluate("document.getElementById('last-part').open = true")
    player.page.wait_for_selector("#pile:not([hidden])")


def partnered(player: Player) -> None:
    """The end of a match of two sides, with its sheet."""
    player.begin("partnership", removed=SIXTEEN, deals=2)
    player.take_focus()
    play_until(player, "(scene) => scene.phase === 'ended'")
    player.page.evaluate("document.getElementById('sheet-part').open = true")
    player.wait("() => document.querySelectorAll('#sheet-rows tr').length === 2")
    action(player, "Start").wait_for()
    player.page.wait_for_selector("#ending.over:not([hidden])")


def wider_states(player: Player) -> Iterator[str]:
    """Each of them: its name. The person has come in."""
    player.begin("cancellation", players=10)
    player.due()
    player.wait(LOADED)
    yield "ten-seats"
    scattering(player)
    yield "scatter"
    holding(player)
    yield "held"
    partnered(player)
    yield "partners-over"
    choosing(player)
    yield "moon"
    press(player, "ChooseMoon")
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector("#moon", state="hidden")
    choosing(player, "coeurs-table", queen_discard="free")
    player.page.wait_for_selector("#ending:not([hidden])")
    yield "moon-refereed"
