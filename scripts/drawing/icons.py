"""The sign of the program: a spade that carries a heart, as a drawing and as pictures."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from scripts.drawing.shapes import SIGNS, group, path, tag
from volte.cards import Suit

GROUND: Final = "#1d4d3a"
SPADE: Final = "#f6f1e4"
HEART: Final = "#b3101a"
SIDE: Final = 128

PICTURES: Final = {
    "icon-180.png": (180, False, 0.92),
    "icon-192.png": (192, True, 1.0),
    "icon-512.png": (512, True, 1.0),
    "icon-maskable-512.png": (512, False, 0.78),
}
"""For each picture its side in pixels, whether corners are round, and the size of the sign: Apple's
phones round the corners, and the maskable one may lose all but a circle in its middle."""


def icon(*, rounded: bool = True, size: float = 1.0) -> str:
    """The whole SVG file of the sign."""
    half = SIDE // 2
    ground = tag("rect", width=SIDE, height=SIDE, rx=28 if rounded else None, fill=GROUND)
    mark = group(
        path(SIGNS[Suit.SPADES], fill=SPADE),
        path(SIGNS[Suit.HEARTS], fill=HEART, transform="translate(0 4)scale(.44)"),
        transform=f"translate({half} {half})scale({1.08 * size:g})",
    )
    box = f"0 0 {SIDE} {SIDE}"
    return tag("svg", ground + mark, xmlns="http://www.w3.org/2000/svg", viewBox=box) + "\n"


def draw_icons(folder: Path) -> None:
    """Write the drawing, and with the system's Chromium the pictures that phones ask for."""
    from playwright.sync_api import sync_playwright

    (folder / "icon.svg").write_text(icon(), encoding="utf-8", newline="\n")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox"]
        )
        for name, (side, rounded, size) in PICTURES.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            page.set_content(
                "<style>html,body{margin:0}svg{display:block;width:100vw}</style>"
                + icon(rounded=rounded, size=size)
            )
            page.screenshot(path=folder / name, omit_background=True)
            page.close()
        browser.close()
