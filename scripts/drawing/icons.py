"""The sign of the program, a spade that carries a heart, and the picture of a pasted address."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from scripts.drawing.shapes import HEIGHT, SIGNS, WIDTH, group, path, tag, use
from scripts.drawing.sprite import sprite
from volte.cards import Suit

GROUND: Final = "#1d4d3a"
SPADE: Final = "#f6f1e4"
HEART: Final = "#b3101a"
DUE: Final = "#f2b632"
SIDE: Final = 128

PICTURES: Final = {
    "icon-180.png": (180, False, 0.92),
    "icon-192.png": (192, True, 1.0),
    "icon-512.png": (512, True, 1.0),
    "icon-maskable-512.png": (512, False, 0.78),
}
"""For each picture its side in pixels, whether corners are round, and the size of the sign: Apple's
phones round the corners, and the maskable one may lose all but a circle in its middle."""

PREVIEW: Final = "preview.png"
WIDE, HIGH = 1200, 630
"""Pixels of the picture with which chats show a pasted address."""

FAN: Final = {"6H": -21, "9D": -11, "QS": 0, "4C": 11, "TH": 21}
"""Cards of that picture, and their angles; the queen has no letter, as it differs by language."""


def icon(*, rounded: bool = True, size: float = 1.0, due: bool = False) -> str:
    """The whole SVG file of the sign; `due` marks a page that waits for its person."""
    half = SIDE // 2
    ground = tag("rect", width=SIDE, height=SIDE, rx=28 if rounded else None, fill=GROUND)
    mark = group(
        path(SIGNS[Suit.SPADES], fill=SPADE),
        path(SIGNS[Suit.HEARTS], fill=HEART, transform="translate(0 4)scale(.44)"),
        transform=f"translate({half} {half})scale({1.08 * size:g})",
    )
    if due:
        mark += tag("circle", cx=98, cy=30, r=26, fill=DUE, stroke=GROUND, stroke_width=8)
    box = f"0 0 {SIDE} {SIDE}"
    return tag("svg", ground + mark, xmlns="http://www.w3.org/2000/svg", viewBox=box) + "\n"


def preview() -> str:
    """The SVG of five cards on the felt, with the sprite in it."""
    cards = (
        group(
            group(use("paper"), use(name)) if name[0] in "JQK" else _face(name),
            transform=f"translate(600 1400)rotate({angle})translate(-144 -1310)scale(1.15)",
        )
        for name, angle in FAN.items()
    )
    ground = tag("rect", width=WIDE, height=HIGH, fill=GROUND)
    hidden = tag("svg", sprite(), width=0, height=0)
    return hidden + tag("svg", ground + "".join(cards), viewBox=f"0 0 {WIDE} {HIGH}")


def _face(name: str) -> str:
    return tag("use", href=f"#{name}-en", width=WIDTH, height=HEIGHT)


def draw_icons(folder: Path) -> None:
    """Write the drawing, and with the system's Chromium the pictures that phones and chats show."""
    from playwright.sync_api import sync_playwright

    for name, due in (("icon.svg", False), ("icon-due.svg", True)):
        (folder / name).write_text(icon(due=due), encoding="utf-8", newline="\n")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox"]
        )
        pictures = {
            name: (side, side, icon(rounded=rounded, size=size))
            for name, (side, rounded, size) in PICTURES.items()
        }
        for name, (width, height, drawing) in (
            pictures | {PREVIEW: (WIDE, HIGH, preview())}
        ).items():
            page = browser.new_page(viewport={"width": width, "height": height})
            page.set_content(
                "<style>html,body{margin:0}body>svg{display:block;width:100vw}</style>" + drawing
            )
            page.screenshot(path=folder / name, omit_background=True)
            page.close()
        browser.close()
