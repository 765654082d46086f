"""Costs of a table's page: first paint, bytes, and the way from nothing to the first card.

    python benchmarks/page.py [--rounds N]

The server is a program of its own on SQLite; every round opens each page in an empty browser. The
peer is the barest answer of the same server, a line of text: any time above it is the page's own.
The rows take turns, and figures are medians; other programs make it slower.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests")

from kit.browser.means import legal  # noqa: E402
from kit.browser.players import ARGUMENTS, Player  # noqa: E402
from kit.sites import Process  # noqa: E402
from playwright.sync_api import Browser, Response, sync_playwright  # noqa: E402

Row = Callable[[Browser, str], float]

PAINTED: Final = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"""
HAND: Final = """new MutationObserver(() => {
    if (window.handPainted || !document.querySelector('#hand [role=option]')) return;
    requestAnimationFrame(() => setTimeout(() => (window.handPainted ??= performance.now())));
}).observe(document, { childList: true, subtree: true });"""


def first_paint(player: Player, path: str) -> float:
    """Milliseconds until something is painted."""
    player.go_to(path)
    return float(player.wait(PAINTED))


def bare(browser: Browser, address: str) -> float:
    player = Player(browser, address)
    try:
        return first_paint(player, "/healthz")
    finally:
        player.close()


def lobby(browser: Browser, address: str) -> float:
    player = Player(browser, address)
    try:
        player.come_in()
        return first_paint(player, "/")
    finally:
        player.close()


def dealt(player: Player) -> str:
    """The path of a table at which cards have been dealt."""
    table = player.begin("microsoft")
    player.page.goto("about:blank")
    return f"/tables/{table}"


def table(browser: Browser, address: str) -> float:
    player = Player(browser, address)
    try:
        player.come_in()
        path = dealt(player)
        player.context.new_cdp_session(player.page).send("Network.clearBrowserCache")
        return first_paint(player, path)
    finally:
        player.close()


def hand(browser: Browser, address: str) -> float:
    """Milliseconds until one's cards are there: the first paint that means something."""
    player = Player(browser, address)
    try:
        player.come_in()
        path = dealt(player)
        player.context.new_cdp_session(player.page).send("Network.clearBrowserCache")
        player.context.add_init_script(HAND)
        player.go_to(path)
        return float(player.wait("() => window.handPainted"))
    finally:
        player.close()


def first_card(browser: Browser, address: str) -> float:
    """Milliseconds from nothing to a card that is chosen or played, by two presses."""
    player = Player(browser, address)
    try:
        begun = perf_counter()
        player.go_to("/")
        player.page.click("form[action='/play'] button")
        player.page.wait_for_selector("#hand [role=option]")
        player.due()
        legal(player).first.click()
        return (perf_counter() - begun) * 1000
    finally:
        player.close()


ROWS: Final[dict[str, Row]] = {
    "a bare answer, first paint": bare,
    "the lobby, first paint": lobby,
    "a table, first paint": table,
    "a table, one's cards painted": hand,
    "from nothing to the first card": first_card,
}


def sizes(browser: Browser, address: str) -> dict[str, int]:
    """Uncompressed bytes that the page of a table loads, by kind."""
    player = Player(browser, address)
    try:
        player.come_in()
        loaded: list[Response] = []
        player.page.on("response", lambda each: loaded.append(each))
        player.begin("microsoft")
        found: dict[str, int] = {}
        for each in (answer for answer in loaded if answer.ok):
            kind = each.request.resource_type
            found[kind] = found.get(kind, 0) + len(each.body())
        return found
    finally:
        player.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("Chromium is missing: please install the package chromium.")
    with tempfile.TemporaryDirectory() as room, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        folder = Path(room)
        with Process(f"sqlite:///{folder / 'playroom.sqlite'}", folder) as server:
            times: dict[str, list[float]] = {name: [] for name in ROWS}
            for _ in range(rounds):
                for name, row in ROWS.items():
                    times[name].append(row(browser, server.address))
            loaded = sizes(browser, server.address)
        browser.close()
    peer = median(next(iter(times.values())))
    print(f"{'':34}{'median ms':>10}{'best':>8}{'ratio':>8}")
    for name, found in times.items():
        middle = median(found)
        print(f"{name:34}{middle:>10.0f}{min(found):>8.0f}{middle / peer:>8.1f}")
    print()
    for kind, size in sorted(loaded.items(), key=lambda item: -item[1]):
        print(f"{size:>9,} bytes of {kind}")
    code = loaded.get("script", 0) + loaded.get("stylesheet", 0)
    print(f"{code:>9,} bytes of script and style, of 150,000")


if __name__ == "__main__":
    main()
