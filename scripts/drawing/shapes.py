"""The pieces that drawings are made of: text of SVG, colours that the page decides, suit signs.

Nothing is painted through `url(#...)` (gradients, patterns, clipping): in a symbol used from
another file browsers look for such things in the wrong document.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from volte.cards import Suit

WIDTH: Final = 250
HEIGHT: Final = 350
MIDDLE: Final = (WIDTH // 2, HEIGHT // 2)

PAPER: Final = "var(--card,#fff)"
EDGE: Final = "var(--card-line,#8b877b)"
GOLD: Final = "var(--gold,#dda93b)"
INKS: Final = {
    Suit.CLUBS: "var(--clubs,#14602c)",
    Suit.DIAMONDS: "var(--diamonds,#0b57a4)",
    Suit.SPADES: "var(--spades,#16151a)",
    Suit.HEARTS: "var(--hearts,#b3101a)",
}

SIGNS: Final = {
    Suit.CLUBS: "M-13-9A23 23 0 1 1 13-9 23 23 0 1 1 4 24C5 38 9 46 19 50H-19C-9 46-5 38-4 24"
    "A23 23 0 1 1-13-9z",
    Suit.DIAMONDS: "M0-50Q14-20 38 0 14 20 0 50-14 20-38 0-14-20 0-50z",
    Suit.SPADES: "M0-50C12-28 46-10 46 15 46 29 36 38 24 38 14 38 7 33 3 25 4 39 9 46 19 50H-19"
    "C-9 46-4 39-3 25-7 33-14 38-24 38-36 38-46 29-46 15-46-10-12-28 0-50z",
    Suit.HEARTS: "M0 46C-10 28-48 8-48-20-48-37-37-48-24-48-11-48-4-40 0-28 4-40 11-48 24-48"
    " 37-48 48-37 48-20 48 8 10 28 0 46z",
}
"""Signs of the suits, around the origin, in a square of 100."""


def tag(element: str, content: str = "", /, **attributes: str | float | None) -> str:
    """One element; `stroke_width` is written `stroke-width`, and None is left out."""
    written = "".join(
        f' {name.replace("_", "-")}="{value if isinstance(value, str) else f"{value:g}"}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{element}{written}>{content}</{element}>" if content else f"<{element}{written}/>"


def group(*parts: str, **attributes: str | float | None) -> str:
    """Several drawings as one."""
    return tag("g", "".join(parts), **attributes)


def path(d: str, **attributes: str | float | None) -> str:
    """A line and the area it encloses, in the colours of the group around it."""
    return tag("path", d=d, **attributes)


def frame(margin: float, radius: float, **attributes: str | float | None) -> str:
    """A rounded rectangle within the edges of a card."""
    width, height = WIDTH - 2 * margin, HEIGHT - 2 * margin
    return tag("rect", x=margin, y=margin, width=width, height=height, rx=radius, **attributes)


def filled(d: str, colour: str | None = None) -> str:
    """An area without a line around it."""
    return path(d, fill=colour, stroke="none")


def line(d: str, width: float | None = None, colour: str | None = None) -> str:
    """A line that encloses nothing."""
    return path(d, fill="none", stroke_width=width, stroke=colour)


def circles(
    centres: Iterable[tuple[float, float]], radius: float, colour: str | None = None
) -> str:
    """Filled circles of one size."""
    r, across = f"{radius:g}", f"{2 * radius:g}"
    arcs = f"a{r} {r} 0 1 0 {across} 0 {r} {r} 0 1 0-{across} 0z"
    return filled("".join(f"M{x - radius:g} {y:g}{arcs}" for x, y in centres), colour)


def use(
    name: str, x: float = 0, y: float = 0, size: float = 1, **attributes: str | float | None
) -> str:
    """A drawing from elsewhere, made around its origin; a negative size turns it upside down."""
    moves = [f"translate({x:g} {y:g})"] if x or y else []
    moves += [f"scale({size:g})"] if size != 1 else []
    return tag("use", href=f"#{name}", transform="".join(moves) or None, **attributes)


def doubled(name: str) -> str:
    """A drawing from elsewhere on a card, and once more upside down."""
    x, y = MIDDLE
    return use(name) + tag("use", href=f"#{name}", transform=f"rotate(180 {x} {y})")


def mirrored(drawing: str) -> str:
    """A drawing mirrored from left to right."""
    return group(drawing, transform=f"translate({WIDTH} 0)scale(-1 1)")


def sign(suit: Suit, x: float, y: float, size: float, colour: str | None = None) -> str:
    """The sign of a suit around that place."""
    return use(suit.letter, x, y, size, fill=colour, stroke="none")
