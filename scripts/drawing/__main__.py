"""Writes the drawings to where the pages find them; `--show` prints the sprite instead."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from scripts.drawing.sprite import sprite

ROOMS: Final = Path(__file__).parents[2] / "src/volte"


def main() -> None:
    """Draw the cards, as the options say."""
    parser = argparse.ArgumentParser(prog="scripts/cards", description=__doc__)
    parser.add_argument("--show", action="store_true", help="print the sprite, write nothing")
    parser.add_argument("--icons", action="store_true", help="draw the icons of the program too")
    wanted = parser.parse_args()
    if wanted.show:
        print(sprite(), end="")
        return
    (ROOMS / "web/static/cards.svg").write_text(sprite(), encoding="utf-8", newline="\n")
    if wanted.icons:
        from scripts.drawing.icons import draw_icons

        draw_icons(ROOMS / "web/static")


main()
