"""Whether the table fits the eyes and the fingers, measured in a window: see fitting.js."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, Final

from kit.browser.means import legal, press
from kit.browser.players import WHOLE, Player
from playwright.sync_api import Locator

MEASURES: Final = (Path(__file__).parent / "fitting.js").read_text(encoding="utf-8")

MANY_SEATS: Final = 8
"""Number of seats from which the felt may scroll."""

FINGER: Final = 44
"""Pixels that a finger needs."""

MANY, NARROW, LEAST = 14, 320, 34
"""With more cards than `MANY`, in a window of width `NARROW`, `LEAST` pixels a card are enough."""


def called(player: Player, name: str, *arguments: object) -> Any:
    """Call one of the functions of fitting.js."""
    told = ", ".join(map(json.dumps, arguments))
    return player.page.evaluate(f"({MEASURES}).{name}({told})")


def measured(player: Player, name: str, *arguments: object) -> list[str]:
    """Faults found by one of the functions of fitting.js."""
    found: list[str] = called(player, name, *arguments)
    return found


def brightness(player: Player, card: Locator) -> float:
    """Brightness (0 to 255) of the paper at the left edge of a card, which no other card covers."""
    box = card.bounding_box()
    assert box is not None
    clip: Any = {"x": box["x"] + 2, "y": box["y"] + 12, "width": 30, "height": 34}
    shot = base64.b64encode(player.page.screenshot(clip=clip)).decode()
    found: float = player.page.evaluate(f"({MEASURES}).brightness({json.dumps(shot)})")
    return found


def faults(player: Player, seats: bool = True) -> list[str]:
    """Everything that does not fit now.

    Args:
        seats: whether the seats and the trick have to fit as well; eight and more may scroll.
    """
    width = player.page.viewport_size["width"] if player.page.viewport_size else 0
    most = width <= NARROW and player.held() > MANY
    found = measured(player, "outside", seats) + measured(player, "hidden")
    found += measured(player, "tiny") + measured(player, "narrow", LEAST if most else FINGER)
    if seats:
        found += measured(player, "covered") + measured(player, "small")
    return found


def state_faults(player: Player) -> list[str]:
    """Everything that does not fit in a state of the table, including overlays of the felt."""
    if player.page.locator("dialog, [role=dialog], #menu.open").count():
        return measured(player, "tiny")
    scene: dict[str, Any] | None = player.scene  # none where the line is barred
    found = faults(player, seats=scene is None or len(scene["seats"]) < MANY_SEATS)
    for told in ("#answer-section", "#asked", "#connection", "#ending", "#gathering", ".bubble"):
        found += measured(player, "astray", told, "if it is shown")
    return found


def shifted(player: Player) -> tuple[float, str]:
    """Layout shifts since the page was loaded: their sum, and the largest ones."""
    entries: list[tuple[float, list[str]]] = player.page.evaluate("window.shifts")
    most = sorted(entries, key=lambda each: -each[0])[:3]
    return sum(value for value, _ in entries), str(most)


def walk(player: Player) -> list[tuple[str, list[str]]]:
    """Play one deal to the end of the match, and measure on the way; return faults by phase.

    In the gate, tricks are not measured any more when four of them have been.
    """
    found: list[tuple[str, list[str]]] = []
    places = set()
    asked = refused = False
    while (due := player.due()) not in ("ended", "closed"):
        moment = player.moment()
        places.add(called(player, "mainButton"))
        if due == "Pass":
            found.append(("passing", faults(player)))
            for place in range(player.scene["pass_count"]):
                player.cards().nth(place).press("Enter")
            found.append(("chosen", faults(player)))
            press(player, "Pass")
        elif due == "Play" and not WHOLE and asked and refused and player.held() <= 9:
            player.play_on()
            continue
        elif due == "Play":
            phase = "following" if player.scene["trick"] else "leading"
            if player.held() > 6 or not asked:
                found.append((phase, faults(player)))
            barred = player.page.locator("#hand [aria-disabled=true]")
            if not refused and barred.count():
                refused = True
                barred.first.press("Enter")
                player.page.wait_for_selector("#answer-section.refused")
                found.append(("refused", measured(player, "astray", "#answer-section")))
            if not asked and player.scene["trick"]:
                asked = True
                player.page.locator("#actions [data-key=Hint]").press("Enter")
                player.page.wait_for_selector("#answer-section:not(.refused)")
                found.append(("hint", measured(player, "astray", "#answer-section")))
            legal(player).first.press("Enter")
        else:
            press(player, due)
        player.until_after(moment)
    player.page.wait_for_selector("#ending:not([hidden])")
    found.append(("the end", measured(player, "outside") + measured(player, "tiny")))
    if len(places - {None}) > 1:
        found.append(("all along", [f"the main button moves: {places}"]))
    return [(phase, wrong) for phase, wrong in found if wrong]
