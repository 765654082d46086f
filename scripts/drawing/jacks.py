"""The jacks: young, feathered, in coats of two colours, their sign on a flag."""

from __future__ import annotations

from typing import Final

from scripts.drawing.figure import FINE, LEFT_SIDE, RIGHT_SIDE, YOUNG_FACE, figure, gaze, hand
from scripts.drawing.shapes import GOLD, PAPER, circles, filled, line, mirrored, path, sign
from volte.cards import Suit

CAPS: Final = {
    Suit.CLUBS: "M92 62C80 30 112 20 140 26 168 30 172 50 160 62Q125 52 92 62z",
    Suit.DIAMONDS: "M96 60 92 22Q125 14 158 22L154 60Q125 52 96 60z",
    Suit.SPADES: "M90 62C88 38 104 18 128 20 146 30 156 44 178 58L158 62Q125 52 90 62z",
    Suit.HEARTS: "M92 62C70 46 80 18 106 24Q125 12 144 24C170 18 180 46 158 62Q125 52 92 62z",
}
LOZENGES: Final = (
    "M52 144 64 160 52 175 40 160zM78 136 92 156 78 175 64 156zM106 140 118 158 106 175 94 158z"
)
FAIR: Final = (Suit.CLUBS, Suit.HEARTS)


def jack(suit: Suit) -> str:
    """The upper half, in the colours of the group around it."""
    return figure(
        path("M193 22H199V175H193z", fill=GOLD),
        path("M199 26H240L231 50 240 74H199z"),
        sign(suit, 214, 50, 0.3, PAPER),
        path(
            "M94 54V100Q94 116 108 116H142Q156 116 156 100V54z", fill=GOLD if suit in FAIR else None
        ),
        path(LEFT_SIDE),
        _pattern(suit, GOLD),
        path(RIGHT_SIDE, fill=GOLD),
        mirrored(_pattern(suit)),
        path("M98 116 106 136 115 126 125 142 135 126 144 136 152 116z", fill=PAPER),
        path(YOUNG_FACE, fill=PAPER),
        gaze(80),
        line("M118 104Q125 108 132 104", FINE),
        path(CAPS[suit]),
        path("M94 64Q125 52 157 64L156 54Q125 43 94 54z", fill=GOLD),
        path("M148 50C150 30 164 14 182 12 182 30 168 46 148 50z", fill=PAPER),
        line("M148 50 173 22", 2),
        hand(),
    )


def _pattern(suit: Suit, colour: str | None = None) -> str:
    """Pattern of the left side of the coat."""
    if suit is Suit.CLUBS:
        return line("M50 148V175M68 141V175M86 134V175M104 136V175", 6, colour)
    if suit is Suit.DIAMONDS:
        return filled(LOZENGES, colour)
    if suit is Suit.SPADES:
        return line("M36 160 60 175M52 150 90 174M70 142 118 172M88 136 118 155", 5, colour)
    return circles([(46, 162), (64, 150), (82, 164), (96, 146), (110, 162)], 6.5, colour)
