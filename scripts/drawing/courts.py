"""Kings, queens and jacks: the upper half of each, which the lower repeats upside down.

All look at us from the middle of the card and hold the sign of their suit: the king on his
sceptre, the queen as a flower, the jack on his flag. What they wear differs by suit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from scripts.drawing.shapes import GOLD, PAPER, circles, filled, group, line, path, sign
from volte.cards import Rank, Suit

CLUBS, DIAMONDS, SPADES, HEARTS = Suit

LINE: Final = 3
FINE: Final = 2.5
HOLDING: Final = 196
"""Where the hand is, across."""


def court(rank: Rank, suit: Suit) -> str:
    """The upper half of that figure, in the colours of the group around it."""
    figure = FIGURES[rank](suit)
    return group(*figure, stroke_width=LINE, stroke_linejoin="round", stroke_linecap="round")


# What all have

SHOULDERS: Final = "C98 122 74 130 50 140 30 148 26 158 26 175"
"""From (125, 120) down to the left edge of the middle; `OTHER` is the same to the right."""

OTHER: Final = "C152 122 176 130 200 140 220 148 224 158 224 175"


def gaze(y: float) -> list[str]:
    """Brows, eyes and nose, the eyes at that height."""
    brow = y - 9
    return [
        line(f"M108 {brow}q6-4 11 0M131 {brow}q5-4 11 0", FINE),
        circles([(114, y), (136, y)], 3.2),
        line(f"M125 {y - 3}l-3 17h5", FINE),
    ]


def hand() -> str:
    """A fist around what is held upright, and its cuff."""
    left = HOLDING - 12
    return group(
        path(f"M{left + 3} 139h18q3 0 3 4v10q0 4-3 4h-18q-3 0-3-4v-10q0-4 3-4z", fill=PAPER),
        line(f"M{left + 3} 145h18M{left + 3} 151h18", FINE),
        path(f"M{left - 3} 157h30v8h-30z", fill=GOLD),
    )


# Kings

CROWNS: Final = {
    CLUBS: "M94 58 86 26 107 41 125 18 143 41 164 26 156 58Q125 50 94 58z",
    DIAMONDS: "M94 58 84 36 98 43 102 22 116 38 125 13 134 38 148 22 152 43 166 36 156 58"
    "Q125 50 94 58z",
    SPADES: "M94 58 91 24 104 40 108 20 118 38 125 14 132 38 142 20 146 40 159 24 156 58"
    "Q125 50 94 58z",
    HEARTS: "M94 58C74 34 104 16 125 36 146 16 176 34 156 58Q125 50 94 58z",
}
PEARLS: Final = {
    CLUBS: [(86, 24), (125, 16), (164, 24)],
    DIAMONDS: [],
    SPADES: [],
    HEARTS: [(125, 26)],
}
BEARDS: Final = {
    CLUBS: "V112Q101 138 112 138H138Q149 138 149 112V86",
    DIAMONDS: "V104C100 122 106 136 113 146L125 128 137 146C144 136 150 122 149 104V86",
    SPADES: "V104C101 122 114 136 125 154 136 136 149 122 149 104V86",
    HEARTS: "V100C92 106 94 120 104 122 104 134 118 140 125 134 132 140 146 134 146 122"
    " 156 120 158 106 149 100V86",
}
"""Around the chin, from the left cheek (101, 86) to the right one."""

WEAVES: Final = {
    CLUBS: "M107 140V175M116 140V175M125 140V175M134 140V175M143 140V175",
    DIAMONDS: "M98 175 111.500 158 125 175 138.500 158 152 175M98 141 111.500 158 125 141"
    " 138.500 158 152 141",
    SPADES: "M98 157 125 171 152 157M98 146 125 160 152 146M98 168 111 175M152 168 139 175",
    HEARTS: "M98 163a6.750 8 0 0 0 13.500 0 6.750 8 0 0 0 13.500 0 6.750 8 0 0 0 13.500 0"
    " 6.750 8 0 0 0 13.500 0M104.750 171a6.750 8 0 0 0 13.500 0 6.750 8 0 0 0 13.500 0"
    " 6.750 8 0 0 0 13.500 0",
}
"""Of the cloth that the open robe shows."""


def king(suit: Suit) -> list[str]:
    tails = [(82, 138, -2), (100, 150, -1), (92, 128, -2), (168, 138, 2), (150, 150, 1)]
    return [
        path("M192 80h8v95h-8z", fill=GOLD),
        path("M183 75h26v8h-26z", fill=GOLD),
        sign(suit, HOLDING, 46, 0.54),
        path(  # hair
            "M92 54H158V98C158 112 164 114 170 116 158 126 146 124 142 116H108"
            "C104 124 92 126 80 116 86 114 92 112 92 98z"
        ),
        path(f"M125 120{SHOULDERS}H224C224 158 220 148 200 140 176 130 152 122 125 120z"),
        *[sign(suit, x, y, 0.15, GOLD) for x, y in ((40, 158), (56, 164), (58, 149), (74, 158))],
        *[sign(suit, x, y, 0.15, GOLD) for x, y in ((176, 160),)],
        filled("M98 140h54v35h-54z", PAPER),
        line(WEAVES[suit], FINE),
        path("M90 140h8v40h-8zM152 140h8v40h-8z", fill=GOLD),
        path("M88 120Q125 132 162 120L190 142Q125 190 60 142z", fill=PAPER),
        *[line(f"M{x} {y}l{lean} 8", 4.5) for x, y, lean in (*tails, (158, 128, 2))],
        path("M101 54V90A24 28 0 0 0 149 90V54z", fill=PAPER),
        path(f"M101 86{BEARDS[suit]}C140 96 110 96 101 86z"),
        filled(  # moustache
            "M125 95C117 89 106 93 100 104 110 109 120 107 125 100"
            " 130 107 140 109 150 104 144 93 133 89 125 95z",
            PAPER,
        ),
        *gaze(75),
        path(CROWNS[suit], fill=GOLD),
        line("M95 50Q125 42 155 50", FINE),
        circles(PEARLS[suit], 4.5),
        hand(),
    ]


# Queens

TIARAS: Final = {
    CLUBS: "M100 46 96 22 112 34 125 14 138 34 154 22 150 46Q125 36 100 46z",
    DIAMONDS: "M100 46 94 30 110 33 125 11 140 33 156 30 150 46Q125 36 100 46z",
    SPADES: "M100 46 88 26 106 35 109 16 119 32 125 9 131 32 141 16 144 35 162 26 150 46Q125 36 100 46z",
    HEARTS: "M100 46C90 30 104 20 112 30 112 12 138 12 138 30 146 20 160 30 150 46Q125 36 100 46z",
}
PARTING: Final = (
    "M125 44C104 46 98 60 97 92 104 84 106 70 125 58 144 70 146 84 153 92 152 60 146 46 125 44z"
)


def hair(suit):
    """What is behind the face, and what is before it."""
    if suit is CLUBS:
        plait = [(x, y) for x in (92, 158) for y in (100, 112, 124, 136)]
        return [path("M125 36C96 36 92 56 92 76V100H158V76C158 56 154 36 125 36z")], [
            path(PARTING),
            *[
                path(f"M{x} {y - 9}q12 9 0 18q-12-9 0-18z", stroke=PAPER, stroke_width=2)
                for x, y in plait
            ],
            filled("M87 144h10v5h-10zM153 144h10v5h-10z", GOLD),
        ]
    if suit is DIAMONDS:
        return [
            path("M125 26C88 28 88 66 84 92L72 150H178L166 92C162 66 162 28 125 26z", fill=PAPER),
            path(
                "M125 26C88 28 88 66 84 92L72 150H178L166 92C162 66 162 28 125 26z",
                fill_opacity=0.18,
            ),
            path("M125 36C96 36 94 56 94 76V96H156V76C156 56 154 36 125 36z"),
        ], [path(PARTING)]
    if suit is SPADES:
        return [
            path("M112 27A56 56 0 1 0 150 131 62 62 0 0 1 112 27z", fill=GOLD),
            path(
                "M125 34C96 34 90 56 90 76V128C90 142 84 148 78 152H172C166 148 160 142 160 128V76C160 56 154 34 125 34z"
            ),
        ], [path(PARTING)]
    return [
        path(
            "M125 36C94 36 92 60 92 72 82 80 94 92 86 100 78 110 90 118 84 128 80 138 88 146 100 144H150C162 146 170 138 166 128 160 118 172 110 164 100 156 92 168 80 158 72 158 60 156 36 125 36z",
            fill=GOLD,
        )
    ], [path(PARTING, fill=GOLD)]


def queen(suit: Suit) -> list[str]:
    behind, before = hair(suit)
    necklace = [(102, 133), (108, 141), (116, 146), (125, 148), (134, 146), (142, 141), (148, 133)]
    slash = "q-6 9 0 18q6-9 0-18z"
    star = "l2.500 6.500 6.500 2.500-6.500 2.500-2.500 6.500-2.500-6.500-6.500-2.500 6.500-2.500z"
    trim = star if suit is SPADES else slash
    return [
        line("M194 175C200 140 194 100 194 70", 5),
        filled(
            "M196 122C208 120 216 110 218 100 206 102 198 110 196 122z"
            "M197 136C187 132 181 124 179 114 189 118 196 126 197 136z"
        ),
        sign(suit, 194, 46, 0.56),
        *behind,
        path(
            "M108 112C107 124 98 129 82 132 90 150 108 160 125 166 142 160 160 150 168 132 152 129 143 124 142 112z",
            fill=PAPER,
        ),
        path(
            "M82 132C54 138 26 146 26 175H224C224 146 196 138 168 132 160 150 142 160 125 166 108 160 90 150 82 132z"
        ),
        filled(
            "".join(f"M{x} {y}{trim}" for x, y in ((42, 151), (58, 148), (74, 152), (174, 150))),
            GOLD,
        ),
        circles(necklace, 3, GOLD),
        path(
            "M102 74V86C102 104 112 118 125 118 138 118 148 104 148 86V74Q148 50 125 50 102 50 102 74z",
            fill=PAPER,
        ),
        *before,
        *gaze(84),
        filled("M116 107Q121 103 125 106 129 103 134 107 125 115 116 107z"),
        path(TIARAS[suit], fill=GOLD),
        circles([(96, 20), (125, 13), (154, 20)] if suit is CLUBS else [], 4),
        hand(),
    ]


# Jacks

CAPS = {
    CLUBS: "M92 62C80 30 112 20 140 26 168 30 172 50 160 62Q125 52 92 62z",
    DIAMONDS: "M96 60 92 22Q125 14 158 22L154 60Q125 52 96 60z",
    SPADES: "M90 62C88 38 104 18 128 20 146 30 156 44 178 58L158 62Q125 52 90 62z",
    HEARTS: "M92 62C70 46 80 18 106 24Q125 12 144 24C170 18 180 46 158 62Q125 52 92 62z",
}


def coat(suit, colour):
    """left half; mirrored by caller"""
    if suit is CLUBS:
        return line("M50 148V175M68 141V175M86 134V175M104 136V175", 6, colour)
    if suit is DIAMONDS:
        return filled(
            "M52 144L64 160 52 175 40 160zM78 136L92 156 78 175 64 156zM106 140L118 158 106 175 94 158z",
            colour,
        )
    if suit is SPADES:
        return line("M36 160L60 175M52 150L90 174M70 142L118 172M88 136L118 155", 5, colour)
    return circles([(46, 162), (64, 150), (82, 164), (96, 146), (110, 162)], 6.5, colour)


def jack(suit: Suit) -> list[str]:
    fair = suit in (CLUBS, HEARTS)
    mirror = "translate(250 0)scale(-1 1)"
    return [
        path("M193 22H199V175H193z", fill=GOLD),
        path("M199 26H240L231 50 240 74H199z"),
        sign(suit, 214, 50, 0.3, PAPER),
        path("M94 54V100Q94 116 108 116H142Q156 116 156 100V54z", fill=GOLD if fair else None),
        path(f"M125 120{SHOULDERS}H125z"),
        coat(suit, GOLD),
        path(f"M125 120{OTHER}H125z", fill=GOLD),
        group(coat(suit, None), transform=mirror),
        path("M98 116 106 136 115 126 125 142 135 126 144 136 152 116z", fill=PAPER),
        path("M102 58V88A23 28 0 0 0 148 88V58z", fill=PAPER),
        *gaze(80),
        line("M118 104Q125 108 132 104", FINE),
        path(CAPS[suit]),
        path("M94 64Q125 52 157 64L156 54Q125 43 94 54z", fill=GOLD),
        path("M148 50C150 30 164 14 182 12 182 30 168 46 148 50z", fill=PAPER),
        line("M148 50 173 22", 2),
        hand(),
    ]


FIGURES: Final[Mapping[Rank, Callable[[Suit], list[str]]]] = {
    Rank.KING: king,
    Rank.QUEEN: queen,
    Rank.JACK: jack,
}
