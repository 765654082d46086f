"""The jokers: a jester who holds the sun, or the moon."""

from __future__ import annotations

from typing import Final

from scripts.drawing.figure import HOLDING, LEFT_SIDE, RIGHT_SIDE, YOUNG_FACE, figure, gaze, hand
from scripts.drawing.shapes import GOLD, INKS, PAPER, circles, filled, mirrored, path, use
from volte.cards import Joker, Suit

INK: Final = {Joker.RED: INKS[Suit.HEARTS], Joker.BLACK: INKS[Suit.SPADES]}
EMBLEMS: Final = {
    Joker.RED: "M0-50 10-25 35-35 25-10 50 0 25 10 35 35 10 25 0 50-10 25-35 35-25 10-50 0-25-10"
    "-35-35-10-25z",
    Joker.BLACK: "M8-48A50 50 0 1 0 47 18 44 44 0 0 1 8-48z",
}
"""Sun and moon, around the origin in a square of 100."""

HORN: Final = "M97 62C95 46 86 48 80 64 72 42 80 24 98 24 114 26 122 42 125 54z"
LOZENGES: Final = (
    "M50 146 62 160 50 175 38 160zM76 136 90 156 76 175 62 156zM104 134 116 155 104 175 92 155z"
)


def jester(joker: Joker) -> str:
    """The upper half, in the colours of the group around it."""
    return figure(
        path(f"M{HOLDING - 3} 60h6v115h-6z", fill=GOLD),
        use(joker.letter, HOLDING + 3, 44, 0.48, stroke="none"),
        path(LEFT_SIDE),
        filled(LOZENGES, GOLD),
        path(RIGHT_SIDE, fill=GOLD),
        mirrored(filled(LOZENGES)),
        path("M92 112 74 142 98 134 108 156 125 138 142 156 152 134 176 142 158 112z", fill=PAPER),
        circles([(74, 144), (108, 158), (142, 158), (176, 144)], 4.5),
        path(YOUNG_FACE, fill=PAPER),
        gaze(80),
        path("M112 99Q125 116 138 99 125 105 112 99z"),
        path(HORN),
        mirrored(path(HORN, fill=GOLD)),
        path("M107 54C106 32 118 26 125 12 132 26 144 32 143 54 130 50 120 50 107 54z", fill=PAPER),
        path("M95 66Q125 54 155 66L155 56Q125 45 95 56z", fill=GOLD),
        circles([(80, 67), (170, 67), (125, 11)], 5.5),
        hand(),
    )
