"""The backs of the cards: each looks the same upside down."""

from __future__ import annotations

from typing import Final

from scripts.drawing.shapes import HEIGHT, MIDDLE, WIDTH, circles, frame, group, line, sign
from volte.cards import Suit

GROUND: Final = "var(--back,#1d4d3a)"
THREAD: Final = "var(--back-line,#e9dfc4)"
MARGIN: Final = 13
INNER: Final = 24

LEFT, RIGHT, TOP, BOTTOM = INNER, WIDTH - INNER, INNER, HEIGHT - INNER


def waves() -> str:
    """Water, in lines that run through from edge to edge."""
    rows, hills = 20, 6
    length, step = (RIGHT - LEFT) / hills, (BOTTOM - TOP) / (rows + 1)
    run = f"q{length / 2:g} -16 {length:g} 0" + f"t{length:g} 0" * (hills - 1)
    d = "".join(f"M{LEFT} {TOP + row * step:g}{run}" for row in range(1, rows + 1))
    return line(d, 2.5)


def lattice() -> str:
    """Lozenges with a dot in each."""
    across, down = 6, 9
    w, h = (RIGHT - LEFT) / across, (BOTTOM - TOP) / down
    rows = []
    for row in range(down):
        top = TOP + row * h
        rows.append(f"M{LEFT} {top:g}" + f"l{w:g} {h:g} {w:g} {-h:g}" * (across // 2))
        rows.append(f"M{LEFT} {top + h:g}" + f"l{w:g} {-h:g} {w:g} {h:g}" * (across // 2))
    dots = [(x + 0.5, y + 0.0) for x in range(across) for y in range(1, down)]
    dots += [(x + 0.0, y + 0.5) for x in range(1, across) for y in range(down)]
    return line("".join(rows), 2) + circles([(LEFT + x * w, TOP + y * h) for x, y in dots], 3.2)


def plain() -> str:
    """A heart and its reflection, in the middle of a quiet ground."""
    x, y = MIDDLE
    return sign(Suit.HEARTS, x, y - 44, 0.92) + sign(Suit.HEARTS, x, y + 44, -0.92)


BACKS: Final = {"waves": waves, "lattice": lattice, "plain": plain}


def back(name: str) -> str:
    """A whole back, but for its paper."""
    ground = frame(MARGIN, 9, fill=GROUND, stroke="none")
    edge = frame(INNER - 4, 6, fill="none", stroke_width=2.5)
    return group(ground, BACKS[name](), edge, fill=THREAD, stroke=THREAD, stroke_linejoin="round")
