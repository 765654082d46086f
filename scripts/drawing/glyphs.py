"""The letters and figures of the indices, as lines: no font is needed to read a card.

Each stands upright around the origin, 100 units high with the width of its line.
"""

from __future__ import annotations

from typing import Final

from scripts.drawing.shapes import path

STROKE: Final = 16

GLYPHS: Final = {
    "2": "M-22-22A22 20 0 0 1 22-21C22 2-12 16-22 42H24",
    "3": "M-21-42H19L-4-10A25 26 0 1 1-23 29",
    "4": "M11 42V-42L-26 19H27",
    "5": "M20-42H-14L-18-6C6-24 24-4 24 14A24 27 0 0 1-22 30",
    "6": "M14-42C-8-20-24-2-24 18A24 24 0 1 0 24 18 24 24 0 0 0-20 5",
    "7": "M-23-42H23C8-16-5 12-7 42",
    "8": "M0-42A19 19 0 0 1 0-4 19 19 0 0 1 0-42zM0-4A23 23 0 0 1 0 42 23 23 0 0 1 0-4z",
    "9": "M-14 42C8 20 24 2 24-18A24 24 0 1 0-24-18 24 24 0 0 0 20-5",
    "10": "M-35-29-22-42V42M-3-16A19 26 0 0 1 35-16V16A19 26 0 0 1-3 16z",
    "A": "M-27 42 0-42 27 42M-17 15H17",
    "D": "M-23-42H-4A28 28 0 0 1 24-14V14A28 28 0 0 1-4 42H-23z",
    "E": "M20-42H-18V42H20M-18 0H14",
    "J": "M-6-42H17V18A21 24 0 0 1-24 22",
    "K": "M-21-42V42M23-42-21 9M-4-10 25 42",
    "O": "M-25-16A25 26 0 0 1 25-16V16A25 26 0 0 1-25 16z",
    "Q": "M-25-16A25 26 0 0 1 25-16V16A25 26 0 0 1-25 16zM6 20 28 44",
    "R": "M-22 42V-42H1A22.500 22.500 0 0 1 1 4H-22M2 4 25 42",
    "V": "M-27-42 0 42 27-42",
}


def glyph(letter: str) -> str:
    """Definition of a letter for `g` and its letter, in the line colour of the group around it."""
    return path(
        GLYPHS[letter],
        id=f"g{letter}",
        fill="none",
        stroke_width=STROKE,
        stroke_linejoin="round",
        stroke_linecap="round",
    )
