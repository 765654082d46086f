"""The backs of the cards: each looks the same upside down."""

from __future__ import annotations

from typing import Final

from scripts.drawing.shapes import HEIGHT, MIDDLE, WIDTH, circles, group, line, path, tag

GROUND: Final = "var(--back,#1d4d3a)"
THREAD: Final = "var(--back-line,#e9dfc4)"
MARGIN: Final = 13
INNER: Final = 24

LEFT, RIGHT, TOP, BOTTOM = INNER, WIDTH - INNER, INNER, HEIGHT - INNER


def waves() -> str:
    """Water, in lines that run through to the edges."""
    count, length = 23, (RIGHT - LEFT) / 5
    step = (BOTTOM - TOP) / (count + 1)
    rows = []
    for row in range(1, count + 1):
        hill = 9 if row % 2 else -9
        y = TOP + row * step
        rows.append(f"M{LEFT} {y:g}q{length / 2:g} {-hill} {length:g} 0" + f"t{length:g} 0" * 4)
    return line("".join(rows), 2.5)


def lattice() -> str:
    """Lozenges with a dot in each."""
    across, down = 6, 9
    w, h = (RIGHT - LEFT) / across, (BOTTOM - TOP) / down
    down_up, up_down = (f"l{w / 2:g} {s * h:g} {w / 2:g} {-s * h:g}" * across for s in (1, -1))
    nets = [
        f"M{LEFT} {TOP + row * h:g}{down_up}M{LEFT} {TOP + (row + 1) * h:g}{up_down}"
        for row in range(down)
    ]
    dots = [
        (LEFT + (column + 0.5) * w, TOP + row * h)
        for column in range(across)
        for row in range(1, down)
    ] + [
        (LEFT + column * w, TOP + (row + 0.5) * h)
        for column in range(1, across)
        for row in range(down)
    ]
    return line("".join(nets), 2) + circles(dots, 3.2)


def plain() -> str:
    """A turn and its counterpart, in the middle of a quiet ground."""
    x, y = MIDDLE
    spade = "M0-2C8-16 46-30 46-58 46-74 36-82 24-82 12-82 4-74 0-64-4-74-12-82-24-82-36-82-46-74-46-58-46-30-8-16 0-2z"
    return group(
        path(spade, stroke="none"),
        path(spade, stroke="none", transform="rotate(180)"),
        transform=f"translate({x} {y})",
    )


BACKS: Final = {"waves": waves, "lattice": lattice, "plain": plain}


def back(name: str) -> str:
    """A whole back but for its paper."""
    edge = tag(
        "rect",
        x=LEFT - 4,
        y=TOP - 4,
        width=RIGHT - LEFT + 8,
        height=BOTTOM - TOP + 8,
        rx=6,
        fill="none",
        stroke_width=2.5,
    )
    ground = tag(
        "rect",
        x=MARGIN,
        y=MARGIN,
        width=WIDTH - 2 * MARGIN,
        height=HEIGHT - 2 * MARGIN,
        rx=9,
        fill=GROUND,
        stroke="none",
    )
    return group(ground, BACKS[name](), edge, fill=THREAD, stroke=THREAD, stroke_linejoin="round")
