"""The kings: bearded, in ermine, their sign on a sceptre."""

from __future__ import annotations

from typing import Final

from scripts.drawing.figure import FINE, HOLDING, LEFT_SIDE, RIGHT_SIDE, figure, gaze, hand
from scripts.drawing.shapes import GOLD, PAPER, circles, filled, line, path, sign
from volte.cards import Suit

CROWNS: Final = {
    Suit.CLUBS: "M94 58 86 26 107 41 125 18 143 41 164 26 156 58Q125 50 94 58z",
    Suit.DIAMONDS: "M94 58 84 36 98 43 102 22 116 38 125 13 134 38 148 22 152 43 166 36 156 58"
    "Q125 50 94 58z",
    Suit.SPADES: "M94 58 91 24 104 40 108 20 118 38 125 14 132 38 142 20 146 40 159 24 156 58"
    "Q125 50 94 58z",
    Suit.HEARTS: "M94 58C74 34 104 16 125 36 146 16 176 34 156 58Q125 50 94 58z",
}
PEARLS: Final = {Suit.CLUBS: [(86, 24), (125, 16), (164, 24)], Suit.HEARTS: [(125, 26)]}
BEARDS: Final = {
    Suit.CLUBS: "V112Q101 138 112 138H138Q149 138 149 112V86",
    Suit.DIAMONDS: "V104C100 122 106 136 113 146L125 128 137 146C144 136 150 122 149 104V86",
    Suit.SPADES: "V104C101 122 114 136 125 154 136 136 149 122 149 104V86",
    Suit.HEARTS: "V100C92 106 94 120 104 122 104 134 118 140 125 134 132 140 146 134 146 122"
    " 156 120 158 106 149 100V86",
}
"""Beards around the chin, from the left cheek at (101, 86) to the right one."""

WEAVES: Final = {
    Suit.CLUBS: "M107 140V175M116 140V175M125 140V175M134 140V175M143 140V175",
    Suit.DIAMONDS: "M98 175 111.500 158 125 175 138.500 158 152 175"
    "M98 141 111.500 158 125 141 138.500 158 152 141",
    Suit.SPADES: "M98 157 125 171 152 157M98 146 125 160 152 146M98 168 111 175M152 168 139 175",
    Suit.HEARTS: "M98 163a6.750 8 0 0 0 13.500 0 6.750 8 0 0 0 13.500 0 6.750 8 0 0 0 13.500 0"
    " 6.750 8 0 0 0 13.500 0M104.750 171a6.750 8 0 0 0 13.500 0 6.750 8 0 0 0 13.500 0"
    " 6.750 8 0 0 0 13.500 0",
}
"""Patterns of the cloth that shows where the robe is open."""

HAIR: Final = (
    "M92 54H158V98C158 112 164 114 170 116 158 126 146 124 142 116H108"
    "C104 124 92 126 80 116 86 114 92 112 92 98z"
)
ERMINE: Final = "M88 120Q125 132 162 120L190 142Q125 190 60 142z"
TAILS: Final = (
    "M82 138l-2 8M100 150l-1 8M92 128l-2 8M168 138l2 8M150 150l1 8M158 128l2 8"  # of the ermine
)
MOUSTACHE: Final = (
    "M125 95C117 89 106 93 100 104 110 109 120 107 125 100"
    " 130 107 140 109 150 104 144 93 133 89 125 95z"
)
SMALL_SIGNS: Final = ((40, 158), (56, 164), (58, 149), (74, 158), (176, 160))
"""Places at which they are sewn on the robe."""


def king(suit: Suit) -> str:
    """The upper half, in the colours of the group around it."""
    return figure(
        path("M192 80h8v95h-8z", fill=GOLD),
        path("M183 75h26v8h-26z", fill=GOLD),
        sign(suit, HOLDING, 46, 0.54),
        path(HAIR),
        path(LEFT_SIDE + RIGHT_SIDE),
        *(sign(suit, x, y, 0.15, GOLD) for x, y in SMALL_SIGNS),
        filled("M98 140h54v35h-54z", PAPER),
        line(WEAVES[suit], FINE),
        path("M90 140h8v40h-8zM152 140h8v40h-8z", fill=GOLD),
        path(ERMINE, fill=PAPER),
        line(TAILS, 4.5),
        path("M101 54V90A24 28 0 0 0 149 90V54z", fill=PAPER),
        path(f"M101 86{BEARDS[suit]}C140 96 110 96 101 86z"),
        filled(MOUSTACHE, PAPER),
        gaze(75),
        path(CROWNS[suit], fill=GOLD),
        line("M95 50Q125 42 155 50", FINE),
        circles(PEARLS.get(suit, []), 4.5),
        hand(),
    )
