"""The queens, each with a flower; the queen of spades before her moon, in a night of stars."""

from __future__ import annotations

from typing import Final

from scripts.drawing.figure import figure, gaze, hand
from scripts.drawing.shapes import GOLD, PAPER, circles, filled, group, line, path, sign
from volte.cards import Suit

TIARAS: Final = {
    Suit.CLUBS: "M100 46 96 22 112 34 125 14 138 34 154 22 150 46Q125 36 100 46z",
    Suit.DIAMONDS: "M100 46 94 30 110 33 125 11 140 33 156 30 150 46Q125 36 100 46z",
    Suit.SPADES: "M100 46 88 26 106 35 109 16 119 32 125 9 131 32 141 16 144 35 162 26 150 46"
    "Q125 36 100 46z",
    Suit.HEARTS: "M100 46C90 30 104 20 112 30 112 12 138 12 138 30 146 20 160 30 150 46"
    "Q125 36 100 46z",
}
PEARLS: Final = ((96, 20), (125, 13), (154, 20))
NECKLACE: Final = (
    (102, 133),
    (108, 141),
    (116, 146),
    (125, 148),
    (134, 146),
    (142, 141),
    (148, 133),
)
LEAVES: Final = (
    "M196 122C208 120 216 110 218 100 206 102 198 110 196 122z"
    "M197 136C187 132 181 124 179 114 189 118 196 126 197 136z"
)
SKIN: Final = (
    "M108 112C107 124 98 129 82 132 90 150 108 160 125 166"
    " 142 160 160 150 168 132 152 129 143 124 142 112z"
)
GOWN: Final = (
    "M82 132C54 138 26 146 26 175H224C224 146 196 138 168 132"
    " 160 150 142 160 125 166 108 160 90 150 82 132z"
)
FACE: Final = (
    "M102 74V86C102 104 112 118 125 118 138 118 148 104 148 86V74Q148 50 125 50 102 50 102 74z"
)
LIPS: Final = "M116 107Q121 103 125 106 129 103 134 107 125 115 116 107z"
SLASH: Final = "q-6 9 0 18q6-9 0-18z"
STAR: Final = (
    "l2.500 6.500 6.500 2.500-6.500 2.500-2.500 6.500-2.500-6.500-6.500-2.500 6.500-2.500z"
)
TRIM: Final = ((42, 151), (58, 148), (74, 152), (174, 150))

PARTING: Final = (
    "M125 44C104 46 98 60 97 92 104 84 106 70 125 58 144 70 146 84 153 92 152 60 146 46 125 44z"
)
SHORT: Final = "M125 36C96 36 93 56 93 76V98H157V76C157 56 154 36 125 36z"
STRAIGHT: Final = (
    "M125 34C96 34 90 56 90 76V128C90 142 84 148 78 152"
    "H172C166 148 160 142 160 128V76C160 56 154 34 125 34z"
)
WAVY: Final = (
    "M125 36C94 36 92 60 92 72 82 80 94 92 86 100 78 110 90 118 84 128 80 138 88 146 100 144"
    "H150C162 146 170 138 166 128 160 118 172 110 164 100 156 92 168 80 158 72"
    " 158 60 156 36 125 36z"
)
VEIL: Final = "M125 26C88 28 88 66 84 92L72 150H178L166 92C162 66 162 28 125 26z"
MOON: Final = "M116 28A54 54 0 1 0 152 129 60 60 0 0 1 116 28z"


def queen(suit: Suit) -> str:
    """The upper half, in the colours of the group around it."""
    trim = STAR if suit is Suit.SPADES else SLASH
    return figure(
        line("M194 175C200 140 194 100 194 70", 5),
        filled(LEAVES),
        sign(suit, 194, 46, 0.56),
        _behind(suit),
        path(SKIN, fill=PAPER),
        path(GOWN),
        filled("".join(f"M{x} {y}{trim}" for x, y in TRIM), GOLD),
        circles(NECKLACE, 3, GOLD),
        path(FACE, fill=PAPER),
        path(PARTING, fill=GOLD if suit is Suit.HEARTS else None),
        _plaits() if suit is Suit.CLUBS else "",
        gaze(84),
        filled(LIPS),
        path(TIARAS[suit], fill=GOLD),
        circles(PEARLS, 4) if suit is Suit.CLUBS else "",
        hand(),
    )


def _behind(suit: Suit) -> str:
    """Her hair, and the things behind it."""
    if suit is Suit.CLUBS:
        return path(SHORT)
    if suit is Suit.DIAMONDS:
        return path(VEIL, fill=PAPER) + path(VEIL, fill_opacity=0.18) + path(SHORT)
    if suit is Suit.SPADES:
        return path(MOON, fill=GOLD) + path(STRAIGHT)
    return path(WAVY, fill=GOLD)


def _plaits() -> str:
    locks = "".join(
        path(f"M{x} {y}q12 9 0 18q-12-9 0-18z") for x in (92, 158) for y in (91, 103, 115, 127)
    )
    ties = filled("M87 144h10v5h-10zM153 144h10v5h-10z", GOLD)
    return group(locks, stroke=PAPER, stroke_width=2) + ties
