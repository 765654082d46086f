"""Parts that all figures share; each figure is the upper half of its card.

The lower half repeats it upside down, so lines that reach the middle, at a height of 175, must meet
their own reflection there.
"""

from __future__ import annotations

from typing import Final

from scripts.drawing.shapes import GOLD, PAPER, circles, group, line, path

LINE: Final = 3
FINE: Final = 2.5

HOLDING: Final = 196
"""Horizontal place of the hand."""

LEFT_SIDE: Final = "M125 120C98 122 74 130 50 140 30 148 26 158 26 175H125z"
RIGHT_SIDE: Final = "M125 120C152 122 176 130 200 140 220 148 224 158 224 175H125z"
"""Sides of the body, below the neck."""

YOUNG_FACE: Final = "M102 58V88A23 28 0 0 0 148 88V58z"


def figure(*parts: str) -> str:
    """All parts, each before those that were named earlier."""
    return group(*parts, stroke_width=LINE, stroke_linejoin="round", stroke_linecap="round")


def gaze(y: float) -> str:
    """Brows, eyes and nose, the eyes at that height."""
    brow = y - 9
    lines = f"M108 {brow:g}q6-4 11 0M131 {brow:g}q5-4 11 0M125 {y - 3:g}l-3 17h5"
    return line(lines, FINE) + circles([(114, y), (136, y)], 3.2)


def hand() -> str:
    """A fist around the thing held upright, and its cuff."""
    left = HOLDING - 9
    return group(
        path(f"M{left} 139h18q3 0 3 4v10q0 4-3 4h-18q-3 0-3-4v-10q0-4 3-4z", fill=PAPER),
        line(f"M{left} 145h18M{left} 151h18", FINE),
        path(f"M{left - 6} 157h30v8h-30z", fill=GOLD),
    )
